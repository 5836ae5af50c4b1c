# SPDX-License-Identifier: GPL-3.0-or-later
"""What hits an armature and how it takes that; and what the Shot has of it."""

from __future__ import annotations

import math
from collections.abc import Callable

import bmesh
import bpy
import numpy as np

from ..addon.bodies.human.called import segment_called
from ..addon.errors import InputError
from ..addon.rigs.read.figure import Figure
from ..addon.rigs.read.struck import segment_of_bone
from ..addon.specs.hit import BALL, LAWS, Hit, Reaction, punch
from .arrows import arrow_at
from .changes import changed
from .figures import Placement, plain
from .hit_entries import M_S_PER_M, NS_PER_M, LopeHit
from .overridable import BoolProperty, CollectionProperty, EnumProperty, FloatProperty, IntProperty, PointerProperty

LABELS = {
    "balance": ("Balance", "The whole body keeps its balance, with steps if it must; the struck limb yields and comes back"),
    "loose": ("Loose", "As Balance, but every joint is only as firm as it works: limbs come home slowly"),
    "rails": ("Rails", "Quick: the hips stay on the action's own way, and limbs yield by its own forces; nobody steps or falls"),
}
LAW_ITEMS = tuple((law, *LABELS[law]) for law in LAWS)


class HitSettings:
    """The hits, for a property group to inherit."""

    hits: CollectionProperty(name="Hits", type=LopeHit, description="What hits the character, and when")
    hit_index: IntProperty(name="Active Hit", description="The hit chosen in the list")
    hit_action: PointerProperty(name="Action", update=changed, type=bpy.types.Action,
                                description="The action that is hit; it stays as it is, a copy gets the keys. Empty: this "
                                            "armature's own")
    hit_law: EnumProperty(name="Law", update=changed, items=LAW_ITEMS, default=LAWS[0], description="How hits are taken")
    hit_looseness: FloatProperty(name="Looseness", update=changed, default=1.0, min=0.0, max=1.0, subtype="FACTOR",
                                 description="How much the struck limb gives way: 0 stiff, 1 as people do")
    use_hit_after: BoolProperty(name="Set Way Back", update=changed, default=False,
                                description="Ask for the time in which the action is back. Off: when the body is back")
    hit_after_s: FloatProperty(name="Way Back (s)", update=changed, default=1.0, min=0.05, max=60.0, soft_max=4.0,
                               description="So long after the last hit the action has its own keys again")


def reaction_of(settings: bpy.types.PropertyGroup) -> Reaction | None:
    """How the hits are taken; None where there are none."""
    if not len(settings.hits):
        return None
    return Reaction(settings.hit_law, plain(settings.hit_looseness),
                    after_s=plain(settings.hit_after_s) if settings.use_hit_after else None)


def hits_of(settings: bpy.types.PropertyGroup, figure: Figure, placement: Placement, time_s: Callable[[float], float],
            scene: bpy.types.Scene, facing: float = 0.0) -> tuple[Hit, ...]:
    """The hits of a shot, in their order; `time_s` gives the time of a frame, `facing` is how the character is turned about the
    vertical where the shot starts [rad]. Raises InputError for one without a bone, before the shot, or by what has no volume."""
    found = [_hit(entry, figure, placement, time_s, scene, facing) for entry in settings.hits]
    return tuple(sorted(found, key=lambda hit: hit.time_s))


def thrown_of(settings: bpy.types.PropertyGroup) -> list[str]:
    """The objects that fly at the character, by name, in the order of the balls of `hits_of`; "" for those that are made."""
    flying = sorted((entry for entry in settings.hits if entry.kind != "PUNCH"), key=lambda entry: entry.frame)
    return [entry.thrown.name if entry.kind == "OBJECT" and entry.thrown else "" for entry in flying]


def _hit(entry: bpy.types.PropertyGroup, figure: Figure, placement: Placement, time_s: Callable[[float], float],
         scene: bpy.types.Scene, facing: float) -> Hit:
    """One of them."""
    if not entry.bone:
        raise InputError(f"The hit at frame {entry.frame} strikes no bone: click one in the view, or choose it under Hits.")
    start = time_s(entry.frame)
    if start < 0.0:
        raise InputError(f"The hit at frame {entry.frame} comes before the first frame of the motion; give it a later frame.")
    segment = segment_called(entry.bone) or segment_of_bone(figure, entry.bone)
    way, length = _way(entry, placement, scene, facing)
    if entry.kind == "PUNCH":
        return punch(start, segment, NS_PER_M * length if entry.by_length and entry.arrow else plain(entry.impulse_ns), way)
    speed = plain(M_S_PER_M * length) if entry.by_length and entry.arrow else plain(entry.speed_m_s)
    if entry.kind == "OBJECT":
        mass, density = weighed(entry, placement)
    else:
        density = plain(entry.density)
        mass = plain(4.0 / 3.0 * math.pi * plain(entry.radius_m) ** 3 * density)
    return Hit(start, segment, mass, speed, way, BALL, density)


def _way(entry: bpy.types.PropertyGroup, placement: Placement, scene: bpy.types.Scene,
         facing: float) -> tuple[tuple[float, float, float], float]:
    """The way it flies, in the shot's axes, and the arrow's length [m], as it lies when it hits."""
    if entry.arrow is None:
        x, y, z = (plain(part) for part in entry.direction)
        return (x, y, z), 0.0
    axis, length = arrow_at(entry.arrow, entry.frame, scene)
    unit = float(np.cbrt(np.linalg.det(placement.matrix[:3, :3])))
    x, y, z = placement.direction_to_take(axis)
    ahead = complex(x, y) * complex(math.cos(facing), -math.sin(facing))
    return (plain(ahead.real), plain(ahead.imag), plain(z)), length / unit


def weighed(entry: bpy.types.PropertyGroup, placement: Placement) -> tuple[float, float]:
    """Mass [kg] and density [kg/m^3] of the object that is thrown. Raises InputError where there is none, or it has no volume."""
    item = entry.thrown
    if item is None:
        raise InputError(f"The hit at frame {entry.frame} throws no object: choose a mesh of the scene, or let a ball hit.")
    volume = _volume(item) / float(np.linalg.det(placement.matrix[:3, :3]))
    if volume <= 0.0:
        raise InputError(f"The object {item.name!r} has no volume, as its mesh is open or flat: close it, or throw another one.")
    body = item.rigid_body
    mass = plain(body.mass) if body is not None and body.type == "ACTIVE" else plain(volume * plain(entry.density))
    return mass, plain(mass / volume)


def _volume(item: bpy.types.Object) -> float:
    """Volume in the world of a mesh as it is shown; 0 of one that is not closed."""
    evaluated = item.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = bmesh.new()
    try:
        mesh.from_mesh(evaluated.to_mesh())
        closed = bool(mesh.faces) and all(edge.is_manifold for edge in mesh.edges)
        volume = mesh.calc_volume() if closed else 0.0
    finally:
        mesh.free()
        evaluated.to_mesh_clear()
    return abs(volume * item.matrix_world.determinant())
