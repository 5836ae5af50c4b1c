# SPDX-License-Identifier: GPL-3.0-or-later
"""What the worker works out for what Blender shows: the plan of a shot, the course of a take, its body as lines, the pressure
under it. Each task writes a value of dataclasses, arrays and plain values to `Task.out`, which `read_found` gives again."""

from __future__ import annotations

import dataclasses
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..archives import opened_archive, read_head, read_member, write_archive
from ..children.protocol import Task
from ..errors import JobError, LopeError
from ..files import DAMAGED, why
from ..maths.rotations import quat_rotate
from ..specs.motions import Creature, Reflex
from ..specs.shot import Shot

if TYPE_CHECKING:
    from ..children.server import Line
    from ..sim.take import Take

LONGEST_S = 60.0
"""No more than this is planned of a shot."""
KIND = "found"
LINES_HZ = 60.0
"""Poses in a second of the lines of a take."""


def plan_shot(task: Task, _line: Line | None = None) -> dict[str, Any]:
    """Write what `planned` says of a shot and the `leg_length_m` of the options; the shot as its dict."""
    found = planned(Shot.from_dict(task.shot), task.options["leg_length_m"])
    return _write(task, {**found, "shot": found["shot"].to_dict()})


def take_traces(task: Task, _line: Line | None = None) -> dict[str, Any]:
    """Write the `Traces` of the `take` of the options."""
    from ..reports.events import traces_of
    from ..sim.take import Take

    return _write(task, traces_of(Take.load(task.options["take"])))


def take_pressure(task: Task, _line: Line | None = None) -> dict[str, Any]:
    """Write the `picture` (`OnGround`) under the `take` of the options, with its `shot`, `body` and `first_s`."""
    from ..reports.pressure_on_ground import seen_under
    from ..sim.take import Take

    take = Take.load(task.options["take"])
    return _write(task, {"picture": seen_under(take), "shot": take.shot.to_dict(), "body": take.body.to_dict(),
                         "first_s": float(take.time_s[0])})


def take_lines(task: Task, _line: Line | None = None) -> dict[str, Any]:
    """Write the `ends` (N, S, 2, 3) [m] and `sides` of the lines of the body of the `take`, `rate_hz` a second."""
    from ..sim.take import Take

    take = Take.load(task.options["take"])
    times = np.arange(float(take.time_s[0]), float(take.time_s[-1]) + 1e-9, 1.0 / LINES_HZ)
    ends, sides = body_lines(take, np.clip(np.searchsorted(take.time_s, times - 1e-9), 0, len(take.time_s) - 1))
    return _write(task, {"rate_hz": LINES_HZ, "ends": ends.astype(np.float32), "sides": sides})


def body_lines(take: Take, rows: np.ndarray) -> tuple[np.ndarray, tuple[str, ...]]:
    """Ends (N, S, 2, 3) [m] of lines from joint to joint or tip at some rows (N,) of a take; sides "L", "R" of legs, else ""."""
    places, turns = (array[rows] for array in take.segment_poses)
    segments, index = take.body.segments, take.body.index
    lines = [(index[one.hangs_on], i) for i, one in enumerate(segments[1:], start=1)]
    last = sorted(set(range(len(segments))) - {above for above, _ in lines})
    tips = places[:, last] + quat_rotate(turns[:, last], np.array([segments[i].tip for i in last]))
    begins, joints = (places[:, [line[end] for line in lines]] for end in (0, 1))
    ends = np.stack([np.concatenate([begins, places[:, last]], axis=1), np.concatenate([joints, tips], axis=1)], axis=2)
    of_leg = {name: foot.side for foot in take.body.feet for name in foot.leg}
    return ends, tuple(of_leg.get(segments[i].name) or "" for i in (*(above for above, _ in lines), *last))


TASKS = {"plan": plan_shot, "traces": take_traces, "under": take_pressure, "lines": take_lines}


def planned(shot: Shot, leg_length_m: float) -> dict[str, Any]:
    """What is known of a shot before it is simulated, by the names of fields of `operators.plan_board.Plan`; where it cannot be
    planned an `error` in a sentence, with what was known until then, and of a fault in Lope its traceback as `detail`."""
    found: dict[str, Any] = {"shot": shot}
    try:
        _plan(found, leg_length_m)
    except Exception as error:
        sentence, detail = explained(error)
        found |= {"preview": None, "error": sentence, "detail": detail, "needs_s": getattr(error, "needs_s", None)}
    return found


def explained(error: Exception) -> tuple[str, str]:
    """What the artist reads of an error in planning; of a fault in Lope the traceback too."""
    if isinstance(error, (LopeError, ModuleNotFoundError)):
        return str(error), ""
    return f"Planning failed: {error!r}. This is a fault in Lope; please report it.", "".join(traceback.format_exception(error))


def _plan(found: dict[str, Any], leg_length_m: float) -> None:
    """The plan, what its speed is for people, and the speeds that the gait can do. Raises LopeError."""
    from ..bodies.human.suit import load_suit
    from ..bodies.makers import make_body
    from ..gaits.choice import advise, shot_choice
    from ..gaits.ranges import promised_range, top_heavy, unlike
    from ..locomotion.creature.stored import pace_of
    from ..locomotion.reflex.walkers import own_speed_m_s, walker_of
    from ..sim.simulation import preview, resolved

    shot = found["shot"]
    if shot.controller in Creature.CONTROLLERS:
        found |= {"pace": pace_of(shot), "unplanned": True}
        raise LopeError(f"The controller {shot.controller} plans nothing ahead; simulate to see what it does.")
    suit = load_suit(shot.suit)
    body = make_body(shot.body, suit, shot.carry)
    choice = found["choice"] = shot_choice(shot, leg_length_m, suit.mass_kg > 0.0, top_heavy(body))
    if choice is not None:
        found["shot"] = shot = choice.taken(shot)
    shot, gravity = resolved(shot), shot.world.gravity_m_s2
    found["duration_s"] = shot.duration_s
    if shot.controller in Reflex.CONTROLLERS:
        walker, missed = walker_of(shot, body)
        found["walker"] = walker.name, own_speed_m_s(walker, body, gravity), missed
    elif shot.motion.source_file is None:
        found |= {"feasible": promised_range(shot.motion.name, gravity, body), "unlike": unlike(body) or ""}
    motion = shot.motion if shot.duration_s <= LONGEST_S else shot.motion.reset("stop")
    seen = found["preview"] = preview(dataclasses.replace(shot, motion=motion, duration_s=min(shot.duration_s, LONGEST_S),
                                                          pushes=()))
    found["unplanned"] = seen is None
    if seen is None:
        raise LopeError(f"The controller {shot.controller} plans nothing ahead; simulate to see what it does.")
    if shot.motion.source_file is None:
        found["advice"] = advise(shot.motion.name, float(seen.speed_m_s), gravity, leg_length_m, shot.world.name)


def read_found(path: str | Path) -> Any:
    """The value in a file of a task's. Raises JobError where it cannot be read."""
    try:
        with opened_archive(path) as archive:
            return _unpacked(read_head(archive, KIND)["value"], read_member(archive, "bytes").tobytes(), _classes())
    except (OSError, *DAMAGED) as error:
        raise JobError(f"What the worker found cannot be read: {why(error)}.") from error


def _write(task: Task, value: Any) -> dict[str, Any]:
    store = bytearray()
    head = {"value": _packed(value, store)}
    write_archive(Path(task.out), KIND, head, {"bytes": np.frombuffer(bytes(store), np.uint8)}, level=1)
    return {"found": True}


def _packed(value: Any, store: bytearray) -> Any:
    """A value in JSON; arrays go to the store, and their type, shape and place there stand for them."""
    if isinstance(value, np.ndarray):
        store += np.ascontiguousarray(value).tobytes()
        return {"array": [value.dtype.str, list(value.shape), len(store) - value.nbytes]}
    if dataclasses.is_dataclass(value):
        fields = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
        return {"class": type(value).__name__, "table": {name: _packed(one, store) for name, one in fields.items()}}
    if isinstance(value, dict):
        return {"table": {name: _packed(one, store) for name, one in value.items()}}
    if isinstance(value, (tuple, list)):
        return {type(value).__name__: [_packed(one, store) for one in value]}
    return value.item() if isinstance(value, np.generic) else value


def _unpacked(value: Any, store: bytes, classes: dict[str, type]) -> Any:
    """What `_packed` packed; arrays are views of the store."""
    if not isinstance(value, dict):
        return value
    if "array" in value:
        kind, shape, start = value["array"]
        return np.frombuffer(store, kind, int(np.prod(shape)), start).reshape(shape)
    if "table" in value:
        table = {name: _unpacked(one, store, classes) for name, one in value["table"].items()}
        return classes[value["class"]](**table) if "class" in value else table
    return tuple(_unpacked(one, store, classes) for one in value["tuple"]) if "tuple" in value else [
        _unpacked(one, store, classes) for one in value["list"]]


def _classes() -> dict[str, type]:
    from ..gaits.choice import Choice
    from ..gaits.path_speeds import Along
    from ..locomotion.controller import Plan
    from ..reports.events import Traces
    from ..reports.pressure_on_ground import Loaded, OnGround

    return {one.__name__: one for one in (Along, Choice, Loaded, OnGround, Plan, Traces)}
