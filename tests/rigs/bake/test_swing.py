# SPDX-License-Identifier: GPL-3.0-or-later
"""Rods that swing, in plain numbers: the beat of a pendulum on four worlds, air, contact that yields, held ends."""

from __future__ import annotations

import numpy as np
import pytest

from lope.addon.rigs.bake import swing as module
from lope.addon.rigs.bake.swing import Given, Rods, moments, swing

DOWN = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
"""A carrier whose bones hang."""


def rods(lengths, stiffness=0.0, damping=0.0, radius=0.01, pinned=False) -> Rods:
    count = len(lengths)
    lengths = np.array(lengths, float)
    return Rods(lengths, np.tile([0.0, 1.0, 0.0], (count, 1)), np.tile(np.eye(3), (count, 1, 1)), 0.1 * lengths,
                np.full(count, stiffness), np.full(count, damping), np.zeros((count, 3)), radius, pinned)


def given(frames, gravity, turn=DOWN, rate=24.0, **changes) -> Given:
    plain = {"place": np.zeros((frames, 1, 3)), "ends": np.zeros((frames, 1, 3)), "heads": np.zeros((frames, 0, 3)),
             "tails": np.zeros((frames, 0, 3)), "clear": np.zeros((1, 1, 0))}
    down = np.tile([0.0, 0.0, -gravity], (frames, 1))
    return Given(rate, down, turn=np.tile(turn.reshape(-1, 3, 3), (frames, 1, 1, 1)), **(plain | changes))


def ends(turns: np.ndarray, chain: Rods) -> np.ndarray:
    """Places (T, n, 3) of the rods' ends of one chain that begins at the origin."""
    ways = np.einsum("tnij,nj->tni", turns[:, 0], chain.ways)
    return np.cumsum(chain.lengths[:, None] * ways, axis=1)


@pytest.mark.parametrize("gravity", [1.62, 3.71, 9.81, 24.79])
@pytest.mark.parametrize("lengths", [(0.3,), (0.15, 0.15), (0.06,) * 5])
def test_a_chain_beats_as_a_pendulum_of_its_moments(monkeypatch, gravity, lengths):
    monkeypatch.setattr(module, "SETTLE_S", 0.0)
    tilt = np.radians(3.0)
    turn = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]]) @ DOWN
    chain = rods(lengths)
    tip = ends(swing([chain], given(int(24 * 20 / np.sqrt(gravity)), gravity, turn)), chain)[:, -1, 1]
    falls = np.nonzero((tip[:-1] > 0.0) & (tip[1:] <= 0.0))[0]
    times = (falls + tip[falls] / (tip[falls] - tip[falls + 1])) / 24.0
    first, second = moments(chain.lengths, np.tile([0.0, 0.0, -1.0], (len(lengths), 1)), chain.mass)
    assert 1.0 / np.diff(times).mean() == pytest.approx(np.sqrt(first[0] * gravity / second[0]) / (2.0 * np.pi), rel=0.02)


def test_air_slows_a_swing_and_the_moon_has_none(monkeypatch):
    monkeypatch.setattr(module, "SETTLE_S", 0.0)
    turn = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]) @ np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]]) @ DOWN
    chain = rods((0.2, 0.2), radius=0.03)
    high = [ends(swing([chain], given(240, 1.62, turn, air=air)), chain)[-120:, -1, 2].max() for air in (0.0, 1.2)]
    assert high[0] > high[1] + 0.02


def test_a_held_end_stays_where_it_is_held():
    chain = rods((0.1,) * 4, stiffness=0.002, damping=0.001, pinned=True)
    frames = 72
    where = np.zeros((frames, 1, 3))
    where[:, 0, 1] = 0.25 + 0.08 * np.sin(np.arange(frames) / 3.0)
    tip = ends(swing([chain], given(frames, 9.81, ends=where)), chain)[:, -1]
    assert np.abs(tip - where[:, 0]).max() < 1e-3


def test_what_is_squeezed_yields_and_nothing_explodes():
    """Two capsules close on a chain that hangs between them, farther than it has room for, and open again."""
    chain = rods((0.1,) * 4, stiffness=0.002, damping=0.001)
    frames = 96
    apart = 0.06 + 0.05 * np.cos(np.arange(frames) / 4.0)
    heads = np.zeros((frames, 2, 3))
    heads[:, 0, 1], heads[:, 1, 1], heads[:, :, 0] = apart, -apart, -0.2
    tails = heads * [-1.0, 1.0, 1.0]
    heads[:, :, 2] = tails[:, :, 2] = -0.25
    turns = swing([chain], given(frames, 9.81, heads=heads, tails=tails, clear=np.full((1, 8, 2), 0.04)))
    way = np.einsum("tnij,nj->tni", turns[:, 0], chain.ways)
    between = np.degrees(np.arccos(np.clip(np.sum(way[1:] * way[:-1], axis=2), -1.0, 1.0)))
    assert np.isfinite(turns).all() and between.max() < 120.0


def test_a_body_that_comes_pushes_a_chain_aside():
    chain = rods((0.1,) * 4, stiffness=0.002, damping=0.001)
    frames = 72
    heads = np.zeros((frames, 1, 3))
    heads[:, 0, 1] = np.linspace(-0.4, 0.1, frames)
    heads[:, 0, 0], heads[:, 0, 2] = -0.3, -0.3
    tails = heads * [-1.0, 1.0, 1.0]
    turns = swing([chain], given(frames, 9.81, heads=heads, tails=tails, clear=np.full((1, 8, 1), 0.08)))
    far = np.linalg.norm((ends(turns, chain) - heads)[:, :, 1:], axis=2)
    assert far.min() > 0.08 - 0.003


def test_the_same_again():
    chains = [rods((0.1,) * 4, 0.002, 0.001), rods((0.05,) * 2)]
    for_two = {"place": np.zeros((20, 2, 3)), "ends": np.zeros((20, 2, 3)), "clear": np.zeros((2, 1, 0))}
    for_two["place"][:, :, 1] = np.arange(20)[:, None] ** 2 * 1e-3
    one, other = (swing(chains, given(20, 3.71, turn=np.stack([DOWN, DOWN]), **for_two)) for _ in range(2))
    assert np.array_equal(one, other)
