# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of settings of an earlier Lope are still read: in shots, gains files, shot lists and on the command line."""

import argparse
import json
from pathlib import Path

import pytest

from lope.addon.cli import make_parser
from lope.addon.errors import InputError
from lope.addon.locomotion.gait.shot_gait import Controls, changed
from lope.addon.locomotion.motion_gains import FORMAT, SCHEMA, read_gains
from lope.addon.locomotion.registry import BUILT_IN, find_controller
from lope.addon.locomotion.settings import present_names, read_settings
from lope.addon.locomotion.tracking.weights import TrackerSettings
from lope.addon.options.shot_options import shot_from
from lope.addon.specs.settings import settings_of

FORMER = {
    "bounce_tracker": ("foot_turn_weight", "spin_weight", "stance_turn_gain"),
    "tracker": ("foot_turn_weight", "spin_weight", "stance_turn_gain"),
}
"""Every setting that had another name, in the groups of then."""


@pytest.mark.parametrize("group", FORMER)
def test_every_former_name_changes_what_its_present_one_does(group):
    now = find_controller("tracking").former_groups.get(group, group)
    for name in FORMER[group]:
        (present,) = (s for s in settings_of(type(getattr(Controls(), now))).values() if name in s.formerly)
        value = 0.5 * (getattr(getattr(Controls(), now), present.name) + present.low)
        controls = changed(Controls(), {group: {name: value}})
        assert getattr(getattr(controls, now), present.name) == value != getattr(getattr(Controls(), now), present.name)
        assert controls == changed(Controls(), {now: {present.name: value}})


def test_the_glossary_has_every_former_name():
    page = (Path(__file__).resolve().parents[2] / "docs" / "glossary.md").read_text(encoding="utf-8")
    tracking = find_controller("tracking")
    for group in FORMER.keys() - {"bounce_tracker"}:
        for name in FORMER[group]:
            assert f"| `{group}.{name}` | `{tracking.find_setting(f'{group}.{name}').name}` |" in page


@pytest.mark.parametrize("name", BUILT_IN)
def test_no_former_name_is_a_present_one(name):
    groups, former_groups = find_controller(name).groups(), find_controller(name).former_groups
    assert not set(former_groups) & set(groups) and set(former_groups.values()) <= set(groups)
    for held in groups.values():
        known = settings_of(type(held))
        former = [old for setting in known.values() for old in setting.formerly]
        assert len(set(former)) == len(former) and not set(former) & set(known)


def test_a_range_is_kept_under_the_former_name_and_said_with_the_present_one():
    with pytest.raises(InputError, match="running_tracker.angular_momentum_weight must lie between 0 and 1e.*got -3"):
        find_controller("tracking").check_settings({"bounce_tracker": {"spin_weight": -3.0}})
    with pytest.raises(InputError, match="running.nonsense"):
        find_controller("tracking").check_settings({"bounce": {"nonsense": 3.0}})


def test_of_two_names_of_one_setting_the_later_counts():
    groups, former = Controls().groups(), find_controller("tracking").former_groups
    values = {"bounce_tracker": {"spin_weight": 0.1}, "running_tracker": {"angular_momentum_weight": 0.2}}
    assert present_names(groups, values, former) == {"running_tracker": {"angular_momentum_weight": 0.2}}
    assert present_names(groups, dict(reversed(values.items())), former) == {"running_tracker": {"angular_momentum_weight": 0.1}}


def test_a_gains_file_of_an_earlier_lope_and_an_option_that_counts_more(tmp_path):
    path = tmp_path / "gains.json"
    path.write_text(json.dumps({"schema": SCHEMA, "format": FORMAT, "gains": {
        "bounce": {"cop_gain": 0.5}, "tracker": {"foot_turn_weight": 3.0}}}))
    assert changed(Controls(), read_gains(path)).running.cop_gain == 0.5
    args = make_parser().parse_args(["simulate", "--gains-file", str(path), "--setting", "running.cop_gain=0.6",
                                     "--out", "x.npz"])
    assert isinstance(args, argparse.Namespace)
    controls = changed(Controls(), shot_from(args).gains)
    assert (controls.running.cop_gain, controls.tracker.foot_orientation_weight) == (0.6, 3.0)


def test_an_option_with_a_former_name():
    args = make_parser().parse_args(["simulate", "--setting", "tracker.foot_turn_weight=3", "--out", "x.npz"])
    assert changed(Controls(), shot_from(args).gains).tracker.foot_orientation_weight == 3.0
    assert read_settings(["tracker.foot_turn_weight=3"]) == {"tracker": {"foot_turn_weight": 3.0}}


def test_a_row_is_found_by_its_former_name():
    tracking = find_controller("tracking")
    for name in ("bounce_tracker.spin_weight", "running_tracker.angular_momentum_weight"):
        assert tracking.find_setting(name).name == "running_tracker.angular_momentum_weight"
    assert tracking.find_setting("bounce.nonsense") is None and tracking.find_setting("") is None


def test_json_of_a_group_with_a_former_name():
    read = TrackerSettings.from_dict({"spin_weight": 3.0})
    assert read == TrackerSettings.from_dict({"angular_momentum_weight": 3.0}) and read != TrackerSettings()
