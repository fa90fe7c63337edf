"""OpenSpiel: the same games, its games for our players, our players for its games."""

import random
import re

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import mcts

import ludens
from ludens.openspiel import Bot, Spiel


def breakthrough(text, state):
    """Black begins at the top there, white at the bottom here: the board is turned upside down."""
    (from_file, from_rank), (to_file, to_rank) = re.findall("([a-h])([1-8])", text)
    return f"{from_file}{9 - int(from_rank)}-{to_file}{9 - int(to_rank)}"


def nim(text, state):
    """What is taken there is what is left here."""
    pile, taken = map(int, re.findall("[0-9]+", text))
    sizes = [int(size) for size in str(state).split(": ")[1].split()]
    return f"(leave {'abc'[pile - 1]} {sizes[pile - 1] - taken})"


def cell(text, state):
    return "(mark {} {})".format(*(int(number) + 1 for number in re.findall("[0-9]+", text)))


def hexagon(text, state):
    """Rows there are columns here: who begins connects top and bottom there, left and right here."""
    return f"(put {text[1:]} {ord(text[0]) - ord('a') + 1})"


SHARED = [
    ("breakthrough", "breakthrough:8", breakthrough),
    ("breakthrough", "gdl:breakthrough", lambda text, state: pawn(breakthrough(text, state))),
    ("havannah(board_size=4)", "havannah:4", lambda text, state: text),
    ("connect_four", "gdl:connect4", lambda text, state: f"(drop {int(text[1]) + 1})"),
    ("tic_tac_toe", "gdl:tictactoe", cell),
    ("hex(board_size=7)", "gdl:hex7", hexagon),
    ("nim(pile_sizes=3;4;5,is_misere=false)", "gdl:nim", nim),
]


def pawn(move):
    """A move between squares as the rulesheet writes it."""
    files = [str(ord(file) - ord("a") + 1) for file in (move[0], move[3])]
    return f"(move {files[0]} {move[1]} {files[1]} {move[4]})"


@pytest.mark.parametrize(("theirs", "ours", "name"), SHARED)
def test_shared_games_agree_position_by_position(theirs, ours, name):
    spiel, game = pyspiel.load_game(theirs), ludens.Game(ours)
    rng = random.Random(7)
    for _ in range(10):
        state, position = spiel.new_initial_state(), game.start()
        while not state.is_terminal():
            assert not position.is_over, position.moves
            assert position.to_play == game.roles[state.current_player()]
            player = state.current_player()
            moves = {name(state.action_to_string(player, action), state): action for action in state.legal_actions()}
            assert sorted(moves) == sorted(position.legal_moves()), position.moves
            move = rng.choice(sorted(moves))
            position.play(move)
            state.apply_action(moves[move])
        assert position.is_over, position.moves
        assert [2 * score - 1 for score in position.scores.values()] == state.returns()


@pytest.mark.parametrize(
    "name",
    ["tic_tac_toe", "connect_four", "oshi_zumo(coins=3,size=1)", "matrix_rps", "goofspiel(num_cards=4,points_order=descending)"],
)
def test_our_players_search_their_games(name):
    game = ludens.Game(Spiel(name))
    position = game.start()
    player = ludens.Player("uct+mast", seed=2)
    while not position.is_over:
        choice = {role: int(player.choose(position, sims=20, role=role)) for role in position.deciders}
        position.play(choice)
    assert all(0 <= score <= 1 for score in position.scores.values())
    assert ludens.Game(Spiel("tic_tac_toe")).check(walks=5) > 0


def test_their_game_is_searched_as_our_own():
    theirs = ludens.Player("uct@solver=on", seed=1).search(ludens.Game(Spiel("nim(pile_sizes=1;2,is_misere=false)")).start(), sims=500)
    assert theirs.proven == 1.0


def test_games_that_we_do_not_play_are_refused():
    with pytest.raises(ludens.Error, match="kuhn_poker hides information"):
        Spiel("kuhn_poker")
    with pytest.raises(ludens.Error, match="has chance events"):
        ludens.Player("uct").search(ludens.Game(Spiel("pig")).start(), sims=50)


def test_our_players_are_bots_against_their_search():
    game = pyspiel.load_game("tic_tac_toe")
    points = [0.0, 0.0]
    for seed in range(2):
        # The solver needs no luck here: it does not lose tic-tac-toe.
        ours = Bot(game, seed % 2, "uct+mast@solver=on", seed=seed, sims=3000)
        draws = np.random.RandomState(seed)
        theirs = mcts.MCTSBot(game, 1.4, 20, mcts.RandomRolloutEvaluator(1, draws), random_state=draws)
        bots = [ours, theirs] if seed % 2 == 0 else [theirs, ours]
        returns = pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)
        points[0] += returns[seed % 2]
        points[1] += returns[1 - seed % 2]
    assert points[0] >= points[1]
    goofspiel = pyspiel.load_game("goofspiel(num_cards=3,points_order=descending)")
    bots = [Bot(goofspiel, 0, "uct", sims=50), Bot(goofspiel, 1, "random")]
    assert len(pyspiel.evaluate_bots(goofspiel.new_initial_state(), bots, 1)) == 2
