# SPDX-License-Identifier: GPL-3.0-or-later
"""The editor of key poses: what is edited is the gait, each button one step; presets kept and asked for; bad input."""

import json
from dataclasses import replace

import pytest

bpy = pytest.importorskip("bpy", reason="needs the bpy module")

import lope_scene  # noqa: E402
from layout_listener import Listener  # noqa: E402
from lope.addon.errors import InputError  # noqa: E402
from lope.addon.gaits.pose_gaits import load_pose_gait, pose_gait_names, read_pose_gait  # noqa: E402
from lope.addon.specs.pose_gait import PoseGait, PoseState  # noqa: E402
from lope.operators import pose_gait as pose_gait_save  # noqa: E402
from lope.operators import pose_gait_settings  # noqa: E402
from lope.operators.override_settings import dumped, restored  # noqa: E402
from lope.operators.pose_gait_settings import OWN, chosen_gait, edited, fill, gait_in, pose_gait_items  # noqa: E402  # noqa: E402
from lope.operators.shot_builder import make_shot  # noqa: E402

scene, astronaut = lope_scene.scene, lope_scene.astronaut
POSED = PoseState(None, "L", torso=-0.2, swing_hip=0.7, swing_hip_outward=0.1, swing_knee=-1.2, swing_ankle=1.57,
                  stance_knee=-0.1, cd=0.31, ankle_cv_outward=-0.25, stands="neither",
                  stance_hip=-0.3, touch="any", comes_s=0.07, swing_knee_spring=0.6,
                  upper={"chest": (0.1, -0.2, 0.3), "forearm_R": (0.0, -1.1, 0.0)})


@pytest.fixture
def own(astronaut, tmp_path, monkeypatch):
    """The walk opened as the astronaut's own gait; presets of a folder of the test."""
    for module in (pose_gait_save, pose_gait_settings):
        monkeypatch.setattr(module, "pose_gaits_folder", lambda: tmp_path)
    astronaut.lope.gait_source = "POSES"
    assert bpy.ops.lope.pose_gait_edit() == {"FINISHED"}
    return astronaut.lope.own_gait


@pytest.mark.slow
@pytest.mark.parametrize("name", pose_gait_names())
def test_a_gait_that_is_opened_is_the_same_gait(own, name):
    gait = load_pose_gait(name)
    fill(own, gait)
    back = gait_in(own)
    assert back.name == gait.name and len(back.states) == len(gait.states)
    for one, other in zip(back.states, gait.states, strict=True):
        assert vars(one) == {key: pytest.approx(value, rel=1e-5) if isinstance(value, float) else value
                             for key, value in vars(other).items()}
    assert replace(back, states=gait.states) == gait


@pytest.mark.slow
def test_what_has_no_slider_is_kept_too(own):
    gait = PoseGait("odd", "s", "t", (POSED, replace(POSED, swing="R", lasts_s=0.25)), symmetric=False, start_spread=0.2,
                    begins_in=2, enter_m_s=(0.5, 1.5), pace_s=2.0)
    fill(own, gait)
    assert gait_in(own) == gait
    again = json.loads(json.dumps(dumped(own)))
    fill(own, load_pose_gait("walk"))
    restored(own, again)
    assert gait_in(own) == gait, "beside a library override"


@pytest.mark.slow
def test_the_shot_has_what_is_edited(own, astronaut):
    assert astronaut.lope.pose_gait == OWN and own.title == "My Walk" and not edited(own)
    own.states[0].swing_knee, own.arm_swing = -1.5, 0.8
    gait = make_shot(astronaut, bpy.context.scene).motion.gait
    assert gait.states[0].swing_knee == -1.5 and gait.arm_swing == 0.8 and edited(own)
    assert bpy.ops.lope.pose_gait_revert() == {"FINISHED"} and not edited(own)
    assert replace(gait_in(own), name="walk") == load_pose_gait("walk")


@pytest.mark.slow
def test_states_are_added_copied_moved_and_removed(own):
    own.state_index = 0
    bpy.ops.lope.pose_state_add()
    assert own.state_index == 1 and [s.swing_knee for s in gait_in(own).states] == [-1.1, -1.1, -0.05]
    bpy.ops.lope.pose_state_move(way="DOWN")
    assert own.state_index == 2 and [s.swing_knee for s in gait_in(own).states] == [-1.1, -0.05, -1.1]
    assert bpy.ops.lope.pose_state_move(way="DOWN") == {"CANCELLED"}
    bpy.ops.lope.pose_state_add()
    assert gait_in(own).states[3] == gait_in(own).states[2] != PoseState(lasts_s=0.3)
    for _ in range(3):
        bpy.ops.lope.pose_state_remove()
    with pytest.raises(RuntimeError, match="only state"):
        bpy.ops.lope.pose_state_remove()
    while len(own.states) < 16:
        bpy.ops.lope.pose_state_add()
    assert not bpy.ops.lope.pose_state_add.poll() and bpy.ops.lope.pose_state_remove.poll()


@pytest.mark.slow
def test_each_leg_by_itself_and_mirrored_again(own):
    own.states[1].drawn[5], own.states[1].turned_upper_arm_L = True, (0.2, -0.5, 0.1)
    before = gait_in(own)
    bpy.ops.lope.pose_gait_mirror(mirror=False)
    gait = gait_in(own)
    assert not gait.symmetric and gait.states == before.cycle
    bpy.ops.lope.pose_gait_mirror(mirror=True)
    assert gait_in(own) == before


@pytest.mark.slow
def test_a_preset_is_kept_and_nothing_is_overwritten_unasked(own, astronaut, tmp_path):
    own.states[0].swing_hip = 0.6
    with pytest.raises(RuntimeError, match="walk is a gait that comes with Lope"):
        bpy.ops.lope.pose_gait_save(name="Walk")
    with pytest.raises(RuntimeError, match="a name holds no path"):
        bpy.ops.lope.pose_gait_save(name="../walk")
    assert bpy.ops.lope.pose_gait_save(name="Hasty") == {"FINISHED"}
    kept = read_pose_gait(tmp_path / "Hasty.json")
    assert kept == gait_in(own) and own.title == "Hasty" and not edited(own)
    own.states[0].swing_hip = 0.7
    with pytest.raises(RuntimeError, match="You have a gait called Hasty already"):
        bpy.ops.lope.pose_gait_save(name="hasty")
    assert read_pose_gait(tmp_path / "Hasty.json") == kept
    bpy.ops.lope.pose_gait_save(name="hasty", replace=True)
    assert "KEPT:Hasty" in [item[0] for item in pose_gait_items()]
    astronaut.lope.pose_gait = "KEPT:Hasty"
    assert chosen_gait(astronaut.lope) == read_pose_gait(tmp_path / "Hasty.json") != kept
    (tmp_path / "Hasty.json").unlink()
    with pytest.raises(InputError, match="not among yours on this machine"):
        chosen_gait(astronaut.lope)


@pytest.mark.slow
def test_a_preset_is_removed_and_the_character_walks(own, astronaut, tmp_path):
    bpy.ops.lope.pose_gait_save(name="Hasty")
    astronaut.lope.pose_gait = "KEPT:Hasty"
    assert bpy.ops.lope.pose_gait_forget() == {"FINISHED"}
    assert not list(tmp_path.iterdir()) and astronaut.lope.pose_gait == "walk"


@pytest.mark.slow
def test_a_state_that_does_not_fit_is_named(own, astronaut):
    bpy.ops.lope.pose_gait_mirror(mirror=False)
    for state in own.states:
        state.until_touch, state.lasts_s = False, 0.0
    with pytest.raises(InputError, match="My Walk never rests in a state"):
        make_shot(astronaut, bpy.context.scene)
    own.states.clear()
    with pytest.raises(InputError, match="no key poses of its own yet"):
        make_shot(astronaut, bpy.context.scene)


@pytest.mark.slow
def test_the_panel_shows_the_states_and_every_value(own, astronaut):
    from lope import panels

    classes = {cls.__name__: cls for cls in panels._classes()}
    assert classes["LOPE_PT_pose_gait"].poll(bpy.context)
    own.states[0].drawn[1] = True
    listener = Listener(bpy.context)
    listener.draw(classes["LOPE_PT_pose_gait"])
    drawn = set(listener.drawn)
    hidden = {"more", "opened", "name", "rna_type", "symmetric", "states", "state_index", "swing"}
    for group in (own, own.states[0]):
        assert {p.identifier for p in group.bl_rna.properties if not p.identifier.startswith("turned_")} - hidden <= drawn
    assert {"turned_chest", "lope.pose_gait_save", "lope.pose_gait_revert", "lope.pose_state_add"} <= drawn
    own.symmetric = False
    row = Listener(bpy.context)
    for state in own.states:
        classes["LOPE_UL_pose_states"].draw_item(None, bpy.context, row, own, state, 0, own, "state_index", 0)
    assert not row.drawn and row.said == ["1", "Right", "0.300 s", "1", "Right", "Touch-Down"]
    listener.draw(classes["LOPE_PT_pose_gait"])
    assert "swing" in listener.drawn, "what the row only names is changed below the list"
    assert bpy.ops.lope.pose_gait_done() == {"FINISHED"} and not classes["LOPE_PT_pose_gait"].poll(bpy.context)
