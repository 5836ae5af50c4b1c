# SPDX-License-Identifier: GPL-3.0-or-later
"""Nothing that is read from a file may run a command: the source unpickles nowhere but where Dask's work arrives."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ALLOWED = {"addon/farm/parcel.py"}
"""Unpickles what Dask carries (docs/farm.md says whom that trusts)."""
MODULES = {"pickle", "_pickle", "cPickle", "pickletools", "shelve", "marshal", "dill", "cloudpickle", "joblib"}
CALLS = {"read_pickle", "Unpickler", "import_module", "__import__"}


def sources():
    """Every Python file of the package and its scripts, also those without an ending."""
    files = [*ROOT.glob("*.py"), *(path for room in ("addon", "operators", "panels") for path in (ROOT / room).rglob("*.py"))]
    for path in (ROOT / "scripts").rglob("*"):
        if path.is_file() and (path.suffix == ".py" or (not path.suffix and b"python" in path.open("rb").readline())):
            files.append(path)
    return files


def faults(source):
    """The lines of a source that unpickle, or could."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found = [node.module or ""]
        elif isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            words = [word.value for word in node.args if isinstance(word, ast.Constant) and isinstance(word.value, str)]
            found = words if name in CALLS else []
            if name in ("read_pickle", "Unpickler") or any(
                    word.arg == "allow_pickle" and not (isinstance(word.value, ast.Constant) and word.value.value is False)
                    for word in node.keywords):
                yield node.lineno
        else:
            continue
        if any(word.split(".")[0] in MODULES for word in found):
            yield node.lineno


@pytest.mark.slow
def test_nothing_that_is_read_from_a_file_is_unpickled():
    found = [f"{path.relative_to(ROOT)}:{line}" for path in sources() if path.relative_to(ROOT).as_posix() not in ALLOWED
             for line in faults(path.read_text(encoding="utf-8"))]
    assert not found, found


def test_the_look_sees_what_unpickles():
    for source in ("import pickle", "from pickle import load", "import joblib.numpy_pickle", "import_module('dill')",
                   "np.load(path, allow_pickle=True)", "np.load(path, allow_pickle=trusted)", "pandas.read_pickle(path)"):
        assert list(faults(source)), source
    for source in ("np.load(path, allow_pickle=False)", "json.load(stream)", "from .pickle_of import jar"):
        assert not list(faults(source)), source
