"""Matches against programs of others: GNU Go over GTP, OpenSpiel's MCTS through its package, both at equal time.

Called by scripts/opponents with the path of the command line's binary.
"""

import argparse
import math
import re
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import pyspiel

import ludens

#: More simulations than any move needs.
MOST_SIMS = 10_000_000

#: Moves of OpenSpiel's games as Ludens writes them.
NAMES: dict[str, tuple[str, Callable[[str], str]]] = {
    "breakthrough:8": ("breakthrough", lambda text: upside_down(text)),
    "havannah:6": ("havannah(board_size=6)", lambda text: text),
    "havannah:8": ("havannah(board_size=8)", lambda text: text),
    "gdl:connect4": ("connect_four", lambda text: f"(drop {int(text[1]) + 1})"),
    "gdl:hex7": ("hex(board_size=7)", lambda text: f"(put {text[1:]} {ord(text[0]) - ord('a') + 1})"),
}


def upside_down(text: str) -> str:
    """Black begins at the top there, white at the bottom here."""
    (from_file, from_rank), (to_file, to_rank) = re.findall("([a-h])([1-8])", text)
    return f"{from_file}{9 - int(from_rank)}-{to_file}{9 - int(to_rank)}"


def interval(points: float, games: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a win rate, in percent."""
    z, rate = 1.96, points / games
    centre = rate + z * z / (2 * games)
    half = z * math.sqrt(rate * (1 - rate) / games + z * z / (4 * games * games))
    scale = 100 / (1 + z * z / games)
    return scale * (centre - half), scale * (centre + half)


class Theirs:
    """OpenSpiel's MCTS with random playouts, given as many simulations as fit into the time."""

    def __init__(self, game: Any, ms: int, seed: int) -> None:
        self.game, self.ms, self.seed = game, ms, seed
        self.rate = 10_000.0

    def choose(self, state: Any) -> int:
        """The action to play; its time tells how many simulations the next move gets."""
        sims = min(MOST_SIMS, max(2, int(self.rate * self.ms / 1000)))
        evaluator = pyspiel.RandomRolloutEvaluator(1, self.seed)
        bot = pyspiel.MCTSBot(self.game, evaluator, 2.0, sims, 2000, True, self.seed, False)
        begun = time.perf_counter()
        action = bot.step(state)
        seconds = time.perf_counter() - begun
        # A position that is solved at once says nothing about the speed.
        if seconds > self.ms / 10_000:
            self.rate = sims / seconds
        self.seed += 1
        return int(action)


def warm_up(theirs: Theirs, state: Any) -> None:
    """Two short searches that find out the speed."""
    for _ in range(2):
        theirs.choose(state)


def play_openspiel(name: str, spec: str, ms: int, seed: int) -> tuple[float, list[float], list[float]]:
    """One game; we begin if the seed is even. Our score, our seconds per move, theirs."""
    theirs_name, translate = NAMES[name]
    spiel, game = pyspiel.load_game(theirs_name), ludens.Game(name)
    state, position = spiel.new_initial_state(), game.start()
    own, seat = ludens.Player(spec, seed=seed), seed % 2
    theirs = Theirs(spiel, ms, seed)
    warm_up(theirs, state)
    times: tuple[list[float], list[float]] = ([], [])
    while not state.is_terminal():
        player = state.current_player()
        actions = {translate(state.action_to_string(player, action)): action for action in state.legal_actions()}
        begun = time.perf_counter()
        if player == seat:
            move = own.choose(position, ms=ms)
        else:
            action = theirs.choose(state)
            move = next(move for move, number in actions.items() if number == action)
        times[player != seat].append(time.perf_counter() - begun)
        state.apply_action(actions[move])
        position.play(move)
    return (state.returns()[seat] + 1) / 2, *times


class Gtp:
    """A program that speaks GTP."""

    def __init__(self, command: list[str]) -> None:
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )

    def ask(self, command: str) -> str:
        """The reply to a command."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        lines = []
        while (line := self.process.stdout.readline().rstrip("\n")) or not lines:
            lines.append(line)
        if not lines[0].startswith("="):
            raise RuntimeError(f"{command}: {lines[0]}")
        return lines[0][1:].strip()


def play_gnugo(binary: str, size: int, spec: str, ms: int, level: int, seed: int) -> tuple[float, list[float], list[float]]:
    """One game of Go; we are black if the seed is even. Our score, our seconds per move, theirs."""
    ours = Gtp([binary, "gtp", f"go:{size},eyes=on", "--player", spec, "--budget", f"ms={ms}", "--seed", str(seed)])
    options = ["--chinese-rules", "--capture-all-dead", "--level", str(level), "--seed", str(seed + 1)]
    theirs = Gtp(["gnugo", "--mode", "gtp", *options])
    for program in (ours, theirs):
        program.ask(f"boardsize {size}")
        program.ask("komi 7.5")
        program.ask("clear_board")
    seats = (ours, theirs) if seed % 2 == 0 else (theirs, ours)
    times: tuple[list[float], list[float]] = ([], [])
    passes, colour = 0, 0
    while passes < 2:
        begun = time.perf_counter()
        move = seats[colour].ask(f"genmove {'bw'[colour]}")
        times[seats[colour] is theirs].append(time.perf_counter() - begun)
        if move.lower() == "resign":
            winner = 1 - colour
            break
        seats[1 - colour].ask(f"play {'bw'[colour]} {move}")
        passes = passes + 1 if move.lower() == "pass" else 0
        colour = 1 - colour
    else:
        # Both count after Chinese rules; where they disagree about dead stones, GNU Go is believed.
        winner = 0 if theirs.ask("final_score").startswith("B") else 1
    for program in (ours, theirs):
        program.ask("quit")
    return float(seats[winner] is ours), *times


def main() -> None:
    """Plays, and prints a row of a table for each opponent."""
    parser = argparse.ArgumentParser(prog="scripts/opponents", description=__doc__.splitlines()[0])
    parser.add_argument("binary", help=argparse.SUPPRESS)
    parser.add_argument("--games", type=int, default=10, help="games against each opponent (default: 10)")
    parser.add_argument("--ms", type=int, default=500, help="milliseconds a move (default: 500)")
    parser.add_argument("--player", default=ludens.Player().spec, help="the player's spec (default: %(default)s)")
    parser.add_argument("--level", type=int, default=10, help="GNU Go's level, which stands for its time (default: 10)")
    choices = [*NAMES, "go:9", "go:13"]
    parser.add_argument("--on", nargs="+", choices=choices, default=choices, help="the games (default: all)")
    args = parser.parse_args()
    print(f"{args.player}, {args.ms} ms a move\n")
    print("| game | opponent | won | 95 % | our s a move | their s a move |\n|---|---|---:|---|---:|---:|")
    for name in args.on:
        points, own, their = 0.0, [], []
        for seed in range(args.games):
            if name.startswith("go:"):
                opponent = f"GNU Go, level {args.level}"
                size = int(name[3:])
                result = play_gnugo(args.binary, size, args.player, args.ms, args.level, seed)
            else:
                opponent = "OpenSpiel MCTS"
                result = play_openspiel(name, args.player, args.ms, seed)
            points += result[0]
            own += result[1]
            their += result[2]
            print(f"{name}: {points:g} of {seed + 1}", file=sys.stderr)
        low, high = interval(points, args.games)
        seconds = [sum(times) / len(times) for times in (own, their)]
        rate = f"{points:g} of {args.games} | {low:.0f} to {high:.0f} %"
        print(f"| {name} | {opponent} | {rate} | {seconds[0]:.2f} | {seconds[1]:.2f} |", flush=True)


if __name__ == "__main__":
    main()
