# SPDX-License-Identifier: GPL-3.0-or-later
"""Which gait from key poses an armature goes in; and what the Shot has of it.

A gait from key poses as an armature's own settings, each state an entry of a list; and from there to a `PoseGait` and back.

Changes on the way of a gait from key poses: other gaits and speeds from a frame on.

The poses that a gait is to be made of, as an armature's settings: frames of actions.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import bpy

from ..addon.errors import InputError
from ..addon.gaits.pose_gaits import HUMAN, PLANAR, folder_of, load_pose_gait, read_pose_gait
from ..addon.specs.pose_gait import ANGLE_RAD, MOST_STATES, UPPER, Learning, PoseGait, PoseState, pose_gait_file
from ..addon.specs.settings import names_in, plain_presets, settings_of
from ..addon.specs.shot import NO_SUIT, PLANAR_MASS_KG, BodySpec
from ..addon.specs.steering import Steering
from .choices import EnumItem, item, number, planar_engine_items, title
from .context import pose_gaits_folder
from .creature import by_creature
from .figures import plain
from .properties import (
    BoolProperty,
    BoolVectorProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    FloatVectorProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
    changed,
)

LEGS = (("R", "Right", "The right leg swings"), ("L", "Left", "The left leg swings"))
STANDING = (("one", "One Leg", "The leg that does not swing stands"), ("both", "Both Legs", "Both legs stand"),
            ("neither", "Neither", "A flight: no leg stands, both thighs are drawn"))
LANDING = (("swing", "Swinging Foot", "The state lasts until the swinging foot lands"),
           ("stance", "Other Foot", "The state lasts until the other foot lands, as in a hop"),
           ("any", "Any Foot", "The state lasts until one of the feet lands"))
ANGLES = ("torso", "swing_hip", "swing_hip_outward", "swing_knee", "swing_ankle", "stance_knee", "stance_ankle")
"""What a state draws legs and trunk to."""
BALANCE = ("cd", "cv", "cd_outward", "cv_outward")
ANKLE_BALANCE = ("ankle_cd", "ankle_cv", "ankle_cd_outward", "ankle_cv_outward")
WHOLE = ("speed_m_s", "sideways_m_s", "ahead_m_s", "pace_s", "turn_rad_s", "arm_swing", "elbow", "start_m_s", "start_spread",
         "begins_in")
"""What is of the gait as a whole."""
SOFT = {"torso": (-0.8, 0.8), "swing_hip": (-1.0, 1.6), "swing_hip_outward": (-0.5, 0.5), "swing_knee": (-2.2, 0.0),
        "swing_ankle": (-0.9, 0.9), "stance_knee": (-1.6, 0.0), "stance_ankle": (-0.9, 0.9), "stance_hip": (-1.0, 1.6),
        "stance_hip_outward": (-0.5, 0.5), "elbow": (0.0, 2.2), "start_spread": (-0.6, 0.6)}
"""Where a slider goes [rad]; what is typed may go on to the field's own range."""
FLIGHT = ("stance_hip", "stance_hip_outward")
"""What is drawn besides where neither leg stands."""
CONTACT = ("stands", "touch")
NUMBERS = (*ANGLES, *FLIGHT, *BALANCE, *ANKLE_BALANCE)
TURN = "turned_"
"""Before the name of a joint of the upper body: its rotation vector."""
FIRST_S = 0.3


def _range(kind: type, name: str) -> dict[str, float]:
    """Least, largest and default value of a field."""
    told = settings_of(kind)[name]
    return {"min": told.low, "max": told.high, "default": told.default}


def _angle(name: str, label: str, description: str, kind: type = PoseState) -> Any:
    low, high = SOFT[name]
    return FloatProperty(name=label, update=changed, subtype="ANGLE", description=description, soft_min=low, soft_max=high,
                         **_range(kind, name))


def _gain(name: str, label: str, description: str) -> Any:
    return FloatProperty(name=label, update=changed, precision=2, step=5, soft_min=-1.0, soft_max=1.5, description=description,
                         **_range(PoseState, name))


def _speed(name: str, label: str, description: str, low: float, high: float) -> Any:
    return FloatProperty(name=label, update=changed, soft_min=low, soft_max=high, precision=2, step=5, description=description,
                         **_range(PoseGait, name))


def _turn(label: str) -> Any:
    return FloatVectorProperty(name=label, update=changed, size=3, subtype="XYZ", unit="ROTATION", min=-ANGLE_RAD, max=ANGLE_RAD,
                               description="Turns the joint about the axes of the body: to its right side down, forward, to the "
                                           "left")


class LopePoseState(bpy.types.PropertyGroup):
    """One state: how long it lasts, and what the body is drawn to meanwhile."""

    until_touch: BoolProperty(name="Until Touch-Down", update=changed, default=False,
                              description="The state lasts until the swinging foot touches the ground")
    lasts_s: FloatProperty(name="Time (s)", update=changed, default=FIRST_S, min=0.0, max=10.0, soft_max=1.0, precision=3, step=1,
                           description="How long the state lasts on Earth, for an adult; longer under less gravity and on longer "
                                       "legs")
    swing: EnumProperty(name="Swings", update=changed, items=LEGS, default="R", description="The leg that swings in this state")
    torso: _angle("torso", "Trunk Back", "The trunk's lean against the world; negative leans forward")
    swing_hip: _angle("swing_hip", "Swinging Thigh", "The swinging thigh against the world, forward")
    swing_hip_outward: _angle("swing_hip_outward", "Thigh Outward", "The swinging thigh against the world, to its own side")
    swing_knee: _angle("swing_knee", "Swinging Knee", "The swinging knee; bent is negative")
    swing_ankle: _angle("swing_ankle", "Swinging Ankle", "The swinging ankle; toes up is positive")
    stance_knee: _angle("stance_knee", "Standing Knee", "The standing knee; bent is negative")
    stance_ankle: _angle("stance_ankle", "Standing Ankle", "The standing ankle; toes up is positive")
    stands: EnumProperty(name="Stands", update=changed, items=STANDING, default=PoseState.stands,
                         description="Which legs stand in this state, and so carry the trunk")
    touch: EnumProperty(name="Lands", update=changed, items=LANDING, default=PoseState.touch,
                        description="Whose touch-down ends the state")
    stance_hip: _angle("stance_hip", "Other Thigh", "In a flight the other thigh against the world, forward")
    stance_hip_outward: _angle("stance_hip_outward", "Other Outward", "In a flight the other thigh, to its own side")
    cd: _gain("cd", "Distance", "How far the swinging thigh turns for each metre that the hips are ahead of the standing foot")
    cv: _gain("cv", "Speed", "How far the swinging thigh turns for each m/s that the body goes faster than asked")
    cd_outward: _gain("cd_outward", "Distance, Side", "The same of the distance to the side")
    cv_outward: _gain("cv_outward", "Speed, Side", "The same of the speed to the side")
    ankle_cd: _gain("ankle_cd", "Distance", "How far the standing ankle presses its toes down for each metre that the "
                                                   "hips are ahead of it")
    ankle_cv: _gain("ankle_cv", "Speed", "The same for each m/s that the body goes faster than asked")
    ankle_cd_outward: _gain("ankle_cd_outward", "Distance, Side", "How far the standing ankle tilts for each metre to the "
                                                                         "side")
    ankle_cv_outward: _gain("ankle_cv_outward", "Speed, Side", "The same for each m/s to the side")
    drawn: BoolVectorProperty(name="Posed", update=changed, size=len(UPPER),
                              description="Whether this joint is drawn to a pose; else it hangs, and arms swing")
    turned_lower_spine: _turn("Lower Spine")
    turned_chest: _turn("Chest")
    turned_neck: _turn("Neck")
    turned_head: _turn("Head")
    turned_clavicle_L: _turn("Left Clavicle")
    turned_upper_arm_L: _turn("Left Upper Arm")
    turned_forearm_L: _turn("Left Forearm")
    turned_hand_L: _turn("Left Hand")
    turned_clavicle_R: _turn("Right Clavicle")
    turned_upper_arm_R: _turn("Right Upper Arm")
    turned_forearm_R: _turn("Right Forearm")
    turned_hand_R: _turn("Right Hand")
    more: StringProperty(options={"HIDDEN"}, description="What else the state holds, as JSON")


class LopePoseGait(bpy.types.PropertyGroup):
    """A gait from key poses that is an armature's own."""

    title: StringProperty(name="Name", update=changed, description="What the gait is called")
    states: CollectionProperty(name="States", type=LopePoseState, description="The key poses, in the order they are gone through")
    state_index: IntProperty(name="Active State", description="The state chosen in the list")
    symmetric: BoolProperty(name="Mirrored", default=True,
                            description="The states are those of one leg's step; the other leg's are mirrored")
    speed_m_s: _speed("speed_m_s", "Speed (m/s)", "The speed that the balance asks for on Earth, for an adult", 0.0, 3.0)
    sideways_m_s: _speed("sideways_m_s", "To the Left (m/s)", "Its speed to the left; negative goes to the right", -1.0, 1.0)
    ahead_m_s: _speed("ahead_m_s", "Ahead (m/s)", "The balance asks for so much more than is wished for, where the gait "
                                                         "stays behind", -1.0, 1.0)
    pace_s: _speed("pace_s", "Pace in (s)", "It asks for more or less by itself until it goes as fast as is wished "
                                                      "for, about in that time; 0 does not", 0.0, 10.0)
    turn_rad_s: _speed("turn_rad_s", "Turns (rad/s)", "It turns by itself so fast, to the left positive", -1.0, 1.0)
    arm_swing: _speed("arm_swing", "Arm Swing", "How far arms that hang swing against the thighs", 0.0, 1.5)
    elbow: _angle("elbow", "Elbows", "How far elbows of arms that hang are bent", PoseGait)
    start_m_s: _speed("start_m_s", "Starts at (m/s)", "The speed at which a shot begins; 0 begins standing", 0.0, 3.0)
    start_spread: _angle("start_spread", "Starts Spread", "The thighs' spread where a shot begins, the left one forward",
                         PoseGait)
    begins_in: IntProperty(name="Begins In", update=changed, default=1, min=1, max=MOST_STATES,
                           description="The state in which a shot begins")
    more: StringProperty(options={"HIDDEN"}, description="What else the gait holds, as JSON")
    opened: StringProperty(options={"HIDDEN"}, description="The gait as it was opened or kept last, as its file holds it")


def fill(group: Any, gait: PoseGait) -> None:
    """Write a gait into settings, the name and all; the chosen state stays chosen where it can. Raises InputError where states
    are too many that cannot be removed."""
    while len(group.states) > len(gait.states):
        remove_state(group, len(group.states) - 1)
    group.title, group.symmetric = gait.name, gait.symmetric
    for name in WHOLE:
        setattr(group, name, getattr(gait, name))
    group.more = _dumped(gait, ("name", "symmetric", "states", *WHOLE))
    for at, state in enumerate(gait.states):
        fill_state(group.states[at] if at < len(group.states) else group.states.add(), state)
    group.state_index = min(max(group.state_index, 0), len(gait.states) - 1)


def remove_state(group: Any, at: int) -> None:
    """Take a state out of settings. Raises InputError for one that the library of an overridden character holds."""
    try:
        group.states.remove(at)
    except TypeError:
        raise InputError(f"State {at + 1} belongs to the library that this character is linked from, and can be removed in that "
                         "file alone: give it another pose, or open a gait with more states.") from None


def fill_state(entry: Any, state: PoseState) -> None:
    """Write a state into an entry of the list."""
    entry.until_touch = state.lasts_s is None
    if state.lasts_s is not None:
        entry.lasts_s = state.lasts_s
    entry.swing = state.swing or "R"
    for name in (*NUMBERS, *CONTACT):
        setattr(entry, name, getattr(state, name))
    upper = state.upper or {}
    entry.drawn = [name in upper for name in UPPER]
    for name in UPPER:
        setattr(entry, TURN + name, upper.get(name, (0.0, 0.0, 0.0)))
    entry.more = _dumped(state, ("lasts_s", "swing", "upper", *NUMBERS, *CONTACT))


def gait_in(group: Any) -> PoseGait:
    """The gait of settings. Raises InputError naming the state that does not fit."""
    values = {name: _held(PoseGait, name, getattr(group, name)) for name in WHOLE}
    states = tuple(state_in(entry, group.symmetric) for entry in group.states)
    return PoseGait.from_dict({**json.loads(group.more or "{}"), "name": group.title, "symmetric": group.symmetric, **values,
                               "states": states})


def state_in(entry: Any, symmetric: bool) -> PoseState:
    """The state of an entry of the list."""
    values = {name: _held(PoseState, name, getattr(entry, name)) for name in NUMBERS}
    values |= {name: getattr(entry, name) for name in CONTACT}
    upper = {name: tuple(plain(x) for x in getattr(entry, TURN + name))
             for name, drawn in zip(UPPER, entry.drawn, strict=True) if drawn}
    return PoseState.from_dict({**json.loads(entry.more or "{}"), "lasts_s": None if entry.until_touch else plain(entry.lasts_s),
                                "swing": "" if symmetric else entry.swing, **values, "upper": upper or None})


def text_of(gait: PoseGait) -> str:
    """A gait as its file holds it."""
    return json.dumps(pose_gait_file(gait))


def edited(group: Any) -> bool:
    """Whether a gait has been changed since it was opened or kept; one that does not fit has."""
    try:
        return bool(group.states) and text_of(gait_in(group)) != group.opened
    except InputError:
        return True


def _held(kind: type, name: str, value: float) -> float:
    """A number as it was set; Blender's digits may be beyond the range's end."""
    told = settings_of(kind)[name]
    if isinstance(value, int):
        return value
    return min(max(plain(value), told.low), told.high)


def _dumped(made: PoseGait | PoseState, but: tuple[str, ...]) -> str:
    """The fields that no setting has, where they are not as they are by themselves: as JSON."""
    kind: type = type(made)
    return json.dumps({name: getattr(made, name) for name, told in settings_of(kind).items()
                       if name not in but and getattr(made, name) != told.default}, default=asdict)


CLASSES = (LopePoseState, LopePoseGait)


OWN, OWN_FILE = "OWN", "FILE"
KEPT = "KEPT:"
"""Before the name of a preset of the user's."""


FILE_ITEM = item(OWN_FILE, "My File", "A gait from key poses in a file of your own, as lope poses and lope tune write them")


@lru_cache(maxsize=2)
def shipped_items(kind: str = HUMAN) -> tuple[EnumItem, ...]:
    """The gaits of `presets/pose_gaits` for a kind of body, by name."""
    return tuple(item(preset["name"], title(preset["name"]), preset["summary"]) for preset in plain_presets(folder_of(kind)))


@lru_cache(maxsize=8)
def items_with(kept: tuple[str, ...]) -> list[EnumItem]:
    """All items, with the user's presets of these names; kept, as Blender keeps no text of a menu that is made anew."""
    return [*shipped_items(), *(item(KEPT + name, name, "A gait that you kept") for name in kept),
            item(OWN, "This Character's Own", "The gait that is edited here, and kept in this file"),
            FILE_ITEM]


def pose_gait_items(_settings: Any = None, _context: Any = None) -> list[EnumItem]:
    """The shipped gaits, those that the user kept, the character's own, and a file."""
    return items_with(tuple(names_in(pose_gaits_folder())))


class PoseGaitSettings:
    """The gait from key poses, for a property group to inherit."""

    pose_gait: EnumProperty(name="Key Poses", update=changed, items=pose_gait_items, default=number(shipped_items(), "walk"),
                            description="The gait that is made of key poses and balance alone")
    pose_gait_path: StringProperty(name="File", update=changed, subtype="FILE_PATH",
                                   description="A gait from key poses (JSON)")
    planar: BoolProperty(name="Planar (2-D)", default=False, update=changed,
                         description="Simulate a flat body that goes ahead and back and cannot fall sideways, with the thesis's "
                                     "own gaits; legs are baked as simulated, arms hang and swing")
    planar_gait: EnumProperty(name="Key Poses", update=changed, items=(*shipped_items(PLANAR), FILE_ITEM), default="walk",
                              description="The gait that is made of key poses, for the planar body")
    planar_engine: EnumProperty(name="Engine", update=changed, items=planar_engine_items(), default="springs",
                                description="What computes the physics of the planar body")
    learns: BoolProperty(name="Learn", default=False, update=changed,
                         description="Learn on the way to hold trunk and upper body steadier; it takes half a minute")
    firmness: FloatProperty(name="Firmness", default=1.0, min=0.1, max=3.0, update=changed,
                            description="How firmly trunk and upper body are held; half of it looks easy, once it has learned")
    own_gait: PointerProperty(name="Own Gait", type=LopePoseGait, description="The character's own gait from key poses")
    edits_gait: BoolProperty(name="Edit Key Poses", default=False,
                             description="Show the states of the gait at the top of the tab")
    pose_state: IntProperty(options={"HIDDEN"}, description="The state whose pose the armature shows, counted from 0")
    pose_kept: StringProperty(options={"HIDDEN"}, description="How the armature stood before it showed a pose, as JSON")
    pose_shown: StringProperty(options={"HIDDEN"}, description="The pose as it was shown, as JSON")
    drive_kept: StringProperty(options={"HIDDEN"}, description="How the armature stood before it was driven, as JSON")


def by_poses(settings: bpy.types.PropertyGroup) -> bool:
    """Whether the character's gait is one from key poses."""
    return settings.motion not in ("FOLLOW", "STAND") and settings.gait_source == "POSES" and not by_creature(settings)


def in_plane(settings: bpy.types.PropertyGroup) -> bool:
    """Whether the character goes as a planar body: nobody drives one."""
    return settings.planar and settings.motion == "GAIT" and by_poses(settings)


def body_in_plane(spec: BodySpec, suit: str) -> BodySpec:
    """The planar body with legs as long as those of a human. Raises InputError for one in a suit."""
    if suit != NO_SUIT:
        raise InputError("In the plane no suit is worn: choose No Suit under Body, or switch Planar (2-D) off under Poses.")
    return replace(spec, kind=PLANAR, mass_kg=PLANAR_MASS_KG, skin_m=None)


def pose_gait_of(settings: bpy.types.PropertyGroup) -> PoseGait | None:
    """The Shot's gait from key poses; None where it goes in another. Raises InputError for one that will not do."""
    if not by_poses(settings):
        return None
    gait = chosen_gait(settings)
    firmness = round(min(max(gait.firmness * settings.firmness, 0.1), 3.0), 3)
    return replace(gait, learning=gait.learning or (Learning() if settings.learns else None), firmness=firmness)


def chosen_gait(settings: bpy.types.PropertyGroup) -> PoseGait:
    """The gait from key poses that is chosen. Raises InputError for one that is not there, or will not do."""
    flat = in_plane(settings)
    chosen = settings.planar_gait if flat else settings.pose_gait
    if chosen == OWN:
        if not settings.own_gait.states:
            raise InputError("This character has no key poses of its own yet; choose a gait under Key Poses and press Edit.")
        return gait_in(settings.own_gait)
    if chosen.startswith(KEPT):
        return read_pose_gait(pose_gaits_folder() / f"{chosen.removeprefix(KEPT)}.json")
    if chosen != OWN_FILE:
        if not chosen:
            raise InputError("The gait from key poses that was chosen is not among yours on this machine; choose another one.")
        return load_pose_gait(chosen, PLANAR if flat else HUMAN)
    path = Path(bpy.path.abspath(settings.pose_gait_path)) if settings.pose_gait_path else None
    if path is None or not path.is_file():
        raise InputError("There is no gait from key poses; choose its file under Poses.")
    return read_pose_gait(path)


class LopePoseChange(bpy.types.PropertyGroup):
    """One change of a gait from key poses."""

    frame: IntProperty(name="Frame", update=changed, default=72, description="Frame from which on this is wished for")
    use_gait: BoolProperty(name="Set Gait", update=changed, default=True,
                           description="Go over to another gait from key poses. Off: it stays")
    pose_gait: EnumProperty(name="Key Poses", update=changed, items=shipped_items(), default="march",
                            description="The gait that is gone over to, with the next change of state")
    planar_gait: EnumProperty(name="Key Poses", update=changed, items=shipped_items(PLANAR), default="in_place",
                              description="The gait that the planar body goes over to, with the next change of state")
    use_over: BoolProperty(name="Little by Little", update=changed, default=False,
                           description="Go over evenly, so that the character bows while it walks. Both gaits need the same "
                                       "states. Off: with the next change of state")
    over_s: FloatProperty(name="Within (s)", update=changed, default=2.0, min=0.0, max=60.0, soft_max=5.0,
                          description="Time in which the gait is gone over to")
    use_speed: BoolProperty(name="Set Speed", update=changed, default=False, description="Ask for a speed. Off: the gait's own")
    speed_m_s: FloatProperty(name="Speed (m/s)", update=changed, default=1.0, min=0.0, max=15.0, soft_max=3.0,
                             description="The speed that is asked for from this frame on")


def change_menu(settings: bpy.types.PropertyGroup) -> str:
    """Name of the setting of a change that holds the gait: each kind of body has gaits of its own."""
    return "planar_gait" if in_plane(settings) else "pose_gait"


def steering_of(settings: bpy.types.PropertyGroup, time_of: Callable[[int], float]) -> tuple[Steering, ...]:
    """What is wished for on the way, in its order; `time_of` gives a frame's time in the shot [s]. What comes before the shot,
    or wishes for nothing, is left out. Raises InputError for a change that cannot be."""
    found, menu = [], change_menu(settings)
    for one in sorted(settings.pose_changes, key=lambda one: one.frame):
        time_s = time_of(one.frame)
        if time_s >= 0.0 and (one.use_gait or one.use_speed):
            found.append(Steering(time_s, speed_m_s=plain(one.speed_m_s) if one.use_speed else None,
                                  gait=getattr(one, menu) if one.use_gait else None,
                                  over_s=plain(one.over_s) if one.use_gait and one.use_over else None))
    return tuple(found)


class LopePosePick(bpy.types.PropertyGroup):
    """One pose."""

    action: PointerProperty(name="Action", type=bpy.types.Action,
                            description="The action that holds the pose: the character's own, or a pose of a library")
    frame: IntProperty(name="Frame", default=1, description="Its frame, as the action itself counts them")


class PosePickSettings:
    """The poses of a gait to be made, for a property group to inherit."""

    pose_picks: CollectionProperty(name="Poses", type=LopePosePick,
                                   description="The poses that a gait is made of, in their order: one in the midst of a step "
                                               "first, the one just before the foot comes down last")
    pose_pick_index: IntProperty(name="Active Pose", description="The pose chosen in the list")
    poses_name: StringProperty(name="Gait's Name", default="my gait", description="What the gait made of the poses is called")
    poses_apart_s: FloatProperty(name="Time Between (s)", default=0.3, min=0.05, max=5.0, precision=2,
                                 description="Time from pose to pose where they are of different actions; poses of one action "
                                             "are as far apart as their frames")
    poses_use_speed: BoolProperty(name="Ask for a Speed", default=False,
                                  description="Look for a gait of this speed. Off: what the poses' steps come to")
    poses_speed_m_s: FloatProperty(name="Speed (m/s)", default=1.0, min=0.0, max=3.0, description="The speed that is looked for")
    poses_said: StringProperty(name="What Gave", description="What was said of the last gait made of poses")
