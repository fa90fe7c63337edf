"""The types that the package declares are those that it has."""

import os
import subprocess
import sys
from pathlib import Path

import ludens

HERE = Path(__file__).parent


def check(*args: str, **variables: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *args], capture_output=True, text=True, cwd=HERE.parent, env=os.environ | variables
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_package_and_its_users_pass_mypy():
    package = Path(ludens.__file__).parent
    assert (package / "py.typed").exists()
    check("mypy", "--config-file", "pyproject.toml", "--warn-unused-ignores", str(HERE / "typed.py"))
    check("mypy", "--config-file", "pyproject.toml", "-p", "ludens")


def test_the_stubs_say_what_is_there():
    check("mypy.stubtest", "ludens._ludens")
