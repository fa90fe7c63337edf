"""Matches, experiments, reproductions; frames and plots of them."""

import matplotlib
import pandas
import polars
import pytest

import ludens

matplotlib.use("Agg")


def test_a_match_is_that_of_the_command_line(cli):
    theirs = cli("match", "breakthrough:5", "uct+ppa", "uct", "--games", "12", "--sims", "60", "--seed", "4")
    for threads in (1, 2):
        ours = ludens.match(
            "breakthrough:5", "uct+ppa", "uct", games=12, sims=60, seed=4, threads=threads, progress=False
        )
        assert [100 * row["rate"] for row in ours.rows] == [player["rate"] for player in theirs["players"]]
        assert [row["won"] for row in ours.rows] == [player["wins"] for player in theirs["players"]]
        assert ours.mean_length == theirs["mean_length"] and ours.games == 12 and ours.broken == []
    assert len(ours.records) == 12 and all(record["moves"] for record in ours.records)


def test_players_may_be_objects_and_games_too(capsys):
    player = ludens.Player("uct+mast")
    result = ludens.match(ludens.Game("gdl:ttcc4-3p"), player, "random", "random", games=6, ms=1)
    assert [row["player"] for row in result.rows] == ["uct+mast", "random", "random"]
    assert "6/6" in capsys.readouterr().err, "the bar shows the games"
    assert repr(result).startswith("gdl:ttcc4-3p, ms=1, seed 1: 6 games\nplayer")


FILE = """
name = "small"
games = ["breakthrough:5", "gdl:tictactoe"]
budgets = ["sims=30"]
games-per-cell = 4

[players]
ppa = "uct+ppa"
uct = "uct"
"""


def test_an_experiment_continues_and_becomes_frames(tmp_path):
    file = tmp_path / "small.toml"
    file.write_text(FILE)
    first = ludens.experiment(file, out=tmp_path / "records", progress=False)
    assert len(first.records) == 8 and first.about["experiment"] == "small"
    second = ludens.experiment(str(file), out=str(tmp_path / "records"), progress=False)
    assert second.records == [] and second.rows == first.rows
    in_memory = ludens.experiment(file, progress=False)
    assert [row["rate"] for row in in_memory.rows] == [row["rate"] for row in first.rows]
    frame = first.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and set(frame["game"]) == {"breakthrough:5", "gdl:tictactoe"}
    assert (frame["low"] <= frame["rate"]).all() and (frame["rate"] <= frame["high"]).all()
    games = first.to_polars(of="games")
    assert isinstance(games, polars.DataFrame) and games.height == 8 and "moves" in games.columns
    with pytest.raises(ludens.Error, match="tables: rows, games"):
        first.to_pandas(of="cells")
    file.write_text(FILE.replace("uct+ppa", "uct+pap"))
    with pytest.raises(ludens.Error, match=r"small.toml:8:\d+: "):
        ludens.experiment(file, progress=False)


def test_a_reproduction_has_the_published_figures_beside_ours():
    table = ludens.reproduce("ppa2015/1", games=2, only=["breakthrough:5"], budgets=["sims=1000"], progress=False)
    measured = [row for row in table.rows if row["ours"] is not None]
    assert len(measured) == 1 and measured[0]["games"] == 2 and 0 < measured[0]["published"] < 1
    axes = table.plot()
    assert len(axes.get_yticks()) == 1
    assert polars.DataFrame(table.rows, infer_schema_length=None).height == len(table) == len(table.to_pandas())


def test_plots_show_every_row():
    result = ludens.match("gdl:tictactoe", "uct", "random", games=4, sims=20, progress=False)
    axes = result.plot()
    assert [label.get_text() for label in axes.get_yticklabels()] == ["uct", "random"]
    assert result.plot(ax=axes) is axes
