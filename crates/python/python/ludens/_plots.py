"""Tables as text and plots of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ludens import _ludens

if TYPE_CHECKING:
    from ludens._results import Results

#: Rows that a text shows.
SHOWN = 20


def table(rows: list[dict[str, Any]]) -> str:
    """Rows as aligned text."""
    if not rows:
        return "no rows"
    shown = [{key: _text(value) for key, value in row.items()} for row in rows[:SHOWN]]
    widths = {key: max(len(key), *(len(row[key]) for row in shown)) for key in shown[0]}
    lines = ["  ".join(key.ljust(width) for key, width in widths.items())]
    lines += ["  ".join(row[key].ljust(width) for key, width in widths.items()) for row in shown]
    if len(rows) > SHOWN:
        lines.append(f"{len(rows) - SHOWN} more")
    return "\n".join(line.rstrip() for line in lines)


def _text(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.3f}" if value < 1000 else f"{value:,.0f}"
    return "-" if value is None else str(value)


def rates(results: Results, ax: Any = None) -> Any:
    """Win rates with intervals, a line for each row that has one; published rates beside them as crosses."""
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError("plots need matplotlib: pip install matplotlib") from error
    rows = [
        (label, row, rate)
        for label, row in zip(results._labels(), results.rows)
        if (rate := row.get("rate", row.get("ours"))) is not None
    ]
    if not rows:
        raise _ludens.Error("there are no games to plot")
    if ax is None:
        _, ax = pyplot.subplots(figsize=(6, 0.6 + 0.4 * len(rows)))
    places = range(len(rows))
    values = [100 * rate for _, _, rate in rows]
    below = [value - 100 * row["low"] for value, (_, row, _) in zip(values, rows)]
    above = [100 * row["high"] - value for value, (_, row, _) in zip(values, rows)]
    ax.errorbar(values, places, xerr=[below, above], fmt="o", capsize=3, label="ours")
    published = [(100 * row["published"], place) for place, (_, row, _) in zip(places, rows) if row.get("published")]
    if published:
        ax.plot(*zip(*published), "kx", label="published")
        ax.legend()
    ax.axvline(50, color="grey", linewidth=0.8)
    ax.set_yticks(list(places), [label for label, _, _ in rows])
    ax.set_xlim(0, 100)
    ax.set_xlabel("win rate in percent")
    ax.invert_yaxis()
    return ax
