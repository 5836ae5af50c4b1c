# SPDX-License-Identifier: GPL-3.0-or-later
"""A preset's name is a name: no reader that joins it to a folder can be led out of that folder."""

import json

import pytest

from lope.addon.bodies.human import suit
from lope.addon.errors import InputError
from lope.addon.gaits import ranges, tuned_maps
from lope.addon.motions import library
from lope.addon.specs.motions import Gait
from lope.addon.specs.settings import known_file, named_file, names_in
from lope.addon.specs.shot import Shot
from lope.addon.worlds import planets

READERS = {"world": (planets.load_world, planets.FOLDER, "moon"), "suit": (suit.load_suit, suit.FOLDER, "none"),
           "gait": (library.load_gait, library.GAITS_FOLDER, "walk"),
           "world preset": (planets.preset_of, planets.FOLDER, "moon"),
           "range": (lambda name: ranges.feasible_range(name, 9.81, 0.9), ranges.FOLDER, "walk"),
           "map": (lambda name: tuned_maps.shot_points(Shot(motion=Gait(name))), tuned_maps.TUNING_FOLDER, "walk")}


@pytest.mark.parametrize("reader", READERS)
def test_a_path_reads_no_file(reader, tmp_path, monkeypatch):
    read, folder, name = READERS[reader]
    assert read(name) is not None
    outside = tmp_path / f"{name}.json"
    outside.write_bytes((folder / f"{name}.json").read_bytes())
    for path in (outside.with_suffix(""), f"../{folder.name}/{name}", f"./{name}", folder / name):
        try:
            assert read(str(path)) is None
        except InputError as error:
            assert "named" in str(error) or "a name holds no path" in str(error)


def test_files_are_found_by_the_names_there_are(tmp_path):
    (tmp_path / "a.json").write_text(json.dumps({}))
    assert names_in(tmp_path) == ["a"] and known_file(tmp_path, "toy", "a") == tmp_path / "a.json"
    with pytest.raises(InputError, match="no toy named 'b'. Known: a"):
        known_file(tmp_path, "toy", "b")
    assert named_file(tmp_path, "toy", "b") == tmp_path / "b.json"


@pytest.mark.parametrize("name", ["../a", "/a", "a/b", "a\\b", "", ".", "..", "c:a", "a\0", None, 5])
def test_a_name_that_is_a_path_is_refused(name, tmp_path):
    with pytest.raises(InputError, match="cannot be the name of a toy"):
        named_file(tmp_path, "toy", name)
