# SPDX-License-Identifier: GPL-3.0-or-later
"""The options that say who walks, and how a rig's body travels to a Python without Blender."""

import argparse
import json

import pytest

from lope.addon.errors import InputError
from lope.addon.options.body_options import add_body_options, body_from, body_text, read_body
from lope.addon.specs.shot import BodySpec
from lope.operators.handed_words import with_body

POINTS = {"pelvis": (0.0, 0.0, 1.0), "hip_L": (0.0, 0.1, 0.95)}


def body(words):
    """The body of some options."""
    parser = argparse.ArgumentParser()
    add_body_options(parser)
    return body_from(parser.parse_args(words))


def test_height_and_mass():
    assert body([]) == BodySpec()
    assert body(["--height", "1.6", "--mass", "62"]) == BodySpec(1.6, 62.0)


def test_a_body_that_was_written_down(tmp_path):
    spec = BodySpec(1.5, 50.0, POINTS)
    file = tmp_path / "body.json"
    file.write_text(body_text(spec))
    assert body(["--body", str(file)]) == spec
    assert body(["--body", body_text(spec), "--mass", "80"]) == BodySpec(1.5, 80.0, POINTS)


@pytest.mark.parametrize("text, told", [
    ("{", "The body cannot be read as JSON"),
    ('{"legs": 2}', "no body field named 'legs'. Known: creature, height_m, kind, landmarks"),
    ('{"landmarks": {"pelvis": 3}}', "Landmarks, pelvis must be a list, got 3"), ('{"mass_kg": -1}', "Mass must lie between"),
])
def test_a_damaged_body_is_told(text, told):
    with pytest.raises(InputError, match=told):
        read_body(text)


def test_a_body_takes_the_place_of_the_armature_that_it_is_of():
    spec = BodySpec(1.5, 50.0, POINTS)
    words = with_body(["simulate", "--blend", "a.blend", "--world", "moon", "--armature=Rig", "--seconds", "2"], spec)
    assert words[:5] == ["simulate", "--world", "moon", "--seconds", "2"]
    assert words[5] == "--body" and json.loads(words[6])["height_m"] == 1.5
