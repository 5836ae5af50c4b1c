# SPDX-License-Identifier: GPL-3.0-or-later
"""The options that describe a Shot, and the Shot they describe; the same as fields of a shot list: `speed = 0.8` in a list is
`--speed 0.8`, an option that takes several values is a list, and both say the same about a value that does not fit."""

from __future__ import annotations

import argparse
import dataclasses
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NoReturn

from ..bodies.human.suit import load_suit, suit_names
from ..errors import InputError
from ..gaits.pose_gaits import load_pose_gait, pose_gait_names
from ..locomotion.registry import after_fall_names, check_settings, checked_after_fall, controller_names, find_controller
from ..locomotion.settings import read_settings
from ..specs.disturbances import Reaction
from ..specs.former_shot import moved_by
from ..specs.motion import ENDS, After, Motion
from ..specs.motions import (
    AUTO,
    GAIT_LAWS,
    PEOPLE,
    REFLEX,
    SCALINGS,
    STAND,
    Clip,
    Creature,
    Gait,
    Jump,
    KeyPoses,
    Moves,
    Reflex,
    Stand,
    follower_of,
)
from ..specs.pose_gait import Learning, PoseGait
from ..specs.settings import settings_of
from ..specs.shot import ENGINES, NO_SUIT, Push, Shot, World
from ..specs.steering import Steering
from ..worlds.planets import load_world, world_from_gravity, world_names
from . import motion_options, world_options
from .body_options import (
    actuation_from,
    add_body_options,
    add_condition_option,
    add_load_option,
    add_muscle_options,
    body_from,
    condition_from,
    load_from,
)
from .outputs import check_input, number_in

NUMBER, WHOLE, TEXT, SWITCH, SEVERAL = "a number", "a whole number", "text", "true or false", "a list of texts"
RIVALS = (("gait", "motion", "follow", "moves", "pose_gait", "creature", "jump"), ("world", "gravity"),
          ("slope", "steps", "heightfield"))
"""Options that exclude one another: one that is given takes those of the defaults away."""


@dataclass(frozen=True)
class Field:
    """One option: its name in a list, its flag on the command line, and what kind of value it takes."""

    name: str
    flag: str
    kind: str
    repeated: bool = False
    """Whether the flag stands before each value of several, not once before all."""

    def fits(self, value: Any) -> bool:
        """Whether a value of a list is of this kind. Text options also take numbers: `slope = 5`."""
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if self.kind == SWITCH:
            return isinstance(value, bool)
        if self.kind == WHOLE:
            return isinstance(value, int) and number
        if self.kind == SEVERAL:
            return isinstance(value, list) and all(isinstance(one, str) for one in value)
        return number or (self.kind == TEXT and isinstance(value, str) and bool(value.strip()))

    def words(self, value: Any) -> list[str]:
        """The value as words of the command line."""
        if self.kind == SWITCH:
            return [self.flag] if value else []
        if self.kind == SEVERAL:
            return [f"{self.flag}={one}" for one in value] if self.repeated else [self.flag, *value] if value else []
        return [f"{self.flag}={value}"]  # with the sign, or a negative number would be taken for an option


class Parser(argparse.ArgumentParser):
    """Argparse with Lope's errors."""

    def error(self, message: str) -> NoReturn:
        raise InputError(f"{message[:1].upper()}{message[1:].rstrip('.')}.")


@dataclass(frozen=True)
class Fields:
    """All options of a kind: their fields by name, and the parser they were read from."""

    by_name: dict[str, Field]
    parser: argparse.ArgumentParser

    def words(self, values: Mapping[str, Any]) -> list[str]:
        """Values by field name as words of the command line."""
        return [word for name, value in values.items() for word in self.by_name[name].words(value)]

    def parse(self, values: Mapping[str, Any]) -> argparse.Namespace:
        """Values by field name as the command line's own options. Raises InputError."""
        return self.parser.parse_args(self.words(values))


@lru_cache(maxsize=1)
def shot_fields() -> Fields:
    """The options that describe a shot; the armature is the rig's matter."""
    return _fields(add_shot_options, leave_out=("blend", "armature", "body", "action", "action_armature"))


@lru_cache(maxsize=1)
def render_fields() -> Fields:
    """The options of `lope render` that a shot may set; what is rendered and where to is the batch's matter."""
    from .render_options import add_render_options

    return _fields(add_render_options, leave_out=("out", "pictures", "redo", "scene", "armature", "sheet", "grid_sheet",
                                                 "dust", "show_pressure", "show_muscles"))


def _fields(add: Callable[[Any], None], leave_out: tuple[str, ...]) -> Fields:
    """The fields of the options that `add` adds to a parser."""
    parser = Parser(add_help=False, allow_abbrev=False, prog="lope")
    add(parser)
    found = {}
    for action in parser._actions:  # the one place where argparse keeps them
        action.required = False
        flag = next((name for name in action.option_strings if name.startswith("--")), None)
        if flag is not None and action.dest not in leave_out:
            repeated = isinstance(action, argparse._AppendAction)
            found[action.dest] = Field(action.dest, flag, _kind(action, repeated), repeated)
    return Fields(found, parser)


def _kind(action: argparse.Action, repeated: bool) -> str:
    """What kind of value an option takes."""
    if repeated or action.nargs in ("+", "*"):
        return SEVERAL
    if action.nargs == 0:
        return SWITCH
    return NUMBER if action.type is float else WHOLE if action.type is int else TEXT


FORM = ("T,GAIT, T,SPEED, T,GAIT,SPEED, and with turn=DEG, turn-rate=DEG/S or over=S behind, such as 4,march or 6,0.5 or "
        "8,turn=90 or 10,tired,over=2")
NAMED: Mapping[str, tuple[str, float]] = {
    "turn": ("turn_rad", math.pi / 180.0), "turn-rate": ("turn_rad_s", math.pi / 180.0), "over": ("over_s", 1.0)}
"""Fields of `Steering` by what they are called here, and their units over these."""


def steering_from(text: str) -> Steering:
    """The steering written as one of `FORM`. Raises InputError."""
    first, *rest = (part.strip() for part in text.split(","))
    time_s, wish = number_in(first), dict[str, Any]()
    for part in rest:
        name, _, value = part.rpartition("=")
        number = number_in(value)
        if name in NAMED and number is not None:
            field, unit = NAMED[name]
            found: Any = number * unit
        elif number is not None and not name:
            field, found = "speed_m_s", number
        else:
            field, found = "gait", part
        if field in wish or not part:
            time_s = None
        wish[field] = found
    if time_s is None or not wish:
        raise InputError(f"Steering is written {FORM}; got {text!r}.")
    return Steering(time_s, **wish)


def add_shot_options(parser: argparse.ArgumentParser) -> None:
    """Options common to `simulate` and `plan`. Defaults are those of `Shot`."""
    what = parser.add_argument_group("what is walked")
    gait = what.add_mutually_exclusive_group()
    gait.add_argument("--gait", default=Gait().name, metavar="NAME",
                      help=f"built-in gait, {AUTO} for the one that people choose there, {STAND}, or {REFLEX} for a walk by "
                           "muscle reflexes alone (default: %(default)s)")
    gait.add_argument("--motion", metavar="FILE.bvh", help="a captured clip of your own instead")
    motion_options.add_clip_or_action(gait, "--follow")
    gait.add_argument("--pose-gait", metavar="NAME|FILE.json",
                      help=f"a gait from key poses: one of {', '.join(pose_gait_names())}, or a file of your own; "
                           "A:SHARE:B is a share of the way from one to another, such as walk:0.5:tired")
    motion_options.add_creature(gait)
    motion_options.add_jump(gait)
    motion_options.add_follow_options(what)
    _add_gait_options(what)
    motion_options.add_creature_options(what)
    what.add_argument("--walker", metavar="NAME|FILE.json",
                      help=f"with --gait {REFLEX}: the walker, one of `lope presets reflex` or a file that a search wrote "
                           "(default: the one nearest to the speed)")
    what.add_argument("--learn", action="store_true",
                      help="a gait from key poses learns on the way to hold its trunk and upper body steadier")
    what.add_argument("--firmness", type=float, metavar="X",
                      help="how firmly a gait from key poses holds its trunk and upper body (default: as the gait says)")
    _add_length(what)
    _add_rest(parser, paths=True)


def add_clip_options(parser: argparse.ArgumentParser, required: bool = True) -> None:
    """The same of a shot that follows a clip or an action: without what is taken from there. `required`: one must be named."""
    parser.set_defaults(**motion_options.defaults_of(add_shot_options))
    what = parser.add_argument_group("what is followed")
    motion_options.add_clip_or_action(what.add_mutually_exclusive_group(required=required), "follow", nargs="?")
    motion_options.add_follow_options(what)
    _add_length(what)
    _add_rest(parser, paths=False)


def _add_gait_options(what: argparse._ArgumentGroup) -> None:
    """Speed, law, ends and style of a gait, and what else of it is free."""
    what.add_argument("--gait-law", default=PEOPLE, metavar="NAME",
                      help="how speed, stride frequency and the rest go with gravity: as measured on people, or dynamically "
                           f"similar; one of {', '.join(GAIT_LAWS)} (default: %(default)s)")
    what.add_argument("--speed", type=float, metavar="M/S",
                      help="mean speed, within what the gait can do there (default: as the gait law has it; "
                           "of a creature its stored gait's, else 0.3 of the root of gravity times leg)")
    what.add_argument("--force", action="store_true", help="simulate even a speed outside what the gait can do")
    what.add_argument("--stride-frequency", type=float, metavar="HZ", help="strides a second (default: goes with the speed)")
    what.add_argument("--acceleration", type=float, metavar="M/S2",
                      help="how fast a walk's speed is changed where it is keyed or steered (default: 0.05 of gravity)")
    what.add_argument("--start", default=Gait().start, metavar="HOW",
                      help=f"how the shot begins, one of {', '.join(ENDS)} (default: %(default)s)")
    what.add_argument("--stop", default=Gait().stop, metavar="HOW",
                      help=f"how it ends, one of {', '.join(ENDS)} (default: %(default)s)")
    what.add_argument("--key", action="append", default=[], metavar="T,GAIT,SPEED",
                      help=f"change gait or speed on the way: {motion_options.FORM}. The speed goes evenly to that of the key; "
                           "may be repeated")
    what.add_argument("--after", metavar="TAKE.npz",
                      help="go on from the end of this take: its pose, speed, place and heading; paths start there")
    what.add_argument("--no-retry", action="store_true",
                      help="take a fall as it is; without this a shot that falls at a speed nobody asked for is tried again, "
                           "slower or at another rate")
    what.add_argument("--untuned", action="store_true", help="leave the gait's tuned foot paths out")
    what.add_argument("--style", action="append", default=[], metavar="NAME=VALUE,...",
                      help=f"bend the gait's style: {motion_options.STYLE_FORMS}")
    what.add_argument("--stance", action="append", default=[], metavar="NAME=VALUE,...",
                      help=f"how to stand and what to do when pushed, with --gait {STAND}: {motion_options.FORMS}")
    what.add_argument("--footprint", action="append", default=[], metavar="N,X,Y[,YAW]",
                      help="lock landing N of the plan (see `lope plan --json`; 1 is the first foot to land) at a place [m] "
                           "and with a direction [deg]; may be repeated")


def _add_length(what: argparse._ArgumentGroup) -> None:
    """--seconds and --after-fall."""
    what.add_argument("--seconds", type=float, metavar="S",
                      help=f"length (default: {Shot().duration_s:g}, or that of the clip that is followed, or of the jump)")
    what.add_argument("--after-fall", default=Shot().after_fall, metavar="HOW",
                      help="what happens when the character has fallen, one of "
                           f"{', '.join(after_fall_names())} (default: %(default)s)")


def _add_rest(parser: argparse.ArgumentParser, paths: bool) -> None:
    """Where, who and how."""
    where = parser.add_argument_group("where")
    place = where.add_mutually_exclusive_group()
    place.add_argument("--world", metavar="NAME", help=f"one of {', '.join(world_names())} (default: {World().name}); "
                       "orbit-station:0.3 spins at 0.3 g")
    place.add_argument("--gravity", type=float, metavar="M/S^2", help="any gravity from 0.05 to 3 g instead")
    where.add_argument("--friction", type=float, metavar="MU", help=f"of the ground (default: {World().friction:g})")
    if paths:
        motion_options.add_path_options(where)
    world_options.add_ground_options(where, plane=not paths)
    world_options.add_object_options(where)
    who = parser.add_argument_group("who")
    add_body_options(who)
    who.add_argument("--suit", default=NO_SUIT, metavar="NAME", help=f"one of {', '.join(suit_names())} (default: %(default)s)")
    add_load_option(who)
    add_muscle_options(who)
    add_condition_option(who)
    how = parser.add_argument_group("how")
    how.add_argument("--engine", default=Shot().engine, metavar="NAME",
                     help=f"one of {', '.join(ENGINES)} (default: %(default)s)")
    how.add_argument("--scaling", default=Gait().scaling, metavar="NAME",
                     help=f"how the pendulum's gains go with gravity, one of {', '.join(SCALINGS)} (default: %(default)s)")
    how.add_argument("--controller", metavar="NAME",
                     help=f"what moves the body, one of {', '.join(controller_names())} (default: {Gait().controller}, or "
                          f"{Clip.CONTROLLERS[0]} where a clip is followed, {KeyPoses.CONTROLLERS[0]} for a gait from key poses)")
    how.add_argument("--setting", action="append", default=[], metavar="GROUP.NAME=VALUE",
                     help="change one of the controller's settings, as `lope presets controller NAME` lists them; may be "
                          "repeated")
    how.add_argument("--gains-file", metavar="FILE.json", help="gains of the controller that `lope tune --gains` found")
    how.add_argument("--push", action="append", default=[], metavar="T,DURATION,FX,FY,FZ",
                     help="push the chest at time T [s] for DURATION [s] with a force [N] in world axes; may be repeated")
    world_options.add_hit_options(how)
    how.add_argument("--steer", action="append", default=[], metavar="T,WISH,...",
                     help=f"what to wish for from time T [s] on of a controller that can be steered: {FORM}. A gait is a "
                          "pose gait, or a move where moves are followed, and comes with the next step, or little by little; may "
                          "be repeated")
    how.add_argument("--noise", type=float, default=Shot().noise, metavar="SHARE",
                     help="spread of random changes to the start's velocities, as a share of each (default: %(default)g)")
    how.add_argument("--seed", type=int, default=Shot().seed, metavar="N", help="of the noise (default: %(default)s)")


def shot_from(args: argparse.Namespace) -> Shot:
    """The Shot that the options of `add_shot_options` describe. Raises InputError."""
    drawn = motion_options.creature_from(args)
    body, world, reaction = drawn or body_from(args), world_from(args), world_options.reaction_from(args.reaction)
    motion = motion_from(args, body.kind, reaction)
    controller = find_controller(motion.controller)
    shot = Shot(
        body=body, world=world, motion=motion, engine=args.engine, seed=args.seed, noise=args.noise, reaction=reaction,
        duration_s=Shot().duration_s if args.seconds is None else args.seconds,
        pushes=tuple(push_from(text) for text in args.push),
        suit=load_suit(args.suit).name,
        after_fall=checked_after_fall(args.after_fall),
        gains=_settings_from(args, motion.controller),
        objects=world_options.objects_from(args, world.ground),
        hits=world_options.hits_from(args),
        actuation=actuation_from(args, motion.controller),
        condition=condition_from(args.condition),
        carry=load_from(args.carry),
    )
    shot = controller.carried(motion_options.chosen_by(args, shot))
    if not args.push_from_clip:
        return shot
    from ..locomotion.clip.pushes import with_clip_pushes  # loads what reads clips, which most shots do without

    return with_clip_pushes(shot)


def motion_from(args: argparse.Namespace, body: str, reaction: Reaction | None) -> Motion:
    """The motion that the options describe, of a body of a kind. Raises InputError for options that do not go together."""
    kind = kind_from(args)
    if kind is not KeyPoses and (args.learn or args.firmness is not None):
        raise InputError("--learn and --firmness are for a gait from key poses: give one with --pose-gait.")
    if kind is not Reflex and args.walker is not None:
        raise InputError(f"--walker names who goes by reflexes: it goes with --gait {REFLEX}.")
    followed = motion_options.followed_from(args)
    catches = kind is Clip and bool(followed.get("catch") or args.hit or args.punch)
    stand = motion_options.stance_from(args.stance, kind is Stand, catches)
    wished = _gait_fields(args) | followed | {"stand": stand}
    if kind is Gait:
        wished |= {"name": args.gait, "retry": not args.no_retry}
    elif kind is Clip:
        wished["until_end"] = args.until_end or (args.seconds is None and not followed.get("repeat"))
        wished["controller"] = args.controller or (None if reaction is None else follower_of(reaction.law))
    elif kind is Jump:
        wished |= motion_options.jump_from(args.jump)
        wished["until_end"] = args.until_end or args.seconds is None
    elif kind is KeyPoses:
        wished["gait"] = held(load_pose_gait(args.pose_gait, body), args)
    elif kind is Reflex:
        from ..locomotion.reflex.walkers import load_walker  # loads the reflexes, which most shots do without

        wished["walker"] = None if args.walker is None else load_walker(args.walker)
    elif kind is Creature:
        wished["gait"] = motion_options.creature_gait_from(args)
    elif kind is Stand and stand is not None:
        wished |= {name: getattr(stand, name) for name in settings_of(Stand) if name != "after"}
    return kind.of(wished)


def kind_from(args: argparse.Namespace) -> type[Motion]:
    """The kind of motion that the options name. Raises InputError for a controller that moves another one."""
    if args.moves:
        kind: type[Motion] = Moves
    elif args.follow is not None or args.action is not None:
        kind = Clip
    elif args.pose_gait is not None:
        kind = KeyPoses
    elif args.creature is not None:
        kind = Creature
    elif args.jump is not None:
        kind = Jump
    elif args.motion is None and args.gait in (STAND, REFLEX):
        kind = Stand if args.gait == STAND else Reflex
    else:
        kind = moved_by(args.controller or Gait().controller)
        if kind.NEEDS:
            raise InputError(kind.NEEDS.format(args.controller))
    kind.check_controller(args.controller)
    return kind


def _gait_fields(args: argparse.Namespace) -> dict[str, Any]:
    """What the options say of a gait; whether another motion can have it, that one knows."""
    return {
        "file": None if args.motion is None else str(check_input(args.motion, "motion file")),
        "speed_m_s": args.speed, "stride_frequency_hz": args.stride_frequency, "scaling": args.scaling, "law": args.gait_law,
        "acceleration_m_s2": args.acceleration,
        "start": args.start, "stop": args.stop, "until_end": args.until_end, "tuned": not args.untuned, "force": args.force,
        "path": motion_options.path_from(args.path, args.heading, args.reverse),
        "style": motion_options.style_from(args.style),
        "footprints": tuple(motion_options.footprint_from(text) for text in args.footprint),
        "keys": tuple(motion_options.key_from(text) for text in args.key),
        "after": None if args.after is None else _after(args.after),
        "steering": tuple(steering_from(text) for text in args.steer),
        "controller": None if args.controller is None else find_controller(args.controller).name,
    }


def held(gait: PoseGait, args: argparse.Namespace) -> PoseGait:
    """A gait from key poses with what --learn and --firmness say. Raises InputError."""
    learning = gait.learning or (Learning() if args.learn else None)
    return dataclasses.replace(gait, learning=learning, firmness=gait.firmness if args.firmness is None else args.firmness)


def _after(path: str) -> After:
    """What a shot goes on from. Raises LopeError."""
    from ..sim.sequence import after_take  # loads what reads takes, which most shots do without

    return after_take(check_input(path, "take"))


def _settings_from(args: argparse.Namespace, controller: str) -> dict[str, dict[str, float]] | None:
    """The controller's settings of --gains-file and --setting, which counts more. Raises InputError."""
    values: dict[str, dict[str, float]] = {}
    if args.gains_file is not None:
        from ..locomotion.motion_gains import read_gains  # loads the planners, which other commands do without

        values = read_gains(check_input(args.gains_file, "file of gains"))
    for group, found in read_settings(args.setting).items():
        values[group] = {**values.get(group, {}), **found}
    if values:
        check_settings(controller, args.after_fall, values)
    return values or None


def world_from(args: argparse.Namespace) -> World:
    """The world of --world or --gravity, with its ground, friction and gravity's way."""
    world = world_from_gravity(args.gravity) if args.gravity is not None else load_world(args.world or World().name)
    friction = world.friction if args.friction is None else args.friction
    return dataclasses.replace(world, friction=friction, ground=world_options.ground_from(args),
                               gravity_ramp=world_options.ramp_from(args.gravity_ramp))


def push_from(text: str) -> Push:
    """The push written as "T,DURATION,FX,FY,FZ". Raises InputError."""
    start, duration, *force = world_options.numbers(
        "A push", text, 5, (), "T,DURATION,FX,FY,FZ: five numbers with commas, such as 4,0.2,0,75,0")
    return Push(start, duration, (force[0], force[1], force[2]))
