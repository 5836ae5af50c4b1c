# SPDX-License-Identifier: GPL-3.0-or-later
"""Contact sheets: of one shot, and of many in a grid; what is written on them, and where."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest

from blender_scene import fresh_scene
from lope.addon.errors import InputError
from lope.addon.rigs.astronaut.astronaut import add_astronaut
from lope.addon.rigs.bake.bake import bake_take
from lope.addon.rigs.bake.provenance import FELL_KEY, START_KEY
from lope.addon.rigs.bake.sampling import FootEvent
from lope.addon.rigs.render import sheets as strip
from lope.addon.rigs.render.pictures import Text, read_picture, shrunk, write_picture
from lope.addon.rigs.render.sheets import (
    BACKGROUND,
    Cell,
    Row,
    contact_sheet,
    grid_sheet,
    landings,
    read_cells,
    scene_title,
    shown_range,
    wrapped,
)
from lope.addon.specs.bake_options import BakeOptions
from lope.addon.specs.motions import Stand
from lope.scripts.tools.demo import take_numbers
from render_kit import grey
from take_factory import Walk, make_take


def where(sheet, value):
    """Which pixels (H, W) of a sheet have one grey."""
    return np.abs(sheet - value).max(axis=2) < 0.01


def test_a_contact_sheet(tmp_path):
    fresh_scene()
    dark, light = [grey(tmp_path / f"{v}.png", v, (40, 60)) for v in (0.2, 0.8)]
    rows = [Row("Moon", [dark, light, dark], ["0.00 s", "0.50 s", "1.00 s"]), ("Earth", [light])]
    out = contact_sheet(rows, tmp_path / "s.png")
    sheet = read_picture(out)
    background = where(sheet, BACKGROUND)
    pictures = [where(sheet, v) for v in (0.2, 0.8)]
    assert [int(p.sum()) for p in pictures] == pytest.approx([2 * 2400, 2 * 2400], abs=40)
    rows, columns = np.nonzero(pictures[1])
    assert columns[rows > sheet.shape[0] // 2].max() < sheet.shape[1] // 2  # Earth's only picture is the left one below
    ink = ~(background | pictures[0] | pictures[1])
    inked = np.nonzero(ink.any(axis=1))[0]
    lines = 1 + np.count_nonzero(np.diff(inked) > 2)
    assert ink.sum() > 100 and lines == 3  # two titles and one line of captions


def test_many_pictures_wrap_and_shrink(tmp_path, monkeypatch):
    fresh_scene()
    pictures = [grey(tmp_path / f"{k}.png", 0.5, (40, 20)) for k in range(11)]
    rows = wrapped("Walk", pictures, [f"{k}" for k in range(11)])
    assert [(row.label, len(row.pictures)) for row in rows] == [("Walk", 6), ("", 5)]
    assert [c for row in rows for c in row.captions] == [f"{k}" for k in range(11)]
    monkeypatch.setattr(strip, "WIDEST", 100)
    sheet = read_picture(contact_sheet(rows, tmp_path / "s.png"))
    assert int(where(sheet, 0.5).sum()) == pytest.approx(11 * 13 * 6, abs=60), "a third as wide and high"


def test_shrinking_takes_means():
    values = np.arange(5 * 7 * 3, dtype=float).reshape(5, 7, 3)
    small = shrunk(values, 2)
    assert small.shape == (2, 3, 3) and np.allclose(small[1, 2], values[2:4, 4:6].mean(axis=(0, 1)))


def test_a_long_text_is_made_smaller(tmp_path):
    fresh_scene()
    board = np.zeros((40, 200, 3), dtype=np.float32)
    spans = []
    for most in (None, 90.0):
        write_picture(board, tmp_path / "t.png", [Text("A title of many words", 4, 10, 16, (1.0, 1.0, 1.0, 1.0), most=most)])
        spans.append(int(np.ptp(np.nonzero(read_picture(tmp_path / "t.png").max(axis=(0, 2)) > 0.1)[0])))
    assert 120 < spans[0] < 200 and 70 < spans[1] <= 91


def test_sheet_refusals(tmp_path):
    fresh_scene()
    small, large = grey(tmp_path / "a.png", 0.5), grey(tmp_path / "b.png", 0.5, (8, 4))
    for rows, message in (
        ([], "at least one picture"), ([Row("A", [small, large])], "one size, these have 6x4, 8x4"),
        ([Row("A", [small], ["x", "y"])], "has 1 pictures and 2 captions"),
        ([Row("A", [tmp_path / "no.png"])], "no picture at"),
    ):
        with pytest.raises(InputError, match=message):
            contact_sheet(rows, tmp_path / "s.png")
    assert not (tmp_path / "s.png").exists()


# ---------------------------------------------------------------------------------------------------------------- grid
def test_a_grid_of_shots(tmp_path):
    fresh_scene()
    a, b, c = [grey(tmp_path / f"{v}.png", v, (60, 80)) for v in (0.3, 0.5, 0.8)]
    cells = [Cell("Moon", "walk", [a], ["0.51 m/s", "0.35 strides/s"]), Cell("Moon", "run", [b]),
             Cell("Earth", "run", [c], ["1.27 m/s"]), Cell("Earth", "walk", (), ["fell after 2.10 s"])]
    sheet = read_picture(grid_sheet(cells, tmp_path / "g.png"))
    centres = {}
    for name, value in (("Moon walk", 0.3), ("Moon run", 0.5), ("Earth run", 0.8)):
        rows, columns = np.nonzero(where(sheet, value))
        assert len(rows) == pytest.approx(4800, abs=60), name
        centres[name] = rows.mean(), columns.mean()
    walk, run, below = (np.array(centres[name]) for name in ("Moon walk", "Moon run", "Earth run"))
    assert walk[0] == pytest.approx(run[0], abs=1) and walk[1] < run[1]
    assert below[1] == pytest.approx(run[1], abs=1) and below[0] > run[0]
    ink = ~(where(sheet, BACKGROUND) | where(sheet, 0.3) | where(sheet, 0.5) | where(sheet, 0.8))
    row, column = int(centres["Earth run"][0]), int(centres["Moon walk"][1])
    assert ink[row - 30:row + 40, column - 50:column + 50].sum() > 50, "why the cell without a picture has none"
    assert ink[:int(centres["Moon walk"][0]) - 41].sum() > 50, "the columns' names"
    assert ink[row - 20:row + 20, :column - 40].sum() > 20, "the rows' names"


def test_cells_from_a_file(tmp_path):
    path = tmp_path / "cells.json"
    first = {"row": "Moon", "column": "walk", "pictures": ["a/p.png"], "lines": ["0.51 m/s"]}
    path.write_text(json.dumps([first, {"row": "Mars", "column": "run"}]), encoding="utf-8")
    assert read_cells(path) == [Cell("Moon", "walk", (tmp_path / "a" / "p.png",), ("0.51 m/s",)), Cell("Mars", "run")]


@pytest.mark.parametrize("text, message", [
    ("{", "cannot be read"), ("[]", "must be a list of objects"),
    ('[{"row": "a"}]', 'Entry 1 of .* must have "row" and "column"'),
    ('[{"row": "a", "column": "b"}, {"row": "a", "column": "b", "text": "c"}]', "Entry 2 of .* and nothing else"),
    ('[{"row": "a", "column": 3}]', 'Entry 1 of .* has no text in "column"'),
    ('[{"row": "a", "column": "b", "lines": "c"}]', 'Entry 1 of .* has no list of texts in "lines"'),
    ('[{"row": "a", "column": "b", "pictures": [3]}]', 'Entry 1 of .* has no list of texts in "pictures"'),
])
def test_damaged_cells(tmp_path, text, message):
    path = tmp_path / "cells.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_cells(path)


def test_grid_refusals(tmp_path):
    fresh_scene()
    a, b = grey(tmp_path / "a.png", 0.5), grey(tmp_path / "b.png", 0.5, (8, 4))
    for cells, message in (
        ([Cell("x", "y", [a]), Cell("x", "y", [a])], "Two cells of the sheet stand at row 'x', column 'y'"),
        ([Cell("x", "y", [a], ["1", "2", "3", "4"])], "has 4 lines; at most 3"),
        ([Cell("x", "y", [a]), Cell("x", "z", [b])], "one size, these have 6x4, 8x4"),
        ([Cell("x", "y")], "none of its cells has one"), ([], "at least one picture"),
    ):
        with pytest.raises(InputError, match=message):
            grid_sheet(cells, tmp_path / "g.png")
    assert not (tmp_path / "g.png").exists()


# ------------------------------------------------------------------------------------------------------------ captions
def test_numbers_of_a_take():
    assert take_numbers(make_take(Walk(speed=1.25, gravity=9.81, frequency=0.5, seconds=12.0))) == [
        "9.81 m/s²", "1.25 m/s", "0.50 strides/s"]
    assert take_numbers(make_take(Walk(seconds=0.5))) == [f"{Walk().gravity:.2f} m/s²"], "too short to tell"


def test_a_foot_that_bounces_lands_once():
    times = (1.2, 20.0, 36.0, 37.2, 38.0, 64.0, 81.2)
    events = [FootEvent(frame, "L", ("strike", "off")[k % 2]) for k, frame in enumerate(times)] + [FootEvent(50.0, "R", "strike")]
    assert landings(events, "L") == [36.0, 81.2] and landings(events, "R") == []


@pytest.mark.slow
def test_a_shot_is_titled_by_what_was_baked():
    scene = fresh_scene(24)
    assert scene_title(scene, (1, 10)) == "Scene"
    armature = add_astronaut(scene)
    assert scene_title(scene, (1, 10)) == "Scene"
    bake_take(armature, make_take(Walk(speed=0.8, gravity=1.62, frequency=1.0, seconds=6.0)), scene=scene,
              options=BakeOptions(lock_feet=False))
    assert scene_title(scene, (1, 145)) == "walk, Test    1.62 m/s²    0.80 m/s    1.00 strides/s"
    assert scene_title(scene, (7, 7)) == "walk, Test    1.62 m/s²    1.00 strides/s"
    armature.scale = (100.0, 100.0, 100.0)  # a file in centimetres; the take's body is 1.80 m, this rig 1.85 m with its helmet
    assert scene_title(scene, (1, 145)) == "walk, Test    1.62 m/s²    0.78 m/s    1.00 strides/s"


@pytest.mark.slow
def test_who_stands_has_neither_speed_nor_strides_in_the_title():
    scene = fresh_scene(24)
    take = make_take(Walk(speed=0.4, gravity=1.62, frequency=1.0, seconds=6.0))
    take = dataclasses.replace(take, shot=dataclasses.replace(take.shot, motion=Stand()))
    armature = add_astronaut(scene)
    bake_take(armature, take, scene=scene, options=BakeOptions(lock_feet=False), called="sidestep")
    assert scene_title(scene, (1, 145)) == "sidestep, Test    1.62 m/s²"
    bake_take(armature, take, scene=scene, options=BakeOptions(lock_feet=False))
    assert scene_title(scene, (1, 145)) == "stand, Test    1.62 m/s²"


@pytest.mark.slow
def test_a_sheet_ends_where_the_motion_ends_and_its_title_says_that_it_falls():
    scene = fresh_scene(24)
    scene.frame_end = 250
    assert shown_range(scene) == (1, 250)
    take = make_take(Walk(speed=0.8, gravity=1.62, frequency=1.0, seconds=6.0), stats={"time_fell_s": 4.0})
    action = bake_take(add_astronaut(scene), take, scene=scene, options=BakeOptions(lock_feet=False, start_frame=11))
    assert shown_range(scene) == (11, 11 + 6 * 24)
    assert (action[START_KEY], action[FELL_KEY]) == pytest.approx((11.0, 11.0 + 4 * 24))
    title = scene_title(scene, (1, 250))
    assert title.startswith("walk, Test    1.62 m/s²    0.80 m/s"), "the speed is that of the walk"
    assert title.endswith("falls after 4.0 s")
    scene.frame_end = 40
    assert shown_range(scene) == (11, 40)
