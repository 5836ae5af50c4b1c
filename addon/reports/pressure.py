# SPDX-License-Identifier: GPL-3.0-or-later
"""The pressure that a Take would have left, on a mat or in its shoes, in the colours of FootSee (Yin 2007, section 3.3.2)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..errors import InputError
from ..motions.pressure import images
from ..motions.pressure.feet import foot_masks
from ..sim.take import Take
from .plots import new_figure, png

TOUCHES = 1e-4
"""A point with less of the greatest force of all leaves nothing that a mat must be large enough for."""
PATCHES = 4.0
"""Standard deviations of a point's patch between the outermost point and the mat's edge."""
MOST_BESIDE = 0.01
"""Of all that presses, beside a mat of so many cells as were asked for: what a mat is off by anyhow."""


def mat_of(take: Take, *, rate_hz: float = images.MAT_RATE_HZ, cells: tuple[int, int] | None = None,
           pitch_m: float = images.MAT_PITCH_M) -> images.Pressure:
    """What a mat under a Take feels, as large as the way of the feet needs, or of so many `cells` under its middle. Raises
    InputError for a Take too short, or too far for a mat or its cells, and BodyError for one without feet."""
    check_lasts(take, rate_hz)
    found, middle = way_cells(take, take.contact_point_force_n, pitch_m)
    cells = cells or found
    if len(take.time_s) * cells[0] * cells[1] > images.MOST_CELLS:
        raise InputError(f"The feet go over {cells[0] * pitch_m:.1f} m by {cells[1] * pitch_m:.1f} m in this take, too far for "
                         "one mat: choose insoles, a mat of fewer cells, or a shorter shot.")
    felt = images.mat_pressure(take.body, take.time_s, take.contact_point_m, take.contact_point_force_n,
                        images.MatGrid(rate_hz=rate_hz, cells=cells, pitch_m=pitch_m, middle_m=middle))
    presses = float(mean_over(np.maximum(take.contact_point_force_n, 0.0).sum(axis=1), sampled_hz(take), rate_hz).sum())
    off = 1.0 - float(felt.force_n.sum()) / presses if presses > 0.0 else 0.0
    if off > MOST_BESIDE:
        raise InputError(f"A mat of {cells[0]} by {cells[1]} cells of {1e3 * pitch_m:g} mm is too small for this take: {off:.0%} "
                         f"of what presses is beside it. Take {found[0]} by {found[1]} cells, larger ones, or insoles.")
    return felt


def way_cells(take: Take, force_n: np.ndarray,
              pitch_m: float = images.MAT_PITCH_M) -> tuple[tuple[int, int], tuple[float, float]]:
    """The cells of a mat that holds the whole way of feet pressing with `force_n` (T, P), and its middle. Raises BodyError."""
    margin = 2.0 * PATCHES * images.patch_m(take.body)
    pressed = take.contact_point_m[force_n > TOUCHES * max(float(force_n.max()), 1.0)][:, :2]
    if not len(pressed):
        pressed = take.contact_point_m[0, :, :2]
    low, high = pressed.min(axis=0), pressed.max(axis=0)
    rows, columns = (max(least, math.ceil((float(far) + margin) / pitch_m))
                     for least, far in zip(images.MAT_CELLS, high - low, strict=True))
    return (rows, columns), (float(low[0] + high[0]) / 2.0, float(low[1] + high[1]) / 2.0)


def insoles_of(take: Take, *, rate_hz: float = images.INSOLE_RATE_HZ,
               pitch_m: float = images.INSOLE_PITCH_M) -> tuple[images.Pressure, ...]:
    """What an insole under each foot of a Take feels. Raises InputError for one too short, BodyError for no feet."""
    check_lasts(take, rate_hz)
    return images.insole_pressure(take.body, take.time_s, take.contact_point_force_n, rate_hz=rate_hz, pitch_m=pitch_m)


def mean_over(values: np.ndarray, has_hz: float, rate_hz: float) -> np.ndarray:
    """Values (T, ...) at another rate: the mean over each new frame's time."""
    whole = np.concatenate([np.zeros((1, *values.shape[1:])), np.cumsum(values, axis=0)])
    edges = np.arange(int(len(values) * rate_hz / has_hz + 1e-9) + 1) * (has_hz / rate_hz)
    at = np.arange(len(whole))
    flat = whole.reshape(len(whole), -1)
    until = np.stack([np.interp(edges, at, column) for column in flat.T], axis=1).reshape(len(edges), *values.shape[1:])
    return np.diff(until, axis=0) * (rate_hz / has_hz)


def sampled_hz(take: Take) -> float:
    """Samples a second of a Take."""
    return round((len(take.time_s) - 1) / float(take.time_s[-1] - take.time_s[0]), 9)


def check_lasts(take: Take, rate_hz: float) -> None:
    """Raises InputError for a Take that is too short for pressure at that rate."""
    lasts_s = float(take.time_s[-1] - take.time_s[0])
    if len(take.time_s) < 3 or lasts_s * rate_hz < 2.0:
        raise InputError(f"This take lasts {lasts_s:.2f} s, too short for pressure at {rate_hz:g} frames a second.")


LIGHT, HEAVY = np.array([0, 127, 0]), np.array([127, 0, 0])
"""The colours (RGB) of the first count and of the last."""
GROUND = np.array([0, 0, 0])


def colours(values: np.ndarray, most: float) -> np.ndarray:
    """Pressure (..., rows, columns) as RGB (..., rows, columns, 3) of whole numbers: from `LIGHT` to `HEAVY` over 255 counts, the
    last of which is `most`; less than half a count is `GROUND`."""
    counts = np.clip(np.rint(values * (255.0 / most)), 0.0, 255.0) if most > 0.0 else np.zeros_like(values)
    mixed = LIGHT + (counts[..., None] - 1.0) / 254.0 * (HEAVY - LIGHT)
    return np.where(counts[..., None] >= 1.0, np.rint(mixed), GROUND).astype(np.uint8)


OUTLINES = {images.LEFT: "yellow", images.RIGHT: "red"}
CENTRE = "black"
"""Of the centre of pressure, ringed in white: the ground is black, too."""
FRAMES, ACROSS = 12, 6
INCHES = 2.0


def sheet(sequences: Sequence[images.Pressure], frames: int = FRAMES, most: float | None = None) -> bytes:
    """A PNG with so many frames of a sequence, evenly over its time, ahead being up and left left; insoles stand side by side,
    the left one first. `most` [the sequence's unit] is what counts as 255; None: the greatest there is. Needs matplotlib."""
    ordered = sorted(sequences, key=lambda one: (images.MAT, images.LEFT, images.RIGHT).index(one.place))
    top = most or max(float(one.images.max()) for one in ordered)
    at = np.unique(np.linspace(0, min(map(len, ordered)) - 1, frames).round().astype(int))
    across = min(ACROSS // len(ordered), len(at))
    columns, rows = across * len(ordered), -(-len(at) // across)
    tall = max(one.images.shape[1] / one.images.shape[2] for one in ordered)
    figure, axes = new_figure(INCHES * columns, INCHES * min(tall, 2.5) * rows + 0.3, rows, columns)
    for axis in axes:
        axis.set_axis_off()
    masks = [foot_masks(one) for one in ordered]
    for place, frame in enumerate(at):
        for i, one in enumerate(ordered):
            axis = axes[place * len(ordered) + i]
            axis.set_axis_on()
            axis.grid(False)
            axis.tick_params(bottom=False, left=False, labelbottom=False, labelleft=False)
            edges = (float(one.columns_m[0]), float(one.columns_m[-1]), float(one.rows_m[0]), float(one.rows_m[-1]))
            axis.imshow(colours(one.images[frame], top), origin="lower", extent=edges, interpolation="nearest")
            axis.invert_xaxis()
            for foot, side in enumerate((images.LEFT, images.RIGHT)):
                if masks[i][frame, foot].any():
                    axis.contour(one.columns_m, one.rows_m, masks[i][frame, foot].astype(float), [0.5], colors=OUTLINES[side],
                                 linewidths=0.8)
            centre = one.centre_m[frame]
            if np.isfinite(centre).all():
                axis.plot(centre[1], centre[0], "o", color=CENTRE, markeredgecolor="white", markersize=4)
            named = "" if one.place == images.MAT else {images.LEFT: "left, ", images.RIGHT: "right, "}[one.place]
            axis.set_title(f"{named}{one.time_s[frame]:.2f} s", fontsize=7)
    return png(figure)
