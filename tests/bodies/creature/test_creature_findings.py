# SPDX-License-Identifier: GPL-3.0-or-later
"""What cannot walk and why, of creatures that are drawn with a fault."""

from dataclasses import replace

import numpy as np
import pytest

from lope.addon.bodies.creature.body import make_creature
from lope.addon.bodies.creature.findings import creature_findings
from lope.addon.bodies.creature.template import creature_names, find_creature
from lope.addon.errors import BodyError


def changed(creature, change):
    """A creature each of whose parts is what `change` makes of it; None leaves it out."""
    return replace(creature, parts=tuple(new for part in creature.parts if (new := change(part)) is not None))


def lifted(part, by):
    return replace(part, joint_m=tuple(np.add(part.joint_m, by)), tip_m=tuple(np.add(part.tip_m, by)))


def of_right_leg(part):
    return part.kind == "leg" and part.side == "R"


def third_leg(creature):
    more = [replace(part, name=part.name.replace("_R", "_M"), bone="Leg.M", parent=part.parent.replace("_R", "_M"))
            for part in creature.parts if of_right_leg(part)]
    return replace(creature, parts=(*creature.parts, *more))


def longer_leg(creature, parts):
    """A leg whose foot hangs on more and more parts, each of them a piece of the last."""
    made = []
    for part in creature.parts:
        if part.name.startswith("foot"):
            for i in range(parts):
                made.append(replace(part, name=f"more_{i}_{part.side}", parent=made[-1].name if i else part.parent,
                                    tip_m=tuple(np.add(part.joint_m, (0.01, 0.0, 0.0)))))
            part = replace(part, parent=made[-1].name)
        made.append(part)
    return replace(creature, parts=tuple(made))


FAULTS = {
    "has no legs": lambda c: changed(c, lambda p: None if p.kind == "leg" else p),
    "has one leg, thigh_L": lambda c: changed(c, lambda p: None if of_right_leg(p) else p),
    "thigh_M (bone Leg.M): it walks on two": third_leg,
    "are not one of each side": lambda c: changed(c, lambda p: replace(p, side="L") if of_right_leg(p) else p),
    "is a neck, and must be the trunk": lambda c: changed(c, lambda p: replace(p, kind="neck") if p.parent is None else p),
    "has no hip: it hangs on neck_1": lambda c: replace(c, parts=tuple(
        replace(p, parent="neck_1") if p.name == "thigh_L" else p for p in c.parts)),
    "The tail tail_1 hangs on head": lambda c: changed(c, lambda p: replace(p, parent="head") if p.name == "tail_1" else p),
    "The part head has no length": lambda c: changed(c, lambda p: replace(p, tip_m=p.joint_m) if p.name == "head" else p),
    "The leg thigh_L has 2 parts": lambda c: changed(changed(c, lambda p: None if p.name.startswith("foot") else p),
                                                     lambda p: None if p.name.startswith("metatarsus") else p),
    "The leg thigh_L has 7 parts": lambda c: longer_leg(c, 3),
    "is of the side none": lambda c: changed(c, lambda p: replace(p, side="") if p.name == "foot_L" else p),
    "shank_R 0.225 m; make both as long": lambda c: changed(c, lambda p: replace(
        p, tip_m=tuple(np.add(p.joint_m, np.subtract(p.tip_m, p.joint_m) / 2.0))) if p.name == "shank_R" else p),
    "drawn in two poses": lambda c: changed(c, lambda p: lifted(p, (0.4, 0.0, 0.0)) if of_right_leg(p) else p),
    "is not left of the right one": lambda c: changed(c, lambda p: replace(
        p, side={"L": "R", "R": "L"}[p.side]) if p.kind == "leg" else p),
    "m above the ground": lambda c: changed(c, lambda p: lifted(p, (0.0, 0.0, 0.5))),
    "m into the ground": lambda c: changed(c, lambda p: lifted(p, (0.0, 0.0, -0.3))),
    "draw the creature standing.": lambda c: changed(c, lambda p: p if p.name.startswith(("shank", "meta", "foot")) else lifted(
        p, (0.0, 0.0, -0.85))),
    "look at the mass and the radius of trunk": lambda c: changed(c, lambda p: replace(p, radius_m=3.0) if p.name == "trunk"
                                                                 else p),
    "would weigh": lambda c: changed(c, lambda p: replace(p, mass_kg=0.001) if p.name == "head" else p),
    "ahead of its soles": lambda c: changed(c, lambda p: lifted(p, (0.9, 0.0, 0.0)) if p.kind != "leg" else p),
}


@pytest.mark.parametrize("words", FAULTS)
def test_a_fault_has_its_sentence_and_no_body(words):
    creature = FAULTS[words](find_creature("ostrich"))
    assert words in creature_findings(creature)[0], creature_findings(creature)
    with pytest.raises(BodyError) as said:
        make_creature(creature)
    assert str(said.value) == creature_findings(creature)[0]


def test_a_leg_that_branches_is_named():
    creature = find_creature("human")
    toe = replace(creature.part("foot_L"), name="toe_L", parent="shank_L")
    assert "branches at shank_L into foot_L, toe_L" in creature_findings(replace(creature, parts=(*creature.parts, toe)))[0]


@pytest.mark.parametrize("name", creature_names())
def test_the_shipped_ones_can_walk(name):
    assert creature_findings(find_creature(name)) == []
