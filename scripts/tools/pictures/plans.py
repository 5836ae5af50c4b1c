# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of plans and of what was measured: footsteps, pendulums, gravity, traces."""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from lope.addon.bodies.makers import make_body
from lope.addon.gaits.choice import LOPE_G, transition_speed
from lope.addon.gaits.froude import GaitVariables
from lope.addon.gaits.ranges import feasible_range
from lope.addon.gaits.tuned_maps import shot_points
from lope.addon.locomotion.gait.running.heights import ground_phase, take_off_speed
from lope.addon.locomotion.gait.shot_gait import gait_variables, shot_cycle
from lope.addon.locomotion.gait.walk.pendulum import Pendulum, PlaneState, roll_out
from lope.addon.locomotion.legged.foot_path import FootPath, Footstep
from lope.addon.locomotion.legged.pose import GaitTables
from lope.addon.motions.library import gait_names
from lope.addon.reports import activations as activation_plots
from lope.addon.reports.events import traces_of
from lope.addon.reports.plots import WORLD_COLOURS, earths, new_figure, style
from lope.addon.reports.strides import LEFT, strikes_s
from lope.addon.sim.simulation import preview, simulate
from lope.addon.specs.motions import Gait
from lope.addon.specs.muscles import Actuation
from lope.addon.specs.path import Footprint, PathSpec
from lope.addon.specs.shot import EARTH_GRAVITY_M_S2, BodySpec, Shot, World
from lope.addon.worlds.planets import load_world

from .figures import LEFT_COLOUR, RIGHT_COLOUR, SETTLED_STRIDES, TRUNK_COLOUR

PLANETS = ("moon", "mars", "earth", "jupiter")
LOCKED, LOCKED_S = Footprint(5, 3.60, -0.13), 14.0
"""A right footprint set back and out, and the length of its shot."""
TUNED = ("moon", "earth", "jupiter")


def footsteps():
    """The plan of a walk on the Moon from above, straight and on a circle."""
    figure, (left, right) = new_figure(13.0, 4.6, 1, 2, width_ratios=(1.9, 1.0))
    for axis, path in ((left, PathSpec()), (right, PathSpec("circle", radius_m=1.8))):
        plan = preview(Shot(motion=Gait(path=path), world=load_world("moon"), duration_s=14.0))
        axis.plot(*plan.cart_m[:, :2].T, color="0.55", linewidth=1.5, label="cart")
        axis.plot(*plan.com_m[:, :2].T, color="#d9a400", linewidth=2.0, label="centre of mass")
        for place, side in zip(plan.footstep_m, plan.footstep_side, strict=True):
            colour = LEFT_COLOUR if side == 0 else RIGHT_COLOUR
            axis.plot(*place[:2], marker="o", markersize=9, color=colour)
            axis.text(*place[:2], "L" if side == 0 else "R", color="white", fontsize=6, ha="center", va="center")
        axis.set(xlabel="forward [m]", ylabel="left [m]")
    left.set(ylim=(-0.16, 0.16), title=f"straight: {plan.speed_m_s:.2f} m/s, {plan.stride_frequency_hz:.2f} strides/s")
    right.set(aspect="equal", title="round a circle of 1.8 m")
    left.legend(loc="upper right", fontsize=9)
    return figure


def locked_footprint():
    """A footprint of the plan locked elsewhere, and how its neighbours and the centre of mass give way."""
    figure, (axis,) = new_figure(11.0, 3.6)
    moon = load_world("moon")
    free = preview(Shot(world=moon, duration_s=LOCKED_S))
    locked = preview(Shot(motion=Gait(footprints=(LOCKED,)), world=moon, duration_s=LOCKED_S))
    axis.plot(*free.com_m[:, :2].T, color="#d9a400", linewidth=1.2, linestyle=":", label="as it was")
    axis.plot(*locked.com_m[:, :2].T, color="#d9a400", linewidth=2.0, label="centre of mass")
    for plan, filled in ((free, False), (locked, True)):
        for number, (place, side) in enumerate(zip(plan.footstep_m, plan.footstep_side, strict=True)):
            colour = LEFT_COLOUR if side == 0 else RIGHT_COLOUR
            axis.plot(*place[:2], marker="o", markersize=11, color=colour, fillstyle="full" if filled else "none",
                      linestyle="none", alpha=1.0 if filled else 0.6)
            if filled:
                axis.text(*place[:2], str(number), color="white", fontsize=7, ha="center", va="center")
    axis.annotate("locked here", (LOCKED.x_m, LOCKED.y_m), (0, -20), textcoords="offset points", ha="center", fontsize=9)
    axis.set(xlabel="forward [m]", ylabel="left [m]", ylim=(-0.24, 0.16))
    axis.legend(loc="upper right", fontsize=9)
    return figure


def pendulum():
    """How the pendulum on a cart gets under way, with gains that follow gravity and with the Earth's; over time in steps of
    its own."""
    figure, axes = new_figure(13.0, 4.4, 1, 2, sharey=True)
    for axis, scaling, title in ((axes[0], "fixed", "state costs as on Earth (\"fixed\")"),
                                 (axes[1], "similar", "state costs with gravity (\"similar\")")):
        for world in PLANETS:
            gravity = load_world(world).gravity_m_s2
            pole = Pendulum(gravity, scaling=scaling)
            unit = math.sqrt(pole.length_m / gravity)
            wanted = 0.4 * math.sqrt(gravity * pole.length_m)
            step = 0.05 * unit
            states = roll_out(pole, PlaneState(), wanted, step, 300)
            times = step * np.arange(len(states))
            way = states[:, 2] - pole.length_m * np.cos(states[:, 1]) * states[:, 3]
            axis.plot(times / unit, way / wanted, color=WORLD_COLOURS[world], linewidth=2.4 if world == "moon" else 1.6,
                      linestyle="--" if world == "jupiter" else "-", label=world.capitalize())
        axis.set(title=title, xlabel="time / sqrt(l / g)")
    axes[0].set_ylabel("speed of the centre of mass / wanted")
    axes[0].legend(fontsize=9)
    return figure


def bounce():
    """Height, force and feet of one step of the run, on the Moon and on the Earth, as planned."""
    figure, axes = new_figure(13.0, 4.4, 1, 2)
    for axis, world in zip(axes, ("earth", "moon"), strict=True):
        shot = Shot(motion=Gait("run"), world=load_world(world))
        gait, gravity = gait_variables(shot, shot_cycle(shot), make_body(shot.body)), shot.world.gravity_m_s2
        ground, flight = 0.5 * gait.ground_s, 0.5 * gait.flight_s
        leaving = take_off_speed(0.0, flight, gravity)
        quintic = ground_phase(0.0, 0.0, (leaving, leaving), ground, gravity)
        stance, air = np.linspace(0.0, ground, 120), np.linspace(0.0, flight, 60)
        motion = quintic.at(stance)
        times = np.concatenate([stance, ground + air])
        heights = np.concatenate([motion.height, leaving * air - 0.5 * gravity * air**2])
        force = np.concatenate([1.0 + motion.acceleration / gravity, np.zeros(len(air))])
        axis.axvspan(0.0, ground, color="0.93")
        axis.plot(times, 100.0 * heights, color=style("run")["color"], linewidth=2.0)
        axis.set(xlabel="time [s]", ylabel="height of the centre of mass over touch-down [cm]",
                 title=f"run, {world.capitalize()}: {gait.speed_m_s:.2f} m/s, {ground:.2f} s on the ground, "
                       f"{flight:.2f} s in the air")
        beside = axis.twinx()
        beside.plot(times, force, color="0.35", linewidth=1.4, linestyle="--")
        beside.set(ylim=(0.0, 4.0), ylabel="planned force / m g (dashed)")
        beside.spines["top"].set_visible(False)
    return figure


def foot_map():
    """The walk's swing with and without the displacement maps that were tuned for three worlds, from the side and from
    above, and the maps' control points in the swing."""
    body, cycle = make_body(BodySpec()), shot_cycle(Shot())
    figure, (side_view, top_view) = new_figure(13.0, 4.4, 1, 2)
    maps = {"the gait's own": None} | {f"tuned for {world.capitalize()}": shot_points(Shot(world=load_world(world)))
                                       for world in TUNED}
    colours = ["black", *(WORLD_COLOURS[world] for world in TUNED)]
    for (label, points), colour in zip(maps.items(), colours, strict=True):
        tables = GaitTables(cycle, body, points)
        path = FootPath(tables, "L", 0.012)
        off = path.phases.toe_off
        lift = path.standing(Footstep("L", 0j, 0.0), [off], 0.0)[0]
        phases = np.linspace(off, 1.0, 90)
        poses = path.swinging(lift, Footstep("L", complex(tables.stride_m), 0.0), phases.tolist(), 0.0)
        way = np.array([pose.ankle for pose in poses])
        line = {"color": colour, "linewidth": 2.0, "linestyle": "--" if points is None else "-"}
        side_view.plot(way[:, 0], way[:, 2], **line, label=label)
        top_view.plot(way[:, 0], 100.0 * way[:, 1], **line)
        if points is not None:
            marks = off + (1.0 - off) * (np.arange(3) + 0.5) / 3.0
            at = [int(np.abs(phases - mark).argmin()) for mark in marks]
            side_view.plot(way[at, 0], way[at, 2], "o", color=colour, markersize=5)
            top_view.plot(way[at, 0], 100.0 * way[at, 1], "o", color=colour, markersize=5)
    side_view.set(xlabel="ankle forward [m]", ylabel="ankle up [m]", title="from the side")
    top_view.set(xlabel="ankle forward [m]", ylabel="ankle to the left [cm]", title="from above")
    side_view.legend(fontsize=9)
    return figure


SHOWN = {"walk": 14.0, "lope": 11.0}
"""Gaits and how long they are simulated [s]."""
LARGE = ("iliacus", "gluteus_maximus_middle", "gluteus_medius_middle", "semimembranosus", "biceps_femoris_short",
         "rectus_femoris", "vastus_lateralis", "gastrocnemius_medial", "soleus", "tibialis_anterior")
"""Muscles whose activation is shown."""
HALF_BAR = 0.36
"""Half the height of a foot's bar, in rows."""


def traces():
    """One stride of a walk and of a lope on the Moon: ground force over weight, height of the centre of mass, and the feet
    on the ground."""
    figure, axes = new_figure(12.0, 6.2, 3, 2, sharex="col", height_ratios=(2.0, 1.3, 0.6))
    for column, (gait, seconds) in enumerate(SHOWN.items()):
        take = simulate(Shot(motion=Gait(gait), world=load_world("moon"), duration_s=seconds))
        found, strikes = traces_of(take), strikes_s(take, LEFT)
        begin, end = strikes[SETTLED_STRIDES:SETTLED_STRIDES + 2]
        inside = (found.time_s >= begin) & (found.time_s <= end)
        share = 100.0 * (found.time_s[inside] - begin) / (end - begin)
        force, height, feet = axes[column], axes[2 + column], axes[4 + column]
        load = found.load[inside]
        force.plot(share, load, color=TRUNK_COLOUR, linewidth=1.8)
        force.axhline(1.0, color="0.6", linewidth=0.9, linestyle="--")
        force.annotate(f"peak {load.max():.1f}", (share[load.argmax()], load.max()), (4, -2), textcoords="offset points",
                       fontsize=9)
        force.set(title=f"{gait}, Moon: one stride of {end - begin:.2f} s", ylabel="ground force / weight", ylim=(0.0, None))
        height.plot(share, 100.0 * found.height_m[inside], color=TRUNK_COLOUR, linewidth=1.8)
        height.set(ylabel="height of the\ncentre of mass [cm]")
        _bars(feet, share, np.asarray(found.contact)[inside])
    return figure


def activations():
    """The large muscles of a walk by muscles over the cycle, and when people's are active."""
    take = simulate(Shot(actuation=Actuation(), duration_s=12.0))
    return activation_plots.draw(activation_plots.over_cycle(take), only=LARGE)


def _bars(axis, share: np.ndarray, contact: np.ndarray) -> None:
    """When each foot is on the ground, and when none is."""
    for row, colour in enumerate((LEFT_COLOUR, RIGHT_COLOUR)):
        axis.fill_between(share, row - HALF_BAR, row + HALF_BAR, where=contact[:, row], color=colour, step="mid")
    air = ~contact.any(axis=1)
    if air.any():
        axis.fill_between(share, -0.5, 1.5, where=air, color="0.9", step="mid", zorder=0)
    axis.set(xlabel="% of the stride" + (", grey: in the air" if air.any() else ""), ylim=(-0.5, 1.5), xlim=(0.0, 100.0))
    axis.set_yticks((0, 1), ("left", "right"))


GRAVITIES = np.geomspace(0.05, 3.0, 60) * EARTH_GRAVITY_M_S2
WORLDS = ("moon", "mars", "earth", "neptune", "jupiter")
NAMED = {"pluto": "Pluto", "moon": "Moon", "mars": "Mars", "venus": "Venus", "neptune": "Neptune", "jupiter": "Jupiter"}


def speed_and_strides():
    """The speed and the stride frequency that each gait takes over gravity when nothing is asked for, and the speeds at
    which people change from walking to running."""
    figure, (left, right) = new_figure(13.0, 5.4, 1, 2)
    shares, leg = GRAVITIES / EARTH_GRAVITY_M_S2, make_body(BodySpec()).leg_length_m
    low, high = np.array([transition_speed(g, leg) for g in GRAVITIES]).T
    left.fill_between(shares, low, high, color="0.85", label="people change from walking to running")
    left.axvline(LOPE_G, color="0.75", linewidth=0.9, linestyle="--")
    for gait in gait_names():
        found = [natural(gait, g) for g in GRAVITIES]
        plain = {**style(gait), "marker": None, "linewidth": 1.8, "label": gait}
        left.plot(shares, [v.speed_m_s for v in found], **plain)
        right.plot(shares, [v.stride_frequency_hz for v in found], **plain)
    for axis, what in ((left, "speed [m/s]"), (right, "strides a second")):
        _over_gravity(axis, what)
    for share, where, words in ((0.96, "right", "faster than a walk: lope"), (1.04, "left", "run")):
        left.text(share * LOPE_G, 0.96, words, ha=where, fontsize=8, color="0.35", transform=left.get_xaxis_transform())
    left.legend(fontsize=9, loc="lower right")
    return figure


def ranges():
    """The stored ranges of speed of every gait that has one, as bars over the worlds, with the speed taken when none is
    asked for."""
    figure, axes = new_figure(13.0, 3.6, 1, len(WORLDS), sharey=True)
    leg = make_body(BodySpec()).leg_length_m
    gaits = [gait for gait in gait_names() if feasible_range(gait, EARTH_GRAVITY_M_S2, leg) is not None]
    for axis, world in zip(axes, WORLDS, strict=True):
        gravity = load_world(world).gravity_m_s2
        for row, gait in enumerate(gaits):
            low, high = feasible_range(gait, gravity, leg)
            axis.barh(row, high - low, left=low, height=0.56, color=style(gait)["color"], alpha=0.45)
            own = natural(gait, gravity).speed_m_s
            axis.plot([own, own], [row - 0.36, row + 0.36], color="black", linewidth=1.8)
            axis.text(low, row + 0.4, f"{low:.2f} to {high:.2f}", fontsize=8, color="0.3", va="bottom")
        axis.set(title=f"{world.capitalize()}, {gravity:.2f} m/s²", xlabel="speed [m/s]", xlim=(0.0, None),
                 ylim=(-0.6, len(gaits) - 0.1))
    axes[0].set_yticks(range(len(gaits)), gaits)
    return figure


@cache
def natural(gait: str, gravity_m_s2: float) -> GaitVariables:
    """What a gait of the default body takes under a gravity when neither speed nor frequency is asked for."""
    shot = Shot(motion=Gait(gait), world=World("picture", float(gravity_m_s2)))
    return gait_variables(shot, shot_cycle(shot), make_body(shot.body))


def _over_gravity(axis, what: str) -> None:
    """Both axes logarithmic, with the names of worlds above."""
    axis.set(xscale="log", yscale="log", xlabel="gravity / Earth's", ylabel=what)
    for direction in (axis.xaxis, axis.yaxis):
        direction.set_major_formatter("{x:g}")
        direction.set_minor_formatter(lambda value, _: f"{value:g}" if f"{value:.0e}"[0] in "235" else "")
    top = axis.get_ylim()[1]
    for world, label in {**NAMED, "earth": "Earth"}.items():
        share = earths(load_world(world).gravity_m_s2)
        axis.axvline(share, color="0.9", linewidth=0.8, zorder=0)
        axis.text(share, top * 1.04, label, rotation=45, fontsize=8, color="0.35", ha="left", va="bottom")
