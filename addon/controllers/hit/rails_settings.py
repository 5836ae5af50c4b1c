# SPDX-License-Identifier: GPL-3.0-or-later
"""How stiff joints are whose root is on rails."""

from __future__ import annotations

from dataclasses import dataclass

from ...specs.settings import Checked, setting


@dataclass(frozen=True)
class RailsSettings(Checked):
    """A joint's stiffness is M (w^2 + s |tau|) + t k + h m g_E l + u m g l up: M the inertia of what it moves, tau the torque
    that the motion needs there, k the relaxed joint's own stiffness, m g l the most that gravity can turn it by, g_E the
    Earth's, and `up` the share of l that stands over it. Its damping is a share of the critical one. All of it follows from the
    motion alone: what hits the body changes nothing."""

    WHOSE, SOURCE = "The rails'", "measured over clips and hits (docs/notes/hits-on-rails.md)"
    stiffness_rad_s: float = setting(4.0, 0.0, 100.0, "rad/s", "w: natural frequency of a joint without torque or gravity")
    per_torque: float = setting(1.0, 0.0, 100.0, "1/(N m s^2)", "s: what each newton metre that the motion needs adds to w"
                                " squared", source="the law of Yin 2007, chapter 5; its size measured")
    tissue: float = setting(4.0, 0.0, 20.0, help="t: stiffness over that of the relaxed joint, as it was measured on people")
    held: float = setting(0.75, 0.0, 10.0, help="h: stiffness over the most that the Earth's gravity can turn a joint "
                          "by: muscles are as strong on the Moon")
    held_up: float = setting(2.0, 0.0, 10.0, help="u: what is added where all of that stands over its joint; trunk and arms "
                             "that stand straight up need 2.4 in all to stay up by themselves")
    damping: float = setting(0.8, 0.0, 5.0, help="Damping of a joint over the critical one")
    stiff_rad_s: float = setting(20.0, 0.0, 200.0, "rad/s", "Natural frequency at a looseness of 0; at 1 it is w")
