# SPDX-License-Identifier: GPL-3.0-or-later
"""The pressure of a simulated take holds its force and its centre, and `lope pressure of` writes it."""

from __future__ import annotations

import json

import numpy as np
import pytest

from lope.addon.cli import main
from lope.addon.errors import InputError
from lope.addon.motions.pressure.files import read_pressure
from lope.addon.reports.pressure import colours, insoles_of, mat_of, mean_over, sampled_hz, sheet
from lope.addon.sim.simulation import simulate
from lope.addon.specs.shot import Shot

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def walk():
    return simulate(Shot(duration_s=1.5))


@pytest.fixture(scope="module")
def take_file(walk, tmp_path_factory):
    path = tmp_path_factory.mktemp("take") / "walk.npz"
    walk.save(path)
    return str(path)


def vertical_n(take, rate_hz):
    """The vertical force (N,) on all feet at another rate."""
    return mean_over(take.grf_n[:, :, 2].sum(axis=1), sampled_hz(take), rate_hz)


def centre_m(take, rate_hz):
    """The centre of pressure (N, 2) at another rate; not a number where nothing presses."""
    moment = np.einsum("tp,tpk->tk", take.contact_point_force_n, take.contact_point_m[:, :, :2])
    with np.errstate(invalid="ignore", divide="ignore"):
        return (mean_over(moment, sampled_hz(take), rate_hz)
                / mean_over(take.contact_point_force_n.sum(axis=1), sampled_hz(take), rate_hz)[:, None])


@pytest.mark.parametrize("rate", [12.0, 50.0])
def test_the_mat_holds_the_vertical_force_and_the_centre_of_pressure(walk, rate):
    mat = mat_of(walk, rate_hz=rate)
    force, centre = vertical_n(walk, rate), centre_m(walk, rate)
    assert len(mat) == len(force) and mat.images.shape[1] >= 80 and mat.images.shape[2] >= 64
    stands = force > 0.05 * walk.body.mass_kg * 9.81
    assert stands.mean() > 0.9
    np.testing.assert_allclose(mat.force_n[stands], force[stands], rtol=0.01)
    assert np.linalg.norm(mat.centre_m - centre, axis=1)[stands].max() < 0.005


def test_each_insole_holds_the_force_on_its_foot(walk):
    left, right = insoles_of(walk, rate_hz=50.0)
    assert (left.place, right.place) == ("L", "R")
    whole = vertical_n(walk, 50.0)
    np.testing.assert_allclose(left.force_n + right.force_n, whole, atol=0.01 * whole.max())
    assert min(left.force_n.min(), right.force_n.min()) < 0.05 * whole.max()


def test_a_mat_has_the_cells_that_it_is_told_unless_somebody_presses_beside_it(walk):
    large, whole = mat_of(walk, cells=(200, 70)), mat_of(walk)
    assert large.images.shape[1:] == (200, 70) and large.force_n == pytest.approx(whole.force_n, rel=1e-4)
    rows = whole.images.shape[1]
    with pytest.raises(InputError, match=rf"20 by 64 cells .* too small for this take: \d+% .* Take {rows} by 64 cells"):
        mat_of(walk, cells=(20, 64))
    with pytest.raises(InputError, match="too far for one mat"):
        mat_of(walk, pitch_m=0.001)
    with pytest.raises(InputError, match="too short for pressure"):
        mat_of(walk, rate_hz=1.0)


def test_the_colours_are_the_thesis_s():
    drawn = colours(np.array([0.0, 1.0, 128.0, 255.0, 300.0]), 255.0)
    assert drawn.tolist() == [[0, 0, 0], [0, 127, 0], [64, 64, 0], [127, 0, 0], [127, 0, 0]]


def test_the_sheet_is_a_picture(walk):
    pytest.importorskip("matplotlib", reason="needs the extra plot")
    for sequences in ((mat_of(walk),), insoles_of(walk)):
        assert sheet(sequences, 3).startswith(b"\x89PNG")


def test_the_command_writes_what_a_sensor_tells(take_file, tmp_path, capsys):
    out = tmp_path / "mat.csv"
    assert main(["pressure", "of", take_file, "--counts", "345", "--out", str(out), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)["mat"]
    (mat,) = read_pressure(out)
    assert len(mat) == report["frames"] and report["rate"] == 12.0
    count = 345e3 / 255.0
    np.testing.assert_allclose(mat.images / count, np.rint(mat.images / count), atol=1e-2)
    soles = tmp_path / "soles.npz"
    assert main(["pressure", "of", take_file, "--insoles", "--rate", "25", "--out", str(soles)]) == 0
    assert [one.rate_hz for one in read_pressure(soles)] == [25.0, 25.0]


@pytest.mark.parametrize(("more", "words"), [
    (["--noise", "1"], "say with --counts"), (["--insoles", "--cells", "80,64"], "belongs to a mat"),
    (["--cells", "80"], "ROWS,COLUMNS"), (["--rate", "0.1"], "--rate must lie between"), (["--out", "mat.txt"], ".csv or .npz")])
def test_what_cannot_be_is_told_before_any_work(take_file, more, words, capsys):
    assert main(["pressure", "of", take_file, *more]) == 2
    assert words in capsys.readouterr().err
    assert main(["pressure", "off", take_file]) == 2
