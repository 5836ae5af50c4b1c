# SPDX-License-Identifier: GPL-3.0-or-later
"""The phases of getting up, as people do it: what each holds on to, where hands and feet go, where the weight goes, and how the
trunk is held. Places are complex, x + iy [m], x the way that the head lies from the pelvis, y to the left of that for who leads
with the left foot, mirrored for the right one; lengths go with the body's limbs, times are Earth's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from ...bodies.body import Body
from ..stand.stance import APART_LEGS

LEG_M, ARM_M = 0.884, 0.598
"""Hip to ankle and shoulder to wrist of the body that lengths without a source were found on."""


@dataclass(frozen=True)
class Build:
    """The lengths of a body that a plan goes by [m]: leg, thigh, arm to the wrist, shank and hand; half the distance of hips and
    of shoulders; and from hips to shoulders."""

    leg: float
    thigh: float
    arm: float
    shank: float
    hand: float
    hips: float
    shoulders: float
    trunk: float

    @classmethod
    def of(cls, body: Body) -> Build:
        def size(name: str) -> float:
            return float(np.linalg.norm(body.segment(name).offset))

        shoulder = sum((body.segment(name).offset for name in body.way_to("upper_arm_L")[1:]), np.zeros(3))
        hip, handed = body.segment("thigh_L").offset, "hand_L" in body.index
        hand = float(np.linalg.norm(body.segment("hand_L").tip)) if handed else 0.0
        below = size("hand_L") if handed else float(np.linalg.norm(body.segment("forearm_L").tip))
        return cls(body.leg_length_m, size("shank_L"), size("forearm_L") + below, size("foot_L"), hand, abs(float(hip[1])),
                   abs(float(shoulder[1])), float(shoulder[2] - hip[2]))

    @property
    def apart(self) -> float:
        """How far apart the feet stand."""
        return APART_LEGS * self.leg

    @property
    def size(self) -> float:
        """Its legs over those of the body that lengths were found on."""
        return self.leg / LEG_M


Spots = Callable[[str], complex]
"""Where a part is as a phase begins, by the names of `Support`."""


@dataclass(frozen=True)
class Phase:
    """One phase. `held` parts carry; `places` say where some of them go, `lift` how high on the way; `com` is where the centre
    of mass is to be at its end; `pitch` how far the pelvis is bowed forward, 90 of who lies prone, `roll` how far it is turned
    about its long axis, None: as it is; `joints` [deg] by segment, of a ball about forward, left, up; what is not named is at
    rest. Who `lies` does not mind where the weight is; `off` ones are broken off when the trunk comes down, and `sure` ones end
    only when all is where it is to be."""

    name: str
    time_s: float
    held: tuple[str, ...]
    places: Mapping[str, Callable[[Spots], complex]] = field(default_factory=dict)
    com: Callable[[Spots], complex] | None = None
    pitch: float | None = None
    roll: float | None = None
    joints: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    lift: float = 0.0
    lies: bool = False
    sure: bool = False
    off: bool = True


def at(place: complex) -> Callable[[Spots], complex]:
    """A place that no part decides."""
    return lambda spots: place


def _both(**joints: tuple[float, ...]) -> dict[str, tuple[float, ...]]:
    """Angles of both sides, given for the left one."""
    found: dict[str, tuple[float, ...]] = {}
    for name, angles in joints.items():
        mirrored = angles if len(angles) == 1 else (-angles[0], angles[1], -angles[2])
        found |= {f"{name}_L": angles, f"{name}_R": mirrored}
    return found


TUCKED = _both(foot=(0.0, 15.0, 0.0), toes=(60.0,))
HANDS, KNEES = ("wrist_L", "fingers_L", "wrist_R", "fingers_R"), ("knee_L", "knee_R")
TOES = ("toe_L", "toe_R")


def supine() -> list[Phase]:
    """From the back to the front, over the left side: the right knee comes up and across, the left arm out of the way."""
    knee = {"thigh_R": (0.0, -70.0, 0.0), "shank_R": (95.0,), "foot_R": (0.0, 20.0, 0.0)}
    arms = {"upper_arm_L": (20.0, -140.0, 0.0), "forearm_L": (20.0,), "upper_arm_R": (-20.0, -60.0, 0.0), "forearm_R": (40.0,)}
    return [Phase("knee up", 0.9, (), joints={**knee, **arms}, lies=True, off=False),
            Phase("roll", 0.8, (), roll=-75.0, joints={**knee, **arms, "thigh_R": (0.0, -80.0, 20.0)}, lies=True, off=False),
            *side()]


def side() -> list[Phase]:
    """From the left side to the front."""
    arms = {"upper_arm_L": (20.0, -140.0, 0.0), "forearm_L": (20.0,), "upper_arm_R": (-40.0, -90.0, 0.0), "forearm_R": (60.0,)}
    leg = {"thigh_R": (-10.0, -30.0, 0.0), "shank_R": (40.0,)}
    return [Phase("over", 0.7, (), roll=0.0, joints={**arms, **leg}, lies=True, off=False)]


def prone(build: Build) -> list[Phase]:
    """From lying prone to half a kneel and off it: on hands and knees, a foot beside the other knee, the trunk upright."""
    k = build.size
    reach, wide = build.trunk - 0.37 * build.arm, build.shoulders + 0.06 * build.arm
    palm = complex(0.97, 0.0) * build.hand
    back, apart = -build.thigh, build.hips + 0.03 * k
    toes = back - build.shank - 0.04 * k  # the knees roll towards them

    def middle(spots: Spots, share: float) -> complex:
        hands, knees = spots("wrist_L") + spots("wrist_R"), spots("knee_L") + spots("knee_R")
        return 0.5 * (knees + share * (hands - knees))

    def over(spots: Spots) -> complex:
        return complex(middle(spots, 0.35).real, spots("knee_R").imag + 0.04 * k)

    def centre(spots: Spots) -> complex:
        return complex(middle(spots, 0.3).real, 0.5 * (spots("knee_R") + spots("ball_L")).imag)

    def upright(spots: Spots) -> complex:
        knee, ball = spots("knee_R"), spots("ball_L")
        return complex(min(knee.real - 0.02 * k, ball.real - 0.05 * k), 0.5 * (knee + ball).imag)

    def over_foot(spots: Spots) -> complex:
        return 0.6 * spots("ball_L") + 0.4 * spots("heel_L")

    arms = _both(upper_arm=(15.0, -80.0, 10.0), forearm=(20.0,))
    round_back = {"lower_spine": (0.0, 30.0, 0.0), "chest": (0.0, 20.0, 0.0)}
    straight = {"lower_spine": (0.0, 5.0, 0.0), "chest": (0.0, 5.0, 0.0)}
    foot_in = ("knee_R", "toe_R", "ball_L", "toe_L")
    return [
        Phase("hands", 1.0, (*HANDS, *KNEES, *TOES),
              {"wrist_L": at(complex(reach, wide)), "wrist_R": at(complex(reach, -wide)),
               "fingers_L": at(complex(reach, wide) + palm), "fingers_R": at(complex(reach, -wide) + palm),
               "knee_L": at(complex(back, apart)), "knee_R": at(complex(back, -apart)),
               "toe_L": at(complex(toes, apart)), "toe_R": at(complex(toes, -apart))},
              joints={**TUCKED, **_both(upper_arm=(25.0, 35.0, 0.0), forearm=(110.0,))}, lies=True, off=False, lift=0.03 * k),
        Phase("push up", 1.2, (*HANDS, *KNEES, *TOES), off=False, pitch=80.0, com=lambda spots: middle(spots, 0.35),
              joints={**TUCKED, **arms, **_both(thigh=(3.0, -75.0, 0.0), shank=(80.0,))}),
        Phase("lean over", 0.6, (*HANDS, *KNEES, *TOES), com=over, pitch=70.0,
              joints={**TUCKED, **arms, **_both(thigh=(3.0, -75.0, 0.0), shank=(80.0,)), **round_back}),
        Phase("foot in", 0.7, (*HANDS, *foot_in), {"ball_L": lambda spots: spots("knee_R") + complex(0.27, 0.22) * k}, com=over,
              pitch=50.0, lift=0.09 * k, joints={**arms, **round_back, "thigh_L": (10.0, -105.0, 0.0), "shank_L": (110.0,)}),
        Phase("centre", 0.6, (*HANDS, *foot_in), com=centre, pitch=50.0, sure=True,
              joints={**arms, **round_back, "thigh_L": (5.0, -110.0, 0.0)}),
        Phase("trunk up", 1.5, foot_in, com=upright, pitch=20.0, sure=True,
              joints=_both(upper_arm=(10.0, -25.0, 0.0), forearm=(30.0,))),
        Phase("lean", 1.0, ("ball_L", "toe_L", "heel_L", "ball_R", "toe_R"),
              com=lambda spots: over_foot(spots) - complex(0.02, 0.025) * k, pitch=35.0,
              joints={"thigh_L": (5.0, -100.0, 0.0), "shank_L": (105.0,), "shank_R": (90.0,), **straight,
                      **_both(upper_arm=(10.0, -30.0, 0.0), forearm=(30.0,))}),
        Phase("rise", 0.8, ("ball_L", "toe_L", "heel_L", "ball_R", "toe_R"), com=over_foot, pitch=15.0,
              joints={"thigh_L": (5.0, -45.0, 0.0), "shank_L": (50.0,), "shank_R": (40.0,), **straight,
                      **_both(upper_arm=(10.0, -15.0, 0.0), forearm=(30.0,))}),
        Phase("step", 0.6, ("ball_L", "toe_L", "heel_L", "ball_R", "toe_R", "heel_R"),
              {"ball_R": lambda spots: spots("ball_L") - 1j * build.apart}, pitch=5.0, lift=0.06 * k,
              com=lambda spots: over_foot(spots) - 0.15j * build.apart,  # both feet bear as who stands takes over
              joints={**straight, **_both(thigh=(0.0, -15.0, 0.0), shank=(25.0,), upper_arm=(8.0, -5.0, 0.0), forearm=(20.0,))}),
    ]
