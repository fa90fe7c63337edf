"""Every example runs: those of the docstrings, of the guide and of the notebooks."""

import doctest
import inspect
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

import ludens
import ludens.gym
import ludens.openspiel

ROOT = Path(__file__).parents[3]


def examples():
    """All docstrings with examples, by name."""
    for module in (ludens, ludens.gym, ludens.openspiel):
        yield module.__name__, module.__doc__
        for name in module.__all__:
            thing = getattr(module, name)
            yield f"{module.__name__}.{name}", getattr(thing, "__doc__", None)
            for part, value in vars(thing).items() if inspect.isclass(thing) else ():
                if not part.startswith("_"):
                    yield f"{module.__name__}.{name}.{part}", getattr(value, "__doc__", None)


EXAMPLES = {name: text for name, text in examples() if text and ">>>" in text}


@pytest.mark.parametrize("name", EXAMPLES)
def test_docstrings_show_what_happens(name):
    flags = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
    test = doctest.DocTestParser().get_doctest(EXAMPLES[name], {"ludens": ludens}, name, None, 0)
    said = []
    assert doctest.DocTestRunner(optionflags=flags).run(test, out=said.append).failed == 0, "".join(said)


def test_everything_public_is_documented():
    assert len(EXAMPLES) > 25
    for module in (ludens, ludens.gym, ludens.openspiel):
        for name in module.__all__:
            thing = getattr(module, name)
            assert getattr(thing, "__doc__", None), name
            if inspect.isclass(thing) and thing.__module__.startswith("ludens"):
                undocumented = [
                    part
                    for part, value in vars(thing).items()
                    if not part.startswith("_") and (callable(value) or inspect.isdatadescriptor(value)) and not value.__doc__
                ]
                assert undocumented == [], name


@pytest.mark.parametrize("document", ["docs/python.md", "README.md", "crates/python/README.md"])
def test_the_programs_of_a_document_run(document, tmp_path, monkeypatch):
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / document).read_text(), re.S | re.M)
    assert blocks
    monkeypatch.chdir(tmp_path)
    (tmp_path / "adaptation.toml").write_text(
        'name = "adaptation"\ngames = ["breakthrough:5"]\nbudgets = ["sims=20"]\ngames-per-cell = 2\n'
        '[players]\nppa = "uct+ppa"\nuct = "uct"\n'
    )
    names: dict = {}
    for block in blocks:
        exec(compile(block, document, "exec"), names)  # noqa: S102


NOTEBOOKS = sorted((ROOT / "examples" / "python").glob("*.ipynb"))


def test_the_notebooks_run():
    """All at once: most of their time is that of starting an interpreter."""
    assert len(NOTEBOOKS) == 5

    def run(path):
        notebook = nbformat.read(path, as_version=4)
        assert all(not cell.get("outputs") for cell in notebook.cells), f"{path.name} is kept without outputs"
        NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
        return notebook

    with ThreadPoolExecutor(2) as pool:
        done = dict(zip((path.stem for path in NOTEBOOKS), pool.map(run, NOTEBOOKS)))
    shown = {name: str([cell.get("outputs") for cell in notebook.cells]) for name, notebook in done.items()}
    assert "image/svg+xml" in shown["1-first-game"]
    assert all("image/png" in shown[name] for name in ("2-reproduce-a-table", "4-policies-compared"))
