# SPDX-License-Identifier: GPL-3.0-or-later
"""Style and footprints in Blender: settings reach the shot, footprints are locked, moved and freed."""

import pytest

bpy = pytest.importorskip("bpy", reason="needs the bpy module")

import lope_scene  # noqa: E402
from lope.addon.specs.motion import SLIDERS, Style  # noqa: E402
from lope.operators import plan_board  # noqa: E402
from lope.operators.footprints import entry_of, lock, place, unlock  # noqa: E402
from lope.operators.gait_settings import NAMES  # noqa: E402
from lope.operators.shot_builder import make_shot  # noqa: E402
from lope.panels.menus import GAIT  # noqa: E402

pytestmark = pytest.mark.slow

scene, astronaut = lope_scene.scene, lope_scene.astronaut


def make_now_gait():
    """The gait that the plan of the armature in hand is of."""
    return plan_board.make_now(bpy.context).shot.motion.name


def shot(armature):
    return make_shot(armature, bpy.context.scene)


def test_a_new_character_has_the_gaits_own_style(astronaut):
    assert shot(astronaut).motion.style == Style() and shot(astronaut).motion.footprints == ()


def test_every_slider_reaches_the_shot_within_its_range(astronaut):
    for name, slider in SLIDERS.items():
        setattr(astronaut.lope, f"style_{name}", slider.high + 1.0)
        assert getattr(shot(astronaut).motion.style, name) == pytest.approx(slider.high)
        setattr(astronaut.lope, f"style_{name}", slider.low - 1.0)
        assert getattr(shot(astronaut).motion.style, name) == pytest.approx(slider.low)
    assert bpy.ops.lope.reset_style() == {"FINISHED"}
    assert shot(astronaut).motion.style == Style()
    assert set(NAMES) <= set(GAIT)


def test_a_footprint_is_locked_where_the_plan_has_it_and_freed_again(astronaut):
    planned = plan_board.make_now(bpy.context, walked=True).preview.footstep_m[3]
    assert make_now_gait() == "lope", "what the Moon has one choose, without a locked footprint"
    assert bpy.ops.lope.lock_footprint(number=3) == {"FINISHED"}
    (laid,) = shot(astronaut).motion.footprints
    assert (laid.number, laid.yaw_deg) == (3, None)
    assert (laid.x_m, laid.y_m) == pytest.approx(planned[:2], abs=2e-4) and make_now_gait() == "walk"
    assert bpy.ops.lope.lock_footprint(number=3) == {"FINISHED"}
    assert shot(astronaut).motion.footprints == ()


def test_a_footprint_beyond_the_plan_cannot_be_locked(astronaut):
    with pytest.raises(RuntimeError, match="The plan has footprints 1 to .* that can be locked, got 900"):
        bpy.ops.lope.lock_footprint(number=900)
    assert len(astronaut.lope.footprints) == 0


def test_a_moved_footprint_shows_in_the_plan_with_its_neighbours(astronaut):
    before = plan_board.make_now(bpy.context, walked=True).preview
    entry = lock(astronaut.lope, before, 4)
    place(entry, entry.x_m + 0.1, entry.y_m)
    after = plan_board.make_now(bpy.context).preview
    moves = (after.footstep_m - before.footstep_m)[2:7, 0]
    assert moves == pytest.approx([0.1 / 3, 0.2 / 3, 0.1, 0.2 / 3, 0.1 / 3], abs=2e-4)
    assert entry_of(astronaut.lope, 4) is not None and entry_of(astronaut.lope, 5) is None


def test_a_direction_is_asked_for_only_where_it_is_set(astronaut):
    entry = lock(astronaut.lope, plan_board.make_now(bpy.context).preview, 2)
    entry.yaw_deg = 10.0
    assert shot(astronaut).motion.footprints[0].yaw_deg is None
    entry.use_yaw = True
    assert shot(astronaut).motion.footprints[0].yaw_deg == 10.0


def test_a_footprint_out_of_reach_is_refused_with_a_sentence(astronaut):
    entry = lock(astronaut.lope, plan_board.make_now(bpy.context).preview, 4)
    place(entry, entry.x_m + 3.0, entry.y_m)
    with pytest.raises(RuntimeError, match="Footprint 4 cannot be at .* it can go as far as"):
        bpy.ops.lope.preview()


def test_resetting_frees_all_and_says_when_there_is_none(astronaut):
    preview = plan_board.make_now(bpy.context).preview
    for number in (2, 5):
        lock(astronaut.lope, preview, number)
    assert bpy.ops.lope.reset_footprints() == {"FINISHED"}
    assert len(astronaut.lope.footprints) == 0
    with pytest.raises(RuntimeError, match="No footprint is locked|poll"):
        bpy.ops.lope.reset_footprints()


def test_freeing_one_keeps_the_chosen_entry_in_the_list(astronaut):
    preview = plan_board.make_now(bpy.context).preview
    for number in (2, 3):
        lock(astronaut.lope, preview, number)
    astronaut.lope.footprint_index = 1
    assert unlock(astronaut.lope, 3) and not unlock(astronaut.lope, 3)
    assert astronaut.lope.footprint_index == 0 and astronaut.lope.footprints[0].number == 2


def test_footprints_are_dragged_in_a_viewport_only(astronaut):
    assert not bpy.ops.lope.move_footprints.poll()
