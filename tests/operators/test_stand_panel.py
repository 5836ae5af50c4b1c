# SPDX-License-Identifier: GPL-3.0-or-later
"""Standing in the panel: what is asked for, what is shown, and that it is simulated and baked."""

import pytest

bpy = pytest.importorskip("bpy", reason="needs the bpy module")

import lope_scene  # noqa: E402
from lope.addon.errors import InputError, LopeError  # noqa: E402
from lope.addon.specs.motions import Jump, Stand  # noqa: E402
from lope.operators import plan_board  # noqa: E402

pytestmark = pytest.mark.slow

scene, shot = lope_scene.scene, lope_scene.shot


@pytest.fixture
def astronaut(scene):
    bpy.ops.lope.add_astronaut()
    bpy.context.object.lope.motion = "STAND"
    return bpy.context.object


def test_the_shot_stands_as_the_settings_say(astronaut):
    settings = astronaut.lope
    made = shot()
    assert made.controller == "standing" and made.motion == Stand() and made.called == "stand"
    settings.use_stand_apart, settings.stand_apart_m, settings.stand_ahead_m = True, 0.5, 0.2
    settings.use_stand_steps, settings.stand_steps, settings.stand_on, settings.stand_hips = True, 2, "L", False
    assert shot().motion == Stand(apart_m=0.5, ahead_m=0.2, one_leg="L", hips=False, steps=2)
    settings.motion = "GAIT"
    assert shot().controller == "tracking"


def test_pushes_are_the_panels(astronaut):
    push = astronaut.lope.pushes.add()
    push.frame, push.force_n, push.duration_s = 25, 300.0, 0.2
    found, = shot().pushes
    assert found.start_s == 1.0 and sum(x * x for x in found.force_n) == pytest.approx(300.0**2, rel=1e-6)


def test_what_a_gait_leaves_behind_does_not_reach_who_stands(astronaut):
    astronaut.lope.gait_source, astronaut.lope.path = "POSES", "circle"
    made = shot()
    assert isinstance(made.motion, Stand)
    astronaut.lope.after_path = "/none.npz"
    with pytest.raises(InputError):
        shot()


@pytest.mark.parametrize("legs", ["BOTH", "L"])
def test_the_panel_shows_what_standing_has(astronaut, legs):
    from layout_listener import Listener
    from lope import panels

    astronaut.lope.stand_on = legs
    listener = Listener(bpy.context)
    drawn_panels = {cls.__name__: cls for cls in panels._classes()}
    listener.draw(drawn_panels["LOPE_PT_page"])
    drawn = set(listener.drawn)
    assert {"stand_on", "stand_hips", "use_stand_steps", "stand_sway"} <= drawn and ("stand_ahead_m" in drawn) == (legs == "BOTH")
    assert not drawn & {"gait_source", "gait", "use_speed", "style_bounce", "controller", "keys", "path"}


def test_it_is_simulated_and_baked(astronaut, scene):
    scene.lope.duration_s, astronaut.lope.suit = 3.0, "none"
    push = astronaut.lope.pushes.add()
    push.frame, push.force_n, push.duration_s = 13, 200.0, 0.2
    with pytest.raises(LopeError, match="plans nothing ahead; simulate"):
        plan_board.make_now(bpy.context)
    bpy.ops.lope.simulate()
    bpy.ops.lope.bake()
    assert astronaut.animation_data.action.name.lower().find("stand") >= 0
    assert astronaut.lope.take_summary.startswith("Stood 3.0 s on")


def test_it_jumps_where_that_is_asked(astronaut, scene):
    from layout_listener import Listener
    from lope import panels

    settings = astronaut.lope
    settings.use_jump, settings.jump_up_m, settings.jump_ahead_m, settings.suit = True, 0.25, 0.3, "none"
    scene.lope.world = "earth"
    assert shot().motion == Jump(up_m=0.25, ahead_m=0.3, until_end=True)
    listener = Listener(bpy.context)
    listener.draw({cls.__name__: cls for cls in panels._classes()}["LOPE_PT_page"])
    assert {"use_jump", "jump_up_m", "jump_ahead_m"} <= set(listener.drawn) and "stand_sway" not in listener.drawn
    bpy.ops.lope.simulate()
    assert settings.take_summary.startswith("Rose 0.2") and "Not as asked" not in settings.take_summary
    bpy.ops.lope.bake()
    assert "jump" in astronaut.animation_data.action.name.lower()
    settings.jump_up_m = 9.0
    with pytest.raises(LopeError, match="strong enough here for a rise"):
        plan_board.make_now(bpy.context)
