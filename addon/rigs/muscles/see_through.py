# SPDX-License-Identifier: GPL-3.0-or-later
"""What an armature moves as a shell that can be seen through, for pictures of what is inside. The file that was opened is not
saved with it."""

from __future__ import annotations

import bpy

from ..read.skin import meshes_of

SHELL = (0.55, 0.62, 0.72, 1.0)
EDGE, FACING = 0.30, 0.05
"""How much of the shell is there where it is seen from the side, and from ahead."""


def see_through(armature: bpy.types.Object) -> int:
    """Give all meshes of an armature a shell for a material; gives how many they are."""
    shell, count = _shell(), 0
    for item, _, _ in meshes_of(armature):
        if not item.material_slots:
            item.data.materials.append(shell)
        for slot in item.material_slots:
            slot.link = "OBJECT"
            slot.material = shell
        item.visible_shadow = False
        count += 1
    return count


def _shell() -> bpy.types.Material:
    material = bpy.data.materials.new("Lope Shell")
    material.use_nodes = True
    material.surface_render_method = "BLENDED"
    material.diffuse_color = (*SHELL[:3], EDGE)
    tree = material.node_tree
    output = next(node for node in tree.nodes if node.type == "OUTPUT_MATERIAL")
    seen = tree.nodes.new("ShaderNodeLayerWeight")
    share = tree.nodes.new("ShaderNodeMapRange")
    share.inputs["To Min"].default_value, share.inputs["To Max"].default_value = FACING, EDGE
    mix, air, skin = (tree.nodes.new(f"ShaderNode{kind}") for kind in ("MixShader", "BsdfTransparent", "BsdfDiffuse"))
    skin.inputs["Color"].default_value = SHELL
    tree.links.new(seen.outputs["Facing"], share.inputs["Value"])
    tree.links.new(share.outputs[0], mix.inputs[0])
    tree.links.new(air.outputs[0], mix.inputs[1])
    tree.links.new(skin.outputs[0], mix.inputs[2])
    tree.links.new(mix.outputs[0], output.inputs["Surface"])
    return material
