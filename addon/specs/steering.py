# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys of speed and gait over a shot, and steering: what an animator asked for on the way, and when. Plain numbers of JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ..checks import Maybe, Number, Part, Text, check_number
from ..errors import InputError
from .pose_gait import PoseGait
from .settings import Checked, setting

SPEED = Number(0.05, 15.0, "m/s")


@dataclass(frozen=True)
class Key(Checked):
    """From `time_s` on the character goes in a `gait`, None for the one it has; by then its speed has come to `speed_m_s`, evenly
    from the key before that has one, None for no wish."""

    WHOSE, FIELD = "A key's", "key field"
    time_s: float = setting(rule=Number(0.0, 3600.0, "s"), words="time")
    gait: str | None = setting(None, rule=Maybe(Text()), words="gait")
    speed_m_s: float | None = setting(None, rule=Maybe(SPEED), words="speed")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.gait is None and self.speed_m_s is None:
            raise InputError(f"The key at {self.time_s:g} s asks for nothing: give it a gait, a speed, or both.")


def check_keys(keys: Sequence[Key], duration_s: float) -> None:
    """Raises InputError for keys that do not follow one another within the shot."""
    last = None
    for key in keys:
        check_number("The time of a key", key.time_s, 0.0, duration_s, "s, within the shot")
        if last is not None and key.time_s <= last:
            raise InputError(f"The key at {key.time_s:g} s does not come after the one at {last:g} s: give every key a time of "
                             "its own, in order.")
        last = key.time_s


def keyed_speed(keys: Sequence[Key], time_s: float, first_s: float, first_m_s: float) -> float | None:
    """The speed [m/s] that the keys ask for at a time, evenly from the first and from key to key; None where no key has one."""
    wished = [(key.time_s, key.speed_m_s) for key in keys if key.speed_m_s is not None]
    if not wished:
        return None
    at, speed = first_s, first_m_s
    for key_s, key_m_s in wished:
        if time_s < key_s:
            return speed + (key_m_s - speed) * (time_s - at) / (key_s - at) if time_s > at else speed
        at, speed = key_s, key_m_s
    return speed


def gait_changes(keys: Sequence[Key]) -> list[tuple[float, str]]:
    """When the gait changes [s], and to which."""
    return [(key.time_s, key.gait) for key in keys if key.gait is not None]


WISHES = ("speed_m_s", "turn_rad_s", "turn_rad", "gait", "pose_gait", "over_s", "via")
"""What can be wished for, by the names that `Controller.steer` is handed; those of `motions.fragment.Wish`."""
NEWER = ("pose_gait", "over_s", "via")
"""Fields that are written only where they are set: a shot without them stays as it was before there were any."""


@dataclass(frozen=True)
class Steering(Checked):
    """From `time_s` on the animator wishes: a speed over the ground; to turn to the left at a rate for as long as that is wished,
    or by so much in all; a gait or a move by its name. A gait from key poses comes with the next change of state, or little by
    little within `over_s`, from now on; `pose_gait` is the one of that name (a shot carries what it names), or, without a name,
    one that is being edited, which is gone on with at once. `via` is gone through for some steps, where the body would fall that
    becomes the other gait at once. What is None stays as it was wished for before; of the two turns the last counts."""

    WHOSE, FIELD = "A steering's", "steering field"
    time_s: float = setting(rule=Number(0.0, 3600.0, "s"), words="time")
    speed_m_s: float | None = setting(None, rule=Maybe(Number(0.0, 15.0, "m/s")), words="speed")
    turn_rad_s: float | None = setting(None, rule=Maybe(Number(-2.0 * math.pi, 2.0 * math.pi, "rad/s")), words="rate of turning")
    turn_rad: float | None = setting(None, rule=Maybe(Number(-8.0 * math.pi, 8.0 * math.pi, "rad")), words="turn")
    gait: str | None = setting(None, rule=Maybe(Text()), words="gait")
    pose_gait: PoseGait | None = setting(None, rule=Maybe(Part(PoseGait)), words="gait from key poses")
    over_s: float | None = setting(None, rule=Maybe(Number(0.0, 60.0, "s")), words="time to come to the gait")
    via: PoseGait | None = setting(None, rule=Maybe(Part(PoseGait)), words="gait to go through")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.wish:
            raise InputError(f"The steering at {self.time_s:g} s wishes for nothing: give it one of {', '.join(WISHES)}.")
        if self.turn_rad_s is not None and self.turn_rad is not None:
            raise InputError(f"The steering at {self.time_s:g} s wishes for a turn and for a rate of turning: give it one of "
                             "them.")
        if self.over_s is not None and self.gait is None and self.pose_gait is None:
            raise InputError(f"The steering at {self.time_s:g} s says how long a change of gait takes, but wishes for no gait: "
                             "name it, or leave the time out.")

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON types; a gait of key poses and a time to come to it only where there are any."""
        found = asdict(self)
        return {name: value for name, value in found.items() if value is not None or name not in NEWER}

    @property
    def wish(self) -> dict[str, Any]:
        """What is wished for, by the names in `WISHES`: what `Controller.steer` takes."""
        return {name: getattr(self, name) for name in WISHES if getattr(self, name) is not None}


def check_steering(steering: Sequence[Steering], duration_s: float, asked: Mapping[str, Any]) -> None:
    """Raises InputError for steering that is not in order within the shot, and for what a shot that is steered cannot have:
    `asked` by their names in words, those that are set being true."""
    wrong = [words for words, value in asked.items() if value] if steering else []
    if wrong:
        raise InputError(f"A shot that is steered goes where its steering says: leave out {' and '.join(wrong)}.")
    last = 0.0
    for one in steering:
        check_number("The time of a steering", one.time_s, 0.0, duration_s, "s, within the shot")
        if one.time_s < last:
            raise InputError(f"The steering at {one.time_s:g} s comes before the one at {last:g} s: put them in order.")
        last = one.time_s


def check_wishes(controller: str, takes: Sequence[str], wishes: Sequence[str]) -> None:
    """Raises InputError where a controller that takes some wishes is to be steered by others."""
    wrong = sorted(set(wishes) - set(takes))
    if wrong and not takes:
        raise InputError(f"The controller {controller} cannot be steered: choose one that can, or take the steering out.")
    if wrong:
        raise InputError(f"The controller {controller} cannot be steered by {', '.join(wrong)}; it takes {', '.join(takes)}.")
