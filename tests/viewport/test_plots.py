# SPDX-License-Identifier: GPL-3.0-or-later
"""Plots of a take over the view, as plain numbers; and the buttons that show them and write tables."""

from pathlib import Path

import numpy as np
import pytest

bpy = pytest.importorskip("bpy", reason="needs the bpy module")

from creature_take import creature_take  # noqa: E402
from lope.addon.reports.events import traces_of  # noqa: E402
from lope.addon.viewport.plots import LEFT, PAGE_S, Board, Chart, Curve, bounds, cursor, places, sheet, ticks  # noqa: E402
from take_factory import Walk, make_take  # noqa: E402

VIEW = (30.0, 40.0, 900.0, 700.0)
TIME = np.arange(0.0, 20.001, 0.01)


def board():
    rising = Chart("Height", 2.0 * TIME, (Curve(0.9 + 0.01 * TIME, "com"),))
    feet = Chart("Feet", TIME, bars=(Curve(TIME % 2.0 < 1.0, "L"), Curve(TIME % 2.0 >= 1.0, "R")))
    return Board(TIME, (rising, feet, Chart("Knee", TIME, (Curve(np.sin(TIME), "L"), Curve(np.cos(TIME), "R")))))


@pytest.mark.parametrize("width, columns", [(900.0, 2), (400.0, 1)])
@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_plots_lie_within_the_view_and_apart(width, columns, scale):
    view = (30.0, 40.0, width * scale, 700.0 * scale)
    frames = places(view, 7, scale)
    assert len({round(x) for x in frames[:, 0]}) == columns and len(frames) == 7
    assert (frames[:, 2:] > 20.0).all()
    assert (frames[:, 0] >= view[0] + LEFT * scale - 1e-9).all() and (frames[:, 1] >= view[1]).all()
    assert (frames[:, :2] + frames[:, 2:] <= np.array([view[0] + view[2], view[1] + view[3]])).all()
    for i, a in enumerate(frames):
        for b in frames[:i]:
            assert (a[:2] >= b[:2] + b[2:]).any() or (b[:2] >= a[:2] + a[2:]).any()


def test_a_low_view_shows_the_first_plots_and_a_tiny_one_none():
    assert 0 < len(places((0.0, 0.0, 900.0, 200.0), 7, 1.0)) < 7
    assert len(places((0.0, 0.0, 100.0, 700.0), 7, 1.0)) == 0
    assert sheet(board(), (0.0, 0.0, 100.0, 700.0), (0.0, PAGE_S)).labels == []


@pytest.mark.parametrize("low, high", [(0.0, 1.0), (-0.013, 0.02), (0.93, 0.97), (-60.0, 20.0), (0.0, 3.4), (1e-4, 3e-4)])
def test_ticks_are_round_and_within(low, high):
    found = ticks(low, high)
    assert 1 <= len(found) <= 3 and all(low <= value <= high * (1.0 + 1e-9) for value in found)
    assert [float(f"{value:.2g}") for value in found] == pytest.approx(found)


def test_pages_turn_with_the_time_and_hold_it():
    made = board()
    for time in (-1.0, 0.0, 7.9, 8.1, 19.9, 25.0):
        start, end = made.page(time)
        assert start <= min(max(time, 0.0), 20.0) <= end and end - start <= PAGE_S + 1e-9
    assert Board(TIME[:500], ()).page(3.0) == (0.0, pytest.approx(4.99))


def test_curves_keep_within_their_frames_and_end_to_end():
    made = board()
    drawn = sheet(made, VIEW, made.page(9.0))
    for colour in ("com", "R"):
        for ends in drawn.lines[colour]:
            inside = [((ends >= f[:2] - 1e-6) & (ends <= f[:2] + f[2:] + 1e-6)).all() for f in drawn.frames]
            assert any(inside)
    height = drawn.lines["com"][0]
    assert np.ptp(height[:, 0]) == pytest.approx(drawn.frames[0][2], rel=1e-3)
    assert (np.diff(height[::2, 1]) > 0.0).all()
    low, high = bounds(made.charts[0])
    assert low < 0.9 and high > 1.1


def test_bars_are_where_the_feet_are_down():
    made = board()
    drawn = sheet(made, VIEW, (0.0, 8.0))
    frame = drawn.frames[1]
    left, right = drawn.fills["L"], drawn.fills["R"]
    assert len(left) == 5 and len(right) == 4  # the fifth left bar begins at the very end of the page
    at = (left[1][:, 0].min() - frame[0]) / frame[2] * 8.0, (left[1][:, 0].max() - frame[0]) / frame[2] * 8.0
    assert at == pytest.approx((2.0, 3.0), abs=0.03)
    assert left[0][:, 1].min() > right[0][:, 1].max()


def test_gaps_are_not_drawn():
    values = np.where(TIME < 4.0, 1.0, np.nan) + 0.1 * np.sin(TIME)
    drawn = sheet(Board(TIME, (Chart("", TIME, (Curve(values, "com"),)),)), VIEW, (0.0, 8.0))
    assert np.isfinite(drawn.lines["com"][0]).all() and drawn.lines["com"][0][:, 0].max() < drawn.frames[0][0] + 0.51 * 900.0


def test_the_cursor_marks_the_moment_in_every_plot():
    made = board()
    drawn = sheet(made, VIEW, (0.0, 8.0))
    ends = cursor(made, drawn, (0.0, 8.0), 2.0)
    assert len(ends) == 2 * len(drawn.frames)
    for (x, y), frame in zip(ends[::2], drawn.frames, strict=True):
        assert x == pytest.approx(frame[0] + 0.25 * frame[2], rel=1e-3) and y == frame[1]
    assert len(cursor(made, drawn, (0.0, 8.0), 9.0)) == 0


import lope_scene  # noqa: E402

scene = lope_scene.scene


@pytest.fixture
def walked(scene, tmp_path):
    """The astronaut with a take of one second."""
    scene.frame_start = 11
    bpy.ops.lope.add_astronaut()
    make_take(Walk(seconds=1.0)).save(tmp_path / "take.npz")
    bpy.context.object.lope.take_path = str(tmp_path / "take.npz")
    return bpy.context.object


@pytest.mark.slow
def test_plots_are_shown_follow_the_take_and_go(walked, scene, tmp_path):
    from lope.addon.viewport import plots as plot_overlay
    from lope.operators import beside, desk, show_plots

    assert bpy.ops.lope.show_plots() == {"FINISHED"} and plot_overlay.is_shown() and show_plots.shows(walked)
    first = plot_overlay._board
    assert first.time_s[-1] == pytest.approx(1.0) and len(first.charts) == 7
    scene.frame_set(11 + scene.render.fps // 2)
    assert show_plots._now() == pytest.approx(0.5, abs=0.03)
    make_take(Walk(seconds=1.5)).save(tmp_path / "longer.npz")
    walked.lope.take_path = str(tmp_path / "longer.npz")
    for listener in desk.listeners:
        listener(walked)
    beside.wait(show_plots.shown.asked)
    assert plot_overlay._board.time_s[-1] > 1.4
    assert bpy.ops.lope.show_plots() == {"FINISHED"} and not plot_overlay.is_shown()
    assert show_plots._now() is None


@pytest.mark.parametrize("feet, charts", [(0, 3), (1, 4), (3, 4)])
def test_plots_of_other_bodies_show_what_there_is(feet, charts):
    from lope.operators.show_plots import board_of

    board = board_of(traces_of(creature_take(feet, seconds=1.0)))
    assert len(board.charts) == charts
    made = sheet(board, (0.0, 0.0, 1200.0, 900.0), (0.0, 1.0))
    assert len(made.frames) == charts and sum(len(chart.bars) for chart in board.charts) == feet


@pytest.mark.slow
@pytest.mark.parametrize("end", ["load", "unregister", "delete"])
def test_plots_end_with_what_they_are_of(walked, end):
    import lope
    from lope.addon.viewport import plots as plot_overlay
    from lope.operators import show_plots

    bpy.ops.lope.show_plots()
    if end == "load":
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        assert not plot_overlay.is_shown()
    elif end == "unregister":
        lope.unregister()
        assert not plot_overlay.is_shown()
        lope.register()
    else:
        bpy.data.objects.remove(walked)
        assert show_plots._now() is None


@pytest.mark.slow
def test_a_damaged_take_is_told(walked, tmp_path):
    damaged = tmp_path / "damaged.npz"
    damaged.write_bytes(b"no take")
    walked.lope.take_path = str(damaged)
    for button in (bpy.ops.lope.show_plots, bpy.ops.lope.export_csv):
        with pytest.raises(RuntimeError, match="damaged"):
            button()


@pytest.mark.slow
def test_the_table_is_written_where_asked_or_beside(walked, tmp_path):
    assert bpy.ops.lope.export_csv(filepath=str(tmp_path / "take.csv")) == {"FINISHED"}
    lines = (tmp_path / "take.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("frame,time_s,way_m,com_height_m") and float(lines[1].split(",")[0]) == 11.0
    assert bpy.ops.lope.export_csv() == {"FINISHED"}
    assert list(Path(walked.lope.take_path).parent.glob("* take.csv"))
