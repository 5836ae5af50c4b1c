# SPDX-License-Identifier: GPL-3.0-or-later
"""Fetch the wheels the engine side needs inside Blender, then build and check one extension zip a platform.

The versions and hashes are those of requirements.lock. numpy is never shipped: Blender has its own. The tool that builds is
Blender's own (`blender --command extension build`), as the bpy module carries it.
"""

from __future__ import annotations

from lope.scripts.tools.common import ROOT

# isort: split
import argparse
import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import bpy

from lope.scripts.tools import docs

PACKAGES = ("cma", "daqp", "mujoco-core", "quadprog", "scipy")
PYTHONS = ("3.11", "3.13")  # of Blender 4.5 LTS and Blender 5.2 LTS
PLATFORMS = {
    "linux-x64": ("manylinux_2_28_x86_64", "manylinux_2_27_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64"),
    "windows-x64": ("win_amd64",),
    "macos-arm64": ("macosx_12_0_arm64",),
}
COMPILED = (".so", ".dll", ".dylib", ".pyd", ".exe")
MOST_MB = 200
"""What Blender's platform takes."""


def run(*command: object) -> None:
    """Run a command; stops the build with its output where it fails."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"scripts/build: this failed: {' '.join(map(str, command))}\n{done.stdout}{done.stderr}")


def pins() -> str:
    """The entries of requirements.lock for the packages that ship, without markers (each has one version)."""
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    found = re.findall(rf"^(?:{'|'.join(PACKAGES)})==\S+.*?(?=^\S)", text + "end", re.M | re.S)
    if len(found) != len(PACKAGES):
        sys.exit(f"scripts/build: requirements.lock must pin each of {', '.join(PACKAGES)} once.")
    return "".join(re.sub(r" ;[^\\\n]*", " ", entry, count=1) for entry in found)


def fetch_wheels(folder: Path, platforms: list[str], pythons: list[str]) -> list[str]:
    """Download the wheels of every platform and Python into `folder`; gives their file names."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as lock:
        lock.write(pins())
        lock.flush()
        for platform in platforms:
            tags = [part for tag in PLATFORMS[platform] for part in ("--platform", tag)]
            for python in pythons:
                print(f"fetching wheels: {platform}, Python {python}", flush=True)
                run(sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
                    "--only-binary", ":all:", "--require-hashes", "--implementation", "cp", "--python-version", python,
                    "--abi", f"cp{python.replace('.', '')}", *tags, "--dest", folder, "--requirement", lock.name)
    return sorted(path.name for path in folder.glob("*.whl"))


def stage(folder: Path, platforms: list[str], wheels: list[str]) -> None:
    """Copy the tracked files into `folder`, with the handbook as HTML too; complete the manifest with platforms and wheels."""
    command = ["git", "-c", f"safe.directory={ROOT}", "ls-files", "-z"]  # whoever owns the folder
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / name)
    print(f"{len(docs.write(folder / 'docs'))} pages of the handbook for the browser")
    manifest = folder / "blender_manifest.toml"
    quoted = ", ".join(f'"{platform}"' for platform in platforms)
    text = re.sub(r"^platforms = .*$", f"platforms = [{quoted}]", manifest.read_text(encoding="utf-8"), flags=re.M)
    lines = "".join(f'  "./wheels/{name}",\n' for name in wheels)
    text = re.sub(r"^# scripts/build adds .*$", f"wheels = [\n{lines}]", text, flags=re.M)
    manifest.write_text(text, encoding="utf-8")


def review(built: Path) -> None:
    """Check what Blender's own tool does not of what its reviewers ask for: wheels as the index has them (the lock has their
    hashes), no more than the most that is taken, and no code that came without its source."""
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    with zipfile.ZipFile(built) as archive:
        for name in archive.namelist():
            if name.endswith(".whl") and hashlib.sha256(archive.read(name)).hexdigest() not in lock:
                sys.exit(f"scripts/build: {name} is not the wheel that requirements.lock pins.")
            if name.endswith(COMPILED):
                sys.exit(f"scripts/build: {name} is compiled code outside a wheel.")
    if built.stat().st_size > MOST_MB * 1e6:
        sys.exit(f"scripts/build: {built.name} has {built.stat().st_size / 1e6:.0f} MB; extensions may have {MOST_MB}.")


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts/build", description=__doc__.splitlines()[0])
    parser.add_argument("--platform", action="append", choices=PLATFORMS, help="only this one (may be given again)")
    parser.add_argument("--python", action="append", choices=(*PYTHONS, "3.12", "3.14"),
                        help="packages for this Python (may be given again; default 3.11 and 3.13). Blender from blender.org "
                             "has these two; a Linux distribution's own Blender may have another")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="folder for the zips (default: dist)")
    asked = parser.parse_args()
    platforms = asked.platform or list(PLATFORMS)

    data = Path(bpy.utils.resource_path("LOCAL")) / "scripts"
    tool, tags = data / "addons_core/bl_pkg/cli/blender_ext.py", data / "modules/_bpy_internal/extensions/tags.py"
    asked.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        source, zips = Path(temporary) / "lope", Path(temporary) / "zips"
        (source / "wheels").mkdir(parents=True)
        zips.mkdir()
        wheels = fetch_wheels(source / "wheels", platforms, asked.python or list(PYTHONS))
        stage(source, platforms, wheels)
        print("building", flush=True)
        run(sys.executable, tool, "build", "--split-platforms", "--valid-tags", tags,
            "--source-dir", source, "--output-dir", zips)
        pythons = "-".join(f"py{python}" for python in asked.python or PYTHONS)
        for built in sorted(zips.glob("*.zip")):
            run(sys.executable, tool, "validate", "--valid-tags", tags, built)
            review(built)
            target = asked.out / f"{built.stem}-{pythons}.zip"
            shutil.move(built, target)
            print(f"{target}  {target.stat().st_size / 1e6:.1f} MB, valid")


if __name__ == "__main__":
    main()
