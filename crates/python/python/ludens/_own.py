"""The frame for a game written in Python."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any


class PythonGame:
    """A game of your own: derive from it, and give it to ``ludens.Game``.

    States are whatever you like, as long as ``play`` returns a new one and leaves the old one as it is. Moves are hashable; their
    names are their texts unless you override ``move_name``. Scores are from 0 to 1, one for each role.

    >>> class Nim(ludens.PythonGame):
    ...     roles = ["first", "second"]
    ...     moves = [1, 2, 3]
    ...
    ...     def initial(self):
    ...         return (10, 0)
    ...
    ...     def to_play(self, state):
    ...         return state[1]
    ...
    ...     def legal_moves(self, state, role):
    ...         return range(1, min(3, state[0]) + 1)
    ...
    ...     def play(self, state, move):
    ...         return (state[0] - move, 1 - state[1])
    ...
    ...     def scores(self, state):
    ...         return None if state[0] else [state[1], 1 - state[1]]
    >>> position = ludens.Game(Nim()).start()
    >>> ludens.Player("uct@solver=on").search(position, sims=2000).move
    '2'

    Every step of every simulation calls your methods, so a search is slow: ten times slower than one of a rulesheet, or more.
    ``Game.check`` looks for broken promises.

    Two more methods are optional. ``key(state)`` returns something hashable that is equal for equal positions, so that the search can
    join them; ``board(state)`` returns lines of text, one character per cell with ``.`` for an empty one, to draw the position.
    """

    #: The names of the roles.
    roles: Sequence[str]
    #: Every move that can ever be legal, for all roles or as a dictionary by role.
    moves: Sequence[Hashable] | Mapping[str, Sequence[Hashable]]

    @property
    def name(self) -> str:
        """The name in reports: that of the class."""
        return type(self).__name__

    def initial(self) -> Any:
        """The state at the start."""
        raise NotImplementedError

    def to_play(self, state: Any) -> int | str | None:
        """The role to play, as a number or a name; ``None`` if all roles move at once. Not asked when the game is over."""
        raise NotImplementedError

    def legal_moves(self, state: Any, role: int) -> Iterable[Hashable]:
        """The legal moves of a role that is to play. Not asked when the game is over."""
        raise NotImplementedError

    def play(self, state: Any, move: Any) -> Any:
        """The state after a move of the role to play."""
        raise NotImplementedError

    def play_joint(self, state: Any, moves: Sequence[Any]) -> Any:
        """The state after moves of all roles at once; ``None`` is the move of a role that has none."""
        raise NotImplementedError

    def scores(self, state: Any) -> Sequence[float] | Mapping[str, float] | None:
        """The scores of all roles, or ``None`` while the game goes on."""
        raise NotImplementedError

    def move_name(self, move: Any) -> str:
        """The name of a move."""
        return str(move)
