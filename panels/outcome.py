# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel Result: what came of it, how it is baked, what can be seen of it."""

from __future__ import annotations

import bpy

from ..operators import outcomes, show_plots, show_pressure
from ..operators.bake import baked_action, own_keys_of
from ..operators.context import active_armature, found_file, said, without_take, words
from ..operators.creature import by_creature
from ..operators.follow import follows
from ..operators.gait_settings import by_reflexes
from ..operators.show_plots import frame_at
from ..operators.stand import stands
from ..operators.takes import chosen, is_present
from .base import GRADES, ArmaturePanel, asking, fold, lines, sentence, split, status, switched


class LOPE_PT_result(ArmaturePanel, bpy.types.Panel):
    """What came of it"""

    bl_label = "Result"
    bl_idname = "LOPE_PT_result"

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        armature = active_armature(context)
        settings = armature.lope
        if not settings.take_path and baked_action(armature) is None and chosen(armature) is None:
            layout.label(text="Nothing is simulated yet", icon="INFO")
            _swing(layout, armature)
            return
        entry = chosen(armature)
        here = entry is None or is_present(armature, entry)
        if entry is not None:
            _list(layout, settings, entry)
        _came_to(layout, context, armature, None if here else entry)
        if here:
            asking(layout, context, "lope.bake", "KEYFRAME_HLT")
        else:
            layout.operator("lope.take_use", icon="LOOP_BACK")
        layout.operator("lope.rerun", icon="FILE_REFRESH").chosen = not here
        column = layout.column()
        column.enabled = here  # all of it is about the take that is there
        if not (follows(settings) or stands(settings) or by_reflexes(settings) or by_creature(settings)):
            asking(column, context, "lope.go_on", "TRACKING_FORWARDS_SINGLE")
        _swing(column, armature)
        _seen(column, context, armature)
        _made_of(column, context, armature)
        draw_own_keys(layout, context)


def _swing(layout: bpy.types.UILayout, armature: bpy.types.Object) -> None:
    """What swings by itself in the action that there is, the artist's own too."""
    if armature.animation_data is not None and armature.animation_data.action is not None:
        layout.operator("lope.swing", icon="FORCE_HARMONIC")


def _seen(layout: bpy.types.UILayout, context: bpy.types.Context, armature: bpy.types.Object) -> None:
    """What can be seen of a take over the view and in the scene, and what can be written of it."""
    from ..addon.rigs.muscles.shown import shown_muscles

    body = fold(layout, "seen", words("See and Export"), closed=False)
    if body is None:
        return
    body.operator("lope.show_plots", icon="GRAPH", depress=show_plots.shows(armature))
    row = body.row(align=True)
    row.operator("lope.show_pressure", icon="MOD_DYNAMICPAINT", depress=show_pressure.shows(armature))
    row.operator("lope.add_pressure", text="", icon="RENDER_STILL")
    body.operator("lope.add_dust", icon="OUTLINER_OB_POINTCLOUD")
    row = body.row(align=True)
    row.operator("lope.show_muscles", icon="STRANDS")
    if shown_muscles(armature) is not None:
        row.operator("lope.hide_muscles", text="", icon="X")
    column = body.column(align=True)
    column.operator_menu_enum("lope.export", "engine", icon="EXPORT")
    column.operator("lope.export_csv", icon="EXPORT")
    column.operator("lope.export_events", icon="EXPORT")


def _made_of(layout: bpy.types.UILayout, context: bpy.types.Context, armature: bpy.types.Object) -> None:
    """The action, and what it was made by."""
    action = baked_action(armature)
    if action is None:
        return
    layout.label(text=action.name, icon="ACTION", translate=False)
    made = words("Lope {version}, seed {seed}, body {body}", version=action.get("lope_version", "?"),
                 seed=action.get("lope_seed", "?"), body=str(action.get("lope_body_hash", "?"))[:8])
    lines(layout, context, made)


class LOPE_PT_bake(ArmaturePanel, bpy.types.Panel):
    """Make keys of it"""

    bl_label = "Bake"
    bl_idname = "LOPE_PT_bake"
    bl_parent_id = "LOPE_PT_result"
    presets = "LOPE_PT_bake_presets"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        layout = split(self.layout)
        settings = active_armature(context).lope
        layout.prop(settings, "bake_when_done")
        for name in ("bake_parts", "bake_target", "bake_controls", "bake_root"):
            layout.prop(settings, name)
        layout.prop(settings, "bake_loop")
        part = layout.column()
        part.active = not settings.bake_loop
        part.prop(settings, "bake_use_range")
        if settings.bake_use_range:
            part.prop(settings, "bake_start")
            part.prop(settings, "bake_end")
        if settings.bake_target == "replace":
            layout.prop(settings, "bake_use_lock")
            if settings.bake_use_lock:
                layout.prop(settings, "bake_lock_start")
                layout.prop(settings, "bake_lock_end")
        layout.prop(settings, "bake_step")
        switched(layout, settings, "bake_reduce", "bake_error_mm", called="bake_reduce")
        for name in ("bake_lock_feet", "bake_hang", "bake_markers", "bake_subframes", "bake_go_on", "bake_push_down",
                     "bake_keep_old"):
            layout.prop(settings, name)
        if settings.bake_report:
            lines(layout, context, settings.bake_report, "KEYTYPE_GENERATED_VEC")
        draw_own_keys(layout, context)


def _list(layout: bpy.types.UILayout, settings: bpy.types.PropertyGroup, entry: bpy.types.PropertyGroup) -> None:
    """The list of takes, and the chosen one's whole name, which the list may have to cut."""
    layout.template_list("LOPE_UL_takes", "", settings, "takes", settings, "take_index", rows=3)
    row = layout.row(align=True)
    row.prop(entry, "label", text="")
    row.operator("lope.take_remove", text="", icon="TRASH")


def draw_own_keys(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Where the last bake left keys of the artist's in the action before: what to do about it."""
    old = own_keys_of(active_armature(context))
    if old is not None:
        lines(layout, context, words("Keys of yours are in the action before, {name}, alone", name=old.name), "KEY_HLT")
        layout.operator("lope.keep_keys", icon="KEY_HLT")


def _came_to(layout: bpy.types.UILayout, context: bpy.types.Context, armature: bpy.types.Object,
             other: bpy.types.PropertyGroup | None) -> None:
    """What the take that is there came to, or another one of the list: in as many lines whichever it is, or the list would move
    away from under the mouse; in a fold all of it."""
    settings = armature.lope
    summary, card = (settings.take_summary, settings.take_card) if other is None else (other.summary, other.card)
    card = outcomes.card_in(card)
    worst = outcomes.worst_in(card)
    if other is not None:
        gone = "" if found_file(other.path, armature) is not None else words("The file of this take is gone")
    else:
        gone = without_take(armature) if settings.take_path or baked_action(armature) is not None else ""
    text = " ".join(filter(None, (gone and sentence(gone).rstrip(".") + ".", summary)))
    status(layout, context, text, "ERROR" if gone else "ANIM_DATA")
    status(layout, context, "" if worst is None else _advised(worst), "BLANK1" if worst is None else GRADES[worst.grade])
    row = layout.row()
    if worst is None or worst.at_s is None or other is not None:  # the frames of another one are not those of the keys
        row.label(text="")
    else:
        _frame(row, context, worst)
    header, body = layout.panel("LOPE_PT_take_card", default_closed=True)
    header.label(text="Said in Full", icon=GRADES[outcomes.grade_of(card)] if card else "NONE")
    if body is not None:
        lines(body, context, text, "ERROR" if gone else "ANIM_DATA")
        _card(body, context, card, other is None)


def _card(body: bpy.types.UILayout, context: bpy.types.Context, card: list[outcomes.CardLine], here: bool) -> None:
    """The physics card of a take: what is wrong, where, and what to change; below, what is well and what was not judged."""
    wrong = [line for line in card if line.grade in ("amber", "red")]
    for line in sorted(wrong, key=lambda line: line.grade, reverse=True):
        lines(body, context, _advised(line), GRADES[line.grade])
        if here and line.at_s is not None:
            _frame(body, context, line)
    fine = [line for line in card if line.grade == "green"]
    if not wrong and outcomes.grade_of(card) == "green":
        lines(body, context, words("Nothing is wrong with this motion"), GRADES["green"])
    for title, some in ((words("Fine: {count}", count=len(fine)), fine),
                        (words("Not judged: {count}", count=len(card) - len(fine) - len(wrong)),
                         [line for line in card if line.grade == "not judged"])):
        if some:
            _others(body, context, title, some)


def _advised(line: outcomes.CardLine) -> str:
    """What is wrong, and what to change."""
    text = sentence(said(line.sentence))
    return words("{what}. Try {advice}", what=text, advice=said(line.advice)) if line.advice else text


def _frame(layout: bpy.types.UILayout, context: bpy.types.Context, line: outcomes.CardLine) -> None:
    """A button to the frame at which it is worst."""
    frame = frame_at(line.at_s, active_armature(context), context.scene)
    layout.operator("lope.go_to_frame", icon="FRAME_NEXT", translate=False,
                    text=words("Worst at Frame {frame}", frame=frame)).frame = frame


def _others(layout: bpy.types.UILayout, context: bpy.types.Context, title: str, card: list[outcomes.CardLine]) -> None:
    """Lines of one grade, folded away."""
    header, body = layout.panel(f"LOPE_PT_take_card_{card[0].grade.replace(' ', '_')}", default_closed=True)
    header.label(text=title, translate=False)
    for line in card if body is not None else ():
        text = said(line.sentence)
        if line.grade == "not judged":
            text = f"{said(line.name)}: {text}"
        lines(body, context, sentence(text), GRADES[line.grade])


PANELS = (LOPE_PT_result, LOPE_PT_bake)
