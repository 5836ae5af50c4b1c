# SPDX-License-Identifier: GPL-3.0-or-later
"""The creatures that a script draws: closed skins with weights, feet on the ground, shapes that can walk."""


import numpy as np
import pytest

bpy = pytest.importorskip("bpy", reason="needs Blender's module")


from lope.addon.bodies.creature.body import make_creature  # noqa: E402
from lope.scripts.tools.make_creatures import ANIMALS, make  # noqa: E402

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", params=sorted(ANIMALS))
def animal(request):
    """Armature, skin and shape of a creature."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    armature, creature = make(request.param, bpy.context.scene)
    return armature, armature.children[0], creature


def test_the_skin_is_closed_and_every_point_follows_bones(animal):
    armature, skin, _ = animal
    edges = np.array([edge for face in skin.data.polygons for edge in face.edge_keys])
    assert (np.unique(edges, axis=0, return_counts=True)[1] == 2).all()
    names = {group.index: group.name for group in skin.vertex_groups}
    sums = [sum(group.weight for group in vertex.groups) for vertex in skin.data.vertices]
    assert np.allclose(sums, 1.0, atol=0.05)
    assert set(names.values()) <= set(armature.data.bones.keys())


def test_it_stands_on_the_ground_as_its_shape_says(animal):
    armature, skin, creature = animal
    lowest = min(vertex.co.z for vertex in skin.data.vertices)
    assert abs(lowest) < 0.008
    body = make_creature(creature)
    assert {foot.name for foot in body.feet} == {"L", "R"}
    for part in creature.parts:
        head = armature.data.bones[part.bone].head_local
        assert np.allclose((-head.y, head.x, head.z), part.joint_m, atol=1e-6)


def test_the_mirror_image_of_every_bone_is_there(animal):
    armature, _, _ = animal
    heads = np.array([bone.head_local for bone in armature.data.bones])
    for head in heads:
        assert np.linalg.norm(heads - head * (-1.0, 1.0, 1.0), axis=1).min() < 1e-6
