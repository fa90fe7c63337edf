"""Environments for PettingZoo: any game that Ludens plays.

``env`` is an environment in which agents act one after another (AEC). Where roles move at once they are asked one after another and
none sees what the others chose. ``parallel_env`` asks all of them together. An agent's observation has the position
(``Position.observation``) and the legal moves as ``action_mask``; the reward at the end is its score, from -1 to 1.

Thousands of positions at once are faster: see ``ludens.Batch``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludens import _ludens
from ludens._own import PythonGame

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv, ParallelEnv
except ImportError as error:
    raise ImportError("ludens.gym needs pettingzoo and gymnasium: pip install pettingzoo gymnasium") from error

__all__ = ["LudensEnv", "LudensParallelEnv", "env", "parallel_env"]

#: How a position can be shown.
RENDER_MODES = ["ansi", "svg"]

Observation = dict[str, NDArray[Any]]


def env(game: str | _ludens.Game | PythonGame, render_mode: str | None = None) -> LudensEnv:
    """An environment in which agents act one after another.

    >>> import ludens.gym
    >>> env = ludens.gym.env("breakthrough:5")
    >>> env.reset(seed=1)
    >>> for agent in env.agent_iter():
    ...     observation, reward, termination, truncation, info = env.last()
    ...     mask = observation["action_mask"]
    ...     env.step(None if termination or truncation else env.action_space(agent).sample(mask))
    >>> sorted(env.position.scores.values())
    [0.0, 1.0]
    """
    return LudensEnv(game, render_mode)


def parallel_env(game: str | _ludens.Game | PythonGame, render_mode: str | None = None) -> LudensParallelEnv:
    """An environment in which all agents act at once. A role without a choice may give any number.

    >>> import ludens.gym
    >>> env = ludens.gym.parallel_env("gdl:goofspiel")
    >>> observations, infos = env.reset(seed=1)
    >>> while env.agents:
    ...     moves = {agent: env.action_space(agent).sample(observations[agent]["action_mask"]) for agent in env.agents}
    ...     observations, rewards, terminations, truncations, infos = env.step(moves)
    >>> float(sum(rewards.values()))
    0.0
    """
    return LudensParallelEnv(game, render_mode)


class _Table:
    """A game on the table, as both environments see it."""

    def __init__(self, game: str | _ludens.Game | PythonGame, render_mode: str | None) -> None:
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise _ludens.Error(f"there is no render mode {render_mode!r}; render modes: {', '.join(RENDER_MODES)}")
        self.game = game if isinstance(game, _ludens.Game) else _ludens.Game(game)
        self.position = self.game.start()
        self.roles = self.game.roles
        shape = self.position.observation().shape
        self.moves = {role: self.game.move_count(role) for role in self.roles}
        self.actions = {role: spaces.Discrete(count) for role, count in self.moves.items()}
        self.observations = {
            role: spaces.Dict(
                observation=spaces.Box(0, 1, shape, np.int8), action_mask=spaces.Box(0, 1, (count,), np.int8)
            )
            for role, count in self.moves.items()
        }

    def start(self, seed: int | None) -> None:
        self.position = self.game.start()
        for place, role in enumerate(self.roles):
            if seed is not None:
                self.actions[role].seed(seed + place)

    def observe(self, role: str, is_asked: bool = True) -> Observation:
        """What a role sees. Its mask is empty when it is not asked."""
        mask = np.zeros(self.moves[role], np.int8)
        if is_asked and not self.position.is_over:
            mask[self.position.legal_ids(role)] = 1
        return {"observation": self.position.observation(), "action_mask": mask}

    def rewards(self) -> dict[str, float]:
        scores = self.position.scores
        return {role: 0.0 if scores is None else 2.0 * scores[role] - 1.0 for role in self.roles}

    def render(self, mode: str | None) -> str | None:
        if mode == "svg":
            return self.position._repr_svg_()
        return str(self.position) if mode == "ansi" else None


class _AtTable:
    """What both environments tell about their table."""

    _table: _Table

    def observation_space(self, agent: str) -> Any:
        """What an agent sees."""
        return self._table.observations[agent]

    def action_space(self, agent: str) -> Any:
        """What an agent does: the number of a move."""
        return self._table.actions[agent]

    @property
    def position(self) -> _ludens.Position:
        """The position on the table."""
        return self._table.position


class LudensEnv(_AtTable, AECEnv):  # type: ignore[misc]
    """Any game as an environment in which agents act one after another."""

    metadata: dict[str, Any] = {"name": "ludens_v0", "render_modes": RENDER_MODES, "is_parallelizable": False}

    def __init__(self, game: str | _ludens.Game | PythonGame, render_mode: str | None = None) -> None:
        super().__init__()
        self._table = _Table(game, render_mode)
        self.render_mode = render_mode
        self.possible_agents = list(self._table.roles)
        self.agents: list[str] = []
        self._chosen: dict[str, int] = {}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game begins."""
        self._table.start(seed)
        self._chosen = {}
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._next_agent()

    def _next_agent(self) -> str:
        """Who decides next: those who decide at once are asked one after another."""
        asked = [role for role in self.position.deciders if role not in self._chosen]
        return asked[0] if asked else self.agents[0]

    def observe(self, agent: str) -> Observation:
        """What an agent sees."""
        return self._table.observe(agent, agent == self.agent_selection)

    def step(self, action: Any) -> None:
        """The selected agent plays the move with a number."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        position = self.position
        if action not in position.legal_ids(agent):
            raise _ludens.Error(f"move {action} is not legal for {agent}")
        self._chosen[agent] = int(action)
        if all(role in self._chosen for role in position.deciders):
            position.play(self._chosen)
            self._chosen = {}
            self.rewards = self._table.rewards()
            self.terminations = dict.fromkeys(self.agents, position.is_over)
        self.agent_selection = self._next_agent()
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The position as text or as a picture."""
        return self._table.render(self.render_mode)

    def close(self) -> None:
        """Nothing is left behind."""


class LudensParallelEnv(_AtTable, ParallelEnv):  # type: ignore[misc]
    """Any game as an environment in which all agents act at once."""

    metadata: dict[str, Any] = {"name": "ludens_v0", "render_modes": RENDER_MODES}

    def __init__(self, game: str | _ludens.Game | PythonGame, render_mode: str | None = None) -> None:
        self._table = _Table(game, render_mode)
        self.render_mode = render_mode
        self.possible_agents = list(self._table.roles)
        self.agents: list[str] = []

    def _observe(self) -> dict[str, Observation]:
        return {role: self._table.observe(role) for role in self.possible_agents}

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """A new game begins."""
        self._table.start(seed)
        self.agents = list(self.possible_agents)
        return self._observe(), {agent: {} for agent in self.agents}

    def step(self, actions: dict[str, Any]) -> tuple[dict[str, Any], ...]:
        """All agents play."""
        position = self.position
        chosen = {role: int(actions[role]) for role in position.deciders if role in actions}
        position.play(chosen)
        ended = dict.fromkeys(self.agents, position.is_over)
        agents, self.agents = self.agents, [] if position.is_over else self.agents
        rewards = self._table.rewards()
        return self._observe(), rewards, ended, dict.fromkeys(agents, False), {agent: {} for agent in agents}

    def render(self) -> str | None:
        """The position as text or as a picture."""
        return self._table.render(self.render_mode)

    def close(self) -> None:
        """Nothing is left behind."""
