# SPDX-License-Identifier: GPL-3.0-or-later
"""Button: find out which bones of an armature are which."""

from __future__ import annotations

import bpy

from ..addon.rigs.read.detect import OWN
from ..addon.rigs.read.figure import Figure
from ..addon.rigs.read.finding import ERROR
from ..addon.rigs.read.recognise import STRUCTURE
from .context import active_armature, poll_own_armature, reports_errors
from .creature_figures import is_creature, shape_words
from .figures import findings_of
from .texts import said, words


class LOPE_OT_detect_rig(bpy.types.Operator):
    """Find hips, knees, feet and the rest in this armature, and say what was found"""

    bl_idname = "lope.detect_rig"
    bl_label = "Detect Bones"
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_own_armature(cls, context)

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..addon.bodies.makers import make_body
        from ..addon.errors import RigError
        from ..addon.rigs.read.armature import match_of, read_figure
        from ..addon.rigs.read.maps import SEGMENTS

        armature = active_armature(context)
        settings = armature.lope
        settings.figure = ""
        if is_creature(armature, context.scene):
            settings.figure = shape_words(armature, context.scene)
            self.report({"INFO"}, f"{armature.name}: {settings.figure.replace(chr(10), ', ')}")
            return {"FINISHED"}
        found = findings_of(armature, context.scene, ask=True)  # the panel shows them from now on
        figure = read_figure(armature, scene=context.scene)
        settings.figure = "\n".join((
            words("Bones: {family}, {height:.2f} m tall", family=_family(figure), height=figure.height_m),
            words("{count} of {all} parts have a bone", count=len(figure.bone_of), all=len(SEGMENTS))))
        try:
            body = make_body(figure.body_spec(settings.mass_kg))
        except RigError as error:  # a figure all right, but not of a size to simulate
            self.report({"WARNING"}, said(str(error)))
            return {"FINISHED"}
        settings.figure += "\n" + words("{segments} segments, {freedom} degrees of freedom", segments=len(body.segments),
                                        freedom=body.degrees_of_freedom)
        unsure = match_of(armature).unsure
        if unsure:
            settings.figure += "\n" + words("{count} of them are a guess: see Bone Map", count=len(unsure))
        broken = [finding for finding in found if finding.severity == ERROR]
        for finding in broken:
            self.report({"WARNING"}, said(finding.sentence))
        self.report({"WARNING" if unsure or broken else "INFO"}, f"{armature.name}: {settings.figure.replace(chr(10), ', ')}")
        return {"FINISHED"}


def _family(figure: Figure) -> str:
    """How the bones were told, in words."""
    if figure.family == STRUCTURE:
        return words("found by structure")
    return words("own map") if figure.family == OWN else figure.label or figure.family
