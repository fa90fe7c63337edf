"""Bad input raises with a clear text. It never ends the interpreter."""

import threading

import numpy as np
import pytest

import ludens

START = ludens.Game("gdl:tictactoe").start


class Broken(ludens.PythonGame):
    """A game whose methods can be replaced by bad ones."""

    roles = ["a", "b"]
    moves = [0, 1]

    def initial(self):
        return 0

    def to_play(self, state):
        return state % 2

    def legal_moves(self, state, role):
        return [0, 1]

    def play(self, state, move):
        return state + 1

    def scores(self, state):
        return [1, 0] if state == 4 else None


def broken(**methods):
    return type("Broken", (Broken,), {name: staticmethod(method) for name, method in methods.items()})()


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: ludens.Game.from_gdl("(role"), "rules:1:1"),
        (lambda: ludens.Game.from_gdl("\0" * 10), "rules"),
        (lambda: ludens.Game.from_gdl("(" * 100_000), "rules"),
        (lambda: ludens.Game("x\n" * 10_000), "unknown game"),
        (lambda: START().play(99), "number 99 is not legal"),
        (lambda: START().play(-1), "number -1 is not legal"),
        (lambda: START().play(3.5), "a move is a name or a number"),
        (lambda: START().play({"green": "(mark 1 1)"}), 'has no role "green"; roles: crosses, noughts'),
        (lambda: START().play([0, 1]), "2 moves for 1 deciding roles"),
        (lambda: START().undo(), "there is no move to undo"),
        (lambda: START().legal_moves("green"), "roles: crosses, noughts"),
        (lambda: START().legal_moves(7), "has no role 7"),
        (lambda: ludens.Game("gdl:goofspiel").start().legal_moves(), "several roles decide here, name one of them"),
        (lambda: ludens.Game("gdl:goofspiel").start().play("(bid 1)"), "needs a move of every role"),
        (lambda: ludens.Game("gdl:goofspiel").start().play(["(bid 1)"]), "needs a move of every role"),
        (lambda: ludens.Game("breakthrough:5").facts, "only compiled rulesheets have them"),
        (lambda: ludens.Game("breakthrough:5").move_name("white", 10_000), "has no move 10000 of white"),
        (lambda: ludens.Player("uct", seed=1).search(START(), sims=0), "sims is 0"),
        (lambda: ludens.Player().search(START(), sims=5, budget="ms=5"), "either budget or sims"),
        (lambda: ludens.Player("uct(c=nan)"), 'c cannot be "nan"'),
        (lambda: ludens.match("go:3", "uct", "uct", games=0), "games: give 1 or more"),
        (lambda: ludens.match("go:3", "uct", "uct", games=2, threads=0), "threads: give 1 to 1024"),
        (lambda: ludens.reproduce("nobody2030"), 'unknown paper "nobody2030"; papers: tak2012'),
        (lambda: ludens.reproduce("ppa2015/1", only="chess"), "no cell matches only and budgets; games: "),
        (lambda: ludens.Batch("breakthrough:8", 10), "breakthrough:8x8 has no lanes"),
        (lambda: ludens.Batch("gdl:nim", 0), "a batch of 0 positions"),
        (lambda: ludens.Batch("gdl:checkers", 1 << 24), "GiB; allowed: 4 GiB"),
        (lambda: ludens.Batch("gdl:nim", 1 << 60), "allowed: 1 to 16777216"),
        (lambda: ludens.Batch("gdl:nim", 4, threads=0), "0 threads"),
        (lambda: ludens.Batch("gdl:nim", 4).step([0, 0]), "moves have shape (2,); allowed: (4,) or (4, 2)"),
        (lambda: ludens.Batch("gdl:nim", 4).step(np.zeros((4, 3), int)), "moves have shape (4, 3)"),
        (lambda: ludens.Batch("gdl:nim", 4).step([0.5] * 4), "whole numbers, not float64"),
        (lambda: ludens.Batch("gdl:nim", 4).step([0, 0, 999, 0]), "position 2: move 999 is not legal for first"),
        (lambda: ludens.Batch("gdl:nim", 4).step(np.full(4, -(2**60))), "position 0: move -1152921504606846976"),
        (lambda: ludens.Batch("gdl:goofspiel", 2).step([0, 0]), "several roles decide; give moves of shape (2, 2)"),
        (lambda: ludens.Batch("gdl:goofspiel", 2).legal, "several roles decide; ask legal_of(role)"),
        (lambda: ludens.Game(broken(legal_moves=lambda state, role: [7])).start().legal_moves(), "gave 7, which is not"),
        (lambda: ludens.Game(broken(legal_moves=lambda state, role: [])).start().legal_moves(), "a has no legal move"),
        (lambda: ludens.Game(broken(scores=lambda state: [3, 0])).start(), "one number from 0 to 1"),
        (lambda: ludens.Game(broken(scores=lambda state: [1])).start(), "one number from 0 to 1"),
        (lambda: ludens.Game(broken(to_play=lambda state: 5)).start(), "to_play gave 5; roles: a, b"),
    ],
)
def test_bad_input_is_an_error_in_one_line(call, text):
    with pytest.raises(ludens.Error) as error:
        call()
    assert text in str(error.value) and "\n" not in str(error.value)


def test_what_is_no_game_at_all_is_a_type_error():
    for thing in (None, 5, object(), [1]):
        with pytest.raises(TypeError, match="a game is a name or an object like ludens.PythonGame"):
            ludens.Game(thing)
    with pytest.raises(TypeError):
        ludens.Player().search("breakthrough")
    with pytest.raises(OverflowError):
        ludens.Player(seed=-1)
    with pytest.raises(OSError, match="cannot read /no/where.toml"):
        ludens.experiment("/no/where.toml")


def test_an_exception_of_the_users_game_is_raised_where_the_user_called():
    def fail(state, move):
        raise ZeroDivisionError("in play")

    game = ludens.Game(broken(play=fail))
    with pytest.raises(ZeroDivisionError, match="in play"):
        game.start().play(0)
    player = ludens.Player("uct+mast@threads=2")
    for _ in range(2):
        with pytest.raises(ZeroDivisionError, match="in play"):
            player.search(game.start(), sims=100)
    with pytest.raises(ZeroDivisionError, match="in play"):
        ludens.match(game, "uct", "uct", games=4, sims=10, progress=False)
    with pytest.raises(ZeroDivisionError, match="in play"):
        game.check()


def test_a_refused_step_leaves_a_batch_as_it_was():
    batch = ludens.Batch("gdl:nim", 600)
    before = batch.states.copy()
    moves = batch.random_moves()
    moves[599] = 999
    with pytest.raises(ludens.Error):
        batch.step(moves)
    assert (batch.states == before).all()
    batch.reset()
    assert (batch.states == before).all()
    moves[599] = moves[0]
    batch.step(moves)
    assert not (batch.states == before).all()


def test_a_player_and_a_position_refuse_two_threads_at_once():
    position = ludens.Game("breakthrough:8").start()
    player = ludens.Player("uct")
    thread = threading.Thread(target=lambda: player.search(position, ms=400))
    thread.start()
    seen = ""
    while thread.is_alive() and not seen:
        try:
            player.restart()
        except ludens.Error as error:
            seen = str(error)
    thread.join()
    assert seen == "this player is searching in another thread"
    assert player.search(position, sims=10).simulations == 10
