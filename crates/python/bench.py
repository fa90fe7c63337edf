"""What the way through Python costs: searches beside the command line, batches beside the lanes and beside OpenSpiel.

Called by scripts/bench-python with the path of the command line's binary.
"""

import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np
import pyspiel

import ludens

BINARY = sys.argv[1]
POSITIONS = 8192


def command_line(*args: str):
    """What the command line says."""
    return json.loads(subprocess.run([BINARY, "--json", *args], capture_output=True, text=True, check=True).stdout)


def search(game: str, spec: str, sims: int, runs: int = 9) -> tuple[float, float]:
    """The shortest time of a search by the command line and through Python, taken in turn: whatever else runs only adds to it."""
    theirs, ours = [], []
    for _ in range(runs):
        theirs.append(command_line("analyze", game, "--player", spec, "--sims", str(sims))["seconds"])
        player, position = ludens.Player(spec), ludens.Game(game).start()
        player.search(position, sims=1)
        player.restart()
        begun = time.perf_counter()
        player.search(position, sims=sims)
        ours.append(time.perf_counter() - begun)
    return min(theirs), min(ours)


class TicTacToe(ludens.PythonGame):
    """The rules of gdl:tictactoe in Python."""

    roles = ["crosses", "noughts"]
    moves = range(9)
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]

    def initial(self) -> str:
        return "." * 9

    def to_play(self, state: str) -> int:
        return (9 - state.count(".")) % 2

    def legal_moves(self, state: str, role: int) -> list[int]:
        return [cell for cell in range(9) if state[cell] == "."]

    def play(self, state: str, move: int) -> str:
        return state[:move] + "xo"[self.to_play(state)] + state[move + 1 :]

    def scores(self, state: str) -> list[float] | None:
        for a, b, c in self.lines:
            if state[a] == state[b] == state[c] != ".":
                return [1, 0] if state[a] == "x" else [0, 1]
        return None if "." in state else [0.5, 0.5]


def simulations(game: str | ludens.PythonGame) -> float:
    """Simulations a second of a search with uniform playouts."""
    report = ludens.Player("uct").search(ludens.Game(game).start(), ms=1000)
    return report.simulations / report.seconds


def pace(step: Callable[[], int], seconds: float = 1.0, runs: int = 5) -> float:
    """Steps a second: the median of some runs."""

    def run() -> float:
        steps, begun = 0, time.perf_counter()
        while time.perf_counter() - begun < seconds:
            steps += step()
        return steps / (time.perf_counter() - begun)

    return statistics.median(run() for _ in range(runs))


def batch(with_legal: bool) -> tuple[float, float]:
    """Steps a second of a batch whose random moves pass through numpy, all in all and of `step` alone."""
    positions = ludens.Batch("gdl:breakthrough", POSITIONS)
    paces = []
    for _ in range(6):
        steps, stepping, begun = 0, 0.0, time.perf_counter()
        while time.perf_counter() - begun < 1:
            steps += int(np.count_nonzero(positions.playing))
            if with_legal:
                positions.legal
            moves = positions.random_moves()
            before = time.perf_counter()
            positions.step(moves)
            stepping += time.perf_counter() - before
        paces.append((steps / (time.perf_counter() - begun), steps / stepping))
    # The first second brings the games out of step with each other.
    return statistics.median(pace[0] for pace in paces[1:]), statistics.median(pace[1] for pace in paces[1:])


def openspiel() -> float:
    """Steps a second of OpenSpiel's breakthrough, driven from Python."""
    game = pyspiel.load_game("breakthrough")
    states = [game.new_initial_state() for _ in range(64)]
    choose = random.Random(1).choice

    def step() -> int:
        for place, state in enumerate(states):
            state.apply_action(choose(state.legal_actions()))
            if state.is_terminal():
                states[place] = game.new_initial_state()
        return len(states)

    return pace(step)


def main() -> None:
    for game, spec in [("breakthrough:8", "uct+ppa"), ("breakthrough:8", "uct"), ("gdl:connect4", "uct+mast")]:
        theirs, ours = search(game, spec, 100_000)
        print(f"search {game} {spec}: command line {theirs:.3f} s, Python {ours:.3f} s, {100 * (ours / theirs - 1):+.1f} %")
    ours, theirs = simulations(TicTacToe()), simulations("gdl:tictactoe")
    print(f"tic-tac-toe in Python: {ours:,.0f} sims/s; its rulesheet: {theirs:,.0f}, {theirs / ours:.0f} times as many")
    lanes = command_line("bench", "gdl:breakthrough", "--engine", "lanes", "--seconds", "1")[0]["steps_per_s"]
    print(f"ludens bench gdl:breakthrough --engine lanes, one thread: {lanes / 1e6:.1f} million steps/s")
    spiel = openspiel()
    print(f"OpenSpiel from Python: {spiel / 1e6:.3f} million steps/s")
    for with_legal in (False, True):
        every, alone = batch(with_legal)
        what = "random moves and step" + (" and legal masks" if with_legal else "")
        for name, steps in ((what, every), ("step alone", alone)):
            share = f"{steps / lanes:.2f} of lanes, {steps / spiel:.0f} times OpenSpiel"
            print(f"batch of {POSITIONS}, one thread, {name}: {steps / 1e6:.1f} million steps/s, {share}")


if __name__ == "__main__":
    main()
