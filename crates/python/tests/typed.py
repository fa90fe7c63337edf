"""A program as users write it, for the type checker alone."""

import numpy as np
from numpy.typing import NDArray
from typing_extensions import assert_type

import ludens

position = ludens.Game("breakthrough:6").start()
assert_type(position.legal_moves(), list[str])
assert_type(position.scores, dict[str, float] | None)
report = ludens.Player("uct", seed=1).search(position.play("c2-c3"), sims=10)
assert_type(report.visits, NDArray[np.uint64])
assert_type(report.proven, float | None)
batch = ludens.Batch("gdl:nim", 4)
assert_type(batch.step(batch.random_moves()), tuple[NDArray[np.float64], NDArray[np.bool_]])
assert_type(ludens.match("go:3", "uct", ludens.Player("random")).games, int)
ludens.Player("uct").search("a text")  # type: ignore[arg-type]
position.play(2.5)  # type: ignore[arg-type]
