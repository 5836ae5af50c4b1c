# SPDX-License-Identifier: GPL-3.0-or-later
"""Creatures in the panel: who is one, what is shown and hidden, what is asked for, the search and what becomes of it."""

import json
from functools import cache

import numpy as np
import pytest

bpy = pytest.importorskip("bpy", reason="needs the bpy module")


from mathutils import Matrix  # noqa: E402

import lope_scene  # noqa: E402
from layout_listener import Listener  # noqa: E402
from lope import panels  # noqa: E402
from lope.addon.bodies.makers import make_body  # noqa: E402
from lope.addon.children.protocol import Task  # noqa: E402
from lope.addon.errors import InputError  # noqa: E402
from lope.addon.gaits.remedy import SEARCH, Remedy  # noqa: E402
from lope.addon.jobs.job import Job  # noqa: E402
from lope.addon.locomotion.creature import stored  # noqa: E402
from lope.addon.locomotion.creature.stored import proportions  # noqa: E402
from lope.addon.rigs.astronaut.skeleton import to_blender  # noqa: E402
from lope.addon.specs.motions import CreatureGait, CreatureTrial, creature_gait_file  # noqa: E402
from lope.addon.viewport import sketch_overlay  # noqa: E402
from lope.operators import desk, gait_search, plan_board  # noqa: E402
from lope.operators import gait_search as gait_search_shown  # noqa: E402
from lope.operators.context import Order  # noqa: E402
from lope.operators.creature import is_creature, unread  # noqa: E402
from lope.operators.gait_settings import NAMES as STYLE  # noqa: E402
from lope.operators.outcomes import fall_label_of as label_of  # noqa: E402
from lope.operators.override_settings import dumped, restored  # noqa: E402
from lope.scripts.tools.creatures.bird import bird as drawn_bird  # noqa: E402

pytestmark = pytest.mark.slow

scene, shot = lope_scene.scene, lope_scene.shot
astronaut = lope_scene.astronaut


@pytest.fixture
def gaits(scene, tmp_path, monkeypatch):
    """An empty folder of one's own, and nothing shipped."""
    folder = tmp_path / "gaits"
    folder.mkdir()
    monkeypatch.setenv(stored.USER_FOLDER, str(folder))
    monkeypatch.setattr(stored, "shipped_gaits", lambda: ())
    monkeypatch.setattr(gait_search, "creature_gaits_folder", lambda: folder)
    return folder


@cache
def bird_bones():
    """The bones of the bird that the scripts draw."""
    return drawn_bird().drawn.bones


@pytest.fixture
def bird(scene, gaits):
    """A bird's bones, without its skin: nobody has told anything of them."""
    data = bpy.data.armatures.new("Bird")
    armature = bpy.data.objects.new("Bird", data)
    scene.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    for drawn_bone in bird_bones():
        bone = data.edit_bones.new(drawn_bone.name)
        bone.head, bone.tail = to_blender(np.array(drawn_bone.head)), to_blender(np.array(drawn_bone.tail))
        bone.parent = None if drawn_bone.parent is None else data.edit_bones[drawn_bone.parent]
    bpy.ops.object.mode_set(mode="OBJECT")
    scene.lope.world = "earth"
    return armature


def drawn(name: str) -> Listener:
    listener = Listener(bpy.context)
    listener.draw(next(cls for cls in panels._classes() if cls.__name__ == name))
    return listener


def shown(name: str) -> bool:
    return next(cls for cls in panels._classes() if cls.__name__ == name).poll(bpy.context)


def plan():
    """The plan on show, though it plans nothing ahead."""
    made = plan_board._begin(bpy.context.object, bpy.context.scene)
    plan_board._fill(made)
    plan_board.plan = made
    return made


def store(folder, body, name, **more):
    """A gait of that very body in the user's folder."""
    built = make_body(body)
    gait = CreatureGait(name, body.creature.name, 0.5, leg_length_m=0.5, mass_kg=built.mass_kg, proportions=proportions(built),
                        trial=CreatureTrial(8, 8, 30.0), **more)
    (folder / f"{name}.json").write_text(json.dumps(creature_gait_file(gait)), encoding="utf-8")
    return gait


def test_a_bird_is_a_creature_by_its_bones_and_a_person_is_none(bird, scene):
    assert is_creature(bird, scene)
    bird.lope.body_kind = "HUMAN"
    assert not is_creature(bird, scene)
    bpy.ops.lope.add_astronaut()
    assert not is_creature(bpy.context.object, scene)
    bpy.context.object.lope.body_kind = "CREATURE"
    assert is_creature(bpy.context.object, scene) and shot().body.creature is not None


def test_its_shot_has_its_shape_and_what_a_person_was_asked_for_does_not_reach_it(bird):
    settings = bird.lope
    settings.motion, settings.gait_source, settings.suit, settings.actuation = "STAND", "REFLEX", "mark-iii", "MUSCLES"
    settings.stop, settings.style_bounce, settings.use_stride_frequency = "standing", 0.5, True
    settings.keys.add()
    settings.use_speed, settings.speed_m_s, settings.path, settings.heading_deg = True, 0.7, "circle", 30.0
    made = shot()
    assert (made.controller, made.motion.gait, made.motion.speed_m_s, made.motion.path.kind) == ("creature", None, 0.7, "circle")
    assert made.body.creature.name == bird.name and {part.bone for part in made.body.creature.parts} >= {"Femur.L", "Neck_1"}


def test_the_gait_of_ones_own_folder_is_found_again(bird, gaits):
    mine = store(gaits, shot().body, "mine", muscles={"gain": {"SOL": 1.6}})
    assert shot().motion.gait.name == "mine" and shot().controller == "creature_muscles"
    bird.lope.creature_by = "QUICK"
    assert shot().controller == "creature"
    bird.lope.creature_by = "FILE"
    with pytest.raises(InputError, match="no creature's gait; choose its file"):
        shot()
    bird.lope.creature_gait_path = str(gaits / "mine.json")
    assert shot().motion.gait.parameters == mine.parameters


def test_the_panel_shows_what_a_creature_can_be_asked_and_nothing_else(bird, scene):
    seen = set(drawn("LOPE_PT_page").drawn)
    assert {"creature_by", "use_speed", "seek_minutes", "lope.find_gait", "noise", "path", "heading_deg", "duration_s"} <= seen
    assert {"seed", "engine"} <= set(drawn("LOPE_PT_advanced").drawn)
    assert not seen & {*STYLE, "motion", "gait", "gait_source", "gait_law", "keys", "controller", "start", "stop",
                       "creature_gait_path", "stand_on", "drive_by"}
    bird.lope.creature_by = "FILE"
    assert "creature_gait_path" in drawn("LOPE_PT_page").drawn
    assert not {"suit", "mass_kg", "actuation"} & set(drawn("LOPE_PT_body").drawn)
    bird.lope.take_path = __file__
    assert not {"lope.tune", "lope.go_on"} & {*drawn("LOPE_PT_result").drawn, *drawn("LOPE_PT_advanced").drawn}
    assert not bpy.ops.lope.tune.poll() and not shown("LOPE_PT_condition")
    for verb in ("HIT", "WALK", "PRESSURE"):
        scene.lope.verb = verb
        there = drawn("LOPE_PT_page")
        assert "body_kind" in there.drawn and not {"hits", "gait", "pressure_path"} & set(there.drawn)
        assert any("this page is for persons" in line for line in there.said)
    bird.lope.body_kind = "HUMAN"
    assert scene.lope.verb == "PRESSURE" and "pressure_path" in drawn("LOPE_PT_page").drawn
    scene.lope.verb = "WALK"
    assert "gait" in drawn("LOPE_PT_page").drawn


def test_it_says_how_fast_that_is_and_what_it_goes_by(bird, gaits):
    bird.lope.use_speed, bird.lope.speed_m_s = True, 0.6
    made = plan()
    said = drawn("LOPE_PT_said").said
    assert made.unplanned and any(line.startswith("0.60 m/s: ") for line in said) and "Froude" not in " ".join(said)
    assert "No gait by muscles is stored" in " ".join(said)
    assert "searches one" in " ".join(said)
    assert not any("plans nothing" in line for line in said)
    store(gaits, shot().body, "mine")
    plan()
    assert not any("searches one" in line for line in drawn("LOPE_PT_said").said)


def test_what_was_found_in_it_is_said_and_a_part_can_be_said_otherwise(bird):
    bpy.ops.lope.detect_rig()
    assert bird.lope.figure.startswith("Creature: ") and "4 a leg, neck 5, tail 2" in bird.lope.figure
    assert "lope.creature_bone" in drawn("LOPE_PT_bone_map").drawn
    assert not bpy.ops.lope.creature_map_forget.poll()
    bpy.ops.lope.creature_bone(part="tail", bone="")
    assert not shot().body.creature.of_kind("tail")
    bpy.ops.lope.creature_map_forget()
    assert [part.bone for part in shot().body.creature.of_kind("tail")] == ["Tail_1", "Tail_2"]


def test_what_cannot_walk_says_why(scene, gaits):
    data = bpy.data.armatures.new("Stump")
    armature = bpy.data.objects.new("Stump", data)
    scene.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    bone = data.edit_bones.new("one")
    bone.tail = (0.0, 0.0, 1.0)
    bpy.ops.object.mode_set(mode="OBJECT")
    armature.lope.body_kind = "CREATURE"
    assert any("Stump" in line for name in ("LOPE_PT_body", "LOPE_PT_top") for line in drawn(name).said)
    assert not bpy.ops.lope.find_gait.poll() and not bpy.ops.lope.simulate.poll()
    for button in (bpy.ops.lope.simulate, bpy.ops.lope.find_gait):
        with pytest.raises(RuntimeError, match="Stump"):
            button()
    plan_board.plan = plan_board.Plan(armature.session_uid, armature.name, error=unread(armature, scene))
    panels_said = [line for name in ("LOPE_PT_said", "LOPE_PT_page") for line in drawn(name).said]
    sentence = unread(armature, scene)
    assert "Stump" in sentence and " ".join(panels_said).count(sentence.split(".")[0]) == 1, "it is said once"


def test_a_stage_is_laid_under_its_soles(bird):
    bird.data.transform(Matrix.Translation((2.0, 0.0, -3.0)))
    assert bpy.ops.lope.add_stage() == {"FINISHED"}
    bpy.context.view_layer.update()
    ground = next(item for item in bpy.data.objects if item.name.startswith("Ground"))
    assert ground.matrix_world.translation.z == pytest.approx(-3.0, abs=0.05)
    assert ground.matrix_world.translation.x == pytest.approx(2.0, abs=0.05)


def test_it_is_simulated_and_baked(bird, scene, monkeypatch):
    scene.lope.duration_s = 0.5  # bones without a skin weigh what nobody told: it falls later
    assert bpy.ops.lope.simulate() == {"FINISHED"}
    assert bird.lope.take_summary.startswith("0.5 s on Earth")
    bpy.ops.lope.bake()
    assert bird.animation_data.action is not None


def finished(task, armature, scene, *, bake, made_by=None, kept=True, stood=7):
    """In the desk's place: a search that is done at once."""
    job = Job(task, armature.name)
    job.state, job.report = "done", {"gait": "bird-9.81", "speed_m_s": 0.62, "kept": kept,
                                     "trial": {"stood": stood, "starts": 8, "seconds": 30.0}}
    order = Order(job, armature.session_uid, armature.name, scene.name, 0, bake)
    desk._conclude(order)
    return order


def test_a_gait_is_searched_and_what_came_is_said(bird, scene, gaits, monkeypatch):
    asked = []
    monkeypatch.setattr(desk, "submit", lambda task, *rest, **more: asked.append(task) or finished(task, *rest, **more))
    bird.lope.use_speed, bird.lope.speed_m_s, bird.lope.seek_minutes = True, 0.6, 2.0
    assert bpy.ops.lope.find_gait() == {"FINISHED"}
    (task,) = asked
    assert task.kind == "creature" and task.options == {"minutes": 2.0} and task.shot["motion"]["speed_m_s"] == 0.6
    assert task.out == str(gaits / "bird-9.81-0.6.json")
    assert any("Found bird-9.81: 0.62 m/s, 7 of 8 starts" in line for line in drawn("LOPE_PT_top").said)


@pytest.mark.parametrize(("kept", "said"), [(True, "Kept bird-9.81 as you saw it"), (False, "No gait keeps its feet yet")])
def test_what_falls_is_kept_where_it_was_liked(bird, monkeypatch, kept, said):
    monkeypatch.setattr(desk, "submit", lambda *rest, **more: finished(*rest, **more, kept=kept, stood=0))
    bpy.ops.lope.find_gait()
    assert any(said in line for line in drawn("LOPE_PT_top").said)


def test_while_it_is_searched_it_can_be_kept_or_given_up(bird, scene, monkeypatch):
    job = Job(Task("creature", shot().to_dict(), "x.json", {}), bird.name)
    job.view = {"rate_hz": 15.0, "ends": [[[[0, 0, 0], [0, 0, 1]]], [[[0, 0, 0], [0, 1, 1]]]], "sides": ["L"], "words": "walks"}
    monkeypatch.setitem(desk.orders, job.number, Order(job, bird.session_uid, bird.name, scene.name, 0, False))
    assert not bpy.ops.lope.find_gait.poll() and bpy.ops.lope.keep_gait.poll()
    monkeypatch.setattr(desk.queue, "jobs", [job])
    assert "lope.keep_gait" in drawn("LOPE_PT_page").drawn
    assert {"lope.keep_gait", "lope.cancel"} <= set(drawn("LOPE_PT_top").drawn)
    monkeypatch.setattr(desk.queue, "jobs", [])
    told = []
    monkeypatch.setattr(job, "finish", lambda: told.append("finish"))
    bpy.ops.lope.keep_gait()
    assert told == ["finish"]
    try:
        gait_search_shown._step()
        assert sketch_overlay.is_shown() and gait_search_shown.place() is not None
        monkeypatch.delitem(desk.orders, job.number)
        assert gait_search_shown._step() is None and not sketch_overlay.is_shown()
    finally:
        gait_search_shown.stop()


def test_after_a_fall_its_button_searches(bird, monkeypatch):
    assert label_of(Remedy(SEARCH, None)) == "Search a Gait for It"
    bird.lope.take_fall = json.dumps({"fell_s": 1.0, "remedy": {"field": SEARCH, "value": None}, "gait": None})
    bird.lope.take_path = __file__
    asked = []
    monkeypatch.setattr(desk, "submit", lambda task, *rest, **more: asked.append(task) or finished(task, *rest, **more))
    bpy.ops.lope.try_again()
    assert [task.kind for task in asked] == ["creature"]


def test_what_is_chosen_is_kept_of_an_override(bird):
    bird.lope.body_kind, bird.lope.creature_by = "CREATURE", "QUICK"
    kept = dumped(bird.lope)
    bird.lope.body_kind = "HUMAN"
    restored(bird.lope, kept)
    assert (bird.lope.body_kind, bird.lope.creature_by) == ("CREATURE", "QUICK")
    names = bird.lope.bl_rna.properties
    assert all(names[name].is_overridable for name in ("body_kind", "creature_by", "creature_gait_path"))
