"""Progress of long runs, in terminals and notebooks."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from types import TracebackType
from typing import Any


class Progress:
    """A bar that follows a run; nothing if it is not wanted."""

    def __init__(self, title: str, wanted: bool) -> None:
        self._title = title
        self._bar: Any = None
        self._total = -1
        #: What the engine calls with the games played and wanted.
        self.call: Callable[[int, int], None] | None = self._show if wanted else None

    def _show(self, played: int, wanted: int) -> None:
        if wanted != self._total:
            # A reproduction has a run for each paper.
            self._close()
            with warnings.catch_warnings():
                # Without widgets a notebook shows the bar of a terminal.
                warnings.simplefilter("ignore")
                from tqdm.auto import tqdm

            self._total = wanted
            self._bar = tqdm(total=wanted, desc=self._title, unit="game")
        self._bar.update(played - self._bar.n)

    def _close(self) -> None:
        if self._bar is not None:
            self._bar.close()

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()
