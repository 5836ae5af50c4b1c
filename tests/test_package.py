# SPDX-License-Identifier: GPL-3.0-or-later
"""The repository as a package: manifest, versions, lock, house rules, and the extension that Blender's own tool builds."""

import ast
import importlib.util
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from lope.addon import VERSION

ROOT = Path(__file__).resolve().parents[1]
MANIFEST = tomllib.loads((ROOT / "blender_manifest.toml").read_text(encoding="utf-8"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
ROOMS = ("addon", "operators", "panels")
MAX_LINE, MAX_LINES = 130, 600


def sources() -> list[Path]:
    """Every Python file of the project."""
    found = [path for room in (*ROOMS, "tests", "scripts") for path in (ROOT / room).rglob("*.py")]
    return sorted([*ROOT.glob("*.py"), *found])


def test_versions_agree():
    assert MANIFEST["version"] == PROJECT["project"]["version"] == VERSION
    assert f"\nversion: {VERSION}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


def test_manifest_texts_fit_blenders_rules():
    texts = [MANIFEST["tagline"], *MANIFEST["permissions"].values()]
    assert [t for t in texts if len(t) > 64 or not t[-1].isalnum()] == []
    assert set(MANIFEST["permissions"]) == {"files"}, "Lope needs no network"
    assert MANIFEST["license"] == ["SPDX:GPL-3.0-or-later"]


NETWORK = {"urllib.request", "http", "http.client", "ssl", "requests", "ftplib", "smtplib", "socketserver", "webbrowser"}
HOST_NAME = "addon/batch/state.py"
"""Takes from `socket` the name of the machine, for the lock of a batch."""


def test_no_module_of_the_extension_opens_a_connection():
    found = set()
    for path in (path for room in ROOMS for path in (ROOT / room).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else (
                [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else [])
            found |= {(path.relative_to(ROOT).as_posix(), name) for name in names if name in NETWORK | {"socket"}}
    assert found == {(HOST_NAME, "socket")}


def test_every_folder_of_code_is_a_package():
    spec = importlib.util.spec_from_file_location("lope_setup", ROOT / "setup.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    folders = {path.parent.relative_to(ROOT) for room in ROOMS for path in (ROOT / room).rglob("*.py")}
    assert set(module.packages()) == {"lope", *(".".join(("lope", *folder.parts)) for folder in folders)}


def test_lock_pins_every_package_with_hashes_and_names_no_host():
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    assert "://" not in text
    entries = re.split(r"\n(?=\S)", re.sub(r"^#.*\n", "", text))
    assert len(entries) > 20
    for entry in entries:
        assert re.match(r"[a-z0-9-]+==[\w.]+", entry) and "--hash=sha256:" in entry, entry.splitlines()[0]


def test_lock_has_what_pyproject_asks_for():
    pins = set(re.findall(r"^([a-z0-9-]+)==", (ROOT / "requirements.lock").read_text(encoding="utf-8"), re.M))
    extras = PROJECT["project"]["optional-dependencies"].values()
    asked = {re.match(r"[A-Za-z0-9-]+", line)[0] for line in PROJECT["project"]["dependencies"] + sum(extras, [])}
    assert asked - pins == set()


def broken_house_rules(path: Path) -> list[str]:
    """What in a file is against the house rules."""
    lines = path.read_text(encoding="utf-8").splitlines()
    broken = []
    if lines[:1] != ["# SPDX-License-Identifier: GPL-3.0-or-later"]:
        broken.append("the licence is not its first line")
    if len(lines) < 2 or not lines[1].lstrip("r").startswith('"""'):
        broken.append("the module's docstring does not come second")
    if len(lines) > MAX_LINES:
        broken.append(f"{len(lines)} lines, more than {MAX_LINES}")
    return broken + [f"line {number} is longer than {MAX_LINE}" for number, line in enumerate(lines, 1) if len(line) > MAX_LINE]


def test_house_rules():
    broken = {str(path.relative_to(ROOT)): broken_house_rules(path) for path in sources()}
    assert len(broken) > 800
    assert {path: rules for path, rules in broken.items() if rules} == {}


def test_an_installed_package_has_every_file_that_is_read():
    """Of what lies beside the code: every kind of file in the folders of data is named in pyproject.toml."""
    patterns = PROJECT["tool"]["setuptools"]["package-data"]["lope"]
    named = {path for pattern in patterns for path in ROOT.glob(pattern)}
    assert set((ROOT / "addon").rglob("*.po")) | set((ROOT / "presets").rglob("*.json")) <= named


def blender_tool() -> tuple[Path, Path]:
    """Blender's extension tool and its list of tags, from the bpy module; skips where there is none."""
    bpy = pytest.importorskip("bpy", reason="needs the bpy module")
    scripts = Path(bpy.utils.resource_path("LOCAL")) / "scripts"
    return (scripts / "addons_core/bl_pkg/cli/blender_ext.py", scripts / "modules/_bpy_internal/extensions/tags.py")


def test_blender_accepts_the_manifest():
    tool, tags = blender_tool()
    run = subprocess.run([sys.executable, tool, "validate", "--valid-tags", tags, ROOT], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.slow
def test_built_extension_holds_the_rooms_and_nothing_else(tmp_path):
    tool, tags = blender_tool()
    from lope.scripts.tools.build_extension import stage

    source = tmp_path / "lope"
    stage(source, ["linux-x64"], [])
    run = subprocess.run([sys.executable, tool, "build", "--valid-tags", tags, "--source-dir", source, "--output-dir", tmp_path],
                         capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    (archive,) = tmp_path.glob("*.zip")
    names = zipfile.ZipFile(archive).namelist()
    tops = {name.split("/")[0] for name in names}
    assert {"__init__.py", "blender_manifest.toml", "LICENSE", "addon", "operators", "panels", "presets"} <= tops
    assert tops <= {"__init__.py", "__main__.py", "py.typed", "blender_manifest.toml", "LICENSE", "README.md", "CHANGELOG.md",
                    "addon", "docs", "operators", "panels", "presets"}
    assert {"docs/panel.html", "docs/README.html", "docs/troubleshooting.html", "addon/locale/ko.po"} <= set(names)
    left = [name for name in names if not name.startswith(("presets/responses/", "presets/library/"))]
    assert [name for name in left if "__pycache__" in name or name.endswith((".pyc", ".npz", ".blend"))] == []
    assert {"presets/responses/standing.npz", "presets/library/moves.blend", "presets/library/steps.npz"} <= set(names)


def test_the_build_takes_one_hashed_pin_of_each_package_it_ships():
    blender_tool()
    from lope.scripts.tools.build_extension import PACKAGES, pins

    text = pins()
    assert re.findall(r"^([a-z-]+)==", text, re.M) == list(PACKAGES)
    assert text.count("--hash=sha256:") > 4 * len(PACKAGES) and ";" not in text
    assert "numpy" not in PACKAGES, "Blender has its own"
