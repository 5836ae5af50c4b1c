# SPDX-License-Identifier: GPL-3.0-or-later
"""What becomes of a job's result: noted on its armature, baked if asked, and kept over undo.

The fall that ended an armature's last take: when it was, and what to change.

What becomes of an action that was hit: the frames around the hits are baked on a copy of it, as one undo step.
"""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import bpy

from ..addon.errors import LopeError
from ..addon.reports.rules import AMBER, ORDER, RED, whole_grade
from ..addon.rigs.bake.provenance import KEYS_KEY, TAKE_KEY
from ..addon.worlds.planets import label_of
from . import context as notes
from . import pressure_outcome, takes
from . import pressure_outcome as live_offer
from . import properties as changes
from . import search_outcomes as found_gait
from . import search_outcomes as made_gait
from .bake import bake_kept, baked_action, own_keys_of
from .condition_settings import ease
from .context import Order, said, words
from .figures import fingerprint
from .muscles import TORQUE

if TYPE_CHECKING:
    from ..addon.gaits.remedy import Remedy


@dataclass(frozen=True)
class Fall:
    """When the character of the last take fell, what to change, None where nothing is known, and the gait that it went by, None
    for a motion file's."""

    fell_s: float
    remedy: Remedy | None
    gait: str | None = None


def fall_of(armature: bpy.types.Object) -> Fall | None:
    """The fall that ended an armature's last take; None where none did."""
    from ..addon.gaits.remedy import Remedy

    try:
        found = json.loads(armature.lope.take_fall)
        return Fall(float(found["fell_s"]), Remedy(**found["remedy"]) if found["remedy"] else None, found.get("gait"))
    except (ValueError, TypeError, KeyError):
        return None


def told(report: dict[str, Any]) -> str:
    """What is kept of a report for `fall_of`: "" where no fall ended the take."""
    if not report.get("fell"):
        return ""
    return json.dumps({"fell_s": report["time_fell_s"], "remedy": report.get("remedy"), "gait": report.get("gait")})


def fall_label_of(remedy: Remedy) -> str:
    """What the button says that tries this."""
    from ..addon.gaits.remedy import SEARCH

    if remedy.field == "push_share":
        return words("Try Again, {share:.0f} % of the Push", share=100.0 * remedy.value)
    if remedy.field == "speed_m_s":
        return words("Try Again at {speed:.2f} m/s", speed=remedy.value)
    if remedy.field == "stride_frequency_hz":
        return words("Try Again, Own Stride Rate")
    if remedy.field == "condition_share":
        return words("Try Again, {share:.0f} % of the Condition", share=100.0 * remedy.value)
    if remedy.field == SEARCH:
        return words("Search a Gait for It")
    if remedy.field == "strength":
        return words("Try Again, Muscles {strength:.1f} Times as Strong", strength=remedy.value)
    if remedy.field == "actuation":
        return words("Try Again by Motors")
    if remedy.field == "suit":
        return words("Try Again without a Suit")
    return words("Try Again with an Even Start") if remedy.field == "noise" else words("Try Again as a Walk")


def apply(fall: Fall, settings: bpy.types.PropertyGroup) -> None:
    """Change an armature's settings as the remedy of a fall says. A gait that was chosen for the shot stays: another speed might
    bring another one."""
    remedy = fall.remedy
    if remedy.field == "push_share":
        for push in settings.pushes:
            push.force_n *= remedy.value
    elif remedy.field == "speed_m_s":
        settings.use_speed, settings.speed_m_s = True, remedy.value
        if fall.gait is not None:
            settings.gait = fall.gait
    elif remedy.field == "condition_share":
        ease(settings, remedy.value)
    elif remedy.field == "strength":
        settings.muscle_strength = remedy.value
    elif remedy.field == "actuation":
        settings.actuation = TORQUE
    elif remedy.field == "suit":
        settings.suit = remedy.value
    elif remedy.field == "stride_frequency_hz":
        settings.use_stride_frequency = False
    elif remedy.field == "noise":
        settings.noise = remedy.value
    elif remedy.field == "gait":
        settings.gait_source, settings.gait, settings.use_speed = "PRESET", remedy.value, False
    changes.changed()


HIT_TASK = "hit"
"""Kind of the job."""


def bake_hits(order: Order, armature: bpy.types.Object, scene: bpy.types.Scene) -> notes.Note:
    """Bake the result of a job as one undo step; gives the word on it."""
    from ..addon.reports.retry import unhit_file
    from ..addon.rigs.bake.hit_bake import bake_hit
    from ..addon.sim.take import Take

    options, report = order.job.task.options, order.job.report
    action = bpy.data.actions.get(options["action"])
    if action is None:
        return notes.Note(notes.WARNED, words("The action {name} is gone; the take of the hit is kept", name=options["action"]))
    struck = Take.load(order.job.task.out)
    thrown = {row: scene.objects[name] for row, name in enumerate(options["thrown"]) if name in scene.objects}
    try:
        done = bake_hit(armature, action, (struck, Take.load(unhit_file(order.job.task.out))), scene=scene,
                        first_frame=options["first_frame"], thrown=thrown)
    except (LopeError, RuntimeError) as error:
        return notes.Note(notes.FAILED, words("The take is kept, but was not baked: {reason}", reason=said(str(error).strip())))
    bpy.ops.ed.undo_push(message=words("Simulate Hit"))
    told = words("Frames {first} to {last} of {name} are new; {action} is as it was", first=done.first, last=done.last,
                 name=done.action.name, action=action.name)
    if report.get("steps_taken"):
        told = words("{text}. Steps taken: {steps}", text=told, steps=report["steps_taken"])
    if not done.back:
        told = words("It does not come back: its feet stand {off:.2f} m from there. {text}", text=told, off=done.off_m)
    missed = [said(sentence) for sentence in report.get("missed", ())]
    return notes.Note(notes.WARNED if missed or not done.back else notes.DONE, " ".join([*missed, told]))


_baked: dict[int, tuple[str, notes.Note, notes.Note]] = {}
"""By armature (session_uid) whose take was baked by itself: the mark of these keys, and the word while they are there, and while
they are undone."""


def deliver(order: Order, armature: bpy.types.Object) -> notes.Note:
    """Note the take on its armature and bake it if asked. Gives the word for the panel."""
    job = order.job
    if job.task.kind == "tune":
        report = job.report
        return notes.Note(notes.DONE, words(
            "Tuned {gait} for {world}: cost {before:.3g} to {after:.3g}; used from the next simulation on",
            gait=said(report["gait"]), world=said(label_of(report["world"])), before=report["cost_before"],
            after=report["cost_after"]))
    if job.task.kind == found_gait.FOUND_TASK:
        return found_gait.note_of(job.report)
    if job.task.kind == made_gait.MADE_TASK:
        return notes.Note(notes.DONE, made_gait.choose(armature, job.task.out, job.report))
    if job.task.kind == pressure_outcome.INDEX:
        return pressure_outcome.indexed(order, armature)
    if job.task.kind == pressure_outcome.SHOW:
        return live_offer.make(order)
    text = pressure_outcome.summary(job.report) if job.report.get("laid") else summary(job.report, job.task.shot)
    kept, scene = pressure_outcome.kept_of(order), bpy.data.scenes.get(order.scene_name)
    note_take(armature, job.task.out, text, json.dumps(job.report.get("card", [])), told(job.report), kept,
              first_frame=_first_frame(armature, job.task.shot, scene), made_by=order.made_by,
              **takes.facts_of(job.task.shot, job.report))
    if job.task.kind == HIT_TASK and scene is not None and not job.report.get("lost"):
        return bake_hits(order, armature, scene)
    if job.report.get("fell"):
        return notes.Note(notes.FELL, text)
    if job.report.get("lost"):
        return notes.Note(notes.WARNED, text)
    if not order.bake:
        return notes.Note(notes.DONE, text)
    if scene is None or armature.name not in scene.objects:
        return notes.Note(notes.WARNED, words(
            "{name} is no longer in the scene {scene}; its take is kept, bake it by hand", name=armature.name,
            scene=order.scene_name))
    if fingerprint(armature, scene) != order.rig:
        return notes.Note(notes.WARNED, words(
            "{name} was edited meanwhile; its take is kept: bake it as it is, or simulate again", name=armature.name))
    try:
        bake(armature, scene)
    except (LopeError, RuntimeError) as error:
        return notes.Note(notes.FAILED, words("The take is kept, but was not baked: {reason}", reason=said(str(error).strip())))
    text = text.rstrip(".")
    kind = notes.WARNED if job.report.get("undone") else notes.DONE
    there = notes.Note(kind, words("{text}. The keys are there", text=text))
    old = own_keys_of(armature)
    if old is not None:
        there = notes.Note(notes.WARNED, words(
            "Your keys are in {old}: Keep My Keys lays them over the new {new}. {text}. The keys are there",
            text=text, new=baked_action(armature).name, old=old.name))
    undone = notes.Note(notes.CANCELLED, words("{text}. The keys were undone, the take is kept: press Bake", text=text))
    _baked[armature.session_uid] = _mark(armature), there, undone
    return there


def _first_frame(armature: bpy.types.Object, shot: dict[str, Any], scene: bpy.types.Scene | None) -> float:
    """The frame at which a take begins: where the one ends that it goes on from, else the scene's first."""
    goes_on = armature.lope.after_path and shot and shot["motion"].get("after")
    return float(armature.lope.after_frame if goes_on else 1 if scene is None else scene.frame_start)


def _mark(armature: bpy.types.Object) -> str:
    """What tells a bake on an armature from any other one."""
    action = baked_action(armature)
    return "" if action is None else f"{action.name} {action.get(TAKE_KEY)} {action.get(KEYS_KEY)}"


def button_of(kind: str) -> str:
    """The operator that begins jobs of a kind, where its own panel says why one failed; "" of all others."""
    return pressure_outcome.BUTTONS.get(kind, "")


def bake(armature: bpy.types.Object, scene: bpy.types.Scene) -> None:
    """Bake an armature's take, whichever armature the artist has picked meanwhile, as one undo step. Raises LopeError."""
    window = next((w for w in bpy.context.window_manager.windows if w.scene == scene), None)
    layer = window.view_layer if window else scene.view_layers[0]
    given = {"scene": scene, "view_layer": layer}
    if window is not None:
        given["window"] = window
    with bpy.context.temp_override(**given):
        bake_kept(armature, scene)
        bpy.ops.ed.undo_push(message="Bake")


def note_take(armature: bpy.types.Object, path: str, *kept: str, **facts: object) -> None:
    """Put a take into an armature's list and make it the present one, with what else is known of it, fields of `takes.Made`;
    undo does not take it away. Without a path the armature has no present take."""
    if path:
        made = takes.Made(path, *kept, **facts)
        card = [CardLine(*line) for line in json.loads(made.card or "[]")]
        takes.add(armature, dataclasses.replace(made, verdict=grade_of(card) if card else ""))
        return
    for name in takes.SETTINGS:
        setattr(armature.lope, name, "")


def keys_undone(armature: bpy.types.Object) -> bool:
    """Whether the last word about an armature is that the keys of its take were undone."""
    _, _, undone = _baked.get(armature.session_uid, ("", None, None))
    return undone is not None and notes.of(armature) == undone


def restore() -> None:
    """Undo has put settings back: the takes of this session are there all the same, and what is said of keys is true again."""
    takes.restore()
    for item in bpy.data.objects:
        mark, there, undone = _baked.get(item.session_uid, ("", None, None))
        if there is not None and notes.of(item) in (there, undone):
            notes.tell(item.session_uid, item.name, there if _mark(item) == mark else undone)


class CardLine(NamedTuple):
    """A line of the physics card: grade, measure, a sentence, the moment [s] at which it is worst, None for a line
    on the whole take, and what to change, "" where nothing is to be."""

    grade: str
    name: str
    sentence: str
    at_s: float | None = None
    advice: str = ""


def card_of(armature: bpy.types.Object) -> list[CardLine]:
    """The lines of the last take's physics card; none where there is no take."""
    return card_in(armature.lope.take_card)


def card_in(text: str) -> list[CardLine]:
    """The lines of a physics card as JSON; none of what is no card."""
    try:
        return [CardLine(*line) for line in json.loads(text or "[]")]
    except (ValueError, TypeError):
        return []


def grade_of(card: list[CardLine]) -> str:
    """The grade of a whole card, as `reports.card.Card` has it."""
    return whole_grade((line.name, line.grade) for line in card)


def worst_of(armature: bpy.types.Object) -> CardLine | None:
    """The line of the last take's card that is most in need of a look; None where all is green."""
    return worst_in(card_of(armature))


def worst_in(card: list[CardLine]) -> CardLine | None:
    """The same of a card's lines."""
    return max((line for line in card if line.grade in (AMBER, RED)), key=lambda line: ORDER.index(line.grade), default=None)


def forget() -> None:
    """Drop what is remembered: another file is coming."""
    takes.forget()
    _baked.clear()
    live_offer.forget()


def summary(report: dict[str, Any], shot: dict[str, Any]) -> str:
    """One line on a take for the panel."""
    text = _summary(report, shot)
    text = f"{text}. {said(report['changed'])}" if report.get("changed") else text
    if report.get("undone"):
        text = words("{text}. Not as asked: {reason}", text=text.rstrip("."), reason=", ".join(map(said, report["undone"])))
    return " ".join([f"{text}.", *map(said, report["missed"])]) if report.get("missed") else text


def _caught(report: dict[str, Any], where: str) -> str:
    """The same of somebody who is caught where his motion does not hold him."""
    text = words("{time:.1f} s on {world}, {way:.1f} m", time=report["duration_s"], world=where, way=report["walked_m"])
    given, taken = report["handed_over_s"], report["spliced_back_s"]
    if len(given) > len(taken):
        return words("{text}; caught at {given:.1f} s, then standing", text=text, given=given[-1])
    if given:
        return words("{text}; caught at {given:.1f} s, with the motion again at {taken:.1f} s", text=text, given=given[-1],
                     taken=taken[-1])
    return words("{text}; steps taken: {steps}", text=text, steps=report["steps_taken"]) if report["steps_taken"] else text


def _summary(report: dict[str, Any], shot: dict[str, Any]) -> str:
    where = said(label_of(shot["world"]["name"]))
    if report.get("lost"):
        return words("{reason} That is no fall: try a gentler shot", reason=said(report["lost"]))
    if report.get("fell"):
        return words("Fell after {time:.1f} s on {world}", time=report["time_fell_s"], world=where)
    if report.get("got_up"):
        return words("Fell after {time:.1f} s on {world}; got up in {up:.1f} s", time=report["time_fell_s"], world=where,
                     up=report["time_up_s"])
    if report.get("got_up") is False:
        return words("Fell after {time:.1f} s on {world} and did not get up", time=report["time_fell_s"], world=where)
    if report.get("time_fell_s") is not None:
        return words("Fell after {time:.1f} s on {world}; simulated on to {end:.1f} s", time=report["time_fell_s"], world=where,
                     end=report["duration_s"])
    if report.get("handed_over_s") is not None:
        return _caught(report, where)
    if report.get("jump_height_m") is not None:
        return words("Rose {up:.2f} m on {world}, landed {ahead:.2f} m ahead", up=report["jump_height_m"], world=where,
                     ahead=report["jump_ahead_m"])
    if report.get("strategy"):
        if report["steps_taken"]:
            return words("Stood {time:.1f} s on {world}; steps taken: {steps}", time=report["duration_s"], world=where,
                         steps=report["steps_taken"])
        return words("Stood {time:.1f} s on {world} by its {strategy}", time=report["duration_s"], world=where,
                     strategy=said(report["strategy"]))
    text = words("{time:.1f} s on {world}, {way:.1f} m", time=report["duration_s"], world=where, way=report["walked_m"])
    return words("{text} (ended early)", text=text) if report.get("early") else text
