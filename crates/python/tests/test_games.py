"""Games and positions."""

import xml.etree.ElementTree as xml

import numpy as np
import pytest
from conftest import random_game

import ludens


def test_every_game_of_the_catalogue_opens_and_is_played_to_its_end():
    infos = ludens.games()
    assert len(infos) > 30
    for info in infos:
        game = ludens.Game(info.name)
        assert game.roles == info.roles
        position = game.start()
        for _ in random_game(position, seed=1, steps=12):
            assert "<svg" in position._repr_svg_()
        if not position.is_over:
            assert position.scores is None
            role = position.deciders[0]
            ids = position.legal_ids(role)
            assert [game.move_name(role, number) for number in ids] == position.legal_moves(role)
            assert np.flatnonzero(position.legal_mask(role)).tolist() == ids.tolist()


def test_a_line_is_played_taken_back_and_copied():
    game = ludens.Game("breakthrough:5")
    position = game.start()
    texts = [str(position)]
    for _ in random_game(position, seed=3):
        texts.append(str(position))
    assert position.is_over and sum(position.scores.values()) == 1
    assert position.legal_moves() == [] and position.to_play is None
    copy = position.copy()
    assert copy.moves == position.moves == game.start(" ".join(position.moves)).moves
    while position.moves:
        assert str(position).replace("(", " ").replace(")", " ") == texts.pop().replace("(", " ").replace(")", " ")
        position.undo()
    assert copy.is_over and not position.is_over


def test_moves_are_names_or_numbers_one_or_several():
    by_name = ludens.Game("gdl:goofspiel").start().play(["(bid 3)", "(bid 1)"])
    by_number = ludens.Game("gdl:goofspiel").start()
    left, right = (list(by_number.legal_moves(role)).index(f"(bid {card})") for role, card in (("left", 3), ("right", 1)))
    by_number.play([by_number.legal_ids("left")[left], by_number.legal_ids("right")[right]])
    by_role = ludens.Game("gdl:goofspiel").start().play({"right": "(bid 1)", "left": "(bid 3)"})
    assert by_name.moves == by_number.moves == by_role.moves == ["(bid 3)/(bid 1)"]


def test_pictures_are_svg_of_every_layout():
    for name, cells in [("breakthrough:5", 25), ("havannah:3", 19), ("gdl:nim", 0)]:
        tree = xml.fromstring(ludens.Game(name).start()._repr_svg_())
        assert len(tree.findall("{*}polygon")) == cells
        assert tree.find("{*}title").text.startswith("<Position of")
    marked = ludens.Game("breakthrough:5").start("c2-c3")._repr_svg_()
    assert marked.count("#f2d58a") == 2


def test_observations_tell_positions_apart():
    for name in ("breakthrough:5", "gdl:tictactoe"):
        position = ludens.Game(name).start()
        seen = {position.observation().tobytes()}
        for _ in random_game(position, seed=2, steps=5):
            seen.add(position.observation().tobytes())
        assert len(seen) == 6
    facts = ludens.Game("gdl:tictactoe").facts
    start = ludens.Game("gdl:tictactoe").start("(mark 2 3)").observation()
    assert {fact for fact, holds in zip(facts, start) if holds} >= {"(cell 2 3 x)", "(control noughts)"}


def test_rules_are_opened_from_text():
    rules = "(role you) (init (at 1)) (succ 1 2) (succ 2 3) (<= (legal you go) (true (at ?x))) "
    rules += "(<= (next (at ?y)) (does you go) (true (at ?x)) (succ ?x ?y)) (<= terminal (true (at 3))) (goal you 70)"
    game = ludens.Game.from_gdl(rules, name="walk")
    assert game.name == "walk" and game.facts
    assert game.start().play("go").play("go").scores == {"you": 0.7}


@pytest.mark.parametrize(
    ("args", "call"),
    [
        (["perft", "breaktrough", "--depth", "1"], lambda: ludens.Game("breaktrough")),
        (["perft", "havannah:13", "--depth", "1"], lambda: ludens.Game("havannah:13")),
        (["perft", "/no/where.kif", "--depth", "1"], lambda: ludens.Game("/no/where.kif")),
        (["analyze", "breakthrough:5", "--moves", "c2-c4"], lambda: ludens.Game("breakthrough:5").start("c2-c4")),
        (["analyze", "breakthrough:5", "--moves", "c2"], lambda: ludens.Game("breakthrough:5").start().play("c2")),
        (["analyze", "gdl:nim", "--moves", "(leave a 9)"], lambda: ludens.Game("gdl:nim").start("(leave a 9)")),
        (
            ["analyze", "breakthrough:5", "--as", "green"],
            lambda: ludens.Player().search(ludens.Game("breakthrough:5").start(), role="green"),
        ),
        (
            ["analyze", "breakthrough:5", "--as", "black"],
            lambda: ludens.Player().search(ludens.Game("breakthrough:5").start(), role="black"),
        ),
        (["analyze", "go:3", "--player", "random"], lambda: ludens.Player("random").search(ludens.Game("go:3").start())),
        (["match", "go:3", "uct", "--games", "2"], lambda: ludens.match("go:3", "uct", games=2)),
        (["reproduce", "ppa2015/77"], lambda: ludens.reproduce("ppa2015/77")),
    ],
)
def test_errors_have_the_text_of_the_command_line(cli, args, call):
    with pytest.raises(ludens.Error) as error:
        call()
    assert str(error.value) == cli(*args)


def test_specs_and_budgets_have_the_text_of_the_command_line(cli):
    with pytest.raises(ludens.Error) as error:
        ludens.Player("uct+magic")
    assert str(error.value) in cli("analyze", "go:3", "--player", "uct+magic")
    with pytest.raises(ludens.Error) as error:
        ludens.Player().search(ludens.Game("go:3").start(), budget="hours=3")
    assert str(error.value) in cli("analyze", "go:3", "--budget", "hours=3")
