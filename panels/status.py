# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tab has to say, the most pressing first, each with what can be done about it.

The header shows the first; all of them stand in the popover beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import bpy
from bpy.app.translations import pgettext_iface

from ..addon.jobs.job import LIVE
from ..addon.specs.motions import Followed
from ..addon.specs.shot import NO_SUIT
from ..operators import context as notes
from ..operators import desk, driving, gait_search, outcomes, plan_board, pressure_outcome
from ..operators.again import offered_s
from ..operators.bake import baked_action, own_keys_of
from ..operators.choices import title
from ..operators.context import active_armature, armatures, said, words
from ..operators.creature import AUTO, CREATURE, HUMAN, by_creature, findings_of_any
from ..operators.drive import how_it_goes
from ..operators.follow import drives, follows, follows_nothing
from ..operators.live import how_live
from ..operators.outcomes import fall_label_of, fall_of
from ..operators.pressure_settings import pressure_of
from ..operators.show_plots import follows_in, frame_at
from ..operators.verbs import DRIVE, HIT, POSES, PRESSURE, PUSH, WALK, verb_of
from .base import GRADES, Popover, lines, sentence

if TYPE_CHECKING:
    from ..addon.rigs.read.doctor import Finding

Row = bpy.types.UILayout


class Told(NamedTuple):
    """A sentence, translated, its icon, and what draws the buttons that belong to it into a row; None where there are none."""

    text: str
    icon: str
    buttons: Callable[[Row], None] | None = None


def told(context: bpy.types.Context) -> Iterator[Told]:
    """All there is to say, the most pressing first. There is always something."""
    armature = active_armature(context)
    if armature is None:
        yield from _jobs(None)
        some = bool(armatures(context.scene))
        yield Told(words("Several characters are here: pick one above, or click it") if some else
                   words("Nobody is here yet: add a character, or pick one above"), "INFO")
        return
    note = notes.of(armature)
    if note is not None and note.button:
        yield _noted(note)
    yield from _watched(armature)
    yield from _jobs(armature)
    yield from _cannot(context, armature)
    if not (note is not None and note.button):
        yield from _happened(context, armature, note)
    yield from _warnings(context, armature)
    yield from _planned(armature)
    yield Told(words("Ready"), "BLANK1", _player(armature))


def _noted(note: notes.Note) -> Told:
    return Told(note.text, note.icon, _length(note.needs_s))


def _watched(armature: bpy.types.Object) -> Iterator[Told]:
    """A drive, or pressure that is shown while it comes, and what it left."""
    drive, live = driving.drive(), driving.live()
    if drive is not None:
        yield Told(how_it_goes(drive).lstrip("● ").replace("   ", ", "), "REC")
    if live is not None:
        yield Told(how_live(live).lstrip("● ").replace("   ", ", "), "REC",
                   lambda row: row.operator("lope.live_stop", icon="CANCEL"))
    offer = pressure_outcome.of(armature.session_uid) if live is None else None
    if offer is not None:
        yield Told(". ".join(filter(None, (offer.wrong, offer.text))), "ERROR" if offer.wrong else "QUESTION", _offered)


def _offered(row: Row) -> None:
    row.operator("lope.live_keep", icon="CHECKMARK")
    row.operator("lope.live_discard", icon="TRASH")


def _jobs(armature: bpy.types.Object | None) -> Iterator[Told]:
    """Every job that runs or waits, whomever it is for; the first has the buttons that end it."""
    search = None if armature is None else gait_search.order_of(armature)
    for place, job in enumerate(job for job in desk.queue.jobs if job.task.kind not in LIVE):  # whoever is watched says it all
        searches = search is not None and search.job is job
        buttons = None if place else partial(_progress, job=job, searches=searches)
        yield Told(f"{job.label}: {said(job.text)}", "SORTTIME", buttons)


def _progress(row: Row, job: desk.Job, searches: bool) -> None:
    left, share = job.left_s(), f"{100.0 * job.share:.0f} %"
    row.progress(factor=job.share, type="BAR", text=words("{time} so far", time=clock(job.so_far_s())) if left is None else
                 words("{share}, {left} left", share=share, left=clock(left)))
    if searches:
        row.operator("lope.keep_gait", text="", icon="CHECKMARK")
    else:
        row.operator("lope.finish_now", text="", icon="CHECKMARK")
    row.operator("lope.cancel", text="", icon="CANCEL")


def clock(seconds: float) -> str:
    """A time as minutes and seconds."""
    whole = round(seconds)
    return f"{whole // 60}:{whole % 60:02d}"


def _cannot(context: bpy.types.Context, armature: bpy.types.Object) -> Iterator[Told]:
    """Why the shot cannot be, with the cure where there is one."""
    plan, settings = plan_board.of(armature), armature.lope
    failed = plan is not None and bool(plan.error) and not plan.unplanned
    findings = findings_of_any(armature, context.scene, ask=failed)
    wrong = [finding for finding in findings if _stops(finding)]
    if wrong:
        yield from _what(armature)
    yield from (_finding(finding, "CANCEL") for finding in sorted(wrong, key=lambda finding: finding.key != SIZE))
    if plan is None:
        return
    if refused(armature):
        low, high = plan.feasible
        yield Told(words("It keeps its feet from {low:.2f} to {high:.2f} m/s here, and would fall at that speed", low=low,
                         high=high), "ERROR", lambda row: row.prop(settings, "force"))
    told_already = any(finding.key == SIZE or finding.sentence == plan.error for finding in wrong)
    if failed and not told_already:
        sample = follows(settings) and follows_nothing(settings)
        yield Told(said(plan.error), "INFO" if sample else "ERROR",
                   (lambda row: row.operator("lope.add_sample_clip", icon="ANIM")) if sample else _length(plan.needs_s))


SIZE = "size"
"""The doctor's word for a figure of no human size: a bake warns of it, a shot cannot be."""


def _stops(finding: Finding) -> bool:
    """Whether nothing goes with that."""
    from ..addon.rigs.read.doctor import ERROR

    return finding.severity == ERROR or finding.key == SIZE


def refused(armature: bpy.types.Object) -> bool:
    """Whether the speed asked for is one at which its gait falls, and nobody has said to try all the same."""
    plan = plan_board.of(armature)
    return plan is not None and plan.out_of_range and not armature.lope.force


def too_short(armature: bpy.types.Object) -> bool:
    """Whether the shot is known to be too short for what it asks."""
    plan = plan_board.of(armature)
    return plan is not None and plan.needs_s is not None and not drives(armature.lope)


def _finding(finding: Finding, icon: str) -> Told:
    def cure(row: Row) -> None:
        row.operator("lope.doctor_fix", text=finding.fix).key = finding.key

    def leave(row: Row) -> None:
        row.operator("object.mode_set", icon="LOOP_BACK", text=words("Leave Edit Mode"), translate=False).mode = "OBJECT"

    if finding.key == "edit_mode":
        return Told(said(finding.sentence), icon, leave)
    return Told(said(finding.sentence), icon, None if finding.fix is None else cure)


def _warnings(context: bpy.types.Context, armature: bpy.types.Object) -> Iterator[Told]:
    """What is odd about the rig, and does not keep it from going; on the page Drive, what was left of the last one; on Poses,
    what a suit does to them."""
    if verb_of(armature.lope) == POSES and armature.lope.suit != NO_SUIT:
        yield Told(words("Key poses are tuned without a suit: in this one they go slower than planned, or fall"), "ERROR",
                   lambda row: row.prop(armature.lope, "suit"))
    script = driving.cut_short(armature) if verb_of(armature.lope) == DRIVE else None
    if script is not None:
        yield Told(words("The last drive was cut short; it is kept in {path}", path=script), "ERROR",
                   lambda row: row.operator("lope.drive_recover", icon="RECOVER_LAST"))
    findings = findings_of_any(armature, context.scene)
    yield from (_finding(finding, "ERROR") for finding in findings if not _stops(finding))
    if not any(_stops(finding) for finding in findings):
        yield from _what(armature)


def _what(armature: bpy.types.Object) -> Iterator[Told]:
    """The question what it is, of one that is read as a creature by its bones alone."""
    if armature.lope.body_kind == AUTO and by_creature(armature.lope):
        yield Told(words("By its bones {name} is read as a creature: what is it?", name=armature.name), "QUESTION",
                   lambda row: [row.prop_enum(armature.lope, "body_kind", kind) for kind in (HUMAN, CREATURE)])


def _happened(context: bpy.types.Context, armature: bpy.types.Object, note: notes.Note | None) -> Iterator[Told]:
    """The last word about this armature's jobs, after a fall with what can be done about it."""
    fall = fall_of(armature)
    if fall is not None and (note is None or note.kind == notes.FELL):
        text = armature.lope.take_summary if note is None else note.text
        yield Told(text, notes.ICONS[notes.FELL], lambda row: _fallen(row, context, armature, fall))
    elif note is not None and note.kind == notes.DONE:
        last, end = _last_frame(armature), context.scene.frame_end
        text = note.text if last <= end else words("Keys to frame {last}, the scene ends at {end}. {text}", last=last, end=end,
                                                   text=note.text)
        worst = outcomes.worst_of(armature)
        wrong = "" if worst is None else sentence(said(worst.sentence))
        icon = note.icon if worst is None else GRADES[worst.grade]
        yield Told(". ".join(filter(None, (wrong, text))), icon, _player(armature))
        if worst is not None:
            yield Told(wrong, icon, _frame(context, armature, worst.at_s))
    elif note is not None:
        yield Told(note.text, note.icon, _length(note.needs_s) or _keys(armature) or _player(armature))


def _keys(armature: bpy.types.Object) -> Callable[[Row], None] | None:
    """What can be done about keys that were undone, and about the artist's own that a new bake does not have."""
    if outcomes.keys_undone(armature):
        return lambda row: row.operator("lope.bake", icon="KEYFRAME_HLT")
    return None if own_keys_of(armature) is None else lambda row: row.operator("lope.keep_keys", icon="KEY_HLT")


FRAME_SHARE = 0.34
"""Share of the row that the button to a frame has beside a longer one."""


def _fallen(row: Row, context: bpy.types.Context, armature: bpy.types.Object, fall: outcomes.Fall) -> None:
    row = row.split(factor=FRAME_SHARE if fall.remedy is not None else 1.0, align=True)
    row.operator("lope.show_fall", icon="FRAME_NEXT", translate=False,
                 text=words("Frame {frame}", frame=frame_at(fall.fell_s, armature, context.scene)))
    if fall.remedy is not None:
        row.operator("lope.try_again", icon="FILE_REFRESH", text=fall_label_of(fall.remedy), translate=False)


def _frame(context: bpy.types.Context, armature: bpy.types.Object, at_s: float | None) -> Callable[[Row], None] | None:
    """A button to the frame at which something is worst."""
    if at_s is None:
        return None
    frame = frame_at(at_s, armature, context.scene)

    def goes(row: Row) -> None:
        row.operator("lope.go_to_frame", icon="FRAME_NEXT", translate=False,
                     text=words("Worst at Frame {frame}", frame=frame)).frame = frame

    return goes


def _player(armature: bpy.types.Object) -> Callable[[Row], None] | None:
    """Buttons for a take: bake it where that was not done, play it, go along with it."""
    if not armature.lope.take_path:
        return None

    def play(row: Row) -> None:
        data = armature.animation_data
        moves = baked_action(armature) is not None or (data is not None and data.action is not None)  # an action that was hit
        if not moves or not armature.lope.bake_when_done:
            row.operator("lope.bake", icon="KEYFRAME_HLT")
        if moves:
            row.operator("screen.animation_play", icon="PLAY", text="Play")
            row.operator("lope.follow_in_view", icon="CON_FOLLOWTRACK", text="View Follows",
                         depress=follows_in(bpy.context.space_data, armature))
        last = _last_frame(armature)
        if last > bpy.context.scene.frame_end:
            longer = row.operator("wm.context_set_int", icon="TIME", text=words("End at {frame}", frame=last), translate=False)
            longer.data_path, longer.value = "scene.frame_end", last

    return play


def _last_frame(armature: bpy.types.Object) -> int:
    """The last frame of the keys that Lope baked; the scene's where there are none."""
    action = baked_action(armature)
    return bpy.context.scene.frame_end if action is None else round(action.frame_range[1])


def _length(needs_s: float | None) -> Callable[[Row], None] | None:
    """A button that gives the shot the length that it needs."""
    if needs_s is None:
        return None
    seconds = offered_s(needs_s)

    def lengthen(row: Row) -> None:
        row.operator("lope.set_duration", icon="TIME", text=words("Make It {seconds:g} s Long", seconds=seconds),
                     translate=False).seconds = seconds

    return lengthen


def _planned(armature: bpy.types.Object) -> Iterator[Told]:
    """What the plan tells beforehand: the gait, its speeds, how long the way is."""
    plan, settings, play = plan_board.of(armature), armature.lope, _player(armature)
    if verb_of(settings) == PUSH and not settings.pushes:
        yield Told(words("Nothing pushes it yet: + adds a push at the frame that is shown"), "INFO", play)
    if verb_of(settings) == HIT and not settings.hits:
        yield Told(words("Nothing hits it yet: + adds a ball at the frame that is shown; then click a bone"), "INFO", play)
    if verb_of(settings) == PRESSURE and pressure_of(settings) is None:
        yield Told(words("Nothing to read yet: choose what a mat felt, or press Use Sample Pressure"), "INFO",
                   lambda row: row.operator("lope.add_pressure_sample", icon="IMPORT"))
    if plan is None:
        return
    if plan.pace is not None:
        speed, _, how = plan.pace
        for line in filter(None, reversed(plan.goes_by.split("\n"))):  # what to do about it is the last
            yield Told(said(line), "INFO", play)
        yield Told(f"{speed:.2f} m/s: {said(how)}", "INFO", play)
    if plan.walker is not None:
        name, speed, missed = plan.walker
        yield Told(said(missed) if missed else words("{name} goes at {speed:.2f} m/s here", speed=speed,
                                                     name=pgettext_iface(title(name))), "INFO", play)
    if follows(settings):
        if plan.preview is not None and plan.shot is not None and isinstance(plan.shot.motion, Followed):
            yield Told(plan_board.followed_words(plan), "INFO", play)
        return
    if verb_of(settings) not in (WALK, PUSH) or settings.motion != "GAIT":
        return
    if plan.choice is not None:
        yield Told(sentence(said(plan.choice.words)), "INFO", play)
    if plan.feasible is not None and not plan.out_of_range:
        low, high = plan.feasible
        yield Told(words("It keeps its feet from {low:.2f} to {high:.2f} m/s here", low=low, high=high), "CHECKMARK", play)
    if plan.unlike:
        yield Told(sentence(said(plan.unlike)), "ERROR", play)
    if plan.advice is not None and plan.choice is None:  # else it says the same once more
        yield Told(said(plan.advice), "INFO", play)


class LOPE_PT_said(Popover, bpy.types.Panel):
    """All that there is to say about this character, in full"""

    bl_label = "Said in Full"
    bl_idname = "LOPE_PT_said"

    def draw(self, context: bpy.types.Context) -> None:
        everything = list(told(context))
        for one in everything[:-1] or everything:  # the last is that it is ready
            column = self.layout.column(align=True)
            lines(column, context, one.text, one.icon, self.bl_ui_units_x)
            if one.buttons is not None:
                one.buttons(column.row(align=True))
