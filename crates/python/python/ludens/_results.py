"""Matches, experiments and reproductions, with progress and frames."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ludens import _ludens
from ludens._own import PythonGame
from ludens._progress import Progress

if TYPE_CHECKING:
    import pandas
    import polars


class Results:
    """A table of results, and the games behind it."""

    #: The table: one dictionary per row.
    rows: list[dict[str, Any]]
    #: The games that were played for it, with their moves.
    records: list[dict[str, Any]]

    def __init__(self, rows: list[dict[str, Any]], records: list[dict[str, Any]]) -> None:
        self.rows = rows
        self.records = records

    def to_pandas(self, of: str = "rows") -> pandas.DataFrame:
        """The table as a pandas frame; ``of="games"`` gives the games."""
        import pandas

        return pandas.DataFrame(self._table(of))

    def to_polars(self, of: str = "rows") -> polars.DataFrame:
        """The table as a polars frame; ``of="games"`` gives the games."""
        import polars

        return polars.DataFrame(self._table(of), infer_schema_length=None)

    def plot(self, **options: Any) -> Any:
        """Win rates with their 95 % intervals, drawn by matplotlib. Returns the axes."""
        from ludens import _plots

        return _plots.rates(self, **options)

    def _table(self, of: str) -> list[dict[str, Any]]:
        tables = {"rows": self.rows, "games": self.records}
        if of not in tables:
            raise _ludens.Error(f"there is no table {of!r}; tables: rows, games")
        return tables[of]

    def _labels(self) -> list[str]:
        """What the rows are called in a plot."""
        return [" ".join(str(row[key]) for key in ("game", "player", "budget") if row.get(key)) for row in self.rows]

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        from ludens import _plots

        return _plots.table(self.rows)


class MatchResult(Results):
    """What came of a match: one row per player."""

    def __init__(self, outcome: dict[str, Any]) -> None:
        super().__init__(outcome["players"], outcome["records"])
        self.game: str = outcome["game"]
        self.budget: str = outcome["budget"]
        self.seed: int = outcome["seed"]
        #: Games with a result.
        self.games: int = outcome["games"]
        #: The mean number of steps of a game.
        self.mean_length: float = outcome["mean_length"]
        #: Games in which the engine failed. They are not counted.
        self.broken: list[dict[str, Any]] = outcome["broken"]

    def __repr__(self) -> str:
        return f"{self.game}, {self.budget}, seed {self.seed}: {self.games} games\n{super().__repr__()}"


class ExperimentResult(Results):
    """What came of an experiment: one row per cell, or per player where more than two meet."""

    def __init__(self, summary: dict[str, Any], records: list[dict[str, Any]]) -> None:
        super().__init__([_flat(row) for row in summary.pop("cells")], records)
        #: Name, seed, versions, machines and ratings.
        self.about: dict[str, Any] = summary


class Reproduction(Results):
    """Our figures beside the published ones: one row per figure of a table. Rates are from 0 to 1."""


def match(
    game: str | _ludens.Game | PythonGame,
    *players: str | _ludens.Player,
    games: int = 100,
    sims: int | None = None,
    ms: int | None = None,
    budget: str | None = None,
    seed: int = 1,
    threads: int | None = None,
    progress: bool = True,
) -> MatchResult:
    """Plays a match between two players, or one per role, with seats exchanged.

    The budget of a move is 1,000 simulations unless another is given. The same seed gives the same games on any number of threads,
    and the same as ``ludens match`` on the command line.

    >>> result = ludens.match("gdl:tictactoe", "uct", "random", games=20, sims=100, progress=False)
    >>> result.games
    20
    >>> result.rows[0]["rate"] > 0.5
    True
    """
    specs = [player.spec if isinstance(player, _ludens.Player) else player for player in players]
    with Progress("match", progress) as shown:
        outcome = _ludens.play_match(
            game, specs, games=games, sims=sims, ms=ms, budget=budget, seed=seed, threads=threads, progress=shown.call
        )
    return MatchResult(json.loads(outcome))


def experiment(
    file: str | os.PathLike[str],
    *,
    out: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    progress: bool = True,
) -> ExperimentResult:
    """Plays the experiment of a TOML file.

    With ``out``, a folder, every game is recorded there, and the same call continues where it stopped. The files are those of
    ``ludens experiment run``. Without it the games are in memory only.
    """
    with Progress("experiment", progress) as shown:
        outcome = _ludens.play_experiment(file, out=out, threads=threads, progress=shown.call)
    summary, records = json.loads(outcome)
    return ExperimentResult(summary, records)


def reproduce(
    target: str,
    *,
    games: int | None = None,
    only: str | Iterable[str] = (),
    budgets: str | Iterable[str] = (),
    out: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    progress: bool = True,
) -> Reproduction:
    """Measures a table of a paper, such as ``ppa2015/1``, and puts the published figures beside ours.

    ``games`` per cell; as many as the paper played if none is given. ``only`` and ``budgets`` select cells. ``out`` keeps records as
    ``experiment`` does.

    >>> table = ludens.reproduce("ppa2015/1", games=2, only="breakthrough:5", budgets="sims=1000", progress=False)
    >>> [row["game"] for row in table.rows if row["ours"] is not None]
    ['breakthrough:5']
    """
    with Progress(target, progress) as shown:
        outcome = _ludens.reproduce_tables(
            target,
            games=games,
            only=_several(only),
            budgets=_several(budgets),
            out=out,
            threads=threads,
            progress=shown.call,
        )
    comparisons, records = json.loads(outcome)
    return Reproduction([_compared(row) for row in comparisons], records)


def _several(texts: str | Iterable[str]) -> list[str]:
    return [texts] if isinstance(texts, str) else list(texts)


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    """A row of a summary without nested values, as frames want it."""
    flat = {key: value for key, value in row.items() if not isinstance(value, dict)}
    for key, value in row.items():
        if isinstance(value, dict):
            flat |= {name if key == "interval" else f"{key}_{name}": part for name, part in value.items()}
    return flat


def _compared(row: dict[str, Any]) -> dict[str, Any]:
    """A comparison without nested values: ours with the interval, and what was published."""
    ours, published = row["ours"], row["published"]
    interval = ours["interval"] if ours else {"low": None, "high": None}
    return {
        **{key: row[key] for key in ("table", "game", "budget", "player", "opponent")},
        "published": published and published["rate"],
        "ours": ours and ours["rate"],
        "low": interval["low"],
        "high": interval["high"],
        "games": ours["games"] if ours else 0,
        "z": row["z"],
        "verdict": row["verdict"],
    }
