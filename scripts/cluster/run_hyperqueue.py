"""Runs the tasks of a plan on a HyperQueue cluster on this machine: a server and two workers.

    run_hyperqueue.py SCRIPT FOLDER

The tasks and their command are those of the script for `hq submit`, a program that HyperQueue's Python package does not bring.
"""

import shlex
import sys

from hyperqueue import Job, LocalCluster
from hyperqueue.cluster import WorkerConfig

script, folder = sys.argv[1:]
words = shlex.split(open(script).read().replace("\\\n", ""), comments=True)
first, last = words[words.index("--array") + 1].split("-")
command = words[words.index("--") + 1 :]
command = ["sh", "-c", "exec " + " ".join(word if "$" in word else shlex.quote(word) for word in command)]

with LocalCluster() as cluster:
    for _ in range(2):
        cluster.start_worker(WorkerConfig(cores=1))
    client = cluster.client()
    job = Job()
    for task in range(int(first), int(last) + 1):
        job.program(command, stdout=f"{folder}/task-{task}.out", stderr=f"{folder}/task-{task}.err")
    client.wait_for_jobs([client.submit(job)])
