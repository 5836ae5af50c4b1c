# SPDX-License-Identifier: GPL-3.0-or-later
"""Live pressure in Blender: the armature moves, and is as it was whatever becomes of it; what came is kept where it is wanted."""

import json
import shutil
import time
from pathlib import Path

import numpy as np
import pytest

bpy = pytest.importorskip("bpy", reason="needs the bpy module")

from mathutils import Vector  # noqa: E402

import lope_scene  # noqa: E402
from drive_kit import channels, until  # noqa: E402
from layout_listener import Listener  # noqa: E402
from lope import panels  # noqa: E402
from lope.addon.errors import InputError  # noqa: E402
from lope.addon.jobs.pressure import SHOWING, WAITS  # noqa: E402
from lope.addon.motions.pressure.files import read_pressure  # noqa: E402
from lope.addon.sim.take import Take  # noqa: E402
from lope.addon.viewport import pressure_overlay  # noqa: E402
from lope.operators import context as notes  # noqa: E402
from lope.operators import desk, driving, outcomes  # noqa: E402
from lope.operators import pressure_outcome as live_offer  # noqa: E402
from lope.operators.live import how_live  # noqa: E402
from lope.operators.pressure_outcome import found_of  # noqa: E402
from lope.operators.pressure_settings import WRITTEN  # noqa: E402
from pressure_kit import write_long  # noqa: E402

pytestmark = pytest.mark.slow

scene, astronaut = lope_scene.scene, lope_scene.astronaut
HEAD = 4
"""Lines of the file before its first frame."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A database of steps, and pressure of 9 s: a step, three times."""
    folder = tmp_path_factory.mktemp("live")
    write_long(folder, 3)
    return folder


@pytest.fixture
def chosen(astronaut, folder, tmp_path, monkeypatch):
    """The astronaut, posed by hand, with pressure and a database; takes go to a folder of the test."""
    monkeypatch.setattr(driving, "takes_folder", lambda: tmp_path / "takes")
    (tmp_path / "takes").mkdir()
    astronaut.pose.bones["head"].location = (0.0, 0.01, 0.0)
    astronaut.lope.pressure_path, astronaut.lope.pressure_database = str(folder / "long.csv"), str(folder / "steps.npz")
    yield astronaut
    driving.close()
    desk.close()


def begun(armature):
    """A show, and how the armature was before."""
    before = channels(armature)
    return driving.begin_live(armature, bpy.context.scene, None), before


def ended():
    return driving.going is None and not desk.queue.busy


def drawn(*names):
    bpy.context.object.lope.page = "PRESSURE"
    listener = Listener(bpy.context)
    for cls in panels._classes():
        if cls.__name__ in (names or ("LOPE_PT_said", "LOPE_PT_page")):
            listener.draw(cls)
    return listener


def left_in(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "takes").iterdir())


@pytest.mark.acceptance
def test_what_comes_moves_the_character_and_is_kept_in_one_undo_step(chosen, tmp_path):
    live, before = begun(chosen)
    until(lambda: live.state == SHOWING and live.view["motion"] == "ahead" and live.view["time_s"] > 2.2)
    assert live.view["doubted"] is False
    assert channels(chosen) != before and "●" in how_live(live) and "ahead" in how_live(live)
    assert pressure_overlay.is_shown(chosen.session_uid)
    matrix, at_s = live._now()
    picture = pressure_overlay._shown[chosen.session_uid].picture
    feet = [chosen.matrix_world @ chosen.pose.bones[name].head for name in ("foot_L", "foot_R")]
    under = np.array([matrix @ Vector((*place, 0.0)) for place in picture.middles_m(picture.at(at_s))])
    for foot in feet:
        assert np.linalg.norm(under[:, :2] - np.array(foot.xy), axis=1).min() < 0.1, "the pressure lies under the feet"
    listener = drawn()
    assert "lope.live_stop" in listener.drawn and "ahead" in " ".join(listener.said)
    assert "lope.cancel" not in drawn("LOPE_PT_top").drawn, "nothing is added over the button that was pressed"
    driving._before_save()
    assert channels(chosen) == before, "what is saved meanwhile is the scene as it is without"
    driving._after_save()
    assert bpy.ops.lope.live_stop() == {"FINISHED"}
    assert channels(chosen) == before and not pressure_overlay.is_shown() and not chosen.lope.take_path
    until(ended)
    assert channels(chosen) == before and not chosen.lope.take_path, "nothing is kept unasked"
    assert {"lope.live_keep", "lope.live_discard"} <= set(drawn().drawn)
    bpy.ops.ed.undo_push(message="Before")
    assert bpy.ops.lope.live_keep() == {"FINISHED"}
    bpy.ops.ed.undo_push(message="Keep")  # a button does this by itself
    take = Take.load(chosen.lope.take_path)
    recorded = json.loads(chosen.animation_data.action["lope_pressure"])["pressure"]
    assert take.stats["mat"]["file"] == recorded and abs(len(read_pressure(recorded)[0]) / 12.0 - take.time_s[-1]) < 0.1
    assert found_of(chosen)[1].motion == "ahead" and live_offer.of(chosen.session_uid) is None
    assert bpy.ops.lope.show_pressure() == {"FINISHED"} and pressure_overlay.is_shown(chosen.session_uid)
    kept = chosen.lope.take_path
    assert bpy.ops.lope.rerun() == {"FINISHED"} and chosen.lope.take_path != kept and found_of(chosen)[1].motion == "ahead"
    bpy.ops.ed.undo()
    armature = bpy.data.objects["Astronaut"]
    assert armature.animation_data is None or armature.animation_data.action is None
    outcomes.restore()
    assert len(found_of(armature)) >= 2


@pytest.mark.acceptance
def test_what_is_over_ends_by_itself_and_can_be_thrown_away(chosen, folder, tmp_path):
    chosen.lope.pressure_path = str(folder / "steps.csv")
    live, before = begun(chosen)
    until(ended)
    assert live.ended and channels(chosen) == before and len(left_in(tmp_path)) == 2
    assert "came live: Keep bakes them" in notes.of(chosen).text
    assert bpy.ops.lope.live_discard() == {"FINISHED"}
    assert left_in(tmp_path) == [] and not bpy.ops.lope.live_keep.poll()


@pytest.mark.acceptance
def test_lines_that_a_sensor_appends(chosen, folder, tmp_path):
    lines = (folder / "long.csv").read_text().splitlines(keepends=True)
    path = tmp_path / "mat.csv"
    path.write_text("".join(lines[:HEAD + 3]))
    chosen.lope.pressure_path, chosen.lope.pressure_live = str(path), WRITTEN
    live, before = begun(chosen)
    until(lambda: live.state == WAITS)
    assert "Waiting for the first line" in how_live(live) and channels(chosen) == before
    began, wrote = time.monotonic(), HEAD + 3
    with path.open("a") as file:

        def shown():
            """Whether enough is shown; what a sensor would have written by now is written."""
            nonlocal wrote
            due = min(HEAD + 3 + int(12.0 * (time.monotonic() - began)), len(lines))
            file.writelines(lines[wrote:due])
            file.flush()
            wrote = due
            return live.view["time_s"] > 2.1

        until(shown)
        file.write("9.9,1,x\n")
        file.flush()
        until(ended)
    note = notes.of(chosen)
    assert note.kind == notes.WARNED and "mat.csv has" in note.text and "s came before that" in note.text
    assert channels(chosen) == before and "mat.csv has" in " ".join(drawn().said)
    assert "lope.live_keep" in drawn().drawn


@pytest.mark.acceptance
def test_what_ends_too_soon_leaves_nothing(chosen, tmp_path):
    live, before = begun(chosen)
    until(lambda: "root_m" in live.view)
    live.stop()
    until(ended)
    assert channels(chosen) == before and left_in(tmp_path) == [] and live_offer.of(chosen.session_uid) is None
    assert notes.of(chosen).kind == notes.CANCELLED


@pytest.mark.acceptance
def test_undo_and_another_file_end_it_before_anything_else(chosen):
    live, before = begun(chosen)
    until(lambda: "root_m" in live.view)
    driving._before_undo()
    assert live.ended and channels(chosen) == before and not chosen.lope.drive_kept


@pytest.mark.acceptance
def test_an_armature_that_is_deleted_ends_it(chosen, tmp_path):
    live, _ = begun(chosen)
    until(lambda: "root_m" in live.view)
    bpy.data.objects.remove(chosen)
    until(ended)
    assert live.ended and not pressure_overlay.is_shown() and left_in(tmp_path) == []


@pytest.mark.parametrize(("file", "live", "why"), [
    ("soles.csv", "PLAYED", "is of insoles"), ("none.csv", "PLAYED", "There is no pressure at"),
    ("none.csv", WRITTEN, "cannot be read while it is written"), ("still.npz", WRITTEN, "goes with a CSV file"),
    ("slow.csv", "PLAYED", "6 frames a second")])
def test_what_cannot_be_shown_is_said_in_its_panel(chosen, folder, file, live, why):
    chosen.lope.pressure_path, chosen.lope.pressure_live = str(folder / file), live
    _, before = begun(chosen)
    until(ended)
    assert why in " ".join(drawn().said) and channels(chosen) == before


def test_without_a_database_nothing_is_begun(chosen, folder, tmp_path):
    chosen.lope.pressure_database = str(tmp_path / "none.npz")
    with pytest.raises(InputError, match="There is no database of pressure"):
        begun(chosen)
    shutil.copyfile(folder / "steps.csv", tmp_path / "none.npz")
    with pytest.raises(InputError, match="no database of pressure"):
        begun(chosen)
    assert driving.going is None and not desk.queue.busy
