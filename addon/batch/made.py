# SPDX-License-Identifier: GPL-3.0-or-later
"""What a batch made in its folder of results: that alone is ever replaced or taken away. A hidden folder notes of every result
what Lope put there. A result that bears the name of something else, or that was changed since, is not Lope's any more."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import uuid
from collections.abc import Iterable, Sequence
from pathlib import Path

from ..errors import InputError
from ..files import write_whole

NOTES = ".lope"
"""The folder of the notes, in the folder of the results."""
WORK = ".work-"
"""What the names of temporary folders begin with, a random one of 32 digits after it."""
PICTURES = ".frames-"
"""What the name of the folder of a render's pictures begins with, a key's first digits after it; a render goes on there."""
DIGITS = 32
LEFT_OVER = re.compile(rf"({re.escape(WORK)}|{re.escape(PICTURES)})[0-9a-f]{{{DIGITS}}}")
"""Names that no folder has by chance: where results go to a folder of the user's, that may hold hidden ones too."""


class Made:
    """The results in the folder `out`, which need not be there yet. All paths are resolved through links."""

    def __init__(self, out: Path) -> None:
        self.out = out.resolve()

    def check_inside(self, folder: Path) -> None:
        """Raises InputError where a folder of results lies elsewhere, which only a link can do."""
        if not folder.resolve().is_relative_to(self.out):
            raise InputError(f"{folder} leads out of the folder of the results, {self.out}; take that link away.")

    def check_free(self, paths: Iterable[Path]) -> None:
        """Raises InputError where something stands at a place of a result that Lope did not put there."""
        taken = [path for path in paths if not self._is_free(path)]
        if taken:
            more = f" (and {len(taken) - 1} more)" if len(taken) > 1 else ""
            raise InputError(f"{taken[0]}{more} is not as Lope wrote it, and Lope replaces only what it made: move it away, or "
                             "give the list another \"out\".")

    def check_moves(self, moves: Sequence[tuple[Path, Path]], told_by: Path) -> None:
        """Raises InputError where a move, told by that file, is not one from a temporary folder of a batch to the place beside
        it, or would replace what Lope did not make."""
        for source, target in moves:
            try:
                begins, ends = self._place(source), self._place(target)
                depth = len(ends.parts) - 1
                sound = (len(begins.parts) > depth >= 0 and begins.parts[:depth] == ends.parts[:-1] and ends.parts[0] != NOTES
                         and LEFT_OVER.fullmatch(begins.parts[depth]) is not None and not source.is_symlink())
            except InputError:
                sound = False
            if not sound:
                raise InputError(f"The batch state {told_by} would move {source} to {target}, which no batch of this list with "
                                 f"its results in {self.out} does: move the state away to begin anew.")
        self.check_free(target for _, target in moves)

    def put_in_place(self, source: Path, target: Path) -> None:
        """Rename an output, a file or a folder, over what stands in its place; nothing where that has happened already. Raises
        InputError where Lope did not make what stands there, OSError where it cannot be renamed."""
        if not source.exists():
            return
        self.check_free([target])
        self._note(source, target)
        if source.is_dir():
            aside = target.with_name(f"{WORK}{uuid.uuid4().hex}")
            if target.exists():  # a folder cannot replace one that holds something
                target.replace(aside)
            source.replace(target)
            shutil.rmtree(aside, ignore_errors=True)
            return
        with source.open("rb+") as stream:
            os.fsync(stream.fileno())
        source.replace(target)

    def _place(self, path: Path) -> Path:
        """A path below `out`, its last name as it stands. Raises InputError for one that is not there."""
        whole = path.parent.resolve() / path.name
        if path.name in ("", "..") or not whole.is_relative_to(self.out):
            raise InputError(f"{path} lies outside the folder of the results, {self.out}.")
        return whole.relative_to(self.out)

    def _is_free(self, path: Path) -> bool:
        """Whether nothing stands there, or what Lope put there."""
        place = self._place(path)
        if not os.path.lexists(path):
            return True
        try:
            return not path.is_symlink() and fingerprint(path) in self._noted(place)
        except OSError:  # what cannot be read is nobody's
            return False

    def _noted(self, place: Path) -> list[str]:
        """The fingerprints of what Lope last put there."""
        try:
            found = json.loads(self._note_file(place).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return []
        return found if isinstance(found, list) else []

    def _note(self, source: Path, target: Path) -> None:
        """Note what is about to stand there, beside what does: a kill in between leaves the one or the other."""
        place = self._place(target)
        prints = [fingerprint(source), *([fingerprint(target)] if target.exists() else [])]
        file = self._note_file(place)
        file.parent.mkdir(parents=True, exist_ok=True)
        self.check_inside(file.parent)
        if file.is_symlink():  # never through a link
            file.unlink()
        write_whole(file, json.dumps(prints), "note of the results")

    def _note_file(self, place: Path) -> Path:
        return self.out / NOTES / place.with_name(f"{place.name}.json")


def fingerprint(path: Path) -> str:
    """What tells a file's content, or a folder's with all that is in it, from any other. Raises OSError."""
    if not path.is_dir():
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    digest = hashlib.sha256(b"folder")
    for inner in sorted(path.rglob("*")):
        if inner.is_symlink():
            told = f"link {os.readlink(inner)}"
        else:
            told = "folder" if inner.is_dir() else fingerprint(inner)
        digest.update(json.dumps([inner.relative_to(path).as_posix(), told]).encode())
    return digest.hexdigest()


def clear_left_overs(folder: Path, keep: Path | None = None) -> None:
    """Take away what killed runs left half done in a folder; pictures of the render that is still wanted are kept."""
    for path in folder.glob(".*"):
        if path != keep and LEFT_OVER.fullmatch(path.name):
            shutil.rmtree(path, ignore_errors=True)
