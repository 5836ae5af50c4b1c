# SPDX-License-Identifier: GPL-3.0-or-later
"""Which parts of a creature bar each other's way as it goes: few pairs, so that a search can afford them.

The legs bar each other, what of them lies between thigh and foot is barred by trunk and tail, and neck and head by the trunk:
softly and damped, by their capsules' cores (`capsules.CORE_SHARE`). What all but touches as it is drawn, neighbours above all,
may pass, and so may the two thighs, whose flesh gives way. `build_model` has them in every model of a creature without
capsules; with capsules, where it may fall and lie, everything bars everything. Standing, a physics step takes 1 (ostrich, 44
pairs) to 4 % (human, 10) longer.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from ...specs.creature import Creature
from ..bars import CORE
from ..body import Body
from ..capsules import body_capsules, passing_pairs


def barred_parts(creature: Creature) -> Iterator[tuple[str, str]]:
    """Pairs of parts, by name, that are kept apart unless they touch as drawn."""
    left, right = ([part.name for part in leg] for leg in creature.legs)
    trunk, tail, head = ([part.name for part in creature.parts if part.kind in kinds]
                         for kinds in (("trunk",), ("tail",), ("neck", "head")))
    yield from (pair for pair in product(left, right) if pair != (left[0], right[0]))
    yield from product([*left[1:-1], *right[1:-1]], [*trunk, *tail])
    yield from product(head, trunk)


def barred(body: Body, creature: Creature) -> dict[tuple[str, str], float]:
    """Which capsules' cores, by their names in the model (`bars.CORE`), may come how deep [m] into each other: not at all."""
    shapes = body_capsules(body)
    name = {shape.segment: CORE.format(shape.name) for shape in shapes}
    passing = set(passing_pairs(body, shapes))
    return {(name[one], name[other]): 0.0 for one, other in barred_parts(creature)
            if not passing & {(one, other), (other, one)}}
