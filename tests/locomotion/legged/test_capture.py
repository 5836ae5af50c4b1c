# SPDX-License-Identifier: GPL-3.0-or-later
"""The capture point over a moving centre of pressure, against numerical integration and against itself."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from lope.addon.locomotion.legged.capture import Piece, backward, forward, remaining

PIECES = [Piece(-0.2 + 0.1j, 0.05 - 0.02j, 0.15), Piece(0.05 - 0.02j, 0.12 - 0.03j, 0.3), Piece(0.12 - 0.03j, 0.2j, 0.2)]
OMEGAS = (0.7, 1.3, 3.3, 5.7)


def integrated(capture, pieces, omega):
    """xi' = omega (xi - r) integrated numerically through the pieces."""
    for piece in pieces:
        answer = solve_ivp(lambda t, xi, p=piece: omega * (xi - p.at(t)), (0.0, piece.duration_s), [capture],
                           rtol=1e-11, atol=1e-13)
        capture = answer.y[0, -1]
    return capture


def onward(capture, pieces, omega):
    """`forward` through all pieces."""
    for piece in pieces:
        capture = forward(capture, piece, omega, piece.duration_s)
    return capture


@pytest.mark.parametrize("omega", OMEGAS)
def test_forward_is_the_integral(omega):
    start = 0.02 + 0.05j
    assert onward(start, PIECES, omega) == pytest.approx(integrated(start, PIECES, omega), abs=1e-9)
    half = Piece(PIECES[0].start, PIECES[0].at(0.07), 0.07)
    assert forward(start, PIECES[0], omega, 0.07) == pytest.approx(integrated(start, [half], omega), abs=1e-9)


@pytest.mark.parametrize("omega", OMEGAS)
def test_backward_undoes_forward(omega):
    rng = np.random.default_rng(3)
    for x, y in rng.normal(size=(10, 2)):
        assert backward(onward(complex(x, y), PIECES, omega), PIECES, omega) == pytest.approx(complex(x, y), abs=1e-12)
        assert onward(backward(complex(x, y), PIECES, omega), PIECES, omega) == pytest.approx(complex(x, y), abs=1e-12)


def test_over_a_centre_of_pressure_at_rest_the_distance_grows_exponentially():
    away = forward(0.3 + 0.1j, Piece(0.1, 0.1, 0.5), 3.0, 0.5) - 0.1
    assert away == pytest.approx((0.2 + 0.1j) * math.exp(1.5), abs=1e-12)
    assert forward(0.1, Piece(0.1, 0.1, 0.5), 3.0, 0.4) == pytest.approx(0.1, abs=1e-15)


def test_no_duration_changes_nothing():
    nothing = Piece(0.1, 0.4j, 0.0)
    assert backward(0.7 + 0.2j, [nothing], 3.0) == 0.7 + 0.2j
    assert backward(0.7 + 0.2j, [nothing, *PIECES], 3.0) == backward(0.7 + 0.2j, PIECES, 3.0)
    assert nothing.at(0.0) == nothing.at(1.0) == 0.4j


def test_a_piece_runs_straight_from_start_to_end():
    piece = PIECES[1]
    assert piece.at(0.0) == piece.at(-1.0) == piece.start
    assert piece.at(piece.duration_s) == pytest.approx(piece.end, abs=1e-15)
    assert piece.at(9.0) == pytest.approx(piece.end, abs=1e-15)
    assert piece.at(0.5 * piece.duration_s) == pytest.approx(0.5 * (piece.start + piece.end))


@pytest.mark.parametrize("elapsed", [0.0, 0.1, 0.15, 0.2, 0.449, 0.45, 0.6])
def test_what_remains_goes_on_where_it_was_and_lasts_as_long(elapsed):
    rest = remaining(PIECES, elapsed)
    assert sum(p.duration_s for p in rest) == pytest.approx(0.65 - elapsed, abs=1e-12)
    assert rest[-1].end == PIECES[-1].end
    for before, after in zip(rest, rest[1:], strict=False):
        assert before.end == after.start
    begun = elapsed
    for piece in PIECES:
        if begun < piece.duration_s:
            assert rest[0].start == pytest.approx(piece.at(begun), abs=1e-12)
            break
        begun -= piece.duration_s
    capture, omega = 0.1 + 0.1j, 3.0
    done = [Piece(p.start, p.end, p.duration_s) for p in PIECES[:len(PIECES) - len(rest)]]
    cut = PIECES[len(done)]
    before = onward(capture, done, omega)
    before = forward(before, cut, omega, cut.duration_s - rest[0].duration_s)
    assert onward(before, rest, omega) == pytest.approx(onward(capture, PIECES, omega), abs=1e-9)


def test_after_the_end_only_the_last_place_remains():
    assert remaining(PIECES, 2.0) == [Piece(PIECES[-1].end, PIECES[-1].end, 0.0)]
