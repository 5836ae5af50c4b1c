# SPDX-License-Identifier: GPL-3.0-or-later
"""The numbers of a creature's muscles, by group and name: they depend on which muscles it has.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np

from ...bodies.creature.muscles import FIBRE_SPREAD, SLACK_SPREAD, SPREAD
from ...bodies.creature.routing import FreeMuscle, routing_names
from ...errors import unknown_name

Range = tuple[float, float, float]
"""Where a search begins, and the bounds."""

LAW: dict[str, tuple[Range, str]] = {
    "tone": ((0.02, 0.01, 0.2), "Excitation of every muscle, always"),
    "slower": ((1.06, 0.7, 2.0), "Time of a swing over the quick law's"),
    "damped": ((1.0, 0.5, 3.0), "Damping over the quick law's, which knows no late nerves"),
    "damping": ((0.9, 0.0, 1.5), "Share of that damping that is wished of the muscles"),
    "bandwidth": ((1.3, 0.1, 4.0), "How stiff a swinging leg is held at most: its own frequency times how late its muscles are"),
    "passive": ((1.5, 0.2, 4.0), "Damping of the joints themselves, over the least that stood"),
    "chains": ((0.5, 0.0, 1.0), "Share of the quick law's damping that the joints of neck, tail, spine and arms keep themselves"),
    "lift": ((-0.3, -0.7, 0.1), "How far behind the centre of mass, in legs, a standing foot begins to lift (less than 0)"),
    "prepare": ((0.1, -0.3, 0.6), "How far ahead of it a swinging foot prepares to land"),
    "lift_hip": ((0.0, 0.0, 1.0), "While it lifts, more excitation of hip muscles ahead, and as much less of those behind"),
    "lift_knee": ((0.0, 0.0, 1.0), "While it lifts, less excitation of the muscle that stretches the knee"),
}
"""Of all muscles together (bounds and starts are first guesses)."""
KIND: dict[str, tuple[Range, str]] = {
    "gain": ((1.2, 0.2, 6.0), "Excitation over what the wish asks for"),
    "stance": ((0.0, -0.2, 0.4), "Excitation in stance and lift-off beside that"),
    "swing": ((0.0, -0.2, 0.4), "Excitation in swing and preparation beside that"),
    "force": ((0.0, 0.0, 1.5), "Excitation by its own force in stance, of muscles that stretch a leg"),
    "strength": ((0.0, -1.0, 1.0), f"Greatest force, as a power of {SPREAD:g}"),
    "fibre": ((0.0, -1.0, 1.0), f"Optimal length of the fibres, as a power of {FIBRE_SPREAD:g}"),
    "slack": ((0.0, -SLACK_SPREAD, SLACK_SPREAD), "How much longer the tendon is, in optimal fibre lengths"),
}
"""Of each kind of muscle; those of both sides are one kind."""
ROUTING = "routing"
GROUPS = ("law", *KIND, ROUTING)


class MuscleNumbers:
    """The numbers of some muscles: `names` (Q,) of (group, name), `start`, `low`, `high` (Q,)."""

    def __init__(self, muscles: Sequence[FreeMuscle]) -> None:
        self.kinds = tuple(dict.fromkeys(muscle.kind for muscle in muscles))
        self.kind_of = np.array([self.kinds.index(muscle.kind) for muscle in muscles])
        stretch = {muscle.kind for muscle in muscles if muscle.extends}
        legs = {muscle.kind for muscle in muscles if muscle.hip or muscle.reference}
        rows: dict[tuple[str, str], Range] = {("law", name): span for name, (span, _) in LAW.items()}
        for group, (span, _) in KIND.items():
            which: Collection[str] = legs if group in ("stance", "swing", "slack") else self.kinds
            which = stretch if group == "force" else which
            rows |= {(group, kind): span for kind in self.kinds if kind in which}
        rows |= {(ROUTING, name): (0.5, 0.0, 1.0) for name in routing_names(muscles)}
        self.names = tuple(rows)
        self.start, self.low, self.high = np.array(list(rows.values())).T
        self._row = {name: i for i, name in enumerate(self.names)}

    def rows(self, groups: Iterable[str]) -> np.ndarray:
        """Which numbers (k,) are of some groups."""
        wanted = set(groups)
        return np.array([i for i, (group, _) in enumerate(self.names) if group in wanted], dtype=int)

    def vector_of(self, values: Mapping[str, Mapping[str, float]]) -> np.ndarray:
        """Values (Q,) by group and name: the start's where nothing is said. Raises InputError for what is not known."""
        vector = self.start.copy()
        for group, named in values.items():
            for name, value in named.items():
                if (group, name) not in self._row:
                    known = [n for g, n in self.names if g == group] or list(GROUPS)
                    raise unknown_name("number of the creature's muscles", name if len(known) > len(GROUPS) else group, known)
                vector[self._row[group, name]] = value
        return vector

    def values_of(self, vector: np.ndarray) -> dict[str, dict[str, float]]:
        """What is not as at the start, by group and name; `vector_of` makes the same vector of it."""
        values: dict[str, dict[str, float]] = {}
        for (group, name), value, start in zip(self.names, vector, self.start, strict=True):
            if value != start:
                values.setdefault(group, {})[name] = float(value)
        return values

    def law(self, vectors: np.ndarray, name: str) -> np.ndarray:
        """One number (N,) of all muscles together, of vectors (N, Q)."""
        return vectors[:, self._row["law", name]].copy()

    def of_muscles(self, vectors: np.ndarray, group: str) -> np.ndarray:
        """A group's numbers (N, M), 0 of muscles whose kind has none."""
        found = np.zeros((len(vectors), len(self.kinds)))
        for k, kind in enumerate(self.kinds):
            if (group, kind) in self._row:
                found[:, k] = vectors[:, self._row[group, kind]]
        return found[:, self.kind_of]

    def routing(self, vectors: np.ndarray) -> np.ndarray:
        """The routing (N, R)."""
        return vectors[:, self.rows((ROUTING,))]
