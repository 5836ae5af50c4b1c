# SPDX-License-Identifier: GPL-3.0-or-later
"""Films of pressure: what was read as motion in four panels (Yin 2007, section 3.6), the live pressure, the matched one, the
avatar, and the true motion or how active the person is; and a take beside what it presses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...motions.pressure.database import PER_FRAME, Database, PressedMotion
from ...motions.pressure.features import features_of, quiet_of
from ...motions.pressure.feet import least_of
from ...motions.pressure.images import LEFT, MAT, MAT_RATE_HZ, RIGHT, UNITS_PA, MatGrid, Pressure, mat_pressure
from ...motions.pressure.recognition import AHEAD, QUIET
from ...motions.pressure.synthesis import Reading
from ...sim.take import Take
from . import canvas as mats
from . import figures as bodies
from .canvas import FPS, FRAME, INK, ON_DARK, QUIET_INK, QUIET_ON_DARK, SIZE, TALL, Canvas, Film, Score
from .figures import camera_for

DELAY_S = (AHEAD + 2) / MAT_RATE_HZ
"""What the avatar is late by in a live show: frames ahead, the one that comes in and the one that is shown (Yin 2007)."""
UPPER = 0.555
"""Share of the height that the upper panels have."""
SIDE = 0.34
"""Share of a lower panel's width that its words have."""
STRIP = 36
"""Height of the words under a body [pixels of a picture as high as sizes are for]."""


@dataclass(frozen=True, eq=False)
class Matched:
    """Which frame of which motion a frame of pressure was found to be, and by how much that motion's mat is shifted so that both
    centres of pressure lie alike over the run (2,) [m]."""

    motion: PressedMotion
    frame: int
    run: int
    shift_m: np.ndarray


def matched_frames(reading: Reading, database: Database) -> list[Matched | None]:
    """The matched frame of every frame of pressure, slips left out; None where the person stands and no stance is known."""
    live = reading.pressure.centre_m
    found: list[Matched | None] = []
    for number, run in enumerate(reading.runs):
        motion = database.stance if run.row == QUIET else database.active[run.row]
        if motion is None:
            found += [None] * (run.end - run.begin)
            continue
        last = len(motion.counts.images) - 1
        if run.row == QUIET:  # there and back, as the motion goes
            poses = len(motion) - 1
            at = np.abs((PER_FRAME * np.arange(run.end - run.begin) + poses) % max(2 * poses, 1) - poses) / PER_FRAME
        else:
            at = run.frames
        frames = np.clip(at.astype(int), 0, last)
        apart = live[run.begin:run.end] - motion.pressure.centre_m[frames]
        known = np.isfinite(apart).all(axis=1)
        shift = np.median(apart[known], axis=0) if known.any() else np.zeros(2)
        found += [Matched(motion, int(frame), number, shift) for frame in frames]
    return found


class FourPanels:
    """What the film's pictures are made of. `truth` is the Take whose motion left the pressure, both in one time."""

    def __init__(self, reading: Reading, database: Database, truth: Take | None, size: tuple[int, int], late_s: float) -> None:
        self.reading, self.size, self.late_s = reading, size, late_s
        self.late = f", {late_s:g} s late" if late_s else ""
        self.upper, self.half = round(UPPER * size[1] / 2.0) * 2, size[0] // 2
        self.matched = matched_frames(reading, database)
        motions = {id(one.motion): one.motion for one in self.matched if one is not None}
        most, known_most = mats.common_most(reading.pressure, [one.pressure for one in motions.values()])
        self.live = mats.Shown(reading.pressure, most)
        self.known = {key: mats.Shown(one.pressure, known_most) for key, one in motions.items()}
        self.avatar = bodies.of_reading(reading)
        self.truth = None if truth is None else bodies.of_take(truth)
        shown = [one for one in (self.avatar, self.truth) if one is not None]
        self.strip = round(STRIP * size[1] / TALL)
        self.camera = camera_for([one.capsules for one in shown], [one.target_m for one in shown],
                                 (self.half, self.upper - self.strip))
        start = reading.pressure.start_s
        rows = [{**row, "from_s": row["from_s"] - start, "to_s": row["to_s"] - start} for row in reading.rows]
        features = features_of(reading.pressure)
        quiet = quiet_of(features, reading.pressure.rate_hz)  # the person's own: another one's stance is far from it
        self.score = Score(quiet.score(features), reading.pressure.rate_hz, rows)
        self.rows = rows

    @cached_property
    def window(self) -> mats.Window:
        """What the lower panels see of the ground: as much of it in both."""
        boxes = [box for _, box in self._boxes.values()]
        width, height = self._mat_size
        return mats.window_of(self.reading.pressure, self.live.masks, width / height, boxes)

    @cached_property
    def _boxes(self) -> dict[int, tuple[np.ndarray, np.ndarray]]:
        """For each run the way from its motion's mat to the user's (2,), and the box (2, 2) that is pressed in it, moved so."""
        found = {}
        for run in {one.run for one in self.matched if one is not None}:
            frames = [one for one in self.matched if one is not None and one.run == run]
            known = self.known[id(frames[0].motion)]
            box = mats.box_of(known.masks[[one.frame for one in frames]].any(axis=(0, 1)), known.pressure)
            shift = frames[0].shift_m
            found[run] = shift, (np.zeros((2, 2)) if box is None else box) + shift
        return found

    def _middle(self, then: int, run: int) -> np.ndarray:
        """The middle (2,) of the matched motion's window, on its own mat: as the user's, unless its way leaves that."""
        shift, box = self._boxes[run]
        half = 0.5 * self.window.high_m * np.array([1.0, self._mat_size[0] / self._mat_size[1]]) - mats.ROOM_M
        low, high = box[1] - half, box[0] + half
        middle = self.window.middle_m[then]
        return np.where(low <= high, np.clip(middle, low, high), 0.5 * (low + high)) - shift

    @property
    def _mat_size(self) -> tuple[int, int]:
        return self.half - round(SIDE * self.half), self.size[1] - self.upper

    def picture(self, time_s: float) -> np.ndarray:
        """The picture of a time of the show [s]: what presses is shown at once, all else as late as it is."""
        pressure = self.reading.pressure
        late = max(time_s - self.late_s, 0.0)
        now = min(int(time_s * pressure.rate_hz), len(pressure) - 1)
        then = min(int(late * pressure.rate_hz), len(pressure) - 1)
        canvas = Canvas(self.size)
        self._upper(canvas, late, then)
        middle, metre = self.window.middle_m, self._mat_size[1] / self.window.high_m
        live = self.live.drawn(now, middle[now], metre, self._mat_size, self.size[1])
        at = f"{pressure.start_s + now / pressure.rate_hz:.2f} s"
        self._lower(canvas, 0, live, "pressure, live" if self.late else "pressure", [at, *mats.pressed(self.live, now)])
        one = self.matched[then]
        if one is None:
            self._lower(canvas, self.half, None, f"matched{self.late}", ["stands: none in the database"])
        else:
            known = self.known[id(one.motion)]
            image = known.drawn(one.frame, self._middle(then, one.run), metre, self._mat_size, self.size[1])
            self._lower(canvas, self.half, image, f"matched{self.late}", [one.motion.name, f"frame {one.frame + 1} of "
                        f"{len(known.pressure)}", *mats.pressed(known, one.frame)])
        canvas.draw.line([(self.half, 0), (self.half, self.size[1])], fill=FRAME, width=2)
        canvas.draw.line([(0, self.upper), (self.size[0], self.upper)], fill=FRAME, width=2)
        return canvas.picture()

    def _upper(self, canvas: Canvas, late: float, then: int) -> None:
        s, start = canvas.scale, self.reading.pressure.start_s
        if self.truth is None:
            self.score.draw(canvas, (0, 0, self.half, self.upper), late)
            canvas.text((14 * s, 10 * s), "activity, in deviations of quiet stance", 16, INK, bold=True)
        else:
            canvas.paste(self.truth.drawn(self.camera, start + late), 0, 0)
            canvas.text((14 * s, 10 * s), f"true motion{self.late}", 16, INK, bold=True)
            canvas.text((14 * s, self.upper - 0.5 * self.strip), f"{start + late:.2f} s", 15, QUIET_INK, anchor="lm")
        canvas.paste(self.avatar.drawn(self.camera, start + late), self.half, 0)
        left = self.half + 14 * s
        canvas.text((left, 10 * s), f"avatar{self.late}", 16, INK, bold=True)
        row = next((one for one in self.rows if one["from_s"] <= then / self.reading.pressure.rate_hz + 1e-6 < one["to_s"]),
                   self.rows[-1])
        said = f"{late - row['from_s']:.1f} of {row['to_s'] - row['from_s']:.1f} s"
        if "pace" in row:
            said += f", pace ×{row['pace']:.2f}, like {row['likeness']:.0%}{' ?' if 'doubt' in row else ''}"
        middle, right = self.upper - 0.5 * self.strip, self.size[0] - 14 * s
        canvas.text((right, middle), said, 15, QUIET_INK, anchor="rm")
        canvas.text((left, middle), row["motion"], 17, INK, bold=True, anchor="lm",
                    most=right - left - canvas.wide(said) - 20 * s)

    def _lower(self, canvas: Canvas, left: int, image: np.ndarray | None, title: str, lines: list[str]) -> None:
        s, words = canvas.scale, round(SIDE * self.half)
        canvas.draw.rectangle([left, self.upper, left + self.half, self.size[1]], fill=(30, 33, 38))
        if image is not None:
            canvas.paste(image, left + words, self.upper)
        canvas.text((left + 14 * s, self.upper + 12 * s), title, 16, ON_DARK, bold=True)
        for i, line in enumerate(lines):
            canvas.text((left + 14 * s, self.upper + (42 + 24 * i) * s), line, 15, ON_DARK if i == 0 else QUIET_ON_DARK,
                        most=words - 24 * s)
        canvas.text((left + 14 * s, self.size[1] - 28 * s), "ahead ↑", 13, QUIET_ON_DARK)


def four_panels(reading: Reading, database: Database, truth: Take | None = None, size: tuple[int, int] = SIZE, fps: float = FPS,
                late_s: float = 0.0) -> Film:
    """The film of a reading against the database it was read by, all but the live pressure so late: `DELAY_S` in a show."""
    panels = FourPanels(reading, database, truth, size, late_s)
    count = max(round((len(reading.pressure) / reading.pressure.rate_hz + late_s) * fps), 1)
    return Film(count, fps, lambda i: panels.picture(i / fps))


DARK = (30, 33, 38)
PLAIN_STRIP = 40
"""Height of the words under each panel [pixels of a picture as high as sizes are for]."""


def take_film(take: Take, sequences: Sequence[Pressure], size: tuple[int, int] = SIZE, fps: float = FPS,
              most: float | None = None) -> Film:
    """The film of a Take and of what is felt of it, which has its times: one mat, or the insoles. `most` [the sequences' unit] is
    what counts as 255; None: the greatest there is."""
    ordered = sorted(sequences, key=lambda one: (MAT, LEFT, RIGHT).index(one.place))
    top = most or max(float(one.images.max()) for one in ordered)
    shown = [mats.Shown(one, top, feet_of(take, one) if one.place == MAT else None) for one in ordered]
    strip = round(PLAIN_STRIP * size[1] / TALL)
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
        canvas.text((14 * s, middle), f"{start + time_s:.2f} s", 16, INK, bold=True, anchor="lm")
        canvas.text((half - 14 * s, middle), take.shot.called, 15, QUIET_INK, anchor="rm", most=0.6 * half)
        canvas.text((half + 14 * s, middle), ", ".join(told), 15, ON_DARK, anchor="lm")
        canvas.text((size[0] - 14 * s, middle), f"{said}, ahead ↑", 13, QUIET_ON_DARK, anchor="rm")
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
        alone.append(mat_pressure(take.body, take.time_s, take.contact_point_m, own,
                                  MatGrid(rate_hz=mat.rate_hz, cells=cells, pitch_m=mat.pitch_m[0], middle_m=middle)).images)
    least = least_of(mat)
    return np.stack([(one > least) & (one >= other) for one, other in (alone, alone[::-1])], axis=1)


NAMES = {LEFT: "left", RIGHT: "right"}
