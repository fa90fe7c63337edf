"""Batches agree with single positions."""

import numpy as np
import pytest

import ludens

COUNT = 700


def follow(batch, steps):
    """Steps a batch beside one position per place, and compares everything."""
    game = batch.game
    singles = [game.start() for _ in range(len(batch))]
    ended = 0
    for _ in range(steps):
        playing = batch.playing.copy()
        moves = batch.random_moves()
        for place in np.flatnonzero(playing):
            single = singles[place]
            if moves.ndim == 1:
                role = game.roles[batch.to_play[place]]
                assert role == single.to_play
                single.play(int(moves[place]))
            else:
                single.play({role: int(moves[place, number]) for number, role in enumerate(game.roles)})
        scores, over = batch.step(moves)
        assert not over[~playing].any()
        for place in np.flatnonzero(playing):
            single = singles[place]
            assert over[place] == single.is_over
            if over[place]:
                assert dict(zip(game.roles, scores[place])) == single.scores
                singles[place] = game.start()
                ended += 1
            else:
                assert not scores[place].any()
        yield singles
    assert batch.finished == ended > 0


@pytest.mark.parametrize(("name", "steps"), [("gdl:connect4", 60), ("gdl:nim", 30), ("misere-gdl:tictactoe", 30)])
def test_a_batch_plays_like_single_positions(name, steps):
    batch = ludens.Batch(name, COUNT, seed=3)
    for step, singles in enumerate(follow(batch, steps)):
        if step % 7 == 0:
            legal, observations, playing = batch.legal, batch.observations, batch.playing
            for place in np.flatnonzero(playing)[::23]:
                mask = singles[place].legal_mask()
                assert np.array_equal(legal[place, : len(mask)], mask) and not legal[place, len(mask) :].any()
                assert np.array_equal(observations[place], singles[place].observation())
            assert not legal[~playing].any() and (batch.to_play[~playing] == -1).all()


def test_roles_that_decide_at_once_give_a_move_each():
    batch = ludens.Batch("gdl:goofspiel", 600)
    assert (batch.to_play == -2).all()
    assert batch.random_moves().shape == (600, 2)
    for singles in follow(batch, 12):
        mask = batch.legal_of("right")
        for place in np.flatnonzero(batch.playing)[::50]:
            assert np.array_equal(mask[place], singles[place].legal_mask("right"))


def test_rules_of_the_user_play_in_batches():
    sheet = (
        "(role a) (role b) (init (turn a)) (init (n 3)) (succ 0 1) (succ 1 2) (succ 2 3) (other a b) (other b a)"
        "(<= (legal ?r take) (true (turn ?r))) (<= (legal ?r keep) (true (turn ?r)))"
        "(<= (legal ?r noop) (role ?r) (not (true (turn ?r))))"
        "(<= (next (turn ?o)) (true (turn ?r)) (other ?r ?o)) (<= (next (n ?m)) (true (n ?k)) (succ ?m ?k))"
        "(<= terminal (true (n 0))) (<= (goal ?r 100) (true (turn ?r))) (<= (goal ?r 0) (role ?r) (not (true (turn ?r))))"
    )
    batch = ludens.Batch(ludens.Game.from_gdl(sheet), 520)
    for _ in follow(batch, 12):
        pass


def test_the_seed_decides_and_threads_do_not():
    def play(**options):
        batch = ludens.Batch("gdl:connect4", COUNT, **options)
        for _ in range(20):
            batch.step(batch.random_moves())
        return batch.states.copy()

    one = play(seed=5, threads=1)
    assert np.array_equal(one, play(seed=5, threads=2))
    assert not np.array_equal(one, play(seed=6))
    batch = ludens.Batch("gdl:connect4", COUNT, seed=5)
    batch.step(batch.random_moves())
    batch.reset()
    for _ in range(20):
        batch.step(batch.random_moves())
    assert np.array_equal(one, batch.states)


def test_the_arrays_stay_where_they_are():
    batch = ludens.Batch("gdl:tictactoe", 10)
    arrays = [batch.legal, batch.states, batch.scores, batch.over, batch.playing, batch.to_play]
    places = [array.ctypes.data for array in arrays]
    batch.step(batch.random_moves().astype("uint16"))
    again = [batch.legal, batch.states, batch.scores, batch.over, batch.playing, batch.to_play]
    assert [array.ctypes.data for array in again] == places
    assert (arrays[0].sum(axis=1) == 8).all(), "an array that was asked for before shows the present"
