# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of the data-driven controller. All are in the clip's own time on legs of `LEG_M` under Earth's gravity; under another
one, and on other legs, they are scaled so that everything goes similarly."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

from ...specs.settings import FIRST_GUESS, Checked, setting
from ...specs.shot import Shot
from ..motion_gains import motion_gains
from ..settings import own_groups

LEG_M, MASS_KG = 0.884, 75.0
"""Legs and mass of the body that the settings' figures are for: the standard body's."""
PRINTED = "Lee 2014, figure 3.14, has"
WORKED_OUT = f"what a pendulum on this foot and these springs needs (docs/notes/lee.md); {PRINTED}"
LAYER = "Lee 2014, 3.4: switched off to see what it is for"


@dataclass(frozen=True)
class LeeSettings(Checked):
    """Tracking, balance and synchronisation. The layers' strengths are 1 as printed, 0 is off."""

    WHOSE, FIELD = "The data-driven controller's", "setting of the data-driven controller"
    kt: float = setting(300.0, 0.0, 5e3, "1/s^2", "Gain of every joint's angle; that of its rate is twice its root",
                        source="measured: with the 20 of Lee, Kim and Lee 2010 all clips fall")
    # How often the target pose is made anew [Hz] (measured: with the 30 of Lee 2014, 3.2, fewer clips stand)
    rate_hz: float = 100.0
    c0: float = setting(0.7, 0.0, 5.0, help="Share of the pelvis' error that the standing hip makes good (eq. 3.3)",
                        source=f"measured; {PRINTED} 1 for all motions")
    c1_sag: float = setting(0.1, 0.0, 5.0, "rad s/m", "Swinging hip per error of velocity along the way (eq. 3.4)",
                            source=f"{WORKED_OUT} 0 to 0.2")
    c1_cor: float = setting(0.35, 0.0, 5.0, "rad s/m", "The same across the way", source=f"{WORKED_OUT} 0.2 to 0.4")
    c2_sag_behind: float = setting(0.4, 0.0, 10.0, "rad/m", "Swinging hip per error of place along the way, where the body is "
                                   "behind the clip's", source=f"{WORKED_OUT} 0 to 1.8")
    c2_sag_ahead: float = setting(0.2, 0.0, 10.0, "rad/m", "The same where it is ahead", source=f"{WORKED_OUT} 0 to 0.1")
    c2_cor: float = setting(1.0, 0.0, 10.0, "rad/m", "The same across the way", source=f"{WORKED_OUT} 0.2 to 0.4")
    c3_sag: float = setting(0.25, 0.0, 5.0, "rad s/m", "Standing ankle per error of velocity along the way (eq. 3.5)",
                            source=f"{WORKED_OUT} 0.1")
    c3_cor: float = setting(1.0, 0.0, 5.0, "rad s/m", "The same across the way", source=f"{WORKED_OUT} 0.1")
    c4_sag: float = setting(0.6, 0.0, 20.0, "rad/m", "Standing ankle per error of place along the way",
                            source=f"{WORKED_OUT} 0.1 for all motions")
    c4_cor: float = setting(3.5, 0.0, 20.0, "rad/m", "The same across the way", source=f"{WORKED_OUT} 0.1 for all motions")
    c5: float = setting(1.0, 0.0, 5.0, help="Swinging foot's height per error of it (eq. 3.6)",
                        source=f"measured; {PRINTED} 0.5 for all motions")
    c6: float = setting(0.02, 0.0, 2.0, "s", "The same per error of its rate", source="Lee 2014, figure 3.14, for all motions")
    lift_m: float = setting(0.03, 0.0, 0.2, "m", "Raise of the swinging foot over the clip's own path",
                            source="measured; 0.01 in the code of 2010")
    early: float = setting(0.75, 0.05, 1.0, help="Fraction of the swing after which a foot may land early",
                           source="measured; 0.7 in the code of 2010")
    stance_ramp: float = setting(0.3, 0.05, 1.0, help="Fraction of a fragment in which the standing leg's feedback comes in",
                                 source="measured: the thesis prints none (docs/notes/lee.md)")
    ankle_fade: float = 0.2  # Fraction of a fragment in which the standing ankle's displacement fades (Lee 2014, 3.3.2)
    double_ramp_s: float = 0.3  # The same in time, where two feet stand for long [s] (first guess)
    facing_m_s: float = 0.15  # Below this speed the way is where the pelvis faces [m/s] (first guess)
    stance_hip: float = setting(1.0, 0.0, 1.0, help="Layer: feedback on the standing hip", source=LAYER, searched=False)
    swing_hip: float = setting(1.0, 0.0, 1.0, help="Layer: feedback on the swinging hip", source=LAYER, searched=False)
    stance_ankle: float = setting(1.0, 0.0, 1.0, help="Layer: feedback on the standing ankle", source=LAYER, searched=False)
    swing_height: float = setting(1.0, 0.0, 1.0, help="Layer: feedback on the swinging foot's height, and its raise",
                                  source=LAYER, searched=False)
    foot_level: float = setting(1.0, 0.0, 1.0, help="Layer: the standing foot keeps the clip's angle to the ground",
                                source=LAYER, searched=False)
    synchronisation: float = setting(1.0, 0.0, 1.0, help="Layer: the clip waits for late feet and skips to early ones; on from "
                                     "0.5", source=LAYER, searched=False)
    reference_acceleration: float = setting(1.0, 0.0, 1.0, help="Layer: the clip's own accelerations are fed forward",
                                            source=LAYER, searched=False)


@dataclass(frozen=True)
class PenaltySettings(Checked):
    """The damped springs of the ground under each contact point, for a body of 75 kg on Earth."""

    WHOSE, FIELD, SOURCE = "The penalty ground's", "setting of the penalty ground", FIRST_GUESS
    stiffness_n_m: float = setting(100000.0, 100.0, 1e6, "N/m", "Stiffness under a contact point",
                                   source="measured: the 2000 N/m of Lee 2014 let this body sink by 7 cm")
    damping_mass_kg: float = 7.5  # Mass that the damping is critical for [kg] (a tenth of the body; Lee 2014 has 1 kg)
    creep_m_s: float = 0.05  # Slip below which friction goes with the slip [m/s] (Lee, Kim and Lee 2010, the authors' code)


@dataclass(frozen=True)
class LeeControls:
    """The groups of settings; the defaults are the printed ones."""

    lee: LeeSettings = LeeSettings()
    penalty: PenaltySettings = PenaltySettings()

    def groups(self) -> dict[str, Any]:
        return {f.name: getattr(self, f.name) for f in fields(self)}


def shot_controls(shot: Shot) -> LeeControls:
    """The printed settings, with those stored for the shot's clip and the shot's own. Raises InputError for unknown ones."""
    return replace(LeeControls(), **own_groups(LeeControls().groups(), motion_gains(shot)))
