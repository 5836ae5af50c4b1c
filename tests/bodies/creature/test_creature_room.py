# SPDX-License-Identifier: GPL-3.0-or-later
"""The room inside of meshes: closed, turned inside out, overlapping, open."""

import numpy as np
import pytest

from lope.addon.bodies.creature.anatomy.parts import Skin
from lope.addon.bodies.creature.anatomy.shape import room_in

pytestmark = pytest.mark.slow

QUADS = np.array([[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]])


def box(low, high) -> tuple[np.ndarray, np.ndarray]:
    """Vertices (8, 3) and triangles (12, 3) of a box, its faces outward."""
    corners = np.array([[x, y, z] for z in (0, 1) for y in (0, 1) for x in (0, 1)], dtype=float)
    places = np.asarray(low) + corners * (np.asarray(high) - low)
    return places, np.concatenate([QUADS[:, [0, 1, 2]], QUADS[:, [0, 2, 3]]])


def skin_of(*meshes) -> Skin:
    return Skin(np.concatenate([places for places, _ in meshes]), np.repeat(np.arange(len(meshes)), 8))


def volume(meshes) -> float:
    room = room_in(meshes, skin_of(*meshes))
    return len(room.inside.places) * room.cell_m3


def test_a_box_has_its_volume_however_it_is_turned_inside_out():
    places, faces = box((0.1, 0.2, 0.3), (1.1, 0.7, 2.3))
    assert volume([(places, faces)]) == pytest.approx(1.0, rel=0.04)
    assert volume([(places, faces[:, ::-1])]) == pytest.approx(1.0, rel=0.04)


def test_boxes_share_their_room_by_the_nearest_skin_and_count_once_where_they_overlap():
    one, other = box((0, 0, 0), (1, 1, 1)), box((2, 0, 0), (3, 1, 1))
    room = room_in([one, other], skin_of(one, other))
    counts = np.bincount(room.inside.owners)
    assert counts[0] == pytest.approx(counts[1], rel=0.02) and counts.sum() * room.cell_m3 == pytest.approx(2.0, rel=0.03)
    assert volume([one, box((0.5, 0.0, 0.0), (1.5, 1.0, 1.0))]) == pytest.approx(1.5, rel=0.03)


def test_an_open_sheet_has_no_room():
    places, faces = box((0, 0, 0), (1, 1, 1))
    assert room_in([(places, faces[[1, 7]])], skin_of((places, faces))) is None
    assert room_in([], Skin(np.empty((0, 3)), np.empty(0, int))) is None
