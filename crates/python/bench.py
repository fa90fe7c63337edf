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

import pyspiel

import ludens

BINARY = sys.argv[1]
POSITIONS = 8192


def command_line(*args: str):
    """What the command line says."""
    return json.loads(subprocess.run([BINARY, "--json", *args], capture_output=True, text=True, check=True).stdout)


def search(game: str, spec: str, sims: int, runs: int = 9) -> tuple[float, float]:
    """The median time of a search by the command line and through Python, taken in turn."""
    theirs, ours = [], []
    for _ in range(runs):
        theirs.append(command_line("analyze", game, "--player", spec, "--sims", str(sims))["seconds"])
        player, position = ludens.Player(spec), ludens.Game(game).start()
        player.search(position, sims=1)
        player.restart()
        begun = time.perf_counter()
        player.search(position, sims=sims)
        ours.append(time.perf_counter() - begun)
    return statistics.median(theirs), statistics.median(ours)


def pace(step: Callable[[], int], seconds: float = 1.0, runs: int = 5) -> float:
    """Steps a second: the median of some runs."""

    def run() -> float:
        steps, begun = 0, time.perf_counter()
        while time.perf_counter() - begun < seconds:
            steps += step()
        return steps / (time.perf_counter() - begun)

    return statistics.median(run() for _ in range(runs))


def batch(threads: int | None, with_legal: bool) -> float:
    """Steps a second of a batch whose moves pass through numpy."""
    positions = ludens.Batch("gdl:breakthrough", POSITIONS, threads=threads)

    def step() -> int:
        played = int(positions.playing.sum())
        if with_legal:
            positions.legal
        positions.step(positions.random_moves())
        return played

    for _ in range(200):
        step()
    return pace(step)


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
    lanes = command_line("bench", "gdl:breakthrough", "--engine", "lanes", "--seconds", "1")[0]["steps_per_s"]
    print(f"ludens bench gdl:breakthrough --engine lanes, one thread: {lanes / 1e6:.1f} million steps/s")
    spiel = openspiel()
    print(f"OpenSpiel from Python: {spiel / 1e6:.3f} million steps/s")
    for threads, with_legal in [(1, False), (None, False), (1, True), (None, True)]:
        steps = batch(threads, with_legal)
        who = f"{'one thread' if threads else 'all cores'}{', with legal masks' if with_legal else ''}"
        print(f"batch of {POSITIONS}, {who}: {steps / 1e6:.1f} million steps/s, {steps / lanes:.2f} of lanes, {steps / spiel:.0f} times OpenSpiel")


if __name__ == "__main__":
    main()
