# SPDX-License-Identifier: GPL-3.0-or-later
"""The order of the rooms: nobody imports from a room above his own, no two modules need one another, none grows too long.

Every import statement counts, also those within functions and for type checkers. What is loaded by its name does not: so the
command line loads its verbs, verbs load the rooms that need Blender, and a child process the module that it runs.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[1]
ORDER = (
    "version", "errors", "checks", "progress", "files", "rows", "archives", "maths", "locale",  # what anybody may need
    "specs",  # what travels in
    "worlds", "bodies", "motions", "gaits",  # what is moved, where, and how
    "engines", "locomotion", "sim",  # Shot to Take
    "reports", "search",  # what is made of Takes
    "rigs", "viewport",  # Blender: what is read from it and shown in it
    "children", "jobs",  # other processes
    "options", "batch", "farm", "commands", "cli",  # the command line and what it works off
    "library",  # what `import lope` offers
    "operators", "panels",  # Blender: buttons
    "root",
)
"""All rooms from the lowest to the highest. Rooms of one line stand in order, too. `version` is `addon/__init__.py`, `root`
the package's own modules."""
LONGEST = 600
"""Lines that a module has at most."""

UPWARD: set[tuple[str, str]] = set()
"""Known imports that run upward, as (module, imported): they must become fewer."""
CIRCLES: set[frozenset[str]] = set()
"""Known circles, each the modules that need one another: they must become fewer."""
TOO_LONG: set[str] = set()
"""Modules that are known to be too long: they must become fewer."""
MOST_PARAMETERS, MANY, LONGEST_FUNCTION = 7, 0, 60
"""Parameters that a function has at most, without self and cls; how many functions still have more: they must become fewer, by
parameters that travel together in a dataclass of their own. Blender's `draw_item` has eight with the index, `setting` is the
short way to write a field. And lines that a function has at most."""
GIVEN_PARAMETERS = {"draw_item", "setting"}


@cache
def modules() -> dict[str, Path]:
    """Every module of the package by its dotted name below it."""
    files = [*ROOT.glob("__*__.py"), *(path for room in ("addon", "operators", "panels") for path in (ROOT / room).rglob("*.py"))]
    names = {}
    for path in files:
        parts = path.relative_to(ROOT).with_suffix("").parts
        names[".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)] = path
    return names


def imported(name: str, path: Path, source: str, known: set[str] | dict[str, Path]) -> set[str]:
    """The package's own modules that a module's source imports, wherever the statement stands."""
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    if path.parent == ROOT:
        package = []
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = [*package[:len(package) - node.level + 1], *(node.module.split(".") if node.module else [])]
            for alias in node.names:
                whole = ".".join([*base, alias.name])
                found.add(whole if whole in known else ".".join(base))
    return {target for target in found if target and target != name}


@cache
def imports() -> dict[str, set[str]]:
    """What every module imports of the package."""
    return {name: imported(name, path, path.read_text(encoding="utf-8"), modules()) for name, path in modules().items()}


def room(name: str) -> str:
    """The room of a module."""
    parts = name.split(".")
    if parts[0] == "addon":
        return parts[1] if len(parts) > 1 else "version"
    return parts[0] if parts[0] in ("operators", "panels") else "root"


def upward(needs: dict[str, set[str]]) -> set[tuple[str, str]]:
    """The imports from a higher room."""
    return {(name, target) for name, targets in needs.items() for target in targets
            if ORDER.index(room(target)) > ORDER.index(room(name))}


def circles(needs: dict[str, set[str]]) -> set[frozenset[str]]:
    """The sets of modules that need one another, by leaving out again and again what needs, or is needed by, nothing else;
    of what stays, each module's own: all that it reaches and that reaches it."""
    left = {name: {target for target in targets if target in needs} for name, targets in needs.items()}
    while True:
        needed = set().union(*left.values()) if left else set()
        free = {name for name, targets in left.items() if not targets or name not in needed}
        if not free:
            break
        left = {name: targets - free for name, targets in left.items() if name not in free}
    reach = {name: reached(name, left) for name in left}
    return {frozenset(other for other in reach[name] if name in reach[other]) for name in left if name in reach[name]}


def reached(name: str, needs: dict[str, set[str]]) -> set[str]:
    """All that a module leads to."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        for target in needs[waiting.pop()] - found:
            found.add(target)
            waiting.append(target)
    return found


def test_every_room_has_its_place_in_the_order():
    assert {room(name) for name in modules()} == set(ORDER) and len(set(ORDER)) == len(ORDER)


def test_every_room_stands_in_the_table_of_the_architecture():
    """Every folder with modules and every module of `addon` itself, and nothing that is not there."""
    rows = [line.split("|")[1] for line in (ROOT / "docs/architecture.md").read_text(encoding="utf-8").splitlines()
            if line.startswith("| `")]
    told = {name for row in rows for name in re.findall("`([^`]+)`", row)}
    folders = {path.parent.relative_to(ROOT).as_posix() for path in (ROOT / "addon").rglob("__init__.py")
               if any(path.parent.glob("[!_]*.py")) and path.parent.name != "addon"}
    own = {path.relative_to(ROOT).as_posix() for path in (ROOT / "addon").glob("[!_]*.py")}
    assert folders | own <= told and all((ROOT / name).exists() for name in told)


def test_no_import_runs_upward():
    assert upward(imports()) == UPWARD


def test_no_modules_need_one_another():
    assert circles(imports()) == CIRCLES


def test_no_folder_holds_a_circle_of_modules_and_folders():
    """In every folder its modules and folders, each with all that lies in it, need one another in one direction only."""
    levels: dict[str, dict[str, set[str]]] = {}
    for name, targets in imports().items():
        for target in targets:
            here, there = name.split("."), target.split(".")
            differs = (i for i, (one, two) in enumerate(zip(here, there, strict=False)) if one != two)
            shared = next(differs, min(len(here), len(there)))
            if shared < min(len(here), len(there)):
                levels.setdefault(".".join(here[:shared]), {}).setdefault(here[shared], set()).add(there[shared])
    found = {folder: circles({name: needs.get(name, set()) for name in {*needs, *set().union(*needs.values())}})
             for folder, needs in levels.items()}
    assert {folder: ring for folder, ring in found.items() if ring} == {}


def test_no_module_is_too_long():
    assert {name for name, path in modules().items()
            if len(path.read_text(encoding="utf-8").splitlines()) > LONGEST} == TOO_LONG


def functions() -> Iterator[tuple[str, int, int]]:
    """Name with its module, parameters and lines of every function."""
    for name, path in modules().items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                asked = [one.arg for one in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                yield f"{name}.{node.name}", len([one for one in asked if one not in ("self", "cls")]), lines


def test_functions_have_few_parameters():
    many = {name for name, count, _ in functions() if count > MOST_PARAMETERS and name.split(".")[-1] not in GIVEN_PARAMETERS}
    assert len(many) <= MANY, sorted(many)


def test_no_function_is_too_long():
    assert {name for name, _, lines in functions() if lines > LONGEST_FUNCTION} == set()


@pytest.mark.parametrize("source", [
    "from ..rigs.bake import bake_take", "def late():\n    from ..rigs import bake",
    "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from ..rigs.bake import bake_take"])
def test_the_check_itself_sees_an_import_upward(source):
    name = "addon.sim.guilty"
    needs = {name: imported(name, Path("guilty.py"), source, {"addon.rigs.bake"})}
    assert upward(needs) == {(name, "addon.rigs.bake")}


def test_the_check_itself_sees_a_circle():
    needs = {"a": {"b"}, "b": {"c", "d"}, "c": {"a"}, "d": {"e"}, "e": set(), "f": {"a", "g"}, "g": {"h"}, "h": {"g"}}
    assert circles(needs) == {frozenset("abc"), frozenset("gh")}
