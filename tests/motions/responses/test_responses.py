# SPDX-License-Identifier: GPL-3.0-or-later
"""Push responses by example: found by direction and strength, made milder, played on a body with its feet on the ground."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from lope.addon.bodies.body import joint_quaternions, root_pose
from lope.addon.bodies.kinematics import contact_point_positions, segment_poses
from lope.addon.bodies.makers import make_body
from lope.addon.cli import main
from lope.addon.errors import InputError
from lope.addon.motions.responses import bears, find, load_library, play
from lope.addon.motions.responses.response import unit_m_s
from lope.addon.motions.responses.selection import aligned, milder
from lope.addon.specs.shot import BodySpec

BODY = make_body(BodySpec())
PUSHES = (0.2, 0.6j, -0.5, 0.6 - 0.2j, 0.9j)


def points(played):
    """Contact points (N, P, 3)."""
    root, turn = root_pose(played.body, played.qpos)
    poses = segment_poses(played.body, root, turn, joint_quaternions(played.body, played.qpos))
    return contact_point_positions(played.body, *poses)


@pytest.mark.parametrize(("alpha", "eps"), [(0.75, 0.366), (0.5, 0.618), (0.25, 0.823), (1.0, 0.0)])
def test_a_milder_motion_has_the_momentum_that_is_asked_for(alpha, eps):
    assert milder(alpha) == pytest.approx(eps, abs=5e-4)
    assert (1.0 - milder(alpha)) * (1.0 + 0.5 * milder(alpha)) == pytest.approx(alpha)


def test_in_place_a_response_turns_to_the_sagittal_plane_and_nowhere_else():
    diagonal = 0.2 * complex(math.cos(math.radians(60.0)), math.sin(math.radians(60.0)))
    ahead = aligned(diagonal, True, 1.0 + 0j)
    assert ahead.strength == pytest.approx(0.1) and ahead.neutral == pytest.approx(0.5)
    assert aligned(diagonal, True, 1j).strength == pytest.approx(0.2 * math.cos(math.radians(30.0)))
    assert aligned(diagonal, True, -1.0 + 0j).strength < 0.0
    assert aligned(diagonal, False, -1.0 + 0j).strength == pytest.approx(0.2)


@pytest.mark.parametrize("push", PUSHES)
def test_what_is_found_is_strong_enough_and_made_as_strong_as_the_push(push):
    found = find(load_library(), push, BODY)
    assert found.strength >= abs(found.push) and 0.0 <= found.adaptation.eps < 1.0
    assert abs(found.off_rad) < math.radians(60.0)


@pytest.mark.parametrize("push", PUSHES)
def test_no_foot_goes_through_the_ground(push):
    played = play(find(load_library(), push, BODY), BODY)
    assert points(played)[..., 2].min() > -1e-3
    assert played.qpos.shape == (len(played.times_s), BODY.coordinates) and played.contacts[0].all()


def test_without_steps_nobody_steps_and_a_push_too_strong_finds_nothing():
    in_place = ("ankles", "hips", "arms")
    assert find(load_library(), 0.2, BODY, allowed=in_place).strategy in in_place
    assert find(load_library(), 1.0, BODY, allowed=in_place) is None
    assert find(load_library(), 5.0, BODY) is None
    with pytest.raises(InputError, match="no strategy 'fly'"):
        find(load_library(), 0.2, BODY, allowed=("fly",))
    with pytest.raises(InputError, match="no strength"):
        find(load_library(), 0.0, BODY)


@pytest.mark.parametrize("direction", [1.0, -1.0, 1j, -0.6 + 0.8j])
def test_what_a_direction_bears_is_found_and_more_is_not(direction):
    library, in_place = load_library(), ("ankles", "hips", "arms")
    most = bears(library, direction, in_place) * unit_m_s(BODY)
    assert find(library, 0.999 * most * direction, BODY, allowed=in_place) is not None
    assert find(library, 1.01 * most * direction, BODY, allowed=in_place) is None


@pytest.mark.slow
def test_a_refusal_tells_what_that_direction_bears(capsys):
    library, in_place = load_library(), ("ankles", "hips", "arms")
    assert main(["responses", "find", "--push", "180,0.9", "--allow", ",".join(in_place)]) == 2
    most = bears(library, -1.0, in_place) * unit_m_s(BODY)
    assert f"that way {most:.2f} m/s can be recovered at most" in capsys.readouterr().err
    assert main(["responses", "find", "--push", "0,0.7", "--then", "0.2,0,3"]) == 2
    assert "with what is left of the push before" in capsys.readouterr().err


@pytest.mark.slow
def test_the_handbook_s_pushes_are_recovered(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    page = (Path(__file__).resolve().parents[3] / "docs" / "responses.md").read_text(encoding="utf-8")
    found = [line.split()[1:] for line in page.splitlines() if line.startswith("lope responses find --push")]
    assert len(found) >= 3 and [main(words) for words in found] == [0] * len(found), capsys.readouterr().err


def test_it_is_laid_over_the_stance_wherever_it_is():
    found = find(load_library(), 0.2, BODY)
    plain = play(found, BODY)
    turned = plain.stance.copy()
    turned[:3] = (-plain.stance[1] + 2.0, plain.stance[0] + 1.0, plain.stance[2])
    turned[3:7] = (math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5))
    other = play(found, BODY, stance=turned)
    assert np.allclose(other.qpos[0], turned, atol=4e-3)
    way = plain.qpos[:, :2] - plain.qpos[0, :2]
    assert np.allclose((other.qpos[:, :2] - other.qpos[0, :2]), np.stack([-way[:, 1], way[:, 0]], axis=1), atol=1e-6)
    assert np.allclose(other.qpos[:, 7:], plain.qpos[:, 7:], atol=4e-3)


def test_on_the_moon_it_is_slower_as_things_fall():
    earth = play(find(load_library(), 0.2, BODY), BODY)
    moon = play(find(load_library(), 0.2 * math.sqrt(1.62 / 9.81), BODY, 1.62), BODY, 1.62)
    assert moon.found.response is earth.found.response
    assert moon.times_s[-1] == pytest.approx(earth.times_s[-1] * math.sqrt(9.81 / 1.62), rel=0.02)


@pytest.mark.slow
@pytest.mark.parametrize("push", PUSHES)
def test_a_second_push_goes_on_from_where_the_body_is(push):
    first = play(find(load_library(), push, BODY), BODY)
    for time_s in (0.25, 0.5, 0.8):
        now = first.at(time_s)
        found = find(load_library(), -0.3j, BODY, now=now)
        if found is None:
            continue
        second = play(found, BODY, now=now)
        assert np.allclose(np.abs(second.qpos[0]), np.abs(first.qpos[first.index(time_s)]), atol=0.03)
        assert np.abs(np.diff(second.qpos[:, :3], axis=0)).max() < 0.06  # 3.6 m/s
        assert points(second)[..., 2].min() > -1e-3
