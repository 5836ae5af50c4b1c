# SPDX-License-Identifier: GPL-3.0-or-later
"""Options of the ground: what they describe, and the sentences for bad ones."""

import argparse

import numpy as np
import pytest

from lope.addon.errors import InputError
from lope.addon.options.shot_options import add_shot_options, shot_from
from lope.addon.specs.path import GroundSpec


def shot(*words):
    parser = argparse.ArgumentParser()
    add_shot_options(parser)
    return shot_from(parser.parse_args(words))


@pytest.mark.parametrize("words, ground", [
    ((), GroundSpec()),
    (("--slope", "5"), GroundSpec("slope", slope_deg=5.0)),
    (("--slope=-8,90",), GroundSpec("slope", slope_deg=-8.0, direction_deg=90.0)),
    (("--steps", "0.15,0.35"), GroundSpec("steps", rise_m=0.15, run_m=0.35)),
    (("--steps=-0.1,0.4,30",), GroundSpec("steps", rise_m=-0.1, run_m=0.4, direction_deg=30.0)),
])
def test_slopes_and_steps(words, ground):
    assert shot(*words).world.ground == ground


def test_a_height_field_from_either_kind_of_file(tmp_path):
    heights = np.array([[0.0, 0.1, 0.2], [0.3, 0.4, 0.5]])
    np.save(tmp_path / "hill.npy", heights)
    np.savetxt(tmp_path / "hill.csv", heights, delimiter=",")
    expected = GroundSpec("field", heights_m=((0.0, 0.1, 0.2), (0.3, 0.4, 0.5)), spacing_m=0.5, origin_m=(-0.25, -0.5))
    for name in ("hill.npy", "hill.csv"):
        assert shot("--heightfield", f"{tmp_path / name},0.5").world.ground == expected
    assert shot("--heightfield", f"{tmp_path / 'hill.csv'},0.5,1,2").world.ground.origin_m == (1.0, 2.0)


def test_a_gravity_ramp():
    assert shot("--world", "moon", "--gravity-ramp", "4,3.71", "8,9.81").world.gravity_ramp == ((4.0, 3.71), (8.0, 9.81))


@pytest.mark.parametrize("words, sentence", [
    (("--slope", "steep"), "--slope is written DEG"),
    (("--slope", "50"), "Slope"),
    (("--steps", "0.1"), "--steps is written RISE,RUN"),
    (("--steps", "0.1,0.3,0,9"), "--steps is written RISE,RUN"),
    (("--heightfield", "hill.csv"), "--heightfield is written FILE,SPACING"),
    (("--heightfield", "nowhere.csv,0.1"), "nowhere.csv"),
    (("--gravity-ramp", "4"), "--gravity-ramp is written T,G"),
    (("--gravity-ramp", "4,1.62", "2,9.81"), "gravity ramp"),
])
def test_bad_options_are_told(words, sentence):
    with pytest.raises(InputError, match=sentence):
        shot(*words)


@pytest.mark.parametrize("text, sentence", [
    ("1,2\nx,3\n", "cannot be read"), ("1,nan\n0,0\n", "nan"), ("", "at least 2 rows")])
def test_a_bad_height_field_is_told(tmp_path, text, sentence):
    path = tmp_path / "field.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=sentence):
        shot("--heightfield", f"{path},0.1")
