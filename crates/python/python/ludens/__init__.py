"""Ludens: a general game player whose playouts learn while it plays.

>>> import ludens
>>> position = ludens.Game("breakthrough:6").start()
>>> report = ludens.Player("uct+ppa", seed=7).search(position, sims=1000)
>>> report.move in position.legal_moves()
True

``ludens.gym`` has environments for PettingZoo, ``ludens.openspiel`` connects to OpenSpiel.
"""

from ludens._catalogue import GameInfo, PolicyInfo, PresetInfo, games, policies, presets
from ludens._ludens import Batch, Error, Fault, Game, Player, Position, Report, __version__
from ludens._own import PythonGame
from ludens._results import ExperimentResult, MatchResult, Reproduction, Results, experiment, match, reproduce

__all__ = [
    "Batch",
    "Error",
    "ExperimentResult",
    "Fault",
    "Game",
    "GameInfo",
    "MatchResult",
    "Player",
    "PolicyInfo",
    "Position",
    "PresetInfo",
    "PythonGame",
    "Report",
    "Reproduction",
    "Results",
    "__version__",
    "experiment",
    "games",
    "match",
    "policies",
    "presets",
    "reproduce",
]
