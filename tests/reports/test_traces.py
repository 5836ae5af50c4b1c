# SPDX-License-Identifier: GPL-3.0-or-later
"""The course of a take over time, and the table it is written to."""

import csv

import numpy as np
import pytest

from lope.addon.errors import InputError
from lope.addon.reports.events import traces_of, write_traces
from take_factory import Walk, make_take


def test_traces_are_the_walks_own():
    take = make_take(Walk(speed=1.2, heading=0.7, height=0.95, bob=0.02, duty=0.6, load=1.0))
    found = traces_of(take)
    np.testing.assert_allclose(found.way_m, 1.2 * take.time_s, atol=1e-9)
    np.testing.assert_allclose(found.speed_m_s, 1.2, atol=1e-9)
    assert found.height_m.min() == pytest.approx(0.94, abs=1e-3) and found.height_m.max() == pytest.approx(0.96, abs=1e-3)
    np.testing.assert_allclose(found.load, found.contact.sum(axis=1) / 1.2, atol=1e-9)  # two feet, each down for 0.6
    assert set(found.angle_deg) == {f"{joint}_{side}" for joint in ("hip", "knee", "ankle") for side in "LR"}
    assert max(np.abs(values).max() for values in found.angle_deg.values()) == pytest.approx(0.0, abs=1e-6)


def test_the_table_holds_every_sample(tmp_path):
    take = make_take(Walk(seconds=3.0))
    write_traces(traces_of(take), tmp_path / "traces.csv", lambda time: 11.0 + 24.0 * time)
    with open(tmp_path / "traces.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(take.time_s) and float(rows[0]["frame"]) == 11.0
    assert [float(row["time_s"]) for row in rows] == pytest.approx(take.time_s, rel=1e-5)
    assert [int(row["contact_L"]) for row in rows] == take.contact[:, 0].astype(int).tolist()
    assert {"way_m", "com_height_m", "vertical_force_over_weight", "knee_R_deg"} <= set(rows[0])


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "no").write_text("a file", encoding="utf-8")
    with pytest.raises(InputError, match="cannot be written"):
        write_traces(traces_of(make_take(Walk(seconds=1.0))), tmp_path / "no" / "traces.csv", float)
