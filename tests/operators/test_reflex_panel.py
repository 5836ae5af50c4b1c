# SPDX-License-Identifier: GPL-3.0-or-later
"""Going by reflexes in the panel: what is asked for, what is shown and hidden, what is said, that it is simulated and baked."""

import pytest

bpy = pytest.importorskip("bpy", reason="needs the bpy module")

import lope_scene  # noqa: E402
from layout_listener import Listener  # noqa: E402
from lope import panels  # noqa: E402
from lope.addon.errors import InputError, LopeError  # noqa: E402
from lope.addon.locomotion.reflex.walkers import FOLDER, load_walker, walker_names  # noqa: E402
from lope.addon.specs.motions import Reflex  # noqa: E402
from lope.operators import plan_board  # noqa: E402
from lope.operators.gait_settings import NAMES as STYLE  # noqa: E402
from lope.operators.gait_settings import walker_items  # noqa: E402
from lope.operators.override_settings import dumped, restored  # noqa: E402

pytestmark = pytest.mark.slow

scene, shot = lope_scene.scene, lope_scene.shot
astronaut = lope_scene.astronaut


@pytest.fixture
def walking(astronaut, scene):
    astronaut.lope.gait_source, astronaut.lope.suit, scene.lope.world = "REFLEX", "none", "earth"
    return astronaut


def drawn(name: str) -> Listener:
    listener = Listener(bpy.context)
    listener.draw(next(cls for cls in panels._classes() if cls.__name__ == name))
    return listener


def plan():
    """The plan on show, though it plans nothing ahead."""
    made = plan_board._begin(bpy.context.object, bpy.context.scene)
    plan_board._fill(made)
    plan_board.plan = made
    return made


def test_the_menu_has_the_nearest_every_shipped_walker_with_its_speed_and_a_file():
    items = walker_items()
    assert [name for name, *_ in items] == ["NEAREST", *walker_names(), "FILE"]
    for name, label, *_ in items[1:-1]:
        assert f"{load_walker(name).speed_m_s:.2f} m/s" in label


def test_the_speed_chooses_the_walker_or_the_menu_does(walking):
    settings = walking.lope
    assert shot().motion == Reflex() and not shot().motion.retry
    settings.use_speed, settings.speed_m_s, settings.heading_deg, settings.force = True, 0.8, 30.0, True
    assert shot().motion.speed_m_s == 0.8 and shot().motion.path.heading_deg == 30.0 and shot().motion.force
    settings.walker = "slow_walk"
    assert shot().motion.walker == load_walker("slow_walk") and shot().motion.speed_m_s is None  # it has one speed
    settings.gait_source = "PRESET"
    assert shot().controller == "tracking"


def test_a_walker_of_ones_own(walking):
    walking.lope.walker = "FILE"
    with pytest.raises(InputError, match="no reflex walker; choose its file"):
        shot()
    walking.lope.walker_path = str(FOLDER / "walk.json")
    assert shot().motion.walker == load_walker("walk")


def test_what_a_gait_leaves_behind_does_not_reach_reflexes(walking):
    settings = walking.lope
    settings.path, settings.start, settings.stop, settings.actuation = "circle", "standing", "standing", "MUSCLES"
    settings.use_stride_frequency, settings.style_bounce = True, 0.5
    settings.keys.add()
    settings.footprints.add()
    made = shot()
    assert made.motion.path.kind == "straight" and made.actuation is None
    settings.after_path = "/none.npz"
    with pytest.raises(InputError):
        shot()


def test_the_panel_shows_what_reflexes_can_be_asked_and_nothing_else(walking):
    shown = set(drawn("LOPE_PT_page").drawn)
    assert {"gait_source", "walker", "use_speed", "after_fall", "noise", "heading_deg", "force"} <= shown
    assert not shown & {*STYLE, "gait", "gait_law", "keys", "controller", "start", "stop", "retry", "tuned", "scaling",
                        "use_stride_frequency", "walker_path", "path"}
    walking.lope.walker = "FILE"
    shown = set(drawn("LOPE_PT_page").drawn)
    assert "walker_path" in shown and "use_speed" not in shown
    walking.lope.take_path = __file__
    assert not {"lope.tune", "lope.go_on"} & {*drawn("LOPE_PT_result").drawn, *drawn("LOPE_PT_advanced").drawn}
    assert not bpy.ops.lope.tune.poll() and "actuation" not in drawn("LOPE_PT_body").drawn


def test_it_says_who_goes_and_how_near_that_is(walking):
    plan()
    assert "Walk goes at 1.2" in " ".join(drawn("LOPE_PT_said").said)
    assert not any("plans nothing" in said for said in drawn("LOPE_PT_said").said)
    walking.lope.use_speed, walking.lope.speed_m_s = True, 2.0
    plan()
    assert "nearest to 2 m/s" in " ".join(drawn("LOPE_PT_said").said)
    bpy.context.scene.lope.world = "jupiter"
    assert "No reflex walker was searched for a gravity of 24.79" in plan().error
    assert "No reflex walker was searched" in " ".join(drawn("LOPE_PT_said").said)
    bpy.context.scene.lope.world, bpy.context.scene.lope.ground = "earth", "steps"
    with pytest.raises(InputError, match="leave the ground out"):
        shot()


def test_what_is_chosen_is_kept_of_an_override(walking):
    walking.lope.walker, walking.lope.walker_path = "mars_walk", "/mine.json"
    kept = dumped(walking.lope)
    assert kept["walker"] == "mars_walk" and kept["walker_path"] == "/mine.json"
    walking.lope.walker = "walk"
    restored(walking.lope, kept)
    assert walking.lope.walker == "mars_walk"
    names = walking.lope.bl_rna.properties
    assert all(names[name].is_overridable for name in ("walker", "walker_path", "gait_source"))


def test_it_is_simulated_and_baked(walking, scene):
    scene.lope.duration_s = 1.0
    with pytest.raises(LopeError, match="plans nothing ahead; simulate"):
        plan_board.make_now(bpy.context)
    bpy.ops.lope.simulate()
    bpy.ops.lope.bake()
    assert walking.animation_data.action.name.endswith("reflex earth")
    assert walking.lope.take_summary == "1.0 s on Earth, 0.9 m"
