# SPDX-License-Identifier: GPL-3.0-or-later
"""Footprints: patches over the ground, pressed flat within the sole, with ribs, and a rim thrown up about it. A patch lies on the
ground and not in it, so that no ground has to be cut; in a low sun it looks as deep as it is high. Its soil is the stage's own,
darker where it is pressed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import bpy
import numpy as np

from ...maths.curves import smoothstep
from ..node_tree import Colour, Nodes, new_material
from ..stage.stage import LOOKS, ground_material, stage_for
from .grains import Print

CELL_M, MARGIN_M = 0.007, 0.085
"""Distance of a patch's points, and how far it goes on beyond the sole."""
STATIONS = (0.0, 0.04, 0.12, 0.25, 0.45, 0.62, 0.75, 0.87, 0.96, 1.0)
WIDTHS = (0.0, 0.62, 0.96, 1.0, 0.86, 0.96, 1.0, 0.86, 0.5, 0.0)
"""Half width of a boot's sole at stations of its length, over that of heel (first half) and ball (second half)."""
RIM_AT_M, RIM_WIDTH_M, RIM_FADES_M = 0.010, 0.009, 0.075
"""Where the rim is highest beyond the sole, how steep its inner side is, and where it has run out (Apollo's prints, by eye)."""
RIBS_M, RIB_HEIGHT_M, FLOOR_M = 0.026, 0.005, 0.0006
"""Distance and height of the sole's ribs, of an Apollo overshoe; how far the pressed floor lies over the ground."""
DEEPEST_LOAD, SOFTNESS = 1.6, 0.25
"""Force over the body's weight on Earth from which a print is no deeper; and the power of it by which prints below that are
deeper: the loose top gives at once, on the Moon too (Apollo's prints were a centimetre or two deep)."""


@dataclass(frozen=True)
class PrintMesh:
    """Points (N, 3) [m] in a take's axes, quads (M, 4); of each point how high it stands over the ground (N,) [m], when its print
    begins and is finished (N,) [s], how pressed it is and how much it covers what is below (N,) in 0 to 1."""

    points: np.ndarray
    faces: np.ndarray
    lift_m: np.ndarray
    start_s: np.ndarray
    down_s: np.ndarray
    pressed: np.ndarray
    cover: np.ndarray


def print_mesh(prints: Sequence[Print], height: Callable[[np.ndarray, np.ndarray], np.ndarray], rim_m: float,
               radius_m: float, seed: int) -> PrintMesh:
    """The patches of some prints on the ground `height(x, y)`; `rim_m` under a whole weight on Earth, soles `radius_m` wider."""
    parts = [_patch(one, height, rim_m, radius_m, np.random.default_rng([seed, 7, number])) for number, one in enumerate(prints)]
    if not parts:
        none = np.zeros(0)
        return PrintMesh(np.zeros((0, 3)), np.zeros((0, 4), int), none, none, none, none, none)
    starts = np.cumsum([0] + [len(part.points) for part in parts[:-1]])
    faces = np.concatenate([part.faces + start for part, start in zip(parts, starts, strict=True)])
    rest = [np.concatenate([getattr(part, name) for part in parts]) for name in (
        "points", "lift_m", "start_s", "down_s", "pressed", "cover")]
    return PrintMesh(rest[0], faces, *rest[1:])


def sole_outline(one: Print, radius_m: float) -> np.ndarray:
    """The edge (K, 2) [m] of a sole, along and across from the ball, counter-clockwise from above."""
    along, across = one.points.T
    back, front = along.min() - radius_m, along.max() + radius_m
    kinds = np.array(one.kinds)
    halves = [np.ptp(across[kinds == kind]) / 2.0 + radius_m if np.any(kinds == kind) else np.ptp(across) / 2.0 + radius_m
              for kind in ("heel", "ball")]
    station = np.linspace(0.0, 1.0, 33)
    width = np.interp(station, STATIONS, WIDTHS) * np.interp(station, (0.25, 0.75), halves)
    middle = np.interp(station, (0.0, 1.0), [across[kinds == kind].mean() if np.any(kinds == kind) else across.mean()
                                             for kind in ("heel", "ball")])
    line = back + station * (front - back)
    right, left = np.column_stack([line, middle - width]), np.column_stack([line, middle + width])
    return np.concatenate([right, left[-2:0:-1]])


def distance_to(outline: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Distance (N,) of points (N, 2) to the edge of a polygon (K, 2), negative within."""
    start, end = outline, np.roll(outline, -1, axis=0)
    edge = end - start
    from_start = points[:, None] - start
    share = np.clip((from_start * edge).sum(-1) / np.maximum((edge**2).sum(-1), 1e-12), 0.0, 1.0)
    nearest = np.linalg.norm(from_start - share[..., None] * edge, axis=-1).min(axis=1)
    over = (start[:, 1] > points[:, None, 1]) != (end[:, 1] > points[:, None, 1])
    with np.errstate(divide="ignore", invalid="ignore"):
        crossing = start[:, 0] + (points[:, None, 1] - start[:, 1]) * edge[:, 0] / edge[:, 1]
    inside = (over & (points[:, None, 0] < crossing)).sum(axis=1) % 2 == 1
    return np.where(inside, -nearest, nearest)


def _patch(one: Print, height, rim_m: float, radius_m: float, generator: np.random.Generator) -> PrintMesh:
    outline = sole_outline(one, radius_m)
    low, high = outline.min(axis=0) - MARGIN_M, outline.max(axis=0) + MARGIN_M
    count = np.maximum(np.ceil((high - low) / CELL_M).astype(int), 2) + 1
    along, across = np.meshgrid(np.linspace(low[0], high[0], count[0]), np.linspace(low[1], high[1], count[1]), indexing="ij")
    flat = np.column_stack([along.ravel(), across.ravel()])
    off = distance_to(outline, flat)
    share = _pressure(one, flat[:, 0]) * min(one.load, DEEPEST_LOAD)**SOFTNESS
    rough = 1.0 + 0.3 * _bumps(flat, 0.06, generator) + 0.16 * _bumps(flat, 0.02, generator)
    rim = rim_m * share * rough * smoothstep((off + RIM_WIDTH_M) / (RIM_AT_M + RIM_WIDTH_M)) * np.clip(
        (RIM_FADES_M - off) / (RIM_FADES_M - RIM_AT_M), 0.0, 1.0)**2
    within = smoothstep(-off / 0.006)
    ribs = RIB_HEIGHT_M * smoothstep(1.6 * np.sin(2.0 * np.pi * flat[:, 0] / RIBS_M) + 0.5) * within * np.minimum(share, 1.0)
    lift = FLOOR_M + np.where(off > -RIM_WIDTH_M, rim, 0.0) + ribs
    ahead = one.ahead
    x = one.place[0] + ahead[0] * flat[:, 0] - ahead[1] * flat[:, 1]
    y = one.place[1] + ahead[1] * flat[:, 0] + ahead[0] * flat[:, 1]
    cover = smoothstep((RIM_FADES_M - off) / 0.02) * np.minimum(1.0, 2.0 * share)
    i, j = np.meshgrid(np.arange(count[0] - 1), np.arange(count[1] - 1), indexing="ij")
    corner = (i * count[1] + j).ravel()
    faces = np.column_stack([corner, corner + count[1], corner + count[1] + 1, corner + 1])
    return PrintMesh(np.column_stack([x, y, height(x, y) + lift]), faces, lift, np.full(len(flat), one.start_s),
                     np.full(len(flat), one.down_s), within * np.minimum(share, 1.0), cover)


def _pressure(one: Print, along: np.ndarray) -> np.ndarray:
    """How much of the foot pressed (N,), 0 to 1, at places along it: of a runner's often the front alone."""
    order = np.argsort(one.points[:, 0], kind="stable")
    return np.interp(along, one.points[order, 0], one.pressed[order].astype(float))


def _bumps(points: np.ndarray, size_m: float, generator: np.random.Generator) -> np.ndarray:
    """Smooth bumps (N,) of about -1 to 1 and about that size."""
    waves = generator.normal(size=(7, 2)) * 2.0 * np.pi / size_m
    phase = generator.uniform(0.0, 2.0 * np.pi, 7)
    return np.sin(points @ waves.T + phase).sum(axis=1) / np.sqrt(7.0)


RIMS_M = {"moon": 0.020, "mars": 0.016, "earth": 0.009}
"""Height of a print's rim under a whole weight on Earth: deep in the Moon's dust (Apollo's by 1 to 3 cm; others by eye)."""
OTHER_RIM_M = 0.016
SOIL_OF = "moon"
"""The soil of worlds that have no look of their own."""
PRESSED = 0.55
"""How dark pressed soil is over loose one."""
THROWN, PRESSED_FLAT = 0.55, 0.15
"""What is left of the soil's own roughness where it was thrown up, and where it was pressed."""
LOOSE = 1.5
"""How bright dust in flight is over soil that lies: grain by grain, without the shadows between them."""
CASTS = 0.97
"""A patch casts no shadow where it covers less than that: on the ground below it that would be a dark ring."""
PUFF_DENSITY = 0.11


def soil_look(world: str):
    name = stage_for(world)
    return LOOKS[name if LOOKS[name].tiles_m is None else SOIL_OF]


def soil_colours(world: str) -> tuple[Colour, Colour]:
    look = soil_look(world)
    if look.path is None:
        return look.ground
    return look.path, look.path


def rim_m(world: str) -> float:
    return RIMS_M.get(world, OTHER_RIM_M)


def print_material(world: str) -> bpy.types.Material:
    """Soil by the attributes `pressed` (darker) and `cover` (0: what is below shows)."""
    material = ground_material(f"Prints {world}", *soil_colours(world), soil_look(world).grain, None)
    nodes = Nodes(material.node_tree)
    shader, bump = nodes.of_type("BSDF_PRINCIPLED"), nodes.of_type("BUMP")
    colour = shader.inputs["Base Color"].links[0].from_socket
    shade = nodes.mapped(nodes.attribute("pressed"), to_min=1.0, to_max=PRESSED)
    nodes.fill(shader, {"Base Color": nodes.scaled(colour, shade)})
    strength = bump.inputs["Strength"].links[0].from_socket
    for name, least in (("cover", THROWN), ("pressed", PRESSED_FLAT / THROWN)):
        strength = nodes.math("MULTIPLY", strength, nodes.mapped(nodes.attribute(name), to_min=1.0, to_max=least))
    nodes.fill(bump, {"Strength": strength})
    cover = nodes.attribute("cover")
    shadow = nodes.node("ShaderNodeLightPath").outputs["Is Shadow Ray"]
    hidden = nodes.math("MULTIPLY", shadow, nodes.math("LESS_THAN", cover, CASTS))
    _see_through(nodes, shader, nodes.math("MULTIPLY", cover, nodes.math("SUBTRACT", 1.0, hidden)))
    return material


def dust_material(world: str, *, air: bool) -> bpy.types.Material:
    """Loose soil: opaque grains, or with air puffs that are thin at their edges and thinner with time (attribute `fade`)."""
    material, nodes, shader = new_material(f"Dust {world}")
    nodes.fill(shader, {"Base Color": (*(min(LOOSE * c, 1.0) for c in soil_colours(world)[1]), 1.0), "Roughness": 1.0,
                        "Specular IOR Level": 0.0})
    if not air:
        return material
    facing = nodes.node("ShaderNodeLayerWeight", named={"Blend": 0.5}).outputs["Facing"]
    centre = nodes.math("SUBTRACT", 1.0, facing)
    soft = nodes.math("MULTIPLY", nodes.math("POWER", centre, 1.8), nodes.math("POWER", nodes.attribute("fade"), 1.3))
    _see_through(nodes, shader, nodes.math("MULTIPLY", soft, PUFF_DENSITY))
    return material


def _see_through(nodes: Nodes, shader: bpy.types.Node, share: bpy.types.NodeSocket) -> None:
    """Let a shader cover what is behind only by a share."""
    clear = nodes.node("ShaderNodeBsdfTransparent").outputs[0]
    mix = nodes.node("ShaderNodeMixShader", share, clear, shader.outputs[0])
    nodes.fill(nodes.of_type("OUTPUT_MATERIAL"), {"Surface": mix.outputs[0]})
