"""What there is to choose from: games, policies, presets."""

from __future__ import annotations

from typing import NamedTuple

from ludens import _ludens


class GameInfo(NamedTuple):
    """A game of the catalogue."""

    name: str
    about: str
    roles: list[str]
    params: list[str]


class PolicyInfo(NamedTuple):
    """A part of a player's spec: a selection rule or a playout policy."""

    name: str
    kind: str
    about: str


class PresetInfo(NamedTuple):
    """An agent of a paper."""

    name: str
    spec: str
    about: str


def games() -> list[GameInfo]:
    """All games of the catalogue: native ones, then rulesheets.

    >>> [game.name for game in ludens.games()][:2]
    ['atarigo', 'breakthrough']
    """
    return [GameInfo(*row) for row in _ludens.games()]


def policies() -> list[PolicyInfo]:
    """All selection rules and playout policies.

    >>> [policy.name for policy in ludens.policies()][:5]
    ['uct', 'rave', 'grave', 'amaf', 'uniform']
    """
    return [PolicyInfo(*row) for row in _ludens.policies()]


def presets() -> list[PresetInfo]:
    """The agents of the papers.

    >>> "ppa2015/ppa" in [preset.name for preset in ludens.presets()]
    True
    """
    return [PresetInfo(*row) for row in _ludens.presets()]
