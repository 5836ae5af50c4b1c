# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether clips are followed to their ends: plainly, under hard conditions, and by the controller lee.

    scripts/check follow [clips] CLIP.bvh|FOLDER ... [--only TEXT] [--worlds earth moon ...] [--seeds 3] [--noise 0.02]
    [--flights] scripts/check follow clips PRESSURE.npz ... --database DB.npz scripts/check follow hard CLIP.bvh ... [--kinds push
    slope legs shorter load friction] [--scale 1] [--repeat --seconds 44] scripts/check follow lee CLIP.bvh ... [--layers]

`clips`: one in twenty may fall. With `--flights` flights of 0.1 s and more are told, too: how far their times are from 2 v / g,
how far momentum and angular momentum are kept in them, and how deep soles are in the ground. `hard`: pushes, slopes, other legs,
a load or a shorter leg that the controller does not know, other friction; none may fall. Pushes come every 4 s for 40 s from one
side, those that Lee 2014 withstood; a clip goes round for them with `--repeat`. `lee`: its stored gains, on the engine `ideal`;
with `--layers` also without each of its layers in turn: without one of those that it cannot do without it must lose steps. """

from __future__ import annotations

from lope.scripts.tools.common import clips_in

# isort: split
import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from lope.addon.bodies.body import Body, Segment
from lope.addon.bodies.kinematics import specific_angular_momentum_of_poses
from lope.addon.bodies.makers import body_from_dict, make_body
from lope.addon.locomotion.motion_gains import stored_file
from lope.addon.locomotion.settings import read_settings
from lope.addon.reports.feet import LEAST_SAMPLES, Flight, depths_m, flights
from lope.addon.sim.simulation import Simulation
from lope.addon.sim.take import Take
from lope.addon.specs.motions import Clip
from lope.addon.specs.path import GroundSpec
from lope.addon.specs.shot import BodySpec, Push, Shot
from lope.addon.worlds.planets import load_world
from lope.scripts.suites.runner import STANDS, Case, Figures, Row, Suite, Table, at_most, simulated

KINDS = ("push", "slope", "legs", "shorter", "load", "friction")
LEAST_FLIGHT_S = 0.1
"""Shorter moments in the air are a foot's chatter on the ground."""
NEEDED = ("synchronisation", "stance_hip", "swing_hip", "stance_ankle")
"""Layers without which lee's walk has to lose steps; without the others it may only look worse (Lee 2014, 3.4)."""
LAYERS = (*NEEDED, "swing_height", "foot_level", "reference_acceleration")
FALLING_S = 0.5
"""How long a fall takes, about, until it counts as one."""


def shot_of(clip: Path, case: Case, args: argparse.Namespace, controller: str = "follow", **values) -> Shot:
    """A clip followed in a world; the first seed has no noise."""
    ground = GroundSpec(kind="slope", slope_deg=args.slope) if args.slope else GroundSpec()
    noise = args.noise if args.noise is not None else {"follow": 0.02, "lee": 0.03}[controller]
    motion = Clip(str(clip), flight=args.flight, time=args.time, database=args.database, repeat=args.repeat,
                  controller=controller, until_end=args.seconds is None)
    return Shot(world=replace(load_world(case.world), ground=ground), motion=motion,
                duration_s=args.seconds or Shot().duration_s, seed=case.seed or 0,
                noise=noise if case.seed else 0.0, engine=args.engine or ("ideal" if controller == "lee" else "mujoco"), **values)


def followed(take: Take) -> Figures:
    """How far a take is from its clip."""
    error, off_m = (take.channels[f"follow_{what}"].values for what in ("joint_error_deg", "com_off_plan_m"))
    return {"of_s": float(take.shot.duration_s), "followed": take.stats["followed_fraction"],
            "joints_deg": float(np.sqrt(np.mean(error**2))), "com_cm": float(100 * off_m.mean()),
            "com_most_cm": float(100 * off_m.max()), "timing_ms": take.stats["touchdown_timing_ms_median"] or 0.0}


def clips(args: argparse.Namespace) -> Iterator[tuple[str, Path]]:
    """Every clip."""
    return ((clip.stem, clip) for clip in clips_in(args.clips))


def clip(case: Case, args: argparse.Namespace) -> Figures:
    """A clip that is followed."""
    take, figures = simulated(shot_of(case.what, case, args, gains=read_settings(args.setting) or None), case, args)
    weight = take.body.mass_kg * take.shot.world.gravity_m_s2
    figures |= followed(take) | {"foot_cm": 100 * take.stats["foot_off_print_m_max"],
                                 "fz": float(take.grf_n[1:, :, 2].sum(axis=1).mean() / weight)}
    return figures | (flown(take) if args.flights else {})


def flown(take: Take) -> Figures:
    """The flights of one run: off free fall, off a kept momentum [%], and how deep soles are."""
    found = [flight for flight in flights(take) if flight.duration_s >= LEAST_FLIGHT_S]
    changes = [change for flight in found if (change := momentum_change(take, flight)) is not None]
    linear, angular = (100 * max((change[i] for change in changes), default=0.0) for i in (0, 1))
    return {"flights_s": " ".join(f"{flight.duration_s:.2f}" for flight in found) or None,
            "flight_percent": 100 * max((abs(flight.over_ballistic - 1.0) for flight in found), default=0.0),
            "momentum_percent": linear, "angular_percent": angular, "deep_mm": 1e3 * float(depths_m(take).max())}


def hard(args: argparse.Namespace) -> Iterator[tuple[str, tuple[Path, Hard]]]:
    """Every hard case of every clip."""
    for path in clips_in(args.clips):
        for one in hard_cases(args.scale, args.push_s):
            if one.kind in args.kinds:
                yield f"{path.stem} {one.name}", (path, one)


def hard_one(case: Case, args: argparse.Namespace) -> Figures:
    """A clip under a hard condition."""
    path, one = case.what

    def run(shot: Shot) -> Take:
        simulation = Simulation(shot)
        if one.plant is not None:
            simulation.close()
            simulation = Simulation(shot, plant=one.plant(simulation.body))
        try:
            for _ in range(round(simulation.shot.duration_s / simulation.control_step_s) + 1):
                if not simulation.ended:
                    simulation.step()
        finally:
            simulation.close()
        return simulation.take()

    shot = one.shot(shot_of(path, case, args, gains=read_settings(args.setting) or None))
    take, figures = simulated(shot, case, args, run)
    return figures | followed(take)


def layered(args: argparse.Namespace) -> Iterator[tuple[str, tuple[Path, str]]]:
    """Every clip, whole and without each layer."""
    for path in clips_in(args.clips):
        for layer in ("", *(LAYERS if args.layers else ())):
            yield f"{path.stem}{f' -{layer}' if layer else '' if stored_file('lee', path) else ' (general gains)'}", (path, layer)


def lee(case: Case, args: argparse.Namespace) -> Figures:
    """A clip by lee; of a body without a layer it is not asked to stand."""
    path, layer = case.what
    gains = read_settings([*args.setting, *([f"lee.{layer}=0"] if layer else [])]) or None
    take, figures = simulated(shot_of(path, case, args, "lee", gains=gains), case, args)
    end = figures.pop("fell_s")
    steps = int((take.plan_footstep_time_s < (np.inf if end is None else end - FALLING_S)).sum())
    figures |= {"without_fell_s" if layer else "fell_s": end, "steps": steps, "torque_nm": float(np.abs(take.torque_nm).max())}
    return figures | followed(take)


def lost_steps(rows: list[Row], args: argparse.Namespace) -> Iterator[Row]:
    """Whether steps are lost without each layer that is needed."""
    steps = {row.case: row.figures.get("steps") for row in rows}
    for name, count in steps.items():
        stem, mark, rest = name.partition(" -")
        layer, _, where = rest.partition(" ")
        whole = steps.get(f"{stem} {where}", steps.get(f"{stem} (general gains) {where}"))
        if mark and layer in NEEDED and None not in (count, whole):
            yield Row("lee", f"steps of {name}", {"left_of_whole": count - whole}, {"left_of_whole": at_most(-1)})


def options(parser: argparse.ArgumentParser) -> None:
    """The suite's own."""
    parser.add_argument("clips", type=Path, nargs="+", metavar="CLIP", help="clips, folders of them, or pressure with --database")
    parser.add_argument("--database", metavar="DB.npz", help="the motions by which pressure is read, in place of clips")
    parser.add_argument("--noise", type=float, help="of the starts of all seeds but the first (default: 0.02; lee 0.03)")
    parser.add_argument("--engine", help="default: mujoco; lee's ideal")
    parser.add_argument("--slope", type=float, default=0.0, help="degrees")
    parser.add_argument("--flight", default=Clip.flight)
    parser.add_argument("--time", default=Clip.time)
    parser.add_argument("--setting", action="append", default=[], metavar="GROUP.NAME=VALUE")
    parser.add_argument("--flights", action="store_true", help="tell of flights, too")
    parser.add_argument("--repeat", action="store_true", help="let the clip go round")
    parser.add_argument("--seconds", type=float, help="of each run (default: the whole clip)")
    parser.add_argument("--kinds", nargs="*", default=KINDS, choices=KINDS, help="hard: which")
    parser.add_argument("--scale", type=float, default=1.0, help="hard: of the pushes (default: 1)")
    parser.add_argument("--push-s", type=float, default=42.0, help="hard: no push begins later (default: 42)")
    parser.add_argument("--layers", action="store_true", help="lee: also without each of its layers")


FLOWN = {"flight_percent": at_most(1.0), "momentum_percent": at_most(1.0), "angular_percent": at_most(1.0),
         "deep_mm": at_most(5.0)}
SUITE = Suite(
    {"clips": Table(clips, clip, STANDS | FLOWN, may_fail=0.05), "hard": Table(hard, hard_one, STANDS, worlds=("earth",)),
     "lee": Table(layered, lee, STANDS, end=lost_steps, worlds=("earth",))},
    options, {"seconds": 2.0, "kinds": ("load",), "worlds": ["earth"]}, default=("clips",),
    worlds=("earth", "moon", "mars", "jupiter"), seeds=1, takes=True)


def changed(body: Body, segments: dict[str, Segment]) -> Body:
    """The body with some of its segments replaced; of the same kind, with the same muscles."""
    data = body.to_dict()
    parts = type(body)([segments.get(s.name, s) for s in body.segments], body.contact_points, body.feet, roles=body.roles,
                       bare_mass_kg=body.bare_mass_kg, **({"landmarks": body.landmarks} if "landmarks" in data else {}))
    return body_from_dict(parts.to_dict())


def loaded(body: Body, segment: str, load_kg: float) -> Body:
    """The body with a load strapped to the middle of a segment, small against it."""
    old = body.segment(segment)
    mass = old.mass_kg + load_kg
    middle = 0.5 * old.tip
    com = (old.mass_kg * old.com + load_kg * middle) / mass
    inertia = old.inertia + old.mass_kg * _spread(old.com - com) + load_kg * _spread(middle - com)
    return changed(body, {segment: replace(old, mass_kg=mass, com=com, inertia=inertia)})


def _spread(away: np.ndarray) -> np.ndarray:
    """Inertia (3, 3) over mass of a point about another one."""
    return away @ away * np.eye(3) - np.outer(away, away)


def shorter_leg(body: Body, side: str, factor: float) -> Body:
    """The body with thigh and shank of a side as many times as long."""
    found = {}
    for upper, lower in ((f"thigh_{side}", f"shank_{side}"), (f"shank_{side}", f"foot_{side}")):
        old = found.get(upper, body.segment(upper))
        found[upper] = replace(old, tip=factor * old.tip, com=factor * old.com)
        found[lower] = replace(body.segment(lower), offset=factor * body.segment(lower).offset)
    return changed(body, found)


WAYS = {"front": (-1.0, 0.0), "rear": (1.0, 0.0), "right": (0.0, 1.0), "left": (0.0, -1.0)}
"""Which way a push goes that comes from there; the clip walks along x."""
PUSHES_N = {"front": 160.0, "rear": 130.0, "right": 80.0, "left": 105.0}
"""What the thesis withstood in its normal walk, at the torso's centre of mass."""
PUSH_S, PUSH_EVERY_S, FIRST_PUSH_S = 0.4, 4.0, 2.0
SLOPES_DEG = (6.0, -8.0, 8.0, -4.0)
LEGS = (0.5, 0.7, 1.3, 1.5)
LOADS = (("thigh_R", 15.0), ("shank_R", 5.0), ("shank_R", 15.0), ("chest", 15.0))
FRICTIONS = (0.3, 0.45, 0.6, 2.0)
SHORTER = 0.97


@dataclass(frozen=True)
class Hard:
    """What is done to a shot: `shot` changes it, `plant` the body in the engine, which the controller is not told."""

    kind: str
    name: str
    shot: Callable[[Shot], Shot] = lambda shot: shot
    plant: Callable[[Body], Body] | None = None


def pushed(way: str, force_n: float, until_s: float, first_s: float = FIRST_PUSH_S, push_s: float = PUSH_S) -> tuple[Push, ...]:
    """Pushes at the chest from a side, again and again until a time."""
    x, y = WAYS[way]
    count = max(int((until_s - first_s) / PUSH_EVERY_S), 1)
    return tuple(Push(first_s + i * PUSH_EVERY_S, push_s, (force_n * x, force_n * y, 0.0)) for i in range(count))


def scaled_legs(spec: BodySpec, factor: float) -> BodySpec:
    """The same figure on legs as many times as long: what is above the hips keeps its size, what is below goes with them."""
    landmarks = {name: np.array(point) for name, point in make_body(spec).landmarks.items()}
    for name, point in landmarks.items():
        stem, _, side = name.rpartition("_")
        if stem in ("knee", "ankle", "heel", "toes", "toe_tip"):
            hip = landmarks[f"hip_{side}"]
            landmarks[name] = hip + factor * (point - hip)
    floor = [0.0, 0.0, min(point[2] for point in landmarks.values())]
    return replace(spec, landmarks={name: tuple((point - floor).tolist()) for name, point in landmarks.items()})


def hard_cases(scale: float = 1.0, until_s: float = 42.0) -> list[Hard]:
    """All of them; `scale` multiplies the pushes."""

    def world(**fields: object) -> Callable[[Shot], Shot]:
        return lambda shot: replace(shot, world=replace(shot.world, **fields))

    found = [Hard("push", f"push {way} {scale * force_n:.0f} N", lambda shot, way=way, force_n=force_n: replace(
        shot, pushes=pushed(way, scale * force_n, until_s))) for way, force_n in PUSHES_N.items()]
    found += [Hard("slope", f"slope {deg:+g}", world(ground=GroundSpec(kind="slope", slope_deg=deg))) for deg in SLOPES_DEG]
    found += [Hard("legs", f"legs x {factor:g}", lambda shot, factor=factor: replace(
        shot, body=scaled_legs(shot.body, factor))) for factor in LEGS]
    found += [Hard("shorter", f"{side} leg 3 % shorter", plant=lambda body, side=side: shorter_leg(body, side, SHORTER))
              for side in "LR"]
    found += [Hard("load", f"{kg:g} kg on {name}", plant=lambda body, name=name, kg=kg: loaded(body, name, kg))
              for name, kg in LOADS]
    return found + [Hard("friction", f"friction {mu:g}", world(friction=mu)) for mu in FRICTIONS]


BESIDE_CONTACT = 2
"""So many samples after the last force and before the first a difference of poses still reaches into the contact."""


def momentum_change(take: Take, flight: Flight) -> tuple[float, float] | None:
    """By how much a flight changes what nothing may change in the air: the momentum less what gravity gives, over that at the
    take-off, and the angular momentum about the centre of mass, over the largest that the body has in the take. None for a
    flight of so few samples without any force that nothing can be told."""
    rows = np.flatnonzero((take.time_s >= flight.start_s) & (take.time_s <= flight.end_s) & (take.grf_n == 0.0).all(axis=(1, 2)))
    rows = rows[BESIDE_CONTACT:-BESIDE_CONTACT]
    if len(rows) < LEAST_SAMPLES:
        return None
    first, last = int(rows[0]), int(rows[-1])
    off, landing = take.com_velocity_m_s[first], take.com_velocity_m_s[last]
    lasted = take.time_s[last] - take.time_s[first]
    change = landing - off + np.array([0.0, 0.0, flight.gravity_m_s2 * lasted])
    momentum = specific_angular_momentum_of_poses(take.body, *take.segment_poses, float(np.median(np.diff(take.time_s))))
    most = np.linalg.norm(momentum, axis=1).max()
    return (float(np.linalg.norm(change) / np.linalg.norm(off)),
            float(np.linalg.norm(momentum[last] - momentum[first]) / most))
