# SPDX-License-Identifier: GPL-3.0-or-later
"""The ground: heights, normals, where soles rest and may land, bad ground, and that both engines have the same surface."""

import math

import mujoco
import numpy as np
import pytest

from engine_kit import BODY, CONTACT_ENGINES, EARTH, Hold
from lope.addon.bodies.model import build_model
from lope.addon.bodies.state import BodyState
from lope.addon.engines.engine import make_engine
from lope.addon.errors import InputError
from lope.addon.maths.rotations import quat_from_rotvec
from lope.addon.specs.path import GroundSpec
from lope.addon.specs.shot import World
from lope.addon.worlds.ground import (
    PLAY_M,
    RISER_MARGIN_M,
    Sole,
    Support,
    check_walkable,
    field_mesh,
    make_ground,
)

SOLE = Sole(-0.07, 0.20, 0.04)
RNG = np.random.default_rng(4)
HEIGHTS = tuple(map(tuple, RNG.uniform(-0.05, 0.05, (7, 5)).tolist()))
GROUNDS = {
    "plane": GroundSpec(),
    "slope": GroundSpec("slope", slope_deg=8.0, direction_deg=30.0),
    "up": GroundSpec("steps", rise_m=0.15, run_m=0.4, direction_deg=20.0),
    "down": GroundSpec("steps", rise_m=-0.15, run_m=0.4),
    "field": GroundSpec("field", heights_m=HEIGHTS, spacing_m=0.25, origin_m=(-0.6, -0.4)),
}


def rays(world: World, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Heights at which MuJoCo's rays from above meet the ground."""
    model = build_model(BODY, world)
    data = mujoco.MjData(model)
    data.qpos[:2] = 1e3
    mujoco.mj_forward(model, data)
    geom, down = np.zeros(1, dtype=np.int32), np.array([0.0, 0.0, -1.0])
    return np.array([50.0 - mujoco.mj_ray(model, data, np.array([a, b, 50.0]), down, None, 1, -1, geom)
                     for a, b in zip(x, y, strict=True)])


@pytest.mark.parametrize("name", GROUNDS)
def test_mujoco_has_the_surface_that_the_planner_knows(name):
    x, y = RNG.uniform(-3.0, 3.0, (2, 200))
    np.testing.assert_allclose(rays(World(ground=GROUNDS[name]), x, y), make_ground(GROUNDS[name]).height(x, y), atol=2e-6)


def test_the_mesh_of_a_field_is_the_field():
    ground = make_ground(GROUNDS["field"])
    vertices, triangles = field_mesh(ground)
    np.testing.assert_allclose(ground.height(vertices[:, 0], vertices[:, 1]), vertices[:, 2], atol=1e-12)
    middle = vertices[triangles].mean(axis=1)
    np.testing.assert_allclose(ground.height(middle[:, 0], middle[:, 1]), middle[:, 2], atol=1e-12)
    corner, first, second = np.moveaxis(vertices[triangles], 1, 0)
    assert (np.cross(first - corner, second - corner)[:, 2] > 0.0).all()


@pytest.mark.parametrize("name", ["plane", "slope", "field"])
def test_normals_are_square_to_the_surface(name):
    ground, small = make_ground(GROUNDS[name]), 1e-7
    x, y = RNG.uniform(-2.0, 2.0, (2, 100))
    along_x = (ground.height(x + small, y) - ground.height(x - small, y)) / (2.0 * small)
    along_y = (ground.height(x, y + small) - ground.height(x, y - small)) / (2.0 * small)
    normal = ground.normal(x, y)
    np.testing.assert_allclose(np.linalg.norm(normal, axis=1), 1.0, atol=1e-12)
    np.testing.assert_allclose(normal[:, 0] + normal[:, 2] * along_x, 0.0, atol=1e-6)
    np.testing.assert_allclose(normal[:, 1] + normal[:, 2] * along_y, 0.0, atol=1e-6)


def test_a_slope_rises_towards_its_direction():
    ground = make_ground(GroundSpec("slope", slope_deg=10.0, direction_deg=90.0))
    assert ground.plane and not ground.level
    rise = 2.0 * math.tan(math.radians(10.0))
    np.testing.assert_allclose(ground.height([0.0, 2.0, 0.0], [0.0, 0.0, 2.0]), [0.0, 0.0, rise], atol=1e-12)


@pytest.mark.parametrize("spec", [GroundSpec(), GroundSpec("slope"), GroundSpec("steps", rise_m=0.0)])
def test_flat_ground_is_level_whatever_it_is_called(spec):
    ground = make_ground(spec)
    assert ground.level and ground.under(1.0 + 2.0j, 0.3, SOLE) == Support(0.0, (0.0, 0.0, 1.0))


def test_steps_begin_one_run_ahead_and_end_level():
    ground = make_ground(GroundSpec("steps", rise_m=-0.2, run_m=0.3))
    np.testing.assert_allclose(ground.height([-9.0, 0.0, 0.29, 0.31, 0.61], 0.0), [0.0, 0.0, 0.0, -0.2, -0.4])
    assert ground.height(1e4, 0.0) == ground.height(2e4, 5.0)


def test_a_sole_on_a_plane_rests_on_it():
    ground = make_ground(GROUNDS["slope"])
    flat = make_ground(GroundSpec("field", heights_m=tuple(map(tuple, ground.height(
        *np.meshgrid(np.arange(5.0), np.arange(4.0), indexing="ij")).tolist())), spacing_m=1.0))
    for place in (1.3 + 1.2j, 2.7 + 2.1j):
        own, fitted = ground.under(place, 0.4, SOLE), flat.under(place, 0.4, SOLE)
        assert fitted.height_m == pytest.approx(own.height_m, abs=1e-9)
        assert fitted.normal == pytest.approx(own.normal, abs=1e-9)
        assert own.height_at(0.5 - 0.3j) == pytest.approx(float(ground.height(place.real + 0.5, place.imag - 0.3)))


def test_a_sole_bridges_a_bump():
    heights = np.zeros((9, 9))
    heights[4, 4] = 0.05
    ground = make_ground(GroundSpec("field", heights_m=tuple(map(tuple, heights.tolist())), origin_m=(-0.4, -0.4)))
    before, behind = (ground.under(complex(x), 0.0, SOLE) for x in (-0.15, 0.10))
    assert 0.0 < before.height_m < 0.05 and before.normal[0] < -0.01 and behind.normal[0] > 0.01


@pytest.mark.parametrize("yaw", [-0.2, 0.0, 0.3])
@pytest.mark.parametrize("name", ["up", "down"])
def test_footholds_keep_the_whole_sole_on_one_tread(name, yaw):
    ground = make_ground(GROUNDS[name])
    for along in np.linspace(-1.0, 5.0, 61):
        wanted = along * ground.direction + 0.1j
        place = ground.foothold(wanted, yaw + np.angle(ground.direction), SOLE)
        turn = np.exp(1j * (yaw + np.angle(ground.direction)))
        corners = place + turn * np.array([complex(x, y) for x in (SOLE.heel_m, SOLE.tip_m) for y in (-0.04, 0.04)])
        assert np.ptp(ground.height(corners.real, corners.imag)) == 0.0
        assert abs(place - wanted) <= 0.5 * (SOLE.tip_m - SOLE.heel_m) + 0.06
        assert ground.under(place, yaw, SOLE).height_m == ground.height(place.real, place.imag)


@pytest.mark.parametrize("rise", [0.15, -0.15])
def test_on_a_short_tread_the_sole_keeps_off_the_riser(rise):
    ground = make_ground(GroundSpec("steps", rise_m=rise, run_m=0.2))
    place = ground.foothold(1.13 + 0j, 0.0, SOLE).real
    tip_to_riser, heel_to_riser = -(place + SOLE.tip_m) % 0.2, (place + SOLE.heel_m) % 0.2
    if rise > 0.0:
        assert RISER_MARGIN_M - 1e-9 <= tip_to_riser <= RISER_MARGIN_M + PLAY_M + 1e-9
    else:
        assert heel_to_riser == pytest.approx(RISER_MARGIN_M)


@pytest.mark.parametrize("rise", [0.17, -0.17])
def test_a_sole_over_an_edge_is_carried_up_to_it(rise):
    ground = make_ground(GroundSpec("steps", rise_m=rise, run_m=0.28))
    best = ground.foothold(1.23 + 0j, 0.0, SOLE, best=True)
    assert best == pytest.approx(ground.foothold(best + 0.01, 0.0, SOLE, keep=1.2 + 0j, best=True))
    support = ground.under(best, 0.0, SOLE)
    assert not support.whole
    back, front = (edge - best.real for edge in (1.12, 1.40))
    if rise > 0.0:
        assert support.front_m == math.inf and support.back_m == pytest.approx(back, abs=0.011)
    else:
        assert support.back_m == -math.inf and support.front_m == pytest.approx(front, abs=0.011)
    far = ground.foothold(best + 0.28, 0.0, SOLE, keep=best)
    assert far.real - best.real > 0.2, "a place a whole tread away is not led back"


@pytest.mark.parametrize("spec, friction, words", [
    (GroundSpec("steps", rise_m=0.6), 0.9, "knee"),
    (GroundSpec("steps", rise_m=-0.6), 0.9, "knee"),
    (GroundSpec("field", heights_m=((0.0, 0.0), (0.0, 0.7))), 0.9, "knee"),
    (GroundSpec("slope", slope_deg=-20.0), 0.3, "friction"),
])
def test_ground_that_cannot_be_walked_on_is_told(spec, friction, words):
    with pytest.raises(InputError, match=words):
        check_walkable(spec, 0.5, friction)
    check_walkable(GROUNDS["up"], 0.5, 0.9)


def statue(ground) -> np.ndarray:
    """Upright body with its soles along the ground at x = 0.5, feet touching."""
    model = build_model(BODY, EARTH)
    state, qpos = BodyState(BODY, model, ground), model.qpos0.copy()
    place = ground.foothold(0.5 + 0j, 0.0, SOLE)
    normal = np.array(ground.under(place, 0.0, SOLE).normal)
    axis = np.cross([0.0, 0.0, 1.0], normal)
    sine = np.linalg.norm(axis)
    qpos[:3] = place.real, place.imag, 3.0
    for side in "LR":
        start = int(model.joint(f"foot_{side}").qposadr[0])
        qpos[start:start + 4] = quat_from_rotvec(axis * (math.asin(sine) / sine if sine > 0.0 else 0.0))
    state.update(qpos, np.zeros(model.nv))
    qpos[2] -= float((state.contact_height_m / state.contact_normal[:, 2]).min())
    return qpos


@pytest.mark.slow
@pytest.mark.parametrize("spec", [
    GroundSpec("slope", slope_deg=10.0), GroundSpec("slope", slope_deg=-10.0), GroundSpec("steps", rise_m=0.15, run_m=0.35),
    GroundSpec("steps", rise_m=-0.15, run_m=0.35),
    GroundSpec("field", spacing_m=0.1, origin_m=(-1.0, -1.0), heights_m=tuple(map(tuple, (
        0.01 * np.sin(np.arange(40.0))[:, None] + 0.005 * np.cos(2.0 * np.arange(20.0))).tolist()))),
], ids=["uphill", "downhill", "upstairs", "downstairs", "field"])
@pytest.mark.parametrize("name", CONTACT_ENGINES)
def test_a_statue_stands_on_any_ground_and_does_not_slip(name, spec):
    ground = make_ground(spec)
    engine = make_engine(name, BODY, World(ground=spec))
    qpos = statue(ground)
    hold, state = Hold(BODY, qpos), BodyState(BODY, build_model(BODY, EARTH), ground)
    engine.reset(qpos, np.zeros(BODY.degrees_of_freedom))
    loads, before = [], None
    for i in range(200):
        engine.advance(hold(engine), 5)
        state.update(engine.qpos, engine.qvel)
        if i == 120:
            before = state.contact_point_m.copy()
        if i >= 120:
            loads.append(engine.contact_force_n.sum(axis=0))
    weight = BODY.mass_kg * EARTH.gravity_m_s2
    np.testing.assert_allclose(np.mean(loads, axis=0) / weight, [0.0, 0.0, 1.0], atol=0.02)
    loaded = engine.contact_force_n[:, 2] > 0.02 * weight
    assert np.linalg.norm(state.contact_point_m - before, axis=1)[loaded].max() < 5e-4
    assert np.abs(state.contact_height_m[loaded]).max() < 3e-3
    engine.close()
