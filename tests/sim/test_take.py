# SPDX-License-Identifier: GPL-3.0-or-later
"""The Take: byte for byte round trip, read-only arrays, and every way a file can be wrong."""

import json
import zipfile
from pathlib import Path

import numpy as np
import pytest

from body_kit import creature
from creature_take import creature_take
from lope.addon.bodies.kinematics import centre_of_mass, contact_point_positions
from lope.addon.errors import InputError, TakeError
from lope.addon.sim.sequence import after_take
from lope.addon.sim.take import ARRAYS, FORMAT, OPTIONAL, Channel, Take
from take_factory import Walk, make_take

OLD = Path(__file__).parents[1] / "data" / "take_v1.npz"
"""Half a second of a walk on Mars in a suit, by a figure without hands, neck and toes, as Lope 0.1.0 wrote it in format 1."""


@pytest.fixture(scope="module")
def take() -> Take:
    return make_take(Walk(seconds=3.0))


@pytest.fixture
def saved(take, tmp_path):
    path = tmp_path / "take.npz"
    take.save(path)
    return path


def rewritten(path, change):
    """The file with the members that `change(name, data)` gives instead; None leaves one out."""
    with zipfile.ZipFile(path) as archive:
        members = {name: change(name, archive.read(name)) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            if data is not None:
                archive.writestr(name, data)
    return path


def with_head(path, **fields):
    """The file with some fields of its head replaced."""
    return rewritten(path, lambda name, data: json.dumps({**json.loads(data), **fields}) if name == "take.json" else data)


def test_round_trip(take, saved):
    again = Take.load(saved)
    assert again.shot == take.shot and again.stats == take.stats
    assert again.body.to_dict() == take.body.to_dict()
    assert set(again.arrays) == set(take.arrays)
    for name in take.arrays:
        assert np.array_equal(again.arrays[name], take.arrays[name]) and again.arrays[name].dtype == take.arrays[name].dtype


def test_equal_takes_are_equal_files(take, saved, tmp_path):
    Take.load(saved).save(tmp_path / "again.npz")
    assert (tmp_path / "again.npz").read_bytes() == saved.read_bytes()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["again.npz", "take.npz"]


def test_numpy_reads_the_arrays(take, saved):
    with np.load(saved) as arrays:
        assert np.array_equal(arrays["com_m"], take.com_m)


def test_arrays_are_read_only(take, saved):
    for one in (take, Take.load(saved)):
        with pytest.raises(ValueError, match="read-only"):
            one.com_m[0, 0] = 1.0


def test_segments_stand_where_the_root_is(take):
    positions, _ = take.segment_poses
    assert np.array_equal(positions[:, 0], take.root_position_m)
    assert positions.shape == (len(take.time_s), len(take.body.segments), 3)


def test_fell(take):
    assert not take.fell
    assert make_take(Walk(seconds=3.0), stats={"time_fell_s": 2.0}).fell


def test_unknown_names_are_attribute_errors(take):
    with pytest.raises(AttributeError, match="no_such_array"):
        take.no_such_array  # noqa: B018


def test_a_take_lacking_arrays_is_refused(take):
    with pytest.raises(TakeError, match="lacks the arrays com_m"):
        Take(take.shot, take.body, {n: a for n, a in take.arrays.items() if n != "com_m"}, {})


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(TakeError, match="no take at .*nowhere.npz"):
        Take.load(tmp_path / "nowhere.npz")
    with pytest.raises(TakeError, match="no take at"):
        Take.load(tmp_path)


def test_a_newer_format_says_update(saved):
    message = f"written by Lope 9.9.0 .take format {FORMAT + 1}.*up to format {FORMAT}. Update Lope"
    with pytest.raises(TakeError, match=message):
        Take.load(with_head(saved, format=FORMAT + 1, version="9.9.0"))


@pytest.mark.parametrize("fields", [{"format": "one"}, {"shot": {"gate": 1}}, {"body": {}}, {"shot": None}, {"body": None}])
def test_a_strange_head_is_refused(saved, fields):
    with pytest.raises(InputError):
        Take.load(with_head(saved, **fields))


@pytest.mark.parametrize("content", [b"", b"not a take at all", b"PK\x03\x04 half an archive"])
def test_other_files_are_refused(tmp_path, content):
    path = tmp_path / "take.npz"
    path.write_bytes(content)
    with pytest.raises(TakeError, match="take.npz is not a Lope take, or it is damaged"):
        Take.load(path)


def test_a_plain_npz_is_refused(tmp_path):
    np.savez(tmp_path / "other.npz", a=np.zeros(3))
    with pytest.raises(TakeError, match="not a Lope take"):
        Take.load(tmp_path / "other.npz")


def test_a_missing_array_is_named(saved):
    with pytest.raises(TakeError, match="lacks the arrays grf_n"):
        Take.load(rewritten(saved, lambda name, data: None if name == "grf_n.npy" else data))


@pytest.mark.parametrize("cut", [0.1, 0.5, 0.99])
def test_a_truncated_file_is_refused(saved, cut):
    data = saved.read_bytes()
    saved.write_bytes(data[:int(cut * len(data))])
    with pytest.raises(TakeError, match="damaged"):
        Take.load(saved)


@pytest.mark.parametrize("seed", range(40))
def test_flipped_bytes_are_noticed_or_harmless(take, saved, seed):
    """Every member carries a checksum: a damaged file is either refused or its arrays are untouched."""
    data = bytearray(saved.read_bytes())
    for place in np.random.default_rng(seed).integers(0, len(data), 5):
        data[place] ^= 0xFF
    saved.write_bytes(data)
    try:
        again = Take.load(saved)
    except InputError:
        return
    assert all(np.array_equal(again.arrays[n], take.arrays[n]) for n in ARRAYS)


def test_a_folder_that_cannot_be_written(take, tmp_path):
    (tmp_path / "nowhere").write_text("a file", encoding="utf-8")
    with pytest.raises(InputError, match="The take cannot be written to .*nowhere.*take.npz"):
        take.save(tmp_path / "nowhere" / "take.npz")


# Bodies and controllers of other kinds ----------------------------------------------------------------------------------


def channels(samples):
    """One of each kind of number, with and without further axes."""
    values = np.random.default_rng(0).normal(size=(samples, 3, 2))
    return {"activation": Channel("", np.abs(values)), "state": Channel("", np.arange(samples) % 4),
            "pressure.left": Channel("Pa", values[:, 0, 0].astype(np.float32)), "locked": Channel("", values[:, 0, 0] > 0.0)}


@pytest.mark.parametrize("body", [creature(n) for n in range(4)] + [creature(2, "planar")], ids=["0", "1", "2", "3", "planar"])
def test_a_take_of_any_body_without_a_plan_comes_back_to_the_byte(body, tmp_path):
    take = creature_take(body=body, seconds=1.0, channels=channels(101))
    take.save(tmp_path / "take.npz")
    again = Take.load(tmp_path / "take.npz")
    assert again.body.to_dict() == body.to_dict() and again.grf_n.shape == (101, len(body.feet), 3)
    assert set(again.arrays) == set(ARRAYS) - set(OPTIONAL) and not again.holds("plan_com_m")
    assert again.channels.keys() == take.channels.keys()
    for name, channel in take.channels.items():
        there = again.channels[name]
        assert there.unit == channel.unit and there.values.dtype == channel.values.dtype
        assert np.array_equal(there.values, channel.values) and not there.values.flags.writeable
    again.save(tmp_path / "again.npz")
    assert (tmp_path / "again.npz").read_bytes() == (tmp_path / "take.npz").read_bytes()
    with np.load(tmp_path / "take.npz") as arrays:
        assert np.array_equal(arrays["channel/state"], take.channels["state"].values)
    with pytest.raises(TakeError, match="holds no plan_com_m: its controller does not plan it"):
        _ = again.plan_com_m


@pytest.mark.parametrize("found, words", [
    ({"a/b": np.zeros(11)}, "cannot be called 'a/b'"), ({"com_m": np.zeros(11)}, "cannot be called 'com_m'"),
    ({"short": np.zeros(10)}, r"short needs a row of numbers for each of 11 samples, got the shape \(10,\)"),
    ({"text": np.full(11, "a")}, "text needs a row of numbers"), ({"one": np.array(1.0)}, "one needs a row")])
def test_channels_that_are_no_series_of_numbers_are_refused(found, words):
    with pytest.raises(TakeError, match=words):
        creature_take(seconds=0.1, channels={name: Channel("", values) for name, values in found.items()})


@pytest.mark.parametrize("name, values, words", [
    ("contact", np.zeros((11, 3), bool), r"contact of this take has the shape \(11, 3\); expected \(11, 2\)"),
    ("grf_n", np.zeros((11, 2)), r"expected \(11, 2, 3\)"), ("torque_nm", np.zeros((11, 6)), r"expected \(11, 5\)"),
    ("com_m", np.zeros((10, 3)), r"expected \(11, 3\)"), ("event_kind", np.zeros(7), "event_kind .* expected"),
    ("muscles", np.zeros(11), "no arrays muscles; what a controller adds is a channel")])
def test_arrays_that_do_not_fit_the_body_are_refused(name, values, words):
    take = creature_take(seconds=0.1)
    with pytest.raises(TakeError, match=words):
        Take(take.shot, take.body, {**take.arrays, name: values})


def test_a_take_without_samples_is_refused():
    take = creature_take(seconds=0.1)
    with pytest.raises(TakeError, match="no sample"):
        Take(take.shot, take.body, {name: array[:0] for name, array in take.arrays.items()})


def test_a_lost_motion_is_told_from_a_fall():
    said = "MuJoCo lost the simulation at 0.100 s (its state was not a number)."
    lost, fell, old = (creature_take(seconds=0.1, stats=stats) for stats in (
        {"time_fell_s": None, "lost": said}, {"time_fell_s": 0.1, "lost": None}, {"time_fell_s": None}))
    assert (lost.lost, lost.fell, fell.lost, fell.fell, old.lost, old.fell) == (said, False, None, True, None, False)


def test_a_take_of_format_1_still_loads(tmp_path):
    """Its body is made of the landmarks and the suit again, and what it called the plan's centre of mass is not kept."""
    take = Take.load(OLD)
    assert take.shot.world.name == "mars" and take.body.suit.name == "mark-iii" and take.body.role("trunk") == "chest"
    assert take.stats["planned_speed_m_s"] > 0.5 and not take.fell and take.lost is None and not take.channels
    assert len(take.time_s) == 51 and set(ARRAYS) - set(take.arrays) == {"plan_com_m", "plan_speed_m_s", "object_pose"}
    positions, orientations = take.segment_poses
    np.testing.assert_allclose(contact_point_positions(take.body, positions, orientations), take.contact_point_m, atol=1e-9)
    np.testing.assert_allclose(centre_of_mass(take.body, positions, orientations), take.com_m, atol=1e-9)
    take.save(tmp_path / "now.npz")
    again = Take.load(tmp_path / "now.npz")
    assert again.body.to_dict() == take.body.to_dict() and again.shot == take.shot
    assert all(np.array_equal(again.arrays[name], array) for name, array in take.arrays.items())


@pytest.mark.parametrize("stats, said", [
    ([1], "its statistics are no table"),
    ({"time_fell_s": [2.0]}, "its time_fell_s is [2.0], which is no number"),
    ({"planned_stride_frequency_hz": "0.9"}, "its planned_stride_frequency_hz is '0.9', which is no number"),
    ({"lost": 3}, "its lost is 3, which is no text"),
    ({"end_velocity": True}, "its end_velocity is True, which is no list"),
])
def test_statistics_of_another_kind(saved, stats, said):
    def change(name, data):
        return json.dumps({**json.loads(data), "stats": stats}).encode() if name == "take.json" else data

    rewritten(saved, change)
    with pytest.raises(TakeError) as told:
        Take.load(saved)
    assert str(told.value) == f"{saved} is not a Lope take, or it is damaged: {said}."


def test_a_shot_does_not_go_on_from_places_that_are_none(take, tmp_path, recwarn):
    for number in (np.nan, 1e200):
        arrays = {name: array.copy() for name, array in take.arrays.items()}
        arrays["joint_quaternions"][-1, 3] = number
        Take(take.shot, take.body, arrays, take.stats).save(tmp_path / "take.npz")
        with pytest.raises(InputError, match="ends with places or turns that are no numbers, or too large"):
            after_take(tmp_path / "take.npz")
    assert not recwarn.list
