# SPDX-License-Identifier: GPL-3.0-or-later
"""The parts of a shot whose gait is keyed: each is a shot of one gait, which a controller of its own moves from some time on."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..specs.keys import gait_changes
from ..specs.shot import Shot


@dataclass(frozen=True)
class Part:
    """What is asked for from a time [s] on, until the next part can take over."""

    from_s: float
    shot: Shot


def parts_of(shot: Shot) -> list[Part]:
    """The parts of a shot in their order; one without keys of its gait is its only part. A gait that is keyed goes at its own
    speed and stride frequency, unless its speed is keyed too; only the last part comes to a stop."""
    changes = gait_changes(shot.keys)
    if not changes:
        return [Part(0.0, shot)]
    parts = [] if changes[0][0] == 0.0 else [Part(0.0, replace(shot, stop="moving"))]
    for from_s, gait in changes:
        start = shot.start if from_s == 0.0 else "moving"
        parts.append(Part(from_s, replace(shot, gait=gait, motion=None, speed_m_s=None, stride_frequency_hz=None, start=start,
                                          stop="moving")))
    parts[-1] = replace(parts[-1], shot=replace(parts[-1].shot, stop=shot.stop))
    return parts


def in_gait_of(old: Shot, shot: Shot) -> Shot:
    """A shot in the gait of another one, at that gait's own speed, moving from start to end."""
    return replace(shot, gait=old.gait, motion=old.motion, tuned=old.tuned, speed_m_s=None, stride_frequency_hz=None, keys=(),
                   start="moving", stop="moving")
