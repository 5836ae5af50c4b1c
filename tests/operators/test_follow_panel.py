# SPDX-License-Identifier: GPL-3.0-or-later
"""Following a motion in Blender: from settings to the Shot, refusals before a job, the plan, a take, and its bake."""

import numpy as np
import pytest

bpy = pytest.importorskip("bpy", reason="needs the bpy module")

import lope_scene  # noqa: E402
from bvh_writer import Style, standing_poses, walk_poses, write_bvh  # noqa: E402
from lope.addon.errors import InputError  # noqa: E402
from lope.addon.motions.bvh import read_bvh  # noqa: E402
from lope.addon.motions.library import load_gait  # noqa: E402
from lope.addon.specs.motions import Clip, Gait  # noqa: E402
from lope.addon.specs.path import PathSpec  # noqa: E402
from lope.addon.specs.shot import Shot  # noqa: E402
from lope.operators import plan_board  # noqa: E402
from lope.operators.shot_builder import make_shot  # noqa: E402

pytestmark = pytest.mark.slow

scene = lope_scene.scene
FPS = 30.0


@pytest.fixture
def astronaut(scene, tmp_path, monkeypatch):
    monkeypatch.setattr("lope.operators.follow.takes_folder", lambda: tmp_path)
    bpy.ops.lope.add_astronaut()
    armature = bpy.context.object
    armature.lope.motion, armature.lope.suit = "FOLLOW", "none"
    return armature


@pytest.fixture
def clip(tmp_path):
    """One and a half seconds of walking."""
    return write_bvh(tmp_path / "walk.bvh", *walk_poses(load_gait("walk"), 1.5, FPS), Style(frame_time=1.0 / FPS))


def shot_of(armature) -> Shot:
    shot = make_shot(armature, bpy.context.scene)
    assert Shot.from_dict(shot.to_dict()) == shot
    return shot


def test_a_clip_is_followed_as_it_is_set(astronaut, clip):
    with pytest.raises(InputError, match="no clip to follow yet: choose a BVH file"):
        shot_of(astronaut)
    settings = astronaut.lope
    settings.follow_path = str(clip)
    shot = shot_of(astronaut)
    assert (shot.motion, shot.controller, shot.world.name) == (Clip(str(clip), until_end=True), "follow", "moon")
    settings.follow_time, settings.follow_stretch, settings.follow_whole, settings.seed = "clip", 1.2, False, 4
    settings.follow_flight = "height"
    shot = shot_of(astronaut)
    assert (shot.motion, shot.seed) == (Clip(str(clip), "clip", 1.2, "height"), 4)


def test_what_belongs_to_gaits_stays_out_of_it(astronaut, clip):
    settings = astronaut.lope
    settings.follow_path, settings.gait, settings.path, settings.use_speed = str(clip), "run", "CURVE", True
    settings.style_bounce, settings.start = 0.5, "standing"
    settings.keys.add().use_speed = True
    settings.footprints.add().number = 2
    settings.changed_settings.add().setting = "walk.clearance_m"
    settings.changed_settings.add().setting = "follower.cop_gain"
    shot = shot_of(astronaut)
    assert (shot.motion.speed_m_s, shot.motion.path, shot.motion.keys, shot.motion.footprints, shot.motion.style.changed) == (
        None,
        PathSpec(),
        (),
        (),
        (),
    )
    assert list(shot.gains) == ["follower"]
    settings.motion, settings.path, settings.footprints[0].number = "GAIT", "straight", 2
    settings.footprints.clear()
    settings.changed_settings.remove(1)
    assert isinstance(shot_of(astronaut).motion, Gait) and list(shot_of(astronaut).gains) == ["walk"]


def test_a_clip_that_cannot_be_followed_starts_no_job(astronaut, tmp_path):
    body, root, turns = standing_poses(2.0, FPS)
    root[30:, 0] += 0.5
    astronaut.lope.follow_path = str(write_bvh(tmp_path / "jump.bvh", body, root, turns, Style(frame_time=1.0 / FPS)))
    with pytest.raises(RuntimeError, match="its root jumps by 0.50 m from frame 30 to 31"):
        bpy.ops.lope.simulate()
    assert not list(tmp_path.glob("*.npz"))


def test_the_plan_shows_the_clip_there(astronaut, clip):
    astronaut.lope.follow_path, bpy.context.scene.lope.world, astronaut.lope.follow_time = str(clip), "mars", "planet"
    made = plan_board.make_now(bpy.context)
    assert made.duration_s == pytest.approx(1.5 * np.sqrt(9.81 / 3.73), rel=0.1)
    assert len(made.preview.footstep_m) >= 3 and made.feasible is None and made.advice is None
    (told,) = plan_board.figures_of(made)
    assert told.startswith(f"{made.duration_s:.1f} s, ") and told.endswith(" steps")


def test_a_clip_is_simulated_and_baked(astronaut, clip):
    around = bpy.context.scene
    astronaut.lope.follow_path, around.lope.world = str(clip), "earth"
    bpy.ops.lope.simulate()
    assert "1." in astronaut.lope.take_summary and astronaut.lope.take_card
    bpy.ops.lope.bake()
    action = astronaut.animation_data.action
    assert "walk" in action.name
    start = astronaut.pose.bones["pelvis"].matrix.translation.copy()
    around.frame_set(around.frame_end)
    assert (astronaut.pose.bones["pelvis"].matrix.translation - start).length > 1.0


def test_an_action_of_another_armature_is_followed(astronaut, clip, tmp_path):
    """The other one is smaller, and stands and faces elsewhere: it is the motion that counts."""
    settings = astronaut.lope
    with pytest.raises(InputError, match="no clip"):
        shot_of(astronaut)
    settings.follow_source = "ACTION"
    with pytest.raises(InputError, match="no action to follow"):
        shot_of(astronaut)
    bpy.ops.import_anim.bvh(filepath=str(clip), global_scale=0.01, rotate_mode="NATIVE", update_scene_fps=False,
                            use_fps_scale=False)
    actor = bpy.context.object
    bpy.context.scene.render.fps = round(FPS)
    bpy.context.view_layer.objects.active = astronaut
    settings.follow_action, settings.follow_armature = actor.animation_data.action, actor
    shot = shot_of(astronaut)
    assert shot.motion.file.startswith(str(tmp_path)) and shot.controller == "follow"
    found, own = read_bvh(shot.motion.file), read_bvh(clip)
    way = np.linalg.norm(found.root_positions[-1] - found.root_positions[0])
    assert found.frames == pytest.approx(own.frames, abs=1)
    assert way == pytest.approx(0.01 * np.linalg.norm(own.root_positions[-1] - own.root_positions[0]), rel=0.03)
    assert len(plan_board.make_now(bpy.context).preview.footstep_m) >= 3


def test_panels_show_what_a_followed_motion_has(astronaut):
    from layout_listener import Listener
    from lope import panels

    shown = {cls.__name__: cls for cls in panels._classes()}
    around = bpy.context.scene.lope
    assert around.verb == "FOLLOW"
    for source, asked in (("FILE", {"follow_path"}), ("ACTION", {"follow_action", "follow_armature"})):
        astronaut.lope.follow_source = source
        listener = Listener(bpy.context)
        listener.draw(shown["LOPE_PT_page"])
        drawn = set(listener.drawn)
        assert asked | {"follow_time", "follow_stretch", "follow_flight", "follow_whole", "after_fall", "duration_s"} <= drawn
        assert not drawn & {"gait", "gait_source", "use_speed", "style_bounce", "controller", "keys", "path", "lope.go_on"}
    astronaut.lope.motion = "GAIT"
    listener = Listener(bpy.context)
    listener.draw(shown["LOPE_PT_page"])
    assert around.verb == "WALK" and "path" in listener.drawn
