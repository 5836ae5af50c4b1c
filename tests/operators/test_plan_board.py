# SPDX-License-Identifier: GPL-3.0-or-later
"""The plan on show: it comes only where it is wanted, and says why where it cannot come."""

import time

import pytest

bpy = pytest.importorskip("bpy", reason="needs the bpy module")

import lope_scene  # noqa: E402

pytestmark = pytest.mark.slow

scene = lope_scene.scene

PATIENCE_S = 30.0


@pytest.fixture
def board(scene, monkeypatch):
    """The plan board, with an astronaut in hand and a plan asked for."""
    from lope.operators import plan_board

    assert bpy.ops.lope.add_astronaut() == {"FINISHED"}
    scene.lope.show_preview = True
    monkeypatch.setattr(plan_board, "_due_s", 0.0)
    return plan_board


def until_idle(board):
    """Turn the timer until its plan was taken in."""
    end = time.monotonic() + PATIENCE_S
    while board._step() is not None:
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


def begin(board):
    assert board._step() is not None and board._under_way
    return bpy.context.object


def test_a_plan_that_is_wanted_comes(board):
    armature = begin(board)
    until_idle(board)
    made = board.of(armature)
    assert made.preview is not None and made.error == ""
    assert made.feasible is not None and made.unlike == "" and not made.out_of_range


def test_a_gait_that_would_go_faster_than_is_promised_is_told_before(board):
    begin(board)
    until_idle(board)
    made = board.plan
    made.feasible = made.feasible[0], 0.9 * made.preview.speed_m_s
    assert made.out_of_range


def test_a_plan_under_way_does_not_come_once_the_preview_is_off(board, scene):
    begin(board)
    scene.lope.show_preview = False
    until_idle(board)
    assert board.plan is None


def test_a_plan_under_way_does_not_come_into_another_file(board, monkeypatch):
    shown = []
    monkeypatch.setattr(board, "_show", lambda: shown.append(board.plan))
    begin(board)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.context.scene.lope.show_preview = True
    until_idle(board)
    assert shown == [] and board.plan is None


def test_a_plan_asked_for_when_the_preview_is_off_is_not_made(board, scene):
    scene.lope.show_preview = False
    board.request(0.0)
    assert board._step() is None and board.plan is None and not board._under_way


@pytest.mark.parametrize("where", ["lope.addon.sim.simulation.preview", "lope.operators.plan_board.make_shot"])
def test_any_fault_in_planning_becomes_a_sentence(board, monkeypatch, capsys, where):
    def fails(*_arguments, **_options):
        raise ZeroDivisionError("float division by zero")

    monkeypatch.setattr(where, fails)
    armature = bpy.context.object
    until_idle(board)
    made = board.of(armature)
    assert made.preview is None and "Planning failed: ZeroDivisionError" in made.error and "report it" in made.error
    assert "Traceback" in capsys.readouterr().err


def test_a_controller_that_plans_nothing_says_so(board, monkeypatch):
    monkeypatch.setattr("lope.addon.sim.simulation.preview", lambda shot: None)
    until_idle(board)
    assert "plans nothing ahead" in board.of(bpy.context.object).error
    with pytest.raises(RuntimeError, match="plans nothing ahead"):
        bpy.ops.lope.preview()


@pytest.mark.parametrize("gait", ["hop", "skip", "run", "lope"])
def test_every_gait_has_a_plan_on_show(board, gait):
    bpy.context.object.lope.gait = gait
    board.request(0.0)
    until_idle(board)
    made = board.of(bpy.context.object)
    assert made.error == "" and len(made.preview.footstep_m) > 3
