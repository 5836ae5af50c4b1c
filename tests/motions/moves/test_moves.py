# SPDX-License-Identifier: GPL-3.0-or-later
"""Moves as figures: mirrored, blended, stretched, bent; the shelf's speeds and turns; files that are damaged."""

import json
import math

import numpy as np
import pytest

from lope.addon.errors import InputError
from lope.addon.motions.moves import step as layout
from lope.addon.motions.moves.library import MOVES_FOLDER, load_move, move_names, read_move
from lope.addon.motions.moves.shelf import shelf, speed_of
from lope.addon.motions.moves.step import Step, bent, blended, stretched
from lope.scripts.tools.fit_moves import save_move

MOST_FIT_DEG, MOST_FIT_CM = 6.5, 5.0
"""How far shipped figures may be from their clips."""


def step(name: str = "walk_normal", count: int = 0) -> Step:
    return load_move(name).steps[count]


PLAIN = (str, bool, type(None))


def differing(a: Step, b: Step) -> list[str]:
    """Names of what two steps do not have in common."""
    return [name for name, one in vars(a).items() if not (
        one == getattr(b, name) if isinstance(one, PLAIN) else np.allclose(one, getattr(b, name), rtol=1e-7, atol=1e-12))]


def test_twice_mirrored_is_itself_and_once_is_the_other_foots():
    one = step("turn_90_inner_left", 1)
    assert one.mirrored().own == one.other and one.mirrored().turn == -one.turn
    assert differing(one.mirrored().mirrored(), one) == [] and differing(one.mirrored(), one)


def test_a_blend_of_equal_steps_is_the_step():
    one = step()
    assert differing(blended([one, one], [0.3, 0.7]), one) == []


def test_only_steps_of_one_kind_are_blended():
    with pytest.raises(ValueError, match="registered alike"):
        blended([step(), step().mirrored()], [0.5, 0.5])


def test_a_steps_off_has_its_registered_phase_and_its_curves_the_slopes_they_tell():
    one = step()
    assert one.phases(np.array([0.0, one.off, one.duration])) == pytest.approx([0.0, one.off_phase, 1.0])
    tiny = 1e-5
    begin, end = one.slopes()
    values = one.at(np.array([0.0, tiny, one.duration - tiny, one.duration]))
    np.testing.assert_allclose(begin, (values[1] - values[0]) / tiny, atol=2e-2)
    np.testing.assert_allclose(end, (values[3] - values[2]) / tiny, atol=2e-2)


def test_a_stretched_step_goes_farther_and_a_bent_one_turns():
    one = step()
    assert speed_of(stretched(one, 1.2, 0.8)) == pytest.approx(1.5 * speed_of(one))
    round_ = bent(one, 0.3)
    assert round_.turn == pytest.approx(one.turn + 0.3)
    assert math.hypot(round_.other_to.x, round_.other_to.y) == pytest.approx(math.hypot(one.other_to.x, one.other_to.y))
    yaw = layout.at("root.yaw")
    assert round_.at(np.array([one.duration]))[0, yaw] - one.at(np.array([one.duration]))[0, yaw] == pytest.approx(0.3)
    np.testing.assert_allclose(round_.at(np.zeros(1)), one.at(np.zeros(1)))


@pytest.mark.parametrize("speed", [0.14, 0.25, 0.4, 0.55, 0.64])
@pytest.mark.parametrize("turn", [0.0, 0.4, -0.5])
@pytest.mark.parametrize("own", ["L", "R"])
def test_a_walk_goes_as_fast_and_turns_as_much_as_is_wished(speed, turn, own):
    one = shelf().walk(own, speed, turn)
    assert one.own == own and one.turn == pytest.approx(turn)
    assert speed_of(shelf().straight(speed)) == pytest.approx(speed)


@pytest.mark.parametrize("own", ["L", "R"])
@pytest.mark.parametrize("degrees", [62, 90, 120, 150, 178, -75, -170])
def test_a_sharp_turn_turns_by_what_is_wished(own, degrees):
    steps = [shelf().sharp(own, math.radians(degrees), i, 0.36) for i in range(3)]
    assert steps[0].own == own and sum(s.turn for s in steps) == pytest.approx(math.radians(degrees), abs=1e-9)
    aim = shelf().aim(own, sum(s.turn for s in steps[1:]), 1, math.radians(degrees))
    assert aim == pytest.approx(math.radians(degrees), abs=0.02)


def test_what_ships_fits_its_clips_and_names_them():
    moves = [load_move(name) for name in move_names()]
    for move in moves:
        assert move.clip.endswith(".bvh") or move.clip.startswith("gait preset"), move.clip
        assert move.licence and move.source
        assert move.fit["joints_deg"] < MOST_FIT_DEG and max(move.fit["root_cm"], move.fit["feet_cm"]) < MOST_FIT_CM
    assert {"walk", "march", "backward", "side_left"} <= {move.gait for move in moves}
    assert {"cycle", "turn", "start", "stop"} == {move.kind for move in moves}


def test_a_move_is_written_and_read_again(tmp_path):
    save_move(load_move("start"), tmp_path / "start.json")
    again = read_move(tmp_path / "start.json")
    for a, b in zip(again.steps, load_move("start").steps, strict=True):
        assert differing(a, b) == []


def damaged(tmp_path, change):
    data = json.loads((MOVES_FOLDER / "walk_normal.json").read_text(encoding="utf-8"))
    change(data)
    (tmp_path / "walk_normal.json").write_text(json.dumps(data), encoding="utf-8")
    return tmp_path / "walk_normal.json"


@pytest.mark.parametrize(("change", "words"), [
    (lambda d: d["steps"][0]["curves"].pop("root.x"), "missing: root.x"),
    (lambda d: d["steps"][0]["air"].update(x=[0.0]), "has 1 figures in the curve x; expected 9"),
    (lambda d: d["steps"][0].update(off=99.0), "between -50 and 50"),
    (lambda d: d["steps"][0].update(off=40.0), "lifts its foot at 40"),
    (lambda d: d.update(steps=[]), "has no step"),
    (lambda d: d.update(kind="dance"), "dance"),
])
def test_a_damaged_file_is_refused_with_what_is_wrong(tmp_path, change, words):
    with pytest.raises(InputError, match=words):
        read_move(damaged(tmp_path, change))
