# SPDX-License-Identifier: GPL-3.0-or-later
"""Motion from Pressure in the panel: what is chosen is told, read, baked and found again; a database is made and mended."""

import json
import shutil
from types import SimpleNamespace

import pytest

bpy = pytest.importorskip("bpy", reason="needs the bpy module")

import lope_scene  # noqa: E402
from layout_listener import Listener  # noqa: E402
from lope import panels  # noqa: E402
from lope.addon.children.protocol import Task  # noqa: E402
from lope.addon.errors import InputError  # noqa: E402
from lope.addon.jobs import tasks  # noqa: E402
from lope.addon.jobs.job import Job  # noqa: E402
from lope.addon.motions.bvh import write_bvh  # noqa: E402
from lope.addon.motions.pressure.database import MOTION_HZ, Database, Span, read_list, write_spans  # noqa: E402
from lope.addon.motions.responses.response import reference_body  # noqa: E402
from lope.addon.sim.take import Take  # noqa: E402
from lope.operators import context as notes  # noqa: E402
from lope.operators import desk, outcomes  # noqa: E402
from lope.operators.context import Order  # noqa: E402
from lope.operators.figures import fingerprint  # noqa: E402
from lope.operators.pressure_outcome import (  # noqa: E402
    INDEX,
    READ,
    database_line,
    found_of,
    pressure_line,
    summary,
)
from lope.operators.pressure_settings import is_mended, mended  # noqa: E402
from pressure_kit import step_motion, written_steps  # noqa: E402

pytestmark = pytest.mark.slow

scene = lope_scene.scene
astronaut = lope_scene.astronaut
SILENT = SimpleNamespace(progress=lambda share, words: None, ended=lambda: False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return written_steps(tmp_path_factory.mktemp("pressure"))


@pytest.fixture
def chosen(astronaut, folder, tmp_path):
    """The astronaut with pressure and a database of its own, whose list has three motions of two clips."""
    shutil.copyfile(folder / "steps.npz", tmp_path / "steps.npz")
    write_spans(tmp_path / "steps.json", {"a.bvh": [Span("ahead", 0.417, 2.0), Span("aside", 2.5, 4.0)],
                                          "b.bvh": [Span("stands", 0.0, 2.0, True)]})
    astronaut.lope.pressure_path = str(folder / "steps.csv")
    astronaut.lope.pressure_database = str(tmp_path / "steps.npz")
    return astronaut


def drawn(*names: str) -> Listener:
    bpy.context.object.lope.page = "PRESSURE"
    listener = Listener(bpy.context)
    for cls in panels._classes():
        if cls.__name__ in (names or ("LOPE_PT_said", "LOPE_PT_page")):
            listener.draw(cls)
    return listener


def listed(armature):
    return [(one.clip, one.called, round(one.begin_s, 3), round(one.end_s, 3), one.quiet)
            for one in armature.lope.pressure_motions]


def concluded(task, armature, *, bake=False):
    """A job of this Blender that is done at once, by the worker's own code, and delivered."""
    job = Job(task, armature.name)
    job.state, job.report = "done", tasks.run(task, SILENT)
    scene = bpy.context.scene
    order = Order(job, armature.session_uid, armature.name, scene.name, fingerprint(armature, scene), bake)
    desk._conclude(order)
    return notes.of(armature)


def test_what_is_chosen_is_told_in_a_line(chosen, folder):
    said = drawn().said
    assert "A mat of 80 x 64 cells, 12 Hz, 3.0 s" in said and "2 motions: ahead, aside" in said
    assert listed(chosen)[0] == ("a.bvh", "ahead", 0.417, 2.0, False)
    chosen.lope.pressure_path = str(folder / "soles.csv")
    assert any(line.startswith("Insoles of") for line in drawn().said)
    chosen.lope.pressure_path = str(folder / "pictures" / "1.png")
    assert any("There is no pressure at" in line and "1.png" not in line for line in drawn().said), "a picture is its folder's"
    chosen.lope.pressure_path, chosen.lope.pressure_database = str(folder / "none.csv"), str(folder / "steps.csv")
    said = " ".join(drawn().said)
    assert "There is no pressure at" in said and "no database of pressure" in said and listed(chosen) == []


def test_a_file_is_looked_at_once_until_it_changes(chosen, folder, tmp_path, monkeypatch):
    path, looked = tmp_path / "steps.csv", []
    shutil.copyfile(folder / "steps.csv", path)
    from lope.addon.motions.pressure import glance

    look = glance.seen_in
    monkeypatch.setattr(glance, "seen_in", lambda at: looked.append(at) or look(at))
    for _ in range(3):
        assert pressure_line(path)[1] == "INFO"
    path.write_text("time_s,p_0_0\n", encoding="utf-8")
    assert pressure_line(path)[1] == pressure_line(path)[1] == "ERROR" and len(looked) == 2
    assert database_line(tmp_path / "nowhere.npz")[1] == "ERROR"


def test_buttons_say_what_they_lack(astronaut, folder):
    assert not bpy.ops.lope.read_pressure.poll() and not bpy.ops.lope.index_again.poll() and not bpy.ops.lope.motion_split.poll()
    astronaut.lope.pressure_path = str(folder / "steps.csv")
    assert not bpy.ops.lope.read_pressure.poll() and bpy.ops.lope.index_clips.poll()
    astronaut.lope.pressure_database = str(folder / "steps.npz")
    assert bpy.ops.lope.read_pressure.poll() and not bpy.ops.lope.index_again.poll()
    astronaut.lope.pressure_clips = str(folder)
    assert bpy.ops.lope.index_again.poll()
    astronaut.lope.body_kind = "CREATURE"
    assert not bpy.ops.lope.read_pressure.poll()
    assert "pressure_path" not in drawn().drawn


def test_pressure_is_read_in_the_background_and_baked(chosen):
    assert bpy.ops.lope.read_pressure() == {"FINISHED"}
    assert chosen.lope.take_summary == "3.0 s read from pressure: ahead"
    first, second = found_of(chosen)
    assert first.pace is None and second.motion == "ahead" and second.from_s == second.at_s == pytest.approx(1.0, abs=0.6)
    keys = bpy.data.actions.new("Mine")
    chosen.animation_data_create().action = keys
    assert bpy.ops.lope.bake() == {"FINISHED"}
    action = chosen.animation_data.action
    assert action != keys and action.name == "Astronaut steps earth" and json.loads(action["lope_pressure"])
    listener = drawn()
    assert "Found: 2" in listener.said and any(line.startswith("ahead   ") for line in listener.said)
    assert "stands   0.0 to" in " ".join(listener.said)
    take = chosen.lope.take_path
    assert bpy.ops.lope.rerun() == {"FINISHED"} and chosen.lope.take_path == take
    assert Take.load(take).stats["by_pressure"] == "stands; ahead"


def test_what_is_doubted_is_marked_and_what_is_unknown_is_said(chosen):
    found = [{"motion": "stands", "from_s": 0.0, "to_s": 1.0, "at_s": 0.0},
             {"motion": "unknown", "from_s": 1.0, "to_s": 3.0, "at_s": 1.0},
             {"motion": "kick", "from_s": 3.0, "to_s": 4.5, "at_s": 3.0, "pace": 0.9, "likeness": 0.6,
              "doubt": ["unlike", "alike"], "or": "slash"},
             {"motion": "bow", "from_s": 4.5, "to_s": 6.0, "at_s": 4.5, "pace": 1.0, "likeness": 0.93}]
    chosen.lope.take_pressure = json.dumps({"found": found})
    lines = [one.text for one in found_of(chosen)]
    assert lines == ["stands   0.0 to 1.0 s", "like none of these   1.0 to 3.0 s",
                     "kick ?   3.0 to 4.5 s   0.90x   60 %   or slash", "bow   4.5 to 6.0 s   1.00x   93 %"]
    assert any(said.startswith("? Doubtful") for said in drawn().said)
    assert summary({"duration_s": 6.0, "found": found}) == "6.0 s read from pressure: like none of these, kick ?, bow"
    assert summary({"duration_s": 6.0, "found": [*found[2:], {**found[3], "motion": "kick"}]}).endswith(": kick, bow")
    chosen.lope.take_pressure = json.dumps({"found": found[:2] + found[3:]})
    assert not any("Doubtful" in said for said in drawn().said)


def test_the_bake_that_follows_is_one_undo_step_and_what_was_found_outlives_it(chosen):
    task = Task(READ, {}, f"{chosen.lope.pressure_database}.take.npz",
                {"pressure": chosen.lope.pressure_path, "database": chosen.lope.pressure_database})
    bpy.ops.ed.undo_push(message="Before")
    assert "The keys are there" in concluded(task, chosen, bake=True).text
    assert bpy.data.objects["Astronaut"].animation_data.action is not None
    assert bpy.ops.ed.undo() == {"FINISHED"}
    armature = bpy.data.objects["Astronaut"]
    assert armature.animation_data is None or armature.animation_data.action is None
    outcomes.restore()
    assert len(found_of(armature)) == 2
    outcomes.note_take(armature, "", "", "", "", "")
    assert found_of(armature) == []


def test_a_simulated_bake_is_no_more_read_from_pressure(chosen):
    bpy.ops.lope.read_pressure()
    bpy.ops.lope.bake()
    chosen.lope.take_pressure = ""
    bpy.ops.lope.bake()
    assert "lope_pressure" not in chosen.animation_data.action


def test_nothing_but_stance_is_said_with_what_to_do(chosen, folder):
    with pytest.raises(InputError, match="Nothing but quiet stance was recognised in still.npz: record a motion"):
        tasks.run(Task(READ, {}, "x.npz", {"pressure": str(folder / "still.npz"), "database": str(folder / "steps.npz")}), SILENT)


def test_a_button_that_cannot_says_so_in_its_panel(chosen, folder):
    for name, words in (("none.csv", "There is no pressure at"), ("steps.npz", "no array `head`")):
        chosen.lope.pressure_path = str(folder / name)
        with pytest.raises(RuntimeError, match=words):
            bpy.ops.lope.read_pressure()
        assert any(words in line for line in drawn().said)


def test_while_it_goes_on_its_panel_shows_how_far_it_is(chosen, monkeypatch):
    job = Job(Task(INDEX, {}, "x.npz", {}), chosen.name)
    job.share, job.text = 0.5, "3 of 6 clips, kick.bvh"
    monkeypatch.setitem(desk.orders, job.number, Order(job, chosen.session_uid, chosen.name, "Scene", 0, False))
    monkeypatch.setattr(desk.queue, "jobs", [job])
    listener = drawn("LOPE_PT_top")
    assert "lope.cancel" in listener.drawn and any("3 of 6 clips, kick.bvh" in line for line in listener.said)


def test_the_list_is_mended_here_and_read_again(chosen, tmp_path):
    settings = chosen.lope
    assert not is_mended(settings)
    settings.pressure_motion_index = 0
    assert bpy.ops.lope.motion_split() == {"FINISHED"}
    assert [one[1:4] for one in listed(chosen)[:2]] == [("ahead", 0.417, 1.21), ("ahead", 1.21, 2.0)]
    settings.pressure_motions[1].called = "second"
    assert is_mended(settings) and any("Index Again makes" in line for line in drawn().said)
    settings.pressure_motion_index = 3
    assert bpy.ops.lope.list_remove(name="pressure_motions") == {"FINISHED"}
    assert mended(settings)["b.bvh"] == [] and [one["name"] for one in mended(settings)["a.bvh"]] == ["ahead", "second", "aside"]
    write_spans(tmp_path / "steps.json", {"a.bvh": [Span("other", 0.0, 1.0)]})
    settings.pressure_clips = str(tmp_path)
    with pytest.raises(RuntimeError, match="has been changed since it was read here"):
        bpy.ops.lope.index_again()
    assert bpy.ops.lope.motions_read() == {"FINISHED"} and listed(chosen) == [("a.bvh", "other", 0.0, 1.0, False)]
    with pytest.raises(RuntimeError, match="None of the clips of the list"):
        bpy.ops.lope.index_again()
    settings.pressure_motions[0].end_s = 0.3
    with pytest.raises(RuntimeError, match="only one of 0.4 s or more"):
        bpy.ops.lope.motion_split()
    settings.pressure_motions[0].begin_s = 0.5
    with pytest.raises(RuntimeError, match="must end after it begins"):
        bpy.ops.lope.index_again()
    settings.pressure_motions[0].called = " "
    with pytest.raises(RuntimeError, match="has no name"):
        bpy.ops.lope.index_again()


@pytest.fixture
def clips(tmp_path):
    """A folder with a clip of a step and one of somebody who stands."""
    folder = tmp_path / "clips"
    folder.mkdir()
    for name, ahead in (("step", 0.3), ("still", 0.0)):
        motion = step_motion(name, ahead, 0.0, name == "still")
        write_bvh(folder / f"{name}.bvh", reference_body(), 1.0 / MOTION_HZ, motion.root, motion.turn, motion.joints)
    return folder


@pytest.mark.acceptance
def test_a_folder_is_indexed_and_its_list_is_the_databases(astronaut, clips):
    (clips / "broken.bvh").write_text("HIERARCHY", encoding="utf-8")
    assert bpy.ops.lope.index_clips(directory=str(clips), licence="CC0-1.0") == {"FINISHED"}
    assert astronaut.lope.pressure_database == str(clips / "clips.npz") and astronaut.lope.pressure_clips == str(clips)
    database = Database.load(clips / "clips.npz")
    assert database.licence == "CC0-1.0" and {one.source for one in database.motions} == {"step.bvh", "still.bvh"}
    note = notes.of(astronaut)
    assert note.kind == notes.WARNED and "are in the database clips.npz" in note.text and "Left out: broken.bvh" in note.text
    (clips / "broken.bvh").unlink()
    for one in astronaut.lope.pressure_motions:
        one.quiet = one.clip == "still.bvh"
    astronaut.lope.pressure_motions[0].called, astronaut.lope.pressure_motions[0].end_s = "stride", 1.5
    assert bpy.ops.lope.index_again() == {"FINISHED"}
    assert not is_mended(astronaut.lope) and notes.of(astronaut).kind == notes.DONE
    listed = read_list(clips / "clips.json").spans
    assert listed["step.bvh"][0].name == "stride" == Database.load(clips / "clips.npz").active[0].name
    assert Database.load(clips / "clips.npz").licence == "CC0-1.0"


def test_what_cannot_be_indexed_is_said_before(astronaut, clips, folder):
    for directory, words in ((clips / "none", "is not there"), (folder, "holds no clips")):
        with pytest.raises(RuntimeError, match=words):
            bpy.ops.lope.index_clips(directory=str(directory))
    (clips / "clips.npz").write_bytes(b"something else")
    with pytest.raises(RuntimeError, match="would be overwritten"):
        bpy.ops.lope.index_clips(directory=str(clips))
    (clips / "clips.npz").unlink()
    (clips / "clips.json").write_text("{", encoding="utf-8")
    with pytest.raises(RuntimeError, match="no list of motions"):
        bpy.ops.lope.index_clips(directory=str(clips))


def test_indexing_can_be_ended_early(clips, tmp_path):
    told = []
    line = SimpleNamespace(progress=lambda share, words: told.append(words), ended=lambda: True)
    report = tasks.run(Task(INDEX, {}, str(tmp_path / "db.npz"), {"folder": str(clips), "licence": "", "known": None}), line)
    assert report["early"] and report["clips"] == 1 and told == ["0 of 2 clips, step.bvh", "1 of 2 clips, step.bvh"]
