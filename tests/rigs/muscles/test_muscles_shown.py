# SPDX-License-Identifier: GPL-3.0-or-later
"""Muscles on a baked rig: where they lie, how long they are, when they glow, and that nothing of them stays behind."""

import dataclasses
import json

import numpy as np
import pytest

bpy = pytest.importorskip("bpy", reason="needs the bpy module")

import lope_scene  # noqa: E402
from bake_check import body_of  # noqa: E402
from lope.addon.bodies.kinematics import segment_poses  # noqa: E402
from lope.addon.bodies.muscle import Muscle, MuscleSet, PathPoint, Wrap  # noqa: E402
from lope.addon.bodies.muscles.paths import PathKinematics  # noqa: E402
from lope.addon.bodies.muscles.sets import muscles_for  # noqa: E402
from lope.addon.cli import main  # noqa: E402
from lope.addon.errors import RigError, TakeError  # noqa: E402
from lope.addon.locomotion.reflex.units import ANATOMY, NAMES  # noqa: E402
from lope.addon.maths.rotations import quat_rotate  # noqa: E402
from lope.addon.rigs.bake.bake import bake_take  # noqa: E402
from lope.addon.rigs.bake.placing import baked_motion  # noqa: E402
from lope.addon.rigs.muscles.shown import (  # noqa: E402  # noqa: E402
    PROPERTY,
    SIDES,
    columns_of,
    hide_muscles,
    show_muscles,
    shown_muscles,
)
from lope.addon.rigs.read.armature import read_figure  # noqa: E402
from lope.addon.sim.take import (  # noqa: E402
    Channel,
    Take,
)
from lope.addon.specs.bake_options import BakeOptions  # noqa: E402
from synthetic_take import motion, synthetic_take  # noqa: E402

pytestmark = pytest.mark.slow

scene = lope_scene.scene
astronaut = lope_scene.astronaut
SEED = 3


def muscled(take: Take, muscles: MuscleSet) -> Take:
    """The take with muscles that work one after the other."""
    phase = take.time_s[:, None] + np.arange(len(muscles)) / len(muscles)
    work = 0.5 + 0.5 * np.sin(2.0 * np.pi * phase)
    return dataclasses.replace(take, stats={**take.stats, "muscles": list(muscles.names)},
                               channels={"activation": Channel("1", work)})


@pytest.fixture
def walked(astronaut):
    """The astronaut with a baked take of muscled legs."""
    body = body_of(read_figure(astronaut))
    muscles = muscles_for(body, "legs")
    take = muscled(synthetic_take(body, 1.0, SEED), muscles)
    bake_take(astronaut, take, options=BakeOptions(lock_feet=False))
    return astronaut, take, muscles


def evaluated(item) -> np.ndarray:
    """World places of an object's points as they are shown."""
    depsgraph = bpy.context.evaluated_depsgraph_get()
    shown = item.evaluated_get(depsgraph)
    mesh = shown.to_mesh()
    points = np.array([shown.matrix_world @ vertex.co for vertex in mesh.vertices])
    shown.to_mesh_clear()
    return points


def way_of(item) -> np.ndarray:
    """The middle of each section of a tube."""
    return evaluated(item).reshape(-1, SIDES, 3).mean(axis=1)


def pose_at(take: Take, frame: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Root place, root and joint quaternions of the synthetic motion at a frame."""
    return tuple(part[0] for part in motion(take.body, np.array([(frame - 1) / 24.0]), SEED))


def test_every_point_goes_with_its_bone(walked):
    armature, take, muscles = walked
    collection = show_muscles(bpy.context.scene, armature, take)
    baked = baked_motion(armature, take, bpy.context.scene)
    for frame in (1, 13, 20):
        bpy.context.scene.frame_set(frame)
        places, turns = segment_poses(take.body, *(part[None] for part in pose_at(take, frame)))
        for muscle in muscles:
            ends = way_of(collection.objects[f"Muscle {muscle.name}"])[[0, -1]]
            for part in (muscle.path[0], muscle.path[-1]):
                at = take.body.index[part.segment]
                there = baked.to_world(places[0, at] + quat_rotate(turns[0, at], np.array(part.position)))
                assert np.linalg.norm(ends - there, axis=1).min() < 0.002, (muscle.name, part.segment, frame)


def bent_over_knee(body, beside) -> MuscleSet:
    """A muscle over a cylinder at a knee that is bent by its axis, and one beside it over a sphere."""
    path = (PathPoint("thigh_L", (0.05, 0.0, -0.25)), Wrap("thigh_L", "cylinder", (0.0, 0.0, -0.40), 0.05, beside=beside),
            PathPoint("shank_L", (0.03, 0.01, -0.12)))
    ball = (path[0], Wrap("thigh_L", "sphere", (0.0, 0.0, -0.40), 0.05, beside=beside), path[2])
    return MuscleSet((Muscle("over_L", "L", ("knee_extensors",), 3000.0, 0.08, 0.2, path=path),
                      Muscle("round_L", "L", ("knee_extensors",), 3000.0, 0.08, 0.2, path=ball)))


def test_a_tube_goes_round_as_the_tendon_does(astronaut):
    body = body_of(read_figure(astronaut))
    muscles = bent_over_knee(body, (0.1, 0.0, -0.40))
    take = muscled(synthetic_take(body, 1.0, SEED), muscles)
    bake_take(astronaut, take, options=BakeOptions(lock_feet=False))
    collection = show_muscles(bpy.context.scene, astronaut, take, muscles=muscles)
    paths, straight = PathKinematics(body, muscles), []
    for frame in (1, 7, 13, 19):
        bpy.context.scene.frame_set(frame)
        paths.update(coordinates(take.body, *pose_at(take, frame)), np.zeros(paths.model.nv))
        for muscle, length in zip(muscles, paths.length_m, strict=True):
            way = way_of(collection.objects[f"Muscle {muscle.name}"])
            assert np.linalg.norm(np.diff(way, axis=0), axis=1).sum() == pytest.approx(length, rel=0.006)
            straight.append(np.linalg.norm(way[-1] - way[0]) / length)
    assert min(straight) < 0.97  # it did go round


def coordinates(body, place, root, joints) -> np.ndarray:
    """Generalised coordinates of a pose."""
    found = [*place, *root]
    for name, quat in zip(body.joint_segments, joints, strict=True):
        segment = body.segments[body.index[name]]
        found += [2.0 * np.arctan2(quat[1:] @ segment.axis, quat[0])] if segment.joint == "hinge" else list(quat)
    return np.array(found)


def test_units_of_a_reflex_walker_stand_for_muscles():
    names = [f"{ANATOMY[unit]}_{side}" for side in "LR" for unit in NAMES]
    shown = ("soleus_R", "vastus_medialis_L", "psoas_R", "gluteus_maximus_middle_L", "gluteus_medius_anterior_L")
    found = {name: names[column] for name, column in columns_of(names, shown).items()}
    assert found == {"soleus_R": "soleus_R", "vastus_medialis_L": "vasti_L", "psoas_R": "hip_flexors_R",
                     "gluteus_maximus_middle_L": "gluteals_L"}
    assert columns_of(("soleus_L", "psoas_L"), ("psoas_L", "soleus_L")) == {"psoas_L": 1, "soleus_L": 0}


def test_activations_are_keys_that_drive_colours(walked):
    armature, take, muscles = walked
    collection = show_muscles(bpy.context.scene, armature, take)
    first = collection.objects[f"Muscle {muscles.names[0]}"]
    actions = {item.animation_data.action for item in collection.objects if item.animation_data}
    assert len(actions) == 1 and len(actions.pop().slots) == len(muscles)
    colours = []
    for frame in (4, 11, 20):
        bpy.context.scene.frame_set(frame)
        asked = np.interp((frame - 1) / 24.0, take.time_s, take.channels["activation"].values[:, 0])
        assert first[PROPERTY] == pytest.approx(asked, abs=0.01)
        colours.append((asked, first.evaluated_get(bpy.context.evaluated_depsgraph_get()).color[0]))
    assert [red for _, red in sorted(colours)] == sorted(red for _, red in colours) and len({red for _, red in colours}) == 3


def test_shown_again_they_are_replaced_and_gone_nothing_stays(walked):
    armature, take, muscles = walked
    mine = bpy.data.objects.new("Muscle soleus_L", None)
    rooms = ("objects", "meshes", "materials", "node_groups", "actions", "collections")
    before = {room: set(getattr(bpy.data, room).keys()) for room in rooms}
    show_muscles(bpy.context.scene, armature, take)
    count = len(bpy.data.objects)
    collection = show_muscles(bpy.context.scene, armature, take)
    assert len(bpy.data.objects) == count and len(collection.objects) == len(muscles) + 1
    assert hide_muscles(armature) == len(muscles) + 1 and shown_muscles(armature) is None
    assert {room: set(getattr(bpy.data, room).keys()) for room in rooms} == before and mine.name == "Muscle soleus_L"


def test_what_somebody_put_there_stays(walked):
    armature, take, _ = walked
    collection = show_muscles(bpy.context.scene, armature, take)
    mine = bpy.data.objects.new("Mine", None)
    collection.objects.link(mine)
    hide_muscles(armature)
    assert collection.objects[:] == [mine]
    assert show_muscles(bpy.context.scene, armature, take) == collection and "Mine" in collection.objects


def test_a_rig_with_muscles_is_read_as_before(walked):
    armature, take, _ = walked
    before = read_figure(armature)
    show_muscles(bpy.context.scene, armature, take)
    after = read_figure(armature)
    assert after.landmarks == before.landmarks and after.skin_m == before.skin_m


def test_takes_without_muscles_and_rigs_without_the_take_are_refused(walked):
    armature, take, _ = walked
    with pytest.raises(TakeError, match="has no muscles to show"):
        show_muscles(bpy.context.scene, armature, dataclasses.replace(take, channels={}))
    armature.animation_data.action = None
    with pytest.raises(RigError, match="not baked on"):
        show_muscles(bpy.context.scene, armature, take)


@pytest.mark.acceptance
def test_the_command_line_leaves_them_in_the_file_and_looks_through_the_skin(walked, tmp_path, capsys):
    _, take, muscles = walked
    path, out, picture = tmp_path / "take.npz", tmp_path / "out.blend", tmp_path / "sheet.png"
    take.save(path)
    assert main(["bake", "--blend", "astronaut", "--take", str(path), "--show-muscles", "--out", str(out), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["muscles"] == "Muscles Astronaut"
    bpy.ops.wm.open_mainfile(filepath=str(out))
    assert len(bpy.data.collections["Muscles Astronaut"].objects) == len(muscles) + 1
    assert main(["render", "--blend", str(out), "--see-through", "--sheet", str(picture), "--sheet-frames", "1",
                 "--size", "32x32", "--samples", "1", "--camera", "follow:side"]) == 0
    skins = [item for item in bpy.data.objects if "Lope Shell" in [slot.name for slot in item.material_slots]]
    assert skins and picture.is_file() and not any(item.name.startswith("Muscle") for item in skins)
