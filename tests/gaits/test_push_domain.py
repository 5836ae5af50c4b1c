# SPDX-License-Identifier: GPL-3.0-or-later
"""The domain map of pushes."""

import math

import numpy as np
import pytest

from lope.addon.gaits import push_domain
from lope.addon.gaits.push_domain import FALLS, IN_PLACE, MORE_STEPS, ONE_STEP, DomainPreset, find_domain, limits, measured

LEG_M = 0.884


def preset(**changed):
    return DomainPreset(**{"format": 1, "world": "earth", "gravity_m_s2": 9.81, "leg_m": LEG_M, "push_s": 0.2,
                           "directions_deg": (0.0, 180.0), "speeds_m_s": (0.1, 0.2, 0.3, 0.4), "outcomes": ("0012", "01x0"),
                           "source": "made up", **changed})


def test_a_domain_ends_before_the_first_push_that_takes_more():
    found = limits(preset())
    assert found[:, 0] == pytest.approx([0.2, 0.3, 0.4, 0.4])
    assert found[:, 1] == pytest.approx([0.1, 0.2, 0.2, 0.2])  # what stands beyond a hole does not count


def test_domains_nest_and_are_mirror_images():
    for one, domain in measured():
        assert (np.diff(domain.limits_m_s, axis=0) >= 0.0).all() and (domain.limits_m_s[IN_PLACE] > 0.0).all(), one.world
        assert one.outcomes[1:] == one.outcomes[:0:-1], one.world


def test_a_push_ends_by_the_least_strategy_that_is_enough():
    domain = find_domain(9.81, LEG_M)
    small, large = 0.9 * domain.limit_m_s(0, 0.3), 1.1 * domain.limit_m_s(None, 0.3)
    assert domain.strategy(0.3, small) == IN_PLACE and domain.strategy(0.3 - math.tau, large) == FALLS
    middle = 0.99 * domain.limit_m_s(None, 0.3)
    assert domain.strategy(0.3, middle) >= ONE_STEP and domain.strategy(0.3, middle, steps=0) == FALLS
    assert domain.outline(MORE_STEPS).shape == (len(domain.directions_rad), 2)


def test_between_measured_gravities_pushes_go_by_the_froude_number():
    lightest, heaviest = measured()[0][0].gravity_m_s2, measured()[-1][0].gravity_m_s2
    for gravity in (0.5 * lightest, 2.0 * heaviest):
        near = find_domain(lightest if gravity < lightest else heaviest, LEG_M)
        ratio = math.sqrt(gravity / near.gravity_m_s2)
        assert find_domain(gravity, LEG_M).limits_m_s == pytest.approx(ratio * near.limits_m_s)
    assert find_domain(9.81, 4.0 * LEG_M).limits_m_s == pytest.approx(2.0 * find_domain(9.81, LEG_M).limits_m_s)


@pytest.mark.slow
def test_the_picture_shows_every_map(tmp_path):
    pytest.importorskip("matplotlib")
    from lope.scripts.tools.make_push_domains import draw_domains

    draw_domains(str(tmp_path / "domains.png"))
    assert (tmp_path / "domains.png").read_bytes().startswith(b"\x89PNG")
    assert push_domain.FOLDER.is_dir()


def test_maps_of_unlike_directions_have_one_between_them():
    (light, few), (heavy, many) = measured()[1], measured()[2]
    assert len(few.directions_rad) < len(many.directions_rad)
    between = find_domain(math.sqrt(light.gravity_m_s2 * heavy.gravity_m_s2), LEG_M)
    assert between.limits_m_s.shape == many.limits_m_s.shape
    ahead = [domain.limits_m_s[MORE_STEPS, 0] / math.sqrt(domain.gravity_m_s2) for domain in (few, between, many)]
    assert ahead[1] == pytest.approx(0.5 * (ahead[0] + ahead[2]), rel=1e-3)
