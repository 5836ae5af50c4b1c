# SPDX-License-Identifier: GPL-3.0-or-later
"""What hits an armature and how it takes that; and what the Shot has of it.

Entries of the list of hits: what strikes which bone at which frame, from where and how hard.

The arrows of pushes and hits: whither they point, and how long they are, when it is their turn.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import bmesh
import bpy

from ..addon.errors import InputError
from ..addon.specs.disturbances import BALL, LAWS, WATER_KG_M3, Hit, Reaction, punch
from .figures import Placement, plain
from .properties import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    FloatVectorProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
    changed,
    of_type,
)

if TYPE_CHECKING:
    import numpy as np

    from ..addon.rigs.read.figure import Figure

KINDS = (
    ("BALL", "Ball", "A ball flies at the bone, strikes it and falls"),
    ("PUNCH", "Punch", "A fist, which nobody sees: an impulse within three hundredths of a second"),
    ("OBJECT", "Object", "An object of the scene is thrown, as a ball of its mass and volume"),
)
M_S_PER_M, NS_PER_M = 10.0, 30.0
"""Speed and impulse of an arrow that is a metre long."""


BEHIND, AHEAD, LEFT, RIGHT, OTHER = range(5)
WAYS = (
    ("BEHIND", "Behind", "It goes the character's own way"),
    ("AHEAD", "Ahead", "It comes towards the character"),
    ("LEFT", "Its Left", "It goes to the character's right"),
    ("RIGHT", "Its Right", "It goes to the character's left"),
    ("OTHER", "Elsewhere", "As the ball shows: x forward, y to the character's left, z up"),
)
"""The side from which a push or a hit comes."""
ALONG = {BEHIND: (1.0, 0.0, 0.0), AHEAD: (-1.0, 0.0, 0.0), LEFT: (0.0, -1.0, 0.0), RIGHT: (0.0, 1.0, 0.0),
         OTHER: (0.7, 0.7, 0.0)}
"""Where it goes then; from elsewhere this at first."""


def way_of(entry: bpy.types.PropertyGroup) -> int:
    """The side from which an entry with a `direction` comes."""
    there = tuple(round(part, 3) + 0.0 for part in entry.direction)
    return next((way for way, along in ALONG.items() if way != OTHER and along == there), OTHER)


def set_way(entry: bpy.types.PropertyGroup, way: int) -> None:
    """Let an entry come from that side."""
    if way != way_of(entry):
        entry.direction = ALONG[way]
        changed()


class LopeHit(bpy.types.PropertyGroup):
    """One hit."""

    frame: IntProperty(name="Frame", update=changed, default=25, description="Frame at which the bone is struck")
    kind: EnumProperty(name="Hit By", update=changed, items=KINDS, default="BALL", description="What strikes")
    bone: StringProperty(name="Bone", update=changed, description="The bone that is struck; its part of the body yields")
    speed_m_s: FloatProperty(name="Speed (m/s)", update=changed, default=6.0, min=0.1, max=200.0, soft_max=20.0,
                             description="How fast it comes")
    radius_m: FloatProperty(name="Radius (m)", update=changed, default=0.1, min=0.01, max=2.0, soft_max=0.5,
                            description="Of the ball: with its density it says what the ball weighs")
    density: FloatProperty(name="Density (kg/m³)", update=changed, default=WATER_KG_M3, min=1.0, max=25000.0, soft_max=8000.0,
                           description="What it weighs for its size: 1000 water, 80 a football. An active rigid body has its "
                                       "own mass")
    impulse_ns: FloatProperty(name="Strength (N s)", update=changed, default=20.0, min=0.3, max=500.0, soft_max=60.0,
                              description="How hard the punch is: a boxer's has 10 to 30")
    thrown: PointerProperty(name="Object", update=changed, type=bpy.types.Object, poll=of_type("MESH"),
                            description="The mesh that is thrown; the bake keys it")
    arrow: PointerProperty(name="Arrow", type=bpy.types.Object, update=changed,
                           description="An object whose local Z axis is the way it flies, such as an Empty of type Single Arrow. "
                                       "None: the numbers count")
    by_length: BoolProperty(name="Speed by Length", update=changed, default=False,
                            description="The arrow's length says how fast it comes: 10 m/s for a metre, a punch 30 N s")
    way: EnumProperty(name="Comes From", items=WAYS, get=way_of, set=set_way,
                      description="From which side of the character, as it stands at the start, it comes")
    direction: FloatVectorProperty(name="Direction", update=changed, size=3, default=(-1.0, 0.0, 0.0), subtype="DIRECTION",
                                   description="The way it flies, as the character stands at the start: x forward, y to its "
                                               "left, z up; -1, 0, 0 comes from ahead")


CLASSES = (LopeHit,)


def arrow_at(item: bpy.types.Object, frame: float, scene: bpy.types.Scene) -> tuple[np.ndarray, float]:
    """An object's Z axis in the world (3,), and its length in units of the scene, at a frame.

    At the frame that is shown it counts as it lies there, keyed or not. The scene stays at its frame: at any other one the
    object is evaluated in a scene of its own, with its parents and constraints.
    """
    import numpy as np

    moves = item.animation_data is not None or item.parent is not None or len(item.constraints) > 0
    if frame == scene.frame_current_final or not moves:
        return _read(item)
    aside = bpy.data.scenes.new("Lope arrow")
    try:
        aside.collection.objects.link(item)
        whole = int(np.floor(frame))
        aside.frame_set(whole, subframe=frame - whole)
        return _read(item.evaluated_get(aside.view_layers[0].depsgraph))
    finally:
        bpy.data.scenes.remove(aside)


def _read(item: bpy.types.Object) -> tuple[np.ndarray, float]:
    import numpy as np

    axis = np.array(item.matrix_world.to_3x3().col[2], dtype=float)
    if item.type != "EMPTY":
        return axis, float(item.dimensions[2])
    return axis, float(item.empty_display_size) * float(np.linalg.norm(axis))


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
    from ..addon.bodies.human.anthropometry import segment_called
    from ..addon.rigs.read.detect import segment_of_bone

    if not entry.bone:
        raise InputError(f"The hit at frame {entry.frame} strikes no bone: click one in the view, or choose it under Hit.")
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
    import numpy as np

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
    import numpy as np

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
