"""OpenSpiel both ways: its games for our players, our players for its games.

``Spiel`` turns a game of OpenSpiel into one that any Ludens player searches: games with perfect information, in turns or with
simultaneous moves, without chance. ``Bot`` is a Ludens player as a bot of OpenSpiel.
"""

from __future__ import annotations

from typing import Any

from ludens import _ludens
from ludens._own import PythonGame

try:
    import pyspiel
except ImportError as error:
    raise ImportError("ludens.openspiel needs OpenSpiel: pip install open_spiel") from error

__all__ = ["Bot", "Spiel"]


class Spiel(PythonGame):
    """A game of OpenSpiel, to be given to ``ludens.Game``. Moves are named by the numbers of OpenSpiel's actions.

    >>> from ludens.openspiel import Spiel
    >>> game = ludens.Game(Spiel("tic_tac_toe"))
    >>> game.start("4 0 2").legal_moves()
    ['1', '3', '5', '6', '7', '8']
    """

    def __init__(self, game: str | Any) -> None:
        self.spiel = pyspiel.load_game(game) if isinstance(game, str) else game
        kind = self.spiel.get_type()
        known = [pyspiel.GameType.Information.PERFECT_INFORMATION, pyspiel.GameType.Information.ONE_SHOT]
        if kind.information not in known:
            raise _ludens.Error(f"{kind.short_name} hides information; Ludens plays games with perfect information")
        if kind.dynamics == pyspiel.GameType.Dynamics.MEAN_FIELD:
            raise _ludens.Error(f"{kind.short_name} is a mean field game, which Ludens does not play")
        self.roles = [f"player{player}" for player in range(self.spiel.num_players())]
        self.moves = range(self.spiel.num_distinct_actions())
        self._low = self.spiel.min_utility()
        self._range = (self.spiel.max_utility() - self._low) or 1.0

    @property
    def name(self) -> str:
        """OpenSpiel's name, with parameters."""
        return f"openspiel:{self.spiel}"

    def initial(self) -> Any:
        """OpenSpiel's initial state."""
        return self._settled(self.spiel.new_initial_state())

    def _settled(self, state: Any) -> Any:
        """The state after what chance cannot decide otherwise."""
        while state.is_chance_node():
            outcomes = state.chance_outcomes()
            if len(outcomes) > 1:
                raise _ludens.Error(f"{self.name} has chance events, which Ludens does not play")
            state.apply_action(outcomes[0][0])
        return state

    def to_play(self, state: Any) -> int | None:
        """The current player, or ``None`` where all move at once."""
        return None if state.is_simultaneous_node() else int(state.current_player())

    def legal_moves(self, state: Any, role: int) -> list[int]:
        """OpenSpiel's legal actions."""
        return list(state.legal_actions(role))

    def play(self, state: Any, move: int) -> Any:
        """The state after an action."""
        return self._settled(state.child(move))

    def play_joint(self, state: Any, moves: Any) -> Any:
        """The state after actions of all players; who has none passes as OpenSpiel wants it."""
        after = state.clone()
        after.apply_actions([0 if move is None else move for move in moves])
        return self._settled(after)

    def scores(self, state: Any) -> list[float] | None:
        """The returns, between the least and the greatest utility."""
        if not state.is_terminal():
            return None
        return [min(1.0, max(0.0, (value - self._low) / self._range)) for value in state.returns()]


class Bot(pyspiel.Bot):  # type: ignore[misc]
    """A Ludens player as a bot of OpenSpiel.

    >>> import pyspiel
    >>> from ludens.openspiel import Bot
    >>> game = pyspiel.load_game("tic_tac_toe")
    >>> bots = [Bot(game, 0, "uct+mast", sims=200), Bot(game, 1, "random")]
    >>> len(pyspiel.evaluate_bots(game.new_initial_state(), bots, 1))
    2
    """

    def __init__(self, game: Any, player: int, spec: str = "uct", *, seed: int = 1, **budget: Any) -> None:
        super().__init__()
        self._game = _ludens.Game(Spiel(game))
        self._id = player
        self._player = _ludens.Player(spec, seed=seed)
        self._budget = budget

    def player_id(self) -> int:
        """The player whose moves it chooses."""
        return self._id

    def provides_policy(self) -> bool:
        """It gives moves, not their probabilities."""
        return False

    def _position(self, state: Any) -> _ludens.Position:
        """The position of a state: its moves are played again."""
        position = self._game.start()
        for step in _steps(state):
            position.play(step[0] if len(step) == 1 else dict(enumerate(step)))
        return position

    def step(self, state: Any) -> int:
        """The action to play."""
        position = self._position(state)
        return int(self._player.choose(position, role=self._id, **self._budget))

    def restart(self) -> None:
        """A new game begins."""
        self._player.restart()

    def restart_at(self, state: Any) -> None:
        """A game begins at a state, which is looked at when it is to be played on."""
        self._player.restart()

    def inform_action(self, state: Any, player: int, action: int) -> None:
        """Somebody played; the next state tells."""

    def inform_actions(self, state: Any, actions: list[int]) -> None:
        """All played; the next state tells."""


def _steps(state: Any) -> list[list[int]]:
    """The moves that led to a state, without those of chance: a list per step."""
    steps: list[list[int]] = []
    players = state.num_players()
    is_joint = state.get_game().get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
    joint: list[int] = []
    for entry in state.full_history():
        if entry.player == pyspiel.PlayerId.CHANCE:
            continue
        joint.append(int(entry.action))
        if not is_joint or len(joint) == players:
            steps.append(joint)
            joint = []
    return steps
