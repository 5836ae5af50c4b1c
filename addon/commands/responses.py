# SPDX-License-Identifier: GPL-3.0-or-later
"""`lope responses`: push responses by example: a library of clips, the one that answers a push, and Lope's own library."""

from __future__ import annotations

import argparse
import cmath
import math
import sys
from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..bodies.makers import make_body
from ..checks import check_number
from ..errors import InputError, unknown_name
from ..files import temporary_folder
from ..motions.responses.laying import Played, play
from ..motions.responses.response import OWN, STRATEGIES, Library, Response, load_library, unit_m_s, unit_s
from ..motions.responses.selection import Found, Now, bears, find
from ..options.body_options import add_body_options, body_from
from ..options.outputs import blender_room, check_output, find_armature, open_scene
from ..progress import Progress
from ..sim.example_take import example_take
from ..sim.take import Take
from ..specs.motions import Stand
from ..specs.shot import BodySpec, Push, Shot, World
from ..worlds.planets import load_world, world_from_gravity, world_names
from .outcome import Outcome, table

DIRECTIONS = {"forward": 0.0, "left": 90.0, "back": 180.0, "right": -90.0}
FORM = "degrees, 0 forward and positive to the left, or " + ", ".join(DIRECTIONS)
FASTEST_M_S = 20.0


def shove_from(text: str) -> complex:
    """The push [m/s], x ahead and y left, written as "left,0.6" or "135,0.6". Raises InputError."""
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 2:
        raise InputError(f"A push is DIRECTION,M/S such as left,0.6 or 135,0.6; got {text!r}.")
    way, speed = parts
    if way in DIRECTIONS:
        degrees = DIRECTIONS[way]
    else:
        try:
            degrees = float(way)
        except ValueError:
            raise unknown_name("direction", way, DIRECTIONS) from None
    check_number("The direction of a push", degrees, -360.0, 360.0, "degrees")
    return cmath.rect(_number(speed, text), math.radians(degrees))


def _number(speed: str, text: str) -> float:
    try:
        value = float(speed)
    except ValueError:
        raise InputError(f"The speed of a push is a number of m/s, got {text!r}.") from None
    check_number("The speed of a push", value, 0.01, FASTEST_M_S, "m/s")
    return value


def then_from(text: str) -> tuple[float, complex]:
    """When [s] after the first push, and the push, written as "0.6,right,0.4". Raises InputError."""
    when, _, push = text.partition(",")
    try:
        seconds = float(when)
    except ValueError:
        raise InputError(f"A push that comes then is T,DIRECTION,M/S such as 0.6,right,0.4; got {text!r}.") from None
    check_number("The time of a push", seconds, 0.0, 60.0, "s")
    return seconds, shove_from(push)


def forces_from(text: str | None) -> tuple[float, ...]:
    """The forces [N] written as "50,100,200"; none without a text. Raises InputError."""
    try:
        forces = tuple(float(part) for part in (text or "").split(",") if part.strip())
    except ValueError:
        raise InputError(f"--forces are numbers of newtons such as 50,100,200; got {text!r}.") from None
    for force in forces:
        check_number("A force", force, 1.0, 5000.0, "N")
    return forces


def allowed_from(text: str | None) -> tuple[str, ...]:
    """The strategies written as "ankles,hips"; all without a text. Raises InputError."""
    if text is None:
        return STRATEGIES
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    for name in names:
        if name not in STRATEGIES:
            raise unknown_name("strategy", name, STRATEGIES)
    if not names:
        raise InputError(f"--allow names strategies: some of {', '.join(STRATEGIES)}.")
    return names


EXAMPLE = """examples:
  lope responses find --push left,0.6                        0.6 m/s to the left: what would be played, and how it is fitted
  lope responses find --push 180,0.5 --allow ankles,hips,arms   backward on a ledge: without a step
  lope responses find --push 0,0.7 --then 0.6,right,0.4 --out shoved.npz   pushed again after 0.6 s; a take to bake
  lope responses index clips/ --out mine.npz                 a library of your own clips
  lope responses find --library mine.npz --push forward,1 --blend scene.blend --armature Rig --out shoved.npz"""
ACTIONS = ("find", "index", "make")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", metavar="|".join(ACTIONS), help="what to do")
    parser.add_argument("folder", nargs="?", metavar="DIR", help="after index: a folder of .bvh clips, or .fbx (needs Blender)")
    parser.add_argument("--out", metavar="FILE.npz", help="after find: where to write the motion as a take (default: it is only "
                        "told); after index and make: where to write the library")
    find = parser.add_argument_group("find")
    find.add_argument("--library", metavar="NAME|FILE.npz", help="the library, by name or as a file (default: Lope's own)")
    find.add_argument("--push", metavar="DIRECTION,M/S", help=f"the push: {FORM}; and the speed that it gives the centre of "
                      "mass: force times duration over mass")
    find.add_argument("--then", action="append", default=[], metavar="T,DIRECTION,M/S",
                      help="another push T seconds after the first; may be repeated")
    find.add_argument("--allow", metavar="NAME,...", help="only these strategies, of ankles, hips, arms, step and "
                      "steps (default: all)")
    where = parser.add_argument_group("where, and who (find)")
    place = where.add_mutually_exclusive_group()
    place.add_argument("--world", metavar="NAME", help=f"one of {', '.join(world_names())} (default: earth)")
    place.add_argument("--gravity", type=float, metavar="M/S^2", help="any gravity from 0.05 to 3 g instead")
    add_body_options(where)
    made = parser.add_argument_group("index and make")
    made.add_argument("--licence", metavar="TEXT", help="after index: under which licence the clips are, kept in the library")
    made.add_argument("--directions", type=int, metavar="N", help="after make: round the circle (default: 16)")
    made.add_argument("--forces", metavar="N,N,...", help="after make: pushes [N] of 0.2 s on 75 kg, the weakest first (default: "
                      "twelve from 50 to 450)")


def run(args: argparse.Namespace) -> Outcome:
    """Find, index or make."""
    if args.what not in ACTIONS:
        raise unknown_name("action of `lope responses`", args.what, ACTIONS)
    if args.folder is not None and args.what != "index":
        raise InputError(f"`lope responses {args.what}` reads no folder; {args.folder} belongs to `lope responses index`.")
    return {"find": _find, "index": _index, "make": _make}[args.what](args)


def _find(args: argparse.Namespace) -> Outcome:
    """The response to a push, and to those that come then."""
    if args.push is None:
        raise InputError(f"Say how hard, and which way: --push DIRECTION,M/S, the direction {FORM}.")
    pushes = [(0.0, shove_from(args.push)), *(then_from(text) for text in args.then)]
    allowed, out = allowed_from(args.allow), None if args.out is None else check_output(args, "out")
    world = load_world(args.world or "earth") if args.gravity is None else world_from_gravity(args.gravity)
    answered = Answered(load_library(args.library or OWN), pushes, body_from(args), world, allowed)
    if out is not None:
        answered.take().save(out)
        print(f"Take written to {out}.", file=sys.stderr)
    report = answered.report()
    return Outcome(report, table(report))


def _index(args: argparse.Namespace) -> Outcome:
    """The library of a folder of clips."""
    if args.folder is None or args.out is None:
        raise InputError("`lope responses index` needs a folder of clips and --out FILE.npz.")
    from ..motions.responses.measuring import Indexed, index_folder

    out = check_output(args, "out", reads=clip_files(Path(args.folder)))
    clips: list[dict[str, Any]] = []

    def told(one: Indexed) -> None:
        clips.append({"clip": one.path.name, "responses": len(one.responses), **({"reason": one.reason} if one.reason else {})})

    library = index_folder(args.folder, clips_in(Path(args.folder)), args.licence or "not told", told)
    library.save(out)
    print(f"Library written to {out}.", file=sys.stderr)
    report = {"library": str(out), "clips": clips, "responses": [row(response) for response in library.responses]}
    return Outcome(report, table(report))


def _make(args: argparse.Namespace) -> Outcome:
    """Lope's own library, simulated."""
    if args.out is None:
        raise InputError("`lope responses make` needs --out FILE.npz: it simulates for some minutes.")
    out = check_output(args, "out")
    from ..search.push_responses import Grid, make_library

    grid = Grid(args.directions or Grid.directions, forces_from(args.forces) or Grid.forces)
    with Progress(sys.stderr, args.json) as progress:
        library = make_library(grid, lambda done, count, words: progress(done / count, words))
    library.save(out)
    print(f"Library written to {out}.", file=sys.stderr)
    counts = dict(Counter(response.strategy for response in library.responses))
    report = {"library": str(out), "responses": len(library.responses), "strategies": counts}
    return Outcome(report, table(report))


BEFORE_S, AFTER_S = 0.3, 0.5
"""How long a take stands before the first push, and at its end."""
PUSH_S = 0.2
"""How long a push of the take's shot lasts, by which it could be simulated (a person's shove)."""


def row(response: Response) -> dict[str, Any]:
    """A response of a library, speeds as of a body of the standard size on Earth."""
    return {"response": response.name, "strategy": response.strategy, "steps": response.steps,
            "direction_deg": round(math.degrees(response.direction_rad), 1),
            "strength_m_s": round(response.strength * unit_m_s(make_body(BodySpec())), 3), "source": response.source}


class Answered:
    """Pushes one after the other, answered from a library: `found` and `played` of each, the times of their pushes [s]."""

    def __init__(self, library: Library, pushes: Sequence[tuple[float, complex]], spec: BodySpec, world: World,
                 allowed: Collection[str]) -> None:
        self.spec, self.world, self.body = spec, world, make_body(spec)
        self.pushes = sorted(pushes, key=lambda one: one[0])
        self.found: list[Found] = []
        self.played: list[Played] = []
        gravity, last = world.gravity_m_s2, 0.0
        for when, push in self.pushes:
            now: Now | None = self.played[-1].at(when - last) if self.played else None
            one = find(library, push, self.body, gravity, now, allowed)
            if one is None:
                raise InputError(_none(library, push, when, now, allowed, unit_m_s(self.body, gravity)))
            self.found.append(one)
            self.played.append(play(one, self.body, gravity, now=now))
            last = when

    def report(self) -> dict[str, Any]:
        """What was found, for the first push; those that come then under `then`."""
        first, *others = [self._row(i) for i in range(len(self.found))]
        lasts_s = self.pushes[-1][0] + float(self.played[-1].times_s[-1])
        return {**first, "duration_s": round(lasts_s, 2), **({"then": others} if others else {})}

    def _row(self, i: int) -> dict[str, Any]:
        found, unit = self.found[i], unit_m_s(self.body, self.world.gravity_m_s2)
        by = found.adaptation
        return {"strategy": found.strategy, "steps": found.response.steps, "response": found.response.name,
                "strength_m_s": round(found.strength * unit, 3), "needed_m_s": round(abs(found.push) * unit, 3),
                "begins_s": round(found.begin * found.response.step * self._unit_s(), 2),
                "milder": round(by.eps, 3), "turned_deg": round(math.degrees(by.turn_rad), 1),
                "to_the_middle": round(2.0 * by.neutral, 3), "off_deg": round(math.degrees(found.off_rad), 1)}

    def _unit_s(self) -> float:
        return unit_s(self.body, self.world.gravity_m_s2)

    def take(self) -> Take:
        """The whole motion as a take, standing before and at its end."""
        poses, planted = [], []
        for i, played in enumerate(self.played):
            count = len(played.qpos)
            if i + 1 < len(self.played):
                count = played.index(self.pushes[i + 1][0] - self.pushes[i][0])
                late = round((self.pushes[i + 1][0] - self.pushes[i][0]) / played.step_s) - count
            else:
                late = round(AFTER_S / played.step_s)
            poses += [played.qpos[:count], np.repeat(played.qpos[-1:], max(late, 0), axis=0)]
            planted += [played.planted[:count], np.repeat(played.planted[-1:], max(late, 0), axis=0)]
        step_s, first = self.played[0].step_s, round(BEFORE_S / self.played[0].step_s)
        poses.insert(0, np.repeat(self.played[0].qpos[:1], first, axis=0))
        planted.insert(0, np.ones((first, *self.played[0].planted.shape[1:]), dtype=bool))
        steps = sum(found.response.steps for found in self.found)
        stats = {"strategy": self.found[-1].strategy, "steps_taken": steps,
                 "by_example": "; ".join(found.response.name for found in self.found)}
        return example_take(self._shot(step_s * (sum(map(len, poses)) - 1), first * step_s), self.body, step_s,
                            np.concatenate(poses), np.concatenate(planted), stats)

    def _shot(self, length_s: float, first_s: float) -> Shot:
        """The shot that simulates the same pushes."""
        push_s = round(PUSH_S * self._unit_s() / unit_s(self.body), 4)  # as slowly as things fall there
        newtons = self.body.mass_kg / push_s
        pushes = tuple(Push(round(first_s + when, 4), push_s, (newtons * push.real, newtons * push.imag, 0.0))
                       for when, push in self.pushes)
        return Shot(motion=Stand(), body=self.spec, world=self.world, duration_s=round(length_s, 4), pushes=pushes)


def _none(library: Library, push: complex, when: float, now: Now | None, allowed: Collection[str], unit: float) -> str:
    """Why nothing was found."""
    what = f"The library {library.name} has no response to a push of {_told(push)}"
    if when > 0.0:
        what += f" after {when:g} s"
    what += f" by {', '.join(allowed)}"
    if not any(response.strategy in allowed for response in library.responses):
        return f"{what}: none of its responses is of that kind."
    needed = push + (0j if now is None else unit * now.momentum)
    most = unit * bears(library, needed / abs(needed), allowed)
    left = "" if now is None else f"with what is left of the push before {_told(needed)} are to be recovered, and "
    why = f"that way {most:.2f} m/s can be recovered at most" if most < abs(needed) else "nobody in it goes on from that pose"
    return (f"{what}: {left}{why}. Push more gently, allow more, or simulate it (`lope simulate --gait stand`): who cannot stay "
            "up falls.")


def _told(push: complex) -> str:
    return f"{abs(push):.2f} m/s towards {math.degrees(cmath.phase(push)):.0f} degrees"


IMPORTED = (".fbx", ".glb", ".gltf", ".vrm")


def clips_in(folder: Path) -> list[Path]:
    """BVH files of all clips in a folder, by name. Raises InputError for a folder that is not there or holds none, and where a
    clip needs Blender that is not there."""
    found: list[Path] = []
    for path in clip_files(folder):
        found += _imported(path) if path.suffix.lower() in IMPORTED else [path]
    if not found:
        raise InputError(f"The folder {folder} holds no clips: expected .bvh files, or {', '.join(IMPORTED)} for Blender.")
    return found


def clip_files(folder: Path) -> list[Path]:
    """The files in a folder that are read as clips, by name. Raises InputError for a folder that is not there."""
    if not folder.is_dir():
        raise InputError(f"The folder of clips {folder} is {'a file' if folder.exists() else 'not there; check the path'}.")
    return [path for path in sorted(folder.iterdir()) if path.suffix.lower() in (".bvh", *IMPORTED)]


def _imported(path: Path) -> list[Path]:
    """BVH files of the action of a file that Blender reads."""
    scene = open_scene(str(path))
    armature = find_armature(None)
    data = armature.animation_data
    if data is None or data.action is None:
        return []
    folder = temporary_folder(f"takes/responses/{path.stem}")
    clip: Path = blender_room("shots.action_clip").clip_of_named(data.action.name, armature, scene, folder)
    return [clip.replace(clip.with_name(f"{path.stem}.bvh"))]
