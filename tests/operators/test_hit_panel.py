# SPDX-License-Identifier: GPL-3.0-or-later
"""Hits in the panel: what is asked for, what is refused in a sentence, and that an action is hit and baked as one step."""

import math

import numpy as np
import pytest

bpy = pytest.importorskip("bpy", reason="needs the bpy module")

import lope_scene  # noqa: E402
from bake_check import body_of  # noqa: E402
from layout_listener import Listener  # noqa: E402
from lope import panels  # noqa: E402
from lope.addon.errors import InputError  # noqa: E402
from lope.addon.rigs.bake.bake import bake_take  # noqa: E402
from lope.addon.rigs.read.armature import read_figure  # noqa: E402
from lope.addon.specs.disturbances import BALL, PUNCH, Reaction  # noqa: E402
from lope.operators import context as notes  # noqa: E402
from lope.operators.hit import action_to_hit, hit_shot  # noqa: E402
from synthetic_take import synthetic_take  # noqa: E402

pytestmark = pytest.mark.slow

scene, shot = lope_scene.scene, lope_scene.shot


@pytest.fixture
def astronaut(scene):
    bpy.ops.lope.add_astronaut()
    bpy.context.object.lope.motion = "STAND"
    return bpy.context.object


def add(armature, **values):
    bpy.ops.lope.list_add(name="hits")
    entry = armature.lope.hits[armature.lope.hit_index]
    for name, value in {"frame": 25, "bone": "left forearm", **values}.items():
        setattr(entry, name, value)
    return entry


def test_hits_of_who_stands(astronaut):
    assert shot().hits == () and shot().reaction is None
    add(astronaut)
    add(astronaut, frame=13, kind="PUNCH", bone="head", impulse_ns=25.0, direction=(0.0, 1.0, 0.0))
    fist, ball = shot().hits
    assert (fist.kind, fist.segment, fist.time_s, fist.way) == (PUNCH, "head", 0.5, (0.0, 1.0, 0.0))
    assert fist.impulse_ns == pytest.approx(25.0)
    assert (ball.kind, ball.segment, ball.time_s, ball.way) == (BALL, "forearm_L", 1.0, (-1.0, 0.0, 0.0))
    assert ball.mass_kg == pytest.approx(4.19, abs=0.01) and ball.radius_m == pytest.approx(0.1, abs=1e-4)
    astronaut.lope.hit_looseness, astronaut.lope.use_hit_after = 0.5, True
    assert shot().reaction == Reaction(looseness=0.5, after_s=1.0)


def test_a_bone_of_the_rig_is_its_part_of_the_body(astronaut):
    figure = read_figure(astronaut)
    for segment in ("hand_R", "chest", "shank_L"):
        astronaut.lope.hits.clear()
        add(astronaut, bone=figure.bone_of[segment])
        assert shot().hits[0].segment == segment


def test_an_arrow_says_from_where_and_how_fast(astronaut):
    bpy.ops.object.empty_add(type="SINGLE_ARROW", rotation=(math.pi / 2, 0.0, 0.0))  # its Z axis is world -Y: where they face
    arrow = bpy.context.object
    arrow.empty_display_size = 0.8
    bpy.context.view_layer.update()
    bpy.context.view_layer.objects.active = astronaut
    entry = add(astronaut)
    assert entry.arrow == arrow  # the selected one
    entry.by_length = True
    found, = shot().hits
    np.testing.assert_allclose(found.way, (1.0, 0.0, 0.0), atol=1e-6)
    assert found.speed_m_s == pytest.approx(8.0)
    entry.kind = "PUNCH"
    assert shot().hits[0].impulse_ns == pytest.approx(24.0)


def test_an_object_of_the_scene_is_thrown(astronaut):
    bpy.ops.mesh.primitive_cube_add(size=0.3)
    crate = bpy.context.object
    bpy.context.view_layer.objects.active = astronaut
    add(astronaut, kind="OBJECT", thrown=crate, density=500.0)
    found, = shot().hits
    assert found.mass_kg == pytest.approx(0.027 * 500.0, rel=1e-4) and found.density_kg_m3 == pytest.approx(500.0, rel=1e-4)


def test_what_cannot_hit_is_said_in_a_sentence(astronaut):
    entry = add(astronaut, bone="")
    with pytest.raises(InputError, match="strikes no bone: click one"):
        shot()
    entry.bone, entry.frame = "head", -3
    with pytest.raises(InputError, match="comes before the first frame"):
        shot()
    entry.frame, entry.bone = 25, "Bone.77"
    with pytest.raises(InputError, match="no bone of 'Astronaut', nor a part of the body, named 'Bone.77'"):
        shot()
    entry.bone, entry.kind = "head", "OBJECT"
    with pytest.raises(InputError, match="throws no object"):
        shot()
    bpy.ops.mesh.primitive_plane_add()
    entry.thrown = bpy.context.object
    bpy.context.view_layer.objects.active = astronaut
    with pytest.raises(InputError, match="'Plane' has no volume, as its mesh is open or flat"):
        shot()
    entry.kind, entry.frame = "BALL", 900
    with pytest.raises(InputError, match="comes after the end of the shot"):
        shot()


@pytest.mark.parametrize("kind", ["BALL", "PUNCH", "OBJECT"])
def test_the_panel_shows_what_a_hit_has(astronaut, kind):
    add(astronaut, kind=kind)
    bpy.context.scene.lope.verb = "HIT"
    listener = Listener(bpy.context)
    for name in ("LOPE_PT_top", "LOPE_PT_page"):
        listener.draw(next(cls for cls in panels._classes() if cls.__name__ == name))
    drawn = set(listener.drawn)
    assert "lope.simulate" in drawn, "it has no action yet"
    assert {"hit_action", "frame", "lope.hit_pick", "lope.hit_bone", "arrow", "hit_law"} <= drawn
    assert ("impulse_ns" in drawn, "radius_m" in drawn, "thrown" in drawn) == (kind == "PUNCH", kind == "BALL", kind == "OBJECT")


@pytest.fixture
def acted(astronaut):
    """The astronaut with an action of 1.6 s in which the arms move, the rest standing."""
    figure = read_figure(astronaut)
    body = body_of(figure)
    take = synthetic_take(body, 1.6, reach=0.0)
    action = bake_take(astronaut, take)
    kept = [figure.bone_of[name] for name in ("upper_arm_L", "upper_arm_R", "head")]
    bag = action.layers[0].strips[0].channelbags[0]
    for curve in list(bag.fcurves):
        if not any(f'"{name}"' in curve.data_path for name in kept):
            bag.fcurves.remove(curve)
    for bone in astronaut.pose.bones:
        bone.matrix_basis.identity()
    action.name = "Wave"
    return astronaut, action


def test_a_hit_outside_of_the_action_is_refused(acted):
    armature, action = acted
    late = int(action.frame_range[1]) + 5
    add(armature, frame=late)
    with pytest.raises(InputError, match=f"The hit at frame {late} is outside of the action 'Wave', which goes from frame"):
        hit_shot(armature, bpy.context.scene)
    armature.animation_data.action = None
    with pytest.raises(InputError, match="has no action that could be hit"):
        hit_shot(armature, bpy.context.scene)


@pytest.mark.acceptance
def test_an_action_is_hit_on_rails_and_baked(acted):
    armature, action = acted
    add(armature, frame=13, bone="left forearm", kind="PUNCH", impulse_ns=6.0)
    armature.lope.hit_law, armature.lope.suit = "rails", "none"
    assert bpy.ops.lope.simulate_hit() == {"FINISHED"}
    made = armature.animation_data.action
    assert made != action and made.name == "Wave hit" and action_to_hit(armature) == action
    assert armature.lope.take_path and "punch" not in made.name


@pytest.mark.acceptance
def test_a_ball_that_something_else_stops_is_told(acted):
    armature, _ = acted
    add(armature, frame=13, bone="left arm", direction=(0.0, 1.0, 0.0))
    armature.lope.hit_law, armature.lope.suit = "rails", "none"
    assert bpy.ops.lope.simulate_hit() == {"FINISHED"}
    assert "did not touch upper_arm_L" in notes.of(armature).text and "did not touch" in armature.lope.take_summary


@pytest.mark.acceptance
def test_what_is_thrown_is_keyed_and_meets_the_bone(acted):
    armature, _ = acted
    scene = bpy.context.scene
    bpy.ops.mesh.primitive_cube_add(size=0.2, location=(3.0, 3.0, 0.1))
    crate = bpy.context.object
    bpy.context.view_layer.objects.active = armature
    bone = armature.pose.bones[read_figure(armature).bone_of["forearm_L"]]
    add(armature, frame=20, bone=bone.name, kind="OBJECT", thrown=crate, density=250.0, speed_m_s=4.0)
    armature.lope.hit_law, armature.lope.suit = "rails", "none"
    assert bpy.ops.lope.simulate_hit() == {"FINISHED"}
    assert crate.animation_data.action is not None and "Ball" not in scene.objects
    scene.frame_set(20)
    away = (crate.matrix_world.translation - armature.matrix_world @ ((bone.head + bone.tail) / 2.0)).length
    assert 0.05 < away < 0.3


def test_a_clip_that_was_written_of_an_action_is_called_by_its_name(scene):
    from lope.operators.context import said, takes_folder

    bpy.data.actions.new("Run, by hand")
    file = takes_folder() / "actions" / "4ce39f90b7" / f"{bpy.path.clean_name('Run, by hand')}.bvh"
    assert said(f"{file} has several roots.") == "The action 'Run, by hand' has several roots."
    assert said("/home/me/actions/4ce39f90b7/walk.bvh is none.") == "/home/me/actions/4ce39f90b7/walk.bvh is none."
