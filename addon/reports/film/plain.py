# SPDX-License-Identifier: GPL-3.0-or-later
"""The film of a Take with the pressure under its feet: the body on the left, a mat or insoles on the right."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...motions.pressure.feet import least_of
from ...motions.pressure.images import LEFT, MAT, RIGHT, UNITS_PA, Pressure
from ...motions.pressure.soles import mat_pressure
from ...take import Take
from . import bodies, mats
from .canvas import FPS, FRAME, INK, ON_DARK, QUIET_INK, QUIET_ON_DARK, SIZE, TALL, Canvas, Film
from .figures import camera_for

DARK = (30, 33, 38)
STRIP = 40
"""Height of the words under each panel [pixels of a picture as high as sizes are for]."""


def take_film(take: Take, sequences: Sequence[Pressure], size: tuple[int, int] = SIZE, fps: float = FPS,
              most: float | None = None) -> Film:
    """The film of a Take and of what is felt of it, which has its times: one mat, or the insoles. `most` [the sequences' unit] is
    what counts as 255; None: the greatest there is."""
    ordered = sorted(sequences, key=lambda one: (MAT, LEFT, RIGHT).index(one.place))
    top = most or max(float(one.images.max()) for one in ordered)
    shown = [mats.Shown(one, top, feet_of(take, one) if one.place == MAT else None) for one in ordered]
    strip = round(STRIP * size[1] / TALL)
    half, high = size[0] // 2, size[1] - strip
    each = half // len(shown)
    windows = [mats.window_of(one.pressure, one.masks, each / high) for one in shown]
    tall = max(window.high_m for window in windows)
    body = bodies.of_take(take)
    camera = camera_for([body.capsules], [body.target_m], (half, high))
    start = min(one.start_s for one in ordered)
    lasts = max(len(one) / one.rate_hz for one in ordered)
    said = f"{top * UNITS_PA[ordered[0].unit] / 1e3:.0f} kPa is red"

    def picture(number: int) -> np.ndarray:
        time_s = number / fps
        canvas = Canvas(size)
        s = canvas.scale
        canvas.paste(body.drawn(camera, start + time_s), 0, 0)
        canvas.draw.rectangle([half, 0, *size], fill=DARK)
        told = []
        for i, (one, window) in enumerate(zip(shown, windows, strict=True)):
            frame = min(int(time_s * one.pressure.rate_hz), len(one.pressure) - 1)
            image = one.drawn(frame, window.middle_m[frame], high / tall, (each, high), size[1])
            canvas.paste(image, half + i * each, 0)
            told += mats.pressed(one, frame) if one.pressure.place == MAT else [
                f"{NAMES[one.pressure.place]} {mats.force_n(one, frame):.0f} N"]
        middle = size[1] - 0.5 * strip
        canvas.text(14 * s, middle, f"{start + time_s:.2f} s", 16, INK, bold=True, anchor="lm")
        canvas.text(half - 14 * s, middle, take.shot.called, 15, QUIET_INK, anchor="rm", most=0.6 * half)
        canvas.text(half + 14 * s, middle, ", ".join(told), 15, ON_DARK, anchor="lm")
        canvas.text(size[0] - 14 * s, middle, f"{said}, ahead ↑", 13, QUIET_ON_DARK, anchor="rm")
        canvas.draw.line([(half, 0), (half, size[1])], fill=FRAME, width=2)
        return canvas.picture()

    return Film(max(round(lasts * fps), 1), fps, picture)


def feet_of(take: Take, mat: Pressure) -> np.ndarray:
    """The cells (T, 2, rows, columns) that the left and the right foot of a Take press on its mat: each one's own points tell."""
    cells, middle = (len(mat.rows_m), len(mat.columns_m)), (float(mat.rows_m.mean()), float(mat.columns_m.mean()))
    force, alone = take.contact_point_force_n, []
    for side in (LEFT, RIGHT):
        rows = [row for foot in take.body.feet if foot.side == side for row in foot.points]
        own = np.zeros_like(force)
        own[:, rows] = force[:, rows]
        alone.append(mat_pressure(take.body, take.time_s, take.contact_point_m, own, rate_hz=mat.rate_hz, cells=cells,
                                  pitch_m=mat.pitch_m[0], middle_m=middle).images)
    least = least_of(mat)
    return np.stack([(one > least) & (one >= other) for one, other in (alone, alone[::-1])], axis=1)


NAMES = {LEFT: "left", RIGHT: "right"}
