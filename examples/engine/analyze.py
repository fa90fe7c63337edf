"""Searches the positions of a game with `ludens engine` and prints the expected score after every move.

    python3 examples/engine/analyze.py [path of ludens]
"""

import json
import subprocess
import sys

LUDENS = sys.argv[1] if len(sys.argv) > 1 else "ludens"
MOVES = ["c2-c3", "d5-d4", "e2-e3", "d4-c3"]


def main():
    engine = subprocess.Popen([LUDENS, "engine"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(**question):
        engine.stdin.write(json.dumps(question) + "\n")
        engine.stdin.flush()

    # All positions at once; the last one is the most urgent.
    ask(id="game", game="breakthrough:6", moves=MOVES, turns=list(range(len(MOVES))), budget="sims=2000")
    ask(id="now", game="breakthrough:6", moves=MOVES, budget="sims=5000", priority=1)
    # This one would take a minute: cancel it.
    ask(id="long", game="havannah:8", budget="ms=60000", priority=-1)
    ask(id="stop", action="terminate", terminate_id="long")
    engine.stdin.close()

    found = {}
    for line in engine.stdout:
        answer = json.loads(line)
        if answer["event"] == "failed":
            sys.exit(f"{answer['id']}: {answer['error']}")
        if answer["event"] == "done" and answer["id"] != "long":
            best = answer["thought"]["arms"][0]
            found[answer["turn"]] = (answer["role"], answer["move"], best["score"])
    for turn, (role, move, score) in sorted(found.items()):
        print(f"after {turn} moves {role} plays {move} and expects {score:.2f}")
    sys.exit(engine.wait())


main()
