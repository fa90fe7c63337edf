"""Players and reports."""

import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import ludens


def test_a_search_finds_what_the_command_line_finds(cli):
    for game, moves, spec in [
        ("breakthrough:6", "c2-c3 d5-d4", "uct+mast"),
        ("havannah:4", "d4 c3", "grave+ppa"),
        ("gdl:connect4", "(drop 4)", "sironi2021/nst"),
        ("gdl:goofspiel", "", "rave+ppa@solver=on"),
    ]:
        theirs = cli("analyze", game, "--moves", moves, "--player", spec, "--sims", "2000", "--seed", "9")
        ours = ludens.Player(spec, seed=9).search(ludens.Game(game).start(moves), sims=2000)
        assert ours.move == theirs["move"] and ours.role == theirs["role"]
        assert ours.moves == [arm["move"] for arm in theirs["arms"]]
        assert ours.visits.tolist() == [arm["visits"] for arm in theirs["arms"]]
        scores = [np.nan if arm["score"] is None else arm["score"] for arm in theirs["arms"]]
        assert np.array_equal(ours.scores, scores, equal_nan=True)
        learned = {weight["move"]: weight["value"] for weight in theirs["policy"]}
        assert np.array_equal(ours.learned, [learned.get(move, np.nan) for move in ours.moves], equal_nan=True)
        assert ours.line == theirs["line"] and ours.nodes == theirs["nodes"] and ours.steps == theirs["steps"]


def test_the_tree_is_used_again_and_forgotten_on_request():
    position = ludens.Game("breakthrough:6").start()
    player = ludens.Player("uct", seed=5)
    first = player.search(position, sims=2000)
    position.play(first.move).play(first.line[1])
    second = player.search(position, sims=100)
    assert second.simulations == 100 and second.visits.sum() > 100
    player.restart()
    third = player.search(position, sims=100)
    assert third.visits.sum() == 100
    player.restart(seed=6)
    assert player.seed == 6
    assert not np.array_equal(player.search(position, sims=100).visits, third.visits)
    fresh = ludens.Player("uct", seed=5).search(position, sims=100)
    assert np.array_equal(fresh.visits, third.visits)


def test_budgets_end_a_search():
    position = ludens.Game("breakthrough:8").start()
    assert ludens.Player("uct").search(position, sims=123).simulations == 123
    assert ludens.Player("uct").search(position, nodes=50).nodes <= 51
    begun = time.monotonic()
    assert ludens.Player("uct").search(position, ms=100).seconds >= 0.1
    assert time.monotonic() - begun < 20
    assert ludens.Player("uct").search(position, budget="sims=7").simulations == 7


def test_other_threads_run_while_it_searches():
    report = []
    position = ludens.Game("breakthrough:8").start()
    thread = threading.Thread(target=lambda: report.append(ludens.Player("uct").search(position, ms=300)))
    thread.start()
    turns = 0
    while thread.is_alive():
        turns += 1
        time.sleep(0.001)
    assert turns > 10, "the interpreter stood still"
    assert report[0].simulations > 100


CALLS = [
    "ludens.Player('uct').search(ludens.Game('breakthrough:8').start(), sims=10**12)",
    "ludens.match('breakthrough:8', 'uct', 'uct', games=10**6, sims=10**6, progress=False)",
    "ludens.Player('uct').search(ludens.Game(Endless()).start(), sims=10**9)",
]

PROGRAM = """
import ludens, sys
class Endless(ludens.PythonGame):
    roles, moves = ["one"], [0, 1]
    def initial(self): return 0
    def to_play(self, state): return 0
    def legal_moves(self, state, role): return [0, 1]
    def play(self, state, move): return state + 1
    def scores(self, state): return [0.5] if state == 1000 else None
print("ready", flush=True)
try:
    {call}
except KeyboardInterrupt:
    # The interpreter is as it was.
    print(ludens.Player("uct").search(ludens.Game("go:3").start(), sims=5).simulations)
"""


@pytest.mark.parametrize("call", CALLS)
def test_ctrl_c_ends_it(call):
    program = subprocess.Popen([sys.executable, "-c", PROGRAM.format(call=call)], stdout=subprocess.PIPE, text=True)
    assert program.stdout.readline() == "ready\n"
    time.sleep(0.5)
    program.send_signal(signal.SIGINT)
    assert program.communicate(timeout=20)[0] == "5\n"
    assert program.returncode == 0
