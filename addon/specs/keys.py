# SPDX-License-Identifier: GPL-3.0-or-later
"""Speed and gait keyed over a shot: plain numbers that travel as JSON, and what they ask for at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..checks import Maybe, Number, Text, check_number
from ..errors import InputError
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
    """The speed [m/s] that the keys ask for at a time, going evenly from key to key, to the first one from a speed that is had at
    a time; None where no key has one."""
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
