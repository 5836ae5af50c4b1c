# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of the chosen verb: what it most needs in at most seven controls, the rest under folds. Here those of walking, of
pushes and of hits."""

from __future__ import annotations

import bpy
from bpy.app.translations import pgettext_iface

from ..operators import plan_board
from ..operators.context import active_armature, words
from ..operators.creature import by_creature
from ..operators.follow import follows
from ..operators.gait_settings import DRAWN, by_reflexes
from ..operators.gait_settings import NAMES as STYLE
from ..operators.hit import action_to_hit
from ..operators.moves import walk_in
from ..operators.pose_gait_settings import in_plane
from ..operators.settings import given_by
from ..operators.stand import jumps, stands
from ..operators.verbs import CREATURE, DRIVE, FOLLOW, HIT, POSES, PRESSURE, PUSH, STAND, VERBS, WALK, verb_of
from . import motions, pose_gait, pressure
from .base import TALL, LopePanel, asking, fold, lines, split, switched
from .lists import draw_footprints, draw_list

UILayout, Settings = bpy.types.UILayout, bpy.types.PropertyGroup
HELP = {WALK: "your-gait", FOLLOW: "follow", STAND: "standing", DRIVE: "drive", POSES: "pose-gait", PUSH: "standing",
        HIT: "hits", CREATURE: "creatures", PRESSURE: "pressure"}
"""The handbook's page of each verb."""
VARIATION = "style_variation"
FOR_PERSONS = (WALK, FOLLOW, STAND, DRIVE, POSES, HIT, PRESSURE)


class LOPE_PT_page(LopePanel, bpy.types.Panel):
    """What it shall do"""

    bl_label = ""
    bl_idname = "LOPE_PT_page"

    def draw_header(self, context: bpy.types.Context) -> None:
        self.layout.label(text=next(title for name, title, _ in VERBS if name == context.scene.lope.verb))

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        if active_armature(context) is not None:
            bpy.types.LOPE_PT_gait_presets.draw_panel_header(self.layout)
        self.layout.operator("lope.help", text="", icon="QUESTION", emboss=False).page = HELP[context.scene.lope.verb]

    def draw(self, context: bpy.types.Context) -> None:
        layout, armature = split(self.layout), active_armature(context)
        if armature is None:
            _nobody(layout, context)
            return
        verb, own = verb_of(armature.lope), by_creature(armature.lope)
        if verb in (FOR_PERSONS if own else (CREATURE,)):
            _other_body(layout, context, armature, own)
            return
        DRAW[verb](layout, context, armature)


def _nobody(layout: UILayout, context: bpy.types.Context) -> None:
    """What the page is about, and the characters that can be had for it."""
    verb = context.scene.lope.verb
    lines(layout, context, pgettext_iface(next(told for name, _, told in VERBS if name == verb)), "INFO")
    column = layout.column()  # here, and not above: there Simulate would come under the mouse that has just added somebody
    column.scale_y = TALL
    column.operator("lope.add_astronaut", icon="OUTLINER_OB_ARMATURE")
    column.operator_menu_enum("lope.add_creature", "creature", icon="ARMATURE_DATA")


def _other_body(layout: UILayout, context: bpy.types.Context, armature: bpy.types.Object, own: bool) -> None:
    """The page is for persons and the character is a creature, or the other way about: what can be done."""
    lines(layout, context, words("{name} is read as a creature by its bones; this page is for persons", name=armature.name) if own
          else words("{name} is read as a person; this page is for creatures", name=armature.name), "INFO")
    layout.prop(armature.lope, "body_kind")
    if own:
        layout.operator("lope.add_astronaut", icon="OUTLINER_OB_ARMATURE")
    else:
        layout.operator_menu_enum("lope.add_creature", "creature", icon="ARMATURE_DATA")


def _walk(layout: UILayout, context: bpy.types.Context, armature: bpy.types.Object) -> None:
    """A gait, how fast, where to, how long."""
    settings = armature.lope
    if by_reflexes(settings):
        motions.draw_reflex(layout, settings)
        layout.prop(settings, "heading_deg")
    else:
        gait(layout, settings)
        path(layout, settings)
    length(layout, context, settings)
    layout.prop(settings, "noise" if by_reflexes(settings) else VARIATION, slider=True)
    if by_reflexes(settings):
        body = fold(layout, "style", words("Style"))
        if body is not None:
            body.prop(settings, "gait_source")
    else:
        style(layout, settings)
        along(layout, context, settings)
        changes(layout, settings)
    body = fold(layout, "more", words("More"))
    if body is None:
        return
    if not by_reflexes(settings):
        switched(body, settings, "use_stride_frequency", "stride_frequency_hz")
        body.prop(settings, "noise", slider=True)
        for end in ("start", "stop"):
            body.row(align=True).prop(settings, end, expand=True)
    for name in ("force", "after_fall") if by_reflexes(settings) else ("force", "retry", "after_fall"):
        body.prop(settings, name)


def gait(layout: UILayout, settings: Settings) -> None:
    """What gives the gait, and its speed."""
    layout.prop(settings, {"FILE": "motion_path", "ACTION": "motion_action"}.get(settings.gait_source, "gait"))
    switched(layout, settings, "use_speed", "speed_m_s")


def path(layout: UILayout, settings: Settings) -> None:
    """The way, with the one setting that it asks for."""
    layout.prop(settings, "path")
    if settings.path == "TARGETS":
        draw_list(layout, settings, "targets")
    else:
        layout.prop(settings, {"circle": "radius_m", "CURVE": "curve"}.get(settings.path, "heading_deg"))


def length(layout: UILayout, context: bpy.types.Context, settings: Settings) -> None:
    """How long it goes; grey where something else says so. Where it goes on from a take, the way back is beside that."""
    whole = settings.follow_whole and not settings.follow_repeat
    free = stands(settings) or by_reflexes(settings) or by_creature(settings)
    column = layout.column()
    ends = jumps(settings) or (not free and (whole if follows(settings) else settings.until_end and settings.path in DRAWN))
    column.enabled = not ends
    column.prop(context.scene.lope, "duration_s")
    if settings.after_path:
        row = layout.row(align=True)
        row.label(text=words("Goes on from frame {frame:.0f}", frame=settings.after_frame), icon="LINKED", translate=False)
        row.operator("lope.start_anew", text="", icon="X")


def style(layout: UILayout, settings: Settings) -> None:
    """Where the style comes from, and its sliders."""
    body = fold(layout, "style", words("Style"))
    if body is None:
        return
    body.prop(settings, "gait_source")
    for name in STYLE:
        if name != VARIATION:  # it stands on the page
            body.prop(settings, name, slider=True)
    body.operator("lope.reset_style", icon="LOOP_BACK")


def along(layout: UILayout, context: bpy.types.Context, settings: Settings) -> None:
    """What else there is to the way, and what the plan tells of it."""
    body = fold(layout, "path", words("Path and Footprints"))
    if body is None:
        return
    if settings.path == "circle":
        body.prop(settings, "heading_deg")
    if settings.path in DRAWN:
        body.prop(settings, "reverse")
        body.prop(settings, "until_end")
    draw_footprints(body.column(), settings)
    plan = plan_board.of(settings.id_data)
    bends = None if plan is None or plan.preview is None else plan.preview.along
    if plan is not None and plan.shot is not None and plan.shot.until_end and plan.duration_s:
        lines(body, context, words("{time:.1f} s to the end of the path", time=plan.duration_s), "TIME")
    if bends is not None:
        lines(body, context, words("Slows down to {speed:.2f} m/s where the path bends", speed=bends.slowest_m_s), "INFO")


def changes(layout: UILayout, settings: Settings) -> None:
    """Where gait and speed change."""
    body = fold(layout, "changes", words("Changes on the Way"))
    key = None if body is None else draw_list(body, settings, "keys")
    if key is not None:
        switched(body, key, "use_gait", "gait")
        switched(body, key, "use_speed", "speed_m_s")


def _creature(layout: UILayout, context: bpy.types.Context, armature: bpy.types.Object) -> None:
    """What a creature goes by, how fast, where to; and the search of a gait for it."""
    settings = armature.lope
    motions.draw_creature(layout, context, armature)
    path(layout, settings)
    length(layout, context, settings)
    motions.draw_search(layout, context, armature)
    body = fold(layout, "more", words("More"))
    if body is not None:
        if settings.path == "circle":
            body.prop(settings, "heading_deg")
        if settings.path in DRAWN:
            body.prop(settings, "reverse")
        for name in ("noise", "after_fall"):
            body.prop(settings, name)


def _follow(layout: UILayout, context: bpy.types.Context, armature: bpy.types.Object) -> None:
    settings = armature.lope
    motions.draw_follow(layout, context, settings)
    length(layout, context, armature.lope)
    body = fold(layout, "more", words("More"))
    if body is not None:
        motions.draw_follow_more(body, armature.lope)


def _stand(layout: UILayout, context: bpy.types.Context, armature: bpy.types.Object) -> None:
    motions.draw_stand(layout, armature.lope)
    length(layout, context, armature.lope)
    if jumps(armature.lope):
        return
    asking(layout, context, "lope.push_dial", "FORCE_FORCE")
    body = fold(layout, "more", words("More"))
    if body is not None:
        motions.draw_stand_more(body, armature.lope)


def _drive(layout: UILayout, context: bpy.types.Context, armature: bpy.types.Object) -> None:
    motions.draw_drive(layout, context, armature)


def _poses(layout: UILayout, context: bpy.types.Context, armature: bpy.types.Object) -> None:
    settings = armature.lope
    pose_gait.draw_pose_gait(layout, context, settings)
    length(layout, context, settings)
    pose_gait.draw_pose_changes(layout, settings)
    if not in_plane(settings):
        pose_gait.draw_gait_from_poses(layout, context, settings)
        body = fold(layout, "path", words("Path"))
        if body is not None:
            path(body, settings)
    pose_gait.draw_pose_more(layout, settings)


def _push(layout: UILayout, context: bpy.types.Context, armature: bpy.types.Object) -> None:
    """Pushes: when, how hard, where, from where."""
    settings = armature.lope
    push = draw_list(layout, settings, "pushes")
    if push is None:
        lines(layout, context, words("Nothing pushes it yet: + adds a push at the frame that is shown"), "INFO")
    else:
        for name in ("frame", "duration_s", "force_n", "segment", "arrow"):
            layout.prop(push, name)
        if push.arrow is None:
            _comes_from(layout, push)
        lines(layout, context, words("Gives its {mass:.0f} kg {speed:.2f} m/s: 0.2 is hardly "
                                     "seen, 0.5 makes it step or fall", **given_by(push, settings)), "INFO")
    if stands(settings):
        asking(layout, context, "lope.push_dial", "FORCE_FORCE")
    body = fold(layout, "more", words("More"))
    if body is not None:
        body.prop(settings, "after_fall")


def _comes_from(layout: UILayout, entry: Settings) -> None:
    """From where a push or a hit comes, by a word, or by a direction where that is another one."""
    layout.prop(entry, "way")
    if entry.way == "OTHER":
        layout.prop(entry, "direction")


SIZES = {"BALL": ("radius_m", "density"), "PUNCH": (), "OBJECT": ("density",)}
"""What else there is to say of what strikes."""


def _hits(layout: UILayout, context: bpy.types.Context, armature: bpy.types.Object) -> None:
    """The hits, the chosen one, and the action that is hit."""
    settings = armature.lope
    hit = draw_list(layout, settings, "hits")
    by_length = hit is not None and hit.by_length and hit.arrow is not None
    if hit is not None:
        _one_hit(layout, armature, hit, by_length)
    layout.prop(settings, "hit_action")
    own = action_to_hit(armature)
    if hit is None:
        lines(layout, context, words("Nothing hits it yet: + adds a ball at the frame that is shown; then click a bone"), "INFO")
    if own is None:
        asking(layout, context, "lope.use_move", "ANIM",
               text=words("Sample Walk to Be Hit")).move = walk_in(context.scene.lope.world)
    if settings.hit_action is None:
        lines(layout, context, words("It has no action yet; hits count for what is simulated") if own is None
              else words("Its own action {name} is hit", name=own.name), "INFO")
    body = fold(layout, "more", words("More"))
    if body is None:
        return
    if hit is not None:
        _from_where(body, hit)
    body.prop(settings, "hit_law")
    body.prop(settings, "hit_looseness")
    switched(body, settings, "use_hit_after", "hit_after_s")


def _one_hit(layout: UILayout, armature: bpy.types.Object, hit: Settings, by_length: bool) -> None:
    """The chosen hit: when, where, what, how hard."""
    layout.prop(hit, "frame")
    row = layout.row(align=True)
    row.prop_search(hit, "bone", armature.data, "bones")
    row.operator("lope.hit_pick", text="", icon="EYEDROPPER")
    row.operator("lope.hit_bone", text="", icon="BONE_DATA")
    layout.prop(hit, "kind")
    if hit.kind == "OBJECT":
        layout.prop(hit, "thrown")
    if not by_length:
        layout.prop(hit, "impulse_ns" if hit.kind == "PUNCH" else "speed_m_s")


def _from_where(layout: UILayout, hit: Settings) -> None:
    """How large it is, and where it comes from."""
    for name in SIZES[hit.kind]:
        layout.prop(hit, name)
    layout.prop(hit, "arrow")
    if hit.arrow is None:
        _comes_from(layout, hit)
    else:
        layout.prop(hit, "by_length")


DRAW = {WALK: _walk, FOLLOW: _follow, STAND: _stand, DRIVE: _drive, POSES: _poses, PUSH: _push,
        HIT: _hits, CREATURE: _creature, PRESSURE: pressure.draw_pressure}
