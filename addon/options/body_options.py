# SPDX-License-Identifier: GPL-3.0-or-later
"""The options that say who walks: height and mass, a rig in a Blender file with which bone is which part where Lope's own guess
is not to be taken, or a body written down before; what pulls at the joints, and what is other than healthy about them."""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..errors import InputError, unknown_name
from ..files import parse_json, read_json, why
from ..specs import muscles
from ..specs.load import HANDS, PLACES, Load
from ..specs.motions import REFLEX
from ..specs.shot import BODIES, PLANAR_MASS_KG, SAGITTAL, BodySpec
from .outputs import ASTRONAUT, blender_room, check_input, find_armature, number_in, open_scene

MAP_OPTION = "--map"


def add_map_option(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    """--map."""
    parser.add_argument(MAP_OPTION, nargs="+", action="extend", metavar="MAP.json|BONE=PART",
                        help="which bone is which: a bone map's file, or some of the bones (Bone.003=thigh_L; an empty BONE: "
                             "none), the others as Lope finds them")


def map_of(words: Sequence[str] | None, armature: Any) -> dict[str, str] | None:
    """The bone map (part -> bone) that the words ask for on an armature; None without any. Raises InputError."""
    if not words:
        return None
    rooms = blender_room("read.own_map"), blender_room("read.armature")
    file = _map_file(words)
    bones = dict(rooms[1].guess_of(armature).bone_of) if file is None else rooms[0].load_map(file)
    given = dict(_pair(word) for word in words if "=" in word)
    bones = {part: bone for part, bone in bones.items() if part not in given and bone not in given.values()}
    return bones | {part: bone for part, bone in given.items() if bone}


def _map_file(words: Sequence[str]) -> str | None:
    """The one file among the words of a map. Raises InputError for several."""
    files = [word for word in words if "=" not in word]
    if len(files) > 1:
        raise InputError(f"{MAP_OPTION} takes one file, got {', '.join(files)}.")
    return files[0] if files else None


def keep_map(words: Sequence[str] | None, armature: Any) -> None:
    """Keep the map that the words ask for on the armature, as Blender's panel does. Raises InputError."""
    bones = map_of(words, armature)
    if bones is not None:
        blender_room("read.own_map").store_map(armature, bones)


def _pair(word: str) -> tuple[str, str]:
    """Part and bone of "BONE=PART", or of "PART=BONE" where only that makes sense. Raises InputError for no part's name."""
    parts = (*blender_room("read.maps").SEGMENTS, "root")
    bone, _, part = word.rpartition("=")
    if part in parts:
        return part, bone
    first, _, rest = word.partition("=")
    if first in parts:
        return first, rest
    raise unknown_name(f"part of the body in {MAP_OPTION} {word}", part, parts)


PLANAR = BODIES[1]
AS_PERSON = ("Armature {0!r} stands {1:.3g} m tall: it goes as somebody of {2:g} m (--height says another), and is baked at its "
             "own size.")


def add_body_options(group: argparse._ArgumentGroup) -> None:
    """--height, --mass, --planar; --blend, --armature and --map; --body."""
    group.add_argument("--height", type=float, metavar="M",
                       help=f"default: {BodySpec().height_m:g}, or the armature's own; one of any size goes as somebody of that "
                            "height, and is baked at its own")
    group.add_argument("--blend", metavar="IN.blend",
                       help=f"proportions of an armature in this file, or of the built-in figure: {ASTRONAUT} (needs Blender)")
    group.add_argument("--armature", metavar="NAME", help="name of that armature (default: the only one)")
    add_map_option(group)
    group.add_argument("--body", metavar="BODY.json",
                       help="a body that `lope doctor --blend IN.blend --body BODY.json` wrote, which needs no Blender here")
    group.add_argument("--mass", type=float, metavar="KG",
                       help=f"without suit (default: {BodySpec().mass_kg:g}, of a planar body {PLANAR_MASS_KG:g})")
    group.add_argument("--planar", action="store_true",
                       help="a planar body of seven links, for gaits from key poses and reflexes: as tall as --height, or with "
                            "legs as long as the figure's")


def body_from(args: argparse.Namespace) -> BodySpec:
    """The body of these options. Raises InputError."""
    body = _figure_or_standard(args)
    if not args.planar:
        return body
    if getattr(args, "gait", None) == REFLEX:
        return dataclasses.replace(body, kind=SAGITTAL, skin_m=None)
    return dataclasses.replace(body, kind=PLANAR, mass_kg=PLANAR_MASS_KG if args.mass is None else args.mass, skin_m=None)


def _figure_or_standard(args: argparse.Namespace) -> BodySpec:
    """The human of these options. Raises InputError."""
    mass = BodySpec().mass_kg if args.mass is None else args.mass
    of_rig = any(value is not None for value in (args.blend, args.armature, args.map))
    if of_rig and args.body is not None:
        raise InputError("--body cannot go with --blend, --armature or --map: give one body.")
    if args.height is not None and args.body is not None:
        raise InputError("--height cannot go with --body: the body's own height counts.")
    if of_rig:
        figure = figure_from(args)
        if args.height is None and figure.simulated_m != figure.height_m:
            print(AS_PERSON.format(figure.name, figure.height_m, figure.simulated_m), file=sys.stderr)
        return figure.body_spec(mass, figure.simulated_m if args.height is None else args.height)
    if args.body is None:
        return BodySpec(BodySpec().height_m if args.height is None else args.height, mass)
    body = read_body(args.body)
    return body if args.mass is None else dataclasses.replace(body, mass_kg=args.mass)


def figure_from(args: argparse.Namespace) -> Any:
    """The Figure of the armature that --blend and --armature name. Raises InputError, also where there is no Blender."""
    scene = open_scene(args.blend)
    armature = find_armature(args.armature)
    return blender_room("read.armature").read_figure(armature, map_of(args.map, armature), scene)


def read_body(text: str) -> BodySpec:
    """The body in a JSON file, or in JSON text itself. Raises InputError saying what is wrong with it."""
    named = "The body" if text.lstrip().startswith("{") else f"The body {text}"
    try:
        return BodySpec.from_dict(parse_json(text) if named == "The body" else read_json(check_input(text, "body")))
    except (OSError, ValueError) as error:
        raise InputError(f"{named} cannot be read as JSON: {why(error)}.") from error
    except InputError as error:
        raise InputError(f"{named} cannot be used: {error} `lope doctor --body` writes what can.") from error


def body_text(body: BodySpec) -> str:
    """A body as JSON text, which `read_body` reads."""
    return json.dumps(dataclasses.asdict(body))



def add_creature_map(parser: argparse.ArgumentParser) -> None:
    """--map."""
    parser.add_argument(MAP_OPTION, nargs="+", action="extend", metavar="MAP.json|BONE=PART",
                        help="at which bone a part begins: a creature map's file, or some of the bones (Bone.003=leg_L; an "
                             "empty BONE: it has none), the others as Lope finds them; parts are trunk, leg_L, foot_L, neck, "
                             "head, tail, arm_L and those of the right side")


def said_of(words: Sequence[str] | None) -> dict[str, str] | None:
    """What the words say (part -> bone); None without any. Raises InputError."""
    if not words:
        return None
    room = blender_room("read.creature")
    file = _map_file(words)
    said = {} if file is None else room.load_said(file)
    for word in words:
        if "=" in word:
            bone, _, part = word.rpartition("=")
            if part not in room.PLACES:
                raise unknown_name(f"part of a creature in {MAP_OPTION} {word}", part, room.PLACES)
            said[part] = bone
    return said


CARRY_FORM = f"KG[,{'|'.join(PLACES)}[,L|R]], such as 10 or 8,hand,L"


def add_load_option(group: argparse._ArgumentGroup) -> None:
    """--carry."""
    group.add_argument("--carry", metavar="KG[,HOW]",
                       help=f"what the character carries, and knows: {CARRY_FORM}; between both hands, hanging from one (the "
                            f"right one), in the arms or on the back (default: {HANDS})")


def load_from(text: str | None) -> Load | None:
    """The load written as `CARRY_FORM`. Raises InputError."""
    if text is None:
        return None
    first, *rest = (part.strip() for part in text.split(","))
    mass_kg = number_in(first)
    if mass_kg is None or len(rest) > 2 or not all(rest):
        raise InputError(f"--carry is written {CARRY_FORM}; got {text!r}.")
    place, side = (*rest, *(Load(mass_kg).place, Load(mass_kg).side)[len(rest):])
    if place not in PLACES:
        raise unknown_name("way to carry", place, PLACES)
    return Load(mass_kg, place, side)


TORQUE, MUSCLES = ACTUATIONS = ("torque", "muscles")
"""What `--actuation` takes."""
_FIELDS = {"muscles": "--muscles", "tendon": "--tendon", "strength": "--strength"}
"""Fields of `Actuation` that can be asked for, with their options."""


def add_muscle_options(group: argparse._ArgumentGroup) -> None:
    """--actuation, --muscles, --tendon and --strength."""
    group.add_argument("--actuation", metavar="HOW",
                       help=f"what moves the joints, {' or '.join(ACTUATIONS)} (default: {TORQUE}, or {MUSCLES} where something "
                            "is said of them or of a condition)")
    group.add_argument("--muscles", metavar="SET",
                       help=f"which muscles: {muscles.SETS[0]} (with the trunk) or {muscles.SETS[1]} (with shoulders and arms) "
                            f"(default: {muscles.Actuation().muscles})")
    group.add_argument("--tendon", metavar="KIND",
                       help=f"of the muscles, {' or '.join(muscles.TENDONS)} (default: {muscles.Actuation().tendon})")
    group.add_argument("--strength", type=float, metavar="X",
                       help="active force of every muscle, over that of a person of this size, whose passive tissue it keeps "
                            "(default: 1, of gaits with flight 2 on Earth)")


def actuation_from(args: argparse.Namespace, controller: str) -> muscles.Actuation | None:
    """The muscles of the options, which a condition needs too; None for torques, and where the controller has muscles of its own.
    Raises InputError."""
    given: dict[str, Any] = {name: value for name in _FIELDS if (value := getattr(args, name)) is not None}
    if args.actuation is not None and args.actuation not in ACTUATIONS:
        raise unknown_name("actuation", args.actuation, ACTUATIONS)
    if args.actuation == TORQUE and given:
        raise InputError(f"Torques know no {' and no '.join(_FIELDS[name] for name in given)}: leave that out, or let muscles "
                         f"move the body with --actuation {MUSCLES}.")
    if args.actuation == TORQUE and controller in muscles.WITH_MUSCLES:
        raise InputError("Who goes by reflexes goes by muscles of its own: leave --actuation out, or choose another gait.")
    felt = bool(args.condition) and args.actuation is None and controller not in muscles.WITH_MUSCLES
    return muscles.Actuation(**given) if given or felt or args.actuation == MUSCLES else None


CONDITION_OPTION = "--condition"
CHANGED = "KIND=TARGET[:SIDE]:VALUE, such as weak=plantar_flexors:L:0.3 or unloaded=6"


def add_condition_option(group: argparse._ArgumentGroup) -> None:
    """--condition."""
    group.add_argument(CONDITION_OPTION, action="append", default=[], metavar="NAME|FILE.json|KIND=TARGET:SIDE:VALUE",
                       help=f"what is other than healthy: one of {', '.join(muscles.condition_names())}, or a file of your own, "
                            f"on SIDE ({', '.join(muscles.SIDES)}), so much of it (1: as it is); or a change {CHANGED}, KIND one "
                            f"of {', '.join(muscles.KINDS)}, TARGET a group of muscles, a muscle, {muscles.FOOT}, or a joint "
                            f"({', '.join(muscles.JOINTS)}); may be repeated, they add up")


def condition_from(texts: Sequence[str]) -> muscles.Condition | None:
    """All of the options at once; None without any. Raises InputError."""
    conditions = [_named(text) for text in texts if "=" not in text]
    return muscles.composed(conditions, [change_from(text) for text in texts if "=" in text])


def change_from(text: str) -> muscles.Change:
    """The change written as `CHANGED`: a side that is left out is both. Raises InputError."""
    kind, _, rest = (part.strip() for part in text.partition("="))
    if kind not in muscles.KINDS:
        raise unknown_name("kind of change", kind, muscles.KINDS)
    *parts, number = (part.strip() for part in rest.split(":"))
    if kind == muscles.UNLOADED and not parts:
        parts = [muscles.BODY]
    if not 1 <= len(parts) <= 2 or (value := number_in(number)) is None:
        raise InputError(f"A change of a condition is written {CHANGED}; got {text!r}.")
    return muscles.Change(kind, parts[0], parts[1] if len(parts) == 2 else muscles.BOTH, value)


def _named(text: str) -> muscles.Condition:
    """The condition written NAME[:SIDE][:AMOUNT] or FILE.json[:SIDE][:AMOUNT]. Raises InputError."""
    name, side, amount = text.strip(), None, None
    while ":" in name:
        rest, _, last = name.rpartition(":")
        if last in muscles.SIDES and side is None:
            name, side = rest, last
        elif amount is None and side is None and (amount := number_in(last)) is not None:
            name = rest
        else:
            break  # part of a path
    condition = muscles.load_condition(name)
    if side is not None:
        condition = on_side(condition, side)
    return condition if amount is None else muscles.scaled(condition, amount)


def on_side(condition: muscles.Condition, side: str) -> muscles.Condition:
    """A one-sided condition, on that side. Raises InputError for one that is on both."""
    if all(change.side == muscles.BOTH for change in condition.changes):
        raise InputError(f"The condition {condition.name} is on both sides: leave the side out.")
    return replace(condition, changes=tuple(replace(change, side=change.side if change.side == muscles.BOTH else side)
                                            for change in condition.changes))
