# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies of other proportions than a human's: a toy's short legs, big feet, wide hips and heavy head."""

from dataclasses import replace

import numpy as np
import pytest

from lope.addon.bodies.body import Body
from lope.addon.bodies.human.anthropometry import standing_landmarks
from lope.addon.bodies.makers import make_body
from lope.addon.errors import InputError
from lope.addon.locomotion.gait.walk.footsteps import StepPlanner, StepSettings
from lope.addon.locomotion.legged.foot_geometry import LONGEST_BALL, LONGEST_HEEL, FootGeometry
from lope.addon.locomotion.legged.foot_path import FootPath
from lope.addon.locomotion.legged.pose import WIDE_HIP_LEGS, WIDE_HIP_SHARE, GaitTables
from lope.addon.motions.library import load_gait
from lope.addon.sim.simulation import preview, simulate
from lope.addon.specs.motions import Gait
from lope.addon.specs.path import Footprint
from lope.addon.specs.shot import BodySpec, Shot
from lope.addon.worlds.planets import load_world
from planner_kit import BODY, WALK, tables

pytestmark = pytest.mark.slow

LEG, HIPS, HEEL, TOES, TIP = 0.40, 0.32, -0.10, 0.12, 0.28


def toy() -> BodySpec:
    """A figure of 1.7 m, half of it head: hips 0.55 m up and far apart, feet nearly as long as the legs."""
    points = {name: point for name, point in standing_landmarks(1.2).items() if not name.startswith("clavicle")}
    ankle, hip, old_hip = 0.14, 0.14 + LEG, points["hip_L"][2]
    for name in points:
        points[name] = points[name] + [0.0, 0.0, hip - old_hip]
    points["head_top"] = np.array([0.0, 0.0, 1.7])
    for side, sign in (("L", 1.0), ("R", -1.0)):
        y = sign * 0.5 * HIPS
        points |= {f"hip_{side}": np.array([0.0, y, hip]), f"knee_{side}": np.array([0.0, y, ankle + 0.45 * LEG]),
                   f"ankle_{side}": np.array([0.0, y, ankle]), f"heel_{side}": np.array([HEEL, y, 0.0]),
                   f"toes_{side}": np.array([TOES, y, 0.03]), f"toe_tip_{side}": np.array([TIP, y, 0.0])}
        for mark in ("shoulder", "elbow", "wrist", "hand_tip"):
            points[f"{mark}_{side}"] = points[f"{mark}_{side}"] * [1.0, 1.6, 1.0]
    return BodySpec(height_m=1.7, mass_kg=40.0, landmarks={name: tuple(map(float, p)) for name, p in points.items()})


@pytest.mark.acceptance
@pytest.mark.parametrize("world", ["earth", "moon"])
def test_a_toy_walks_at_its_own_speed(world):
    take = simulate(Shot(body=toy(), world=load_world(world), duration_s=6.0))
    assert not take.fell
    speed = np.ptp(take.com_m[len(take.com_m) // 2:, 0]) / (take.time_s[-1] - take.time_s[len(take.time_s) // 2])
    assert speed == pytest.approx(take.stats["planned_speed_m_s"], rel=0.15)


def avatar() -> BodySpec:
    """Human but for its feet: ankles 0.14 leg lengths high, toes that reach 0.31 ahead of them, their joint nearer than usual."""
    points = {name: np.array(point) + [0.0, 0.0, 0.0 if name.startswith(("heel", "toe")) else 0.06]
              for name, point in standing_landmarks(1.8).items()}
    for side in ("L", "R"):
        points[f"heel_{side}"][0], points[f"toes_{side}"][0], points[f"toe_tip_{side}"][0] = -0.08, 0.121, 0.277
        points[f"toes_{side}"][2] = 0.05
    return BodySpec(height_m=1.86, landmarks={name: tuple(map(float, point)) for name, point in points.items()})


def test_long_toes_on_human_legs_do_not_scuff():
    take = simulate(Shot(body=avatar(), duration_s=3.0))
    assert not take.fell


def places(body: Body) -> np.ndarray:
    """Where ahead of the ankle the centre of pressure of a step is planned [m]."""
    foot = FootGeometry(body, "L")
    planner = StepPlanner(StepSettings(), body.leg_length_m, *foot.rolls)
    return np.array([place.real for place in planner.cop_places(0j, 1, 1 + 0j)])


def test_single_support_begins_over_a_long_heel():
    settings, leg = StepSettings(), BODY.leg_length_m
    assert places(BODY)[0] == settings.cop_heel * leg, "a human's heel changes nothing"
    body = make_body(toy())
    assert FootGeometry(body, "L").heel_x < -LONGEST_HEEL * body.leg_length_m
    beyond = settings.heel_furthest + LONGEST_HEEL
    assert places(body)[0] == pytest.approx((settings.cop_heel - beyond) * body.leg_length_m), "but no farther than that"
    assert np.all(np.diff(places(body)) > 0.0)


def test_feet_as_long_as_the_legs_roll_over_a_part_of_their_sole():
    """From end to end the centre of pressure would go back in double support, and the ankle rise higher than the legs reach."""
    foot, usual = FootGeometry(make_body(toy()), "L"), FootGeometry(BODY, "L")
    assert (usual.rise_share, usual.strike_share) == (1.0, 1.0)
    ends = -foot.heel_x * foot.strike_share, foot.ball_x * foot.rise_share
    assert ends == pytest.approx((LONGEST_HEEL * LEG, LONGEST_BALL * LEG))
    assert places(make_body(toy()))[1] == pytest.approx(StepSettings().cop_ball * LONGEST_BALL * LEG)


def stiff() -> BodySpec:
    """The toy in shoes without toes."""
    points = {name: point for name, point in toy().landmarks.items() if not name.startswith("toes")}
    return replace(toy(), landmarks=points)


def test_a_long_foot_without_toes_stands_on_its_heel_until_the_other_is_down():
    """Raised, it stands on its tip alone, far ahead of where the centre of pressure is planned, and brakes in every step."""
    path, supple = (FootPath(GaitTables(WALK, make_body(spec)), "L", 0.0) for spec in (stiff(), toy()))
    pitches = path.stance_pitches([0.3, 0.49, 0.9 * path.phases.toe_off, path.phases.toe_off])
    assert path.holds_heel and not supple.holds_heel and pitches[:2] == pytest.approx([0.0, 0.0], abs=1e-3)
    assert 0.0 < pitches[2] < pitches[3]
    for gait in ("run", "hop"):  # the other foot is never the later one down
        assert not FootPath(GaitTables(load_gait(gait).symmetrised(), make_body(stiff())), "L", 0.0).holds_heel


def test_a_stiff_toy_walks_at_its_own_speed():
    take = simulate(Shot(body=stiff(), duration_s=5.0))
    assert not take.fell
    half = len(take.time_s) // 2
    speed = (take.com_m[-1, 0] - take.com_m[half, 0]) / (take.time_s[-1] - take.time_s[half])
    assert speed == pytest.approx(take.stats["planned_speed_m_s"], rel=0.1)


def test_wide_hips_set_the_feet_wider():
    body = make_body(toy())
    as_a_human = WALK.step_width_m * body.leg_length_m / WALK.leg_length_m
    width = GaitTables(WALK, body).width_m
    assert width == pytest.approx(as_a_human + WIDE_HIP_SHARE * (HIPS - WIDE_HIP_LEGS * body.leg_length_m))
    assert as_a_human < width < HIPS
    assert tables().width_m == pytest.approx(WALK.step_width_m * BODY.leg_length_m / WALK.leg_length_m)


def test_a_toy_steps_on_footprints_locked_where_they_are():
    plan = preview(Shot(body=toy(), duration_s=3.0))
    x, y = plan.footstep_m[3, :2]
    wide = Footprint(3, float(x), float(y + 0.03 * np.sign(y)))
    assert preview(Shot(motion=Gait(footprints=(wide,)), body=toy(), duration_s=3.0)).footstep_m[3, 1] == pytest.approx(wide.y_m)
    too_wide = Footprint(3, float(x), float(y + 0.3 * np.sign(y)))
    with pytest.raises(InputError, match="wide, and the legs reach"):
        preview(Shot(motion=Gait(footprints=(too_wide,)), body=toy(), duration_s=3.0))
