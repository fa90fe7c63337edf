"""What several tests need."""

import json
import os
import random
import subprocess

import pytest

import ludens


@pytest.fixture
def cli():
    """Runs the command line and returns what it says: JSON, or the line of an error."""
    binary = os.environ.get("LUDENS")
    if not binary:
        pytest.skip("LUDENS names no binary of the command line to compare with")

    def run(*args: str):
        done = subprocess.run([binary, "--json", *args], capture_output=True, text=True, timeout=120)
        if done.returncode == 0:
            return json.loads(done.stdout)
        return done.stderr.removeprefix("error: ").rstrip("\n")

    return run


def random_game(position: ludens.Position, seed: int, steps: int = 1000):
    """Plays random moves and yields after each; stops at the end of the game."""
    rng = random.Random(seed)
    for _ in range(steps):
        if position.is_over:
            return
        position.play({role: rng.choice(position.legal_moves(role)) for role in position.deciders})
        yield position
