"""A game written in Python plays like its native twin."""

import numpy as np
import pytest
from conftest import random_game

import ludens

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class TicTacToe(ludens.PythonGame):
    """The rules of gdl:tictactoe, with its names."""

    roles = ["crosses", "noughts"]
    moves = [(x, y) for x in (1, 2, 3) for y in (1, 2, 3)]

    def initial(self):
        return "." * 9

    def to_play(self, state):
        return "crosses" if state.count("x") == state.count("o") else "noughts"

    def legal_moves(self, state, role):
        return [move for move, cell in zip(self.moves, state) if cell == "."]

    def play(self, state, move):
        place = self.moves.index(move)
        return state[:place] + ("x" if self.to_play(state) == "crosses" else "o") + state[place + 1 :]

    def scores(self, state):
        for sign, scores in (("x", [1, 0]), ("o", [0, 1])):
            if any(all(state[cell] == sign for cell in line) for line in LINES):
                return scores
        return None if "." in state else {"crosses": 0.5, "noughts": 0.5}

    def move_name(self, move):
        return f"(mark {move[0]} {move[1]})"

    def key(self, state):
        return state

    def board(self, state):
        return "\n".join(state[row : row + 3] for row in (0, 3, 6))


class Pennies(ludens.PythonGame):
    """Both show a coin at the same time: even wins if they are the same."""

    roles = ["even", "odd"]
    moves = ["heads", "tails"]

    def initial(self):
        return None

    def to_play(self, state):
        return None

    def legal_moves(self, state, role):
        return self.moves

    def play_joint(self, state, moves):
        return moves

    def scores(self, state):
        return state and ([1, 0] if state[0] == state[1] else [0, 1])


def test_the_rules_agree_with_the_twin_position_by_position():
    for seed in range(30):
        ours, twin = ludens.Game(TicTacToe()).start(), ludens.Game("gdl:tictactoe").start()
        for _ in random_game(ours, seed):
            twin.play(ours.moves[-1])
            assert ours.legal_moves() == twin.legal_moves()
            assert (ours.to_play, ours.scores) == (twin.to_play, twin.scores)
        assert twin.is_over


SELECTS = [part.name for part in ludens.policies() if part.kind == "selection"]
POLICIES = [part.name for part in ludens.policies() if part.kind == "policy"]


@pytest.mark.parametrize("spec", SELECTS + [f"uct+{policy}" for policy in POLICIES])
def test_every_policy_searches_it_exactly_as_it_searches_the_twin(spec):
    ours = ludens.Player(spec, seed=4).search(ludens.Game(TicTacToe()).start("(mark 1 2)"), sims=150)
    twin = ludens.Player(spec, seed=4).search(ludens.Game("gdl:tictactoe").start("(mark 1 2)"), sims=150)
    assert ours.moves == twin.moves
    assert ours.visits.tolist() == twin.visits.tolist()
    assert np.array_equal(ours.scores, twin.scores, equal_nan=True)
    assert np.array_equal(ours.learned, twin.learned, equal_nan=True)


def test_it_keeps_the_promises_of_a_game():
    assert ludens.Game(TicTacToe()).check() > 100
    assert ludens.Game(Pennies()).check() == 20
    assert ludens.Game(TicTacToe()).perft(4) == ludens.Game("gdl:tictactoe").perft(4) == 9 * 8 * 7 * 6


def test_roles_may_move_at_once():
    position = ludens.Game(Pennies()).start()
    assert position.deciders == ["even", "odd"] and position.to_play is None
    report = ludens.Player("uct", seed=1).search(position, sims=400, role="odd")
    assert report.role == "odd" and abs(report.scores[0] - 0.5) < 0.2
    assert position.play(["heads", "tails"]).scores == {"even": 0.0, "odd": 1.0}


def test_matches_and_pictures_work_with_it():
    result = ludens.match(TicTacToe(), "uct", "random", games=6, sims=60, progress=False)
    assert result.games == 6 and result.rows[0]["rate"] > 0.5
    position = ludens.Game(TicTacToe()).start("(mark 2 2)")
    assert position._repr_svg_().count("<circle") == 1
    assert str(position).split() == [".", ".", ".", ".", "x", ".", ".", ".", "."] or "x" in str(position)
