# SPDX-License-Identifier: GPL-3.0-or-later
"""Functions of one period as Fourier series: their coefficients, values and exact derivatives. Coefficients (C, 2 H + 1) of C
channels are the mean, H cosines, H sines; phases count periods. Curves from 0 to 1 with level ends. Straight pieces of lines,
and stretches over which masks hold."""

from __future__ import annotations

from copy import copy
from typing import TypeVar

import numpy as np


def coefficients_of(spectrum: np.ndarray, harmonics: int) -> np.ndarray:
    """Coefficients (C, 2 H + 1) of a spectrum (F, C), `rfft` over the number of samples."""
    part = spectrum[1:harmonics + 1].T
    return np.hstack([spectrum[:1].T.real, 2.0 * part.real, -2.0 * part.imag])


def derivative_of(coefficients: np.ndarray) -> np.ndarray:
    """Coefficients (C, 2 H + 1) of the derivative with respect to phase."""
    h = (coefficients.shape[1] - 1) // 2
    w, cosines, sines = 2.0 * np.pi * np.arange(1, h + 1), coefficients[:, 1:h + 1], coefficients[:, h + 1:]
    return np.hstack([np.zeros((len(coefficients), 1)), w * sines, -w * cosines])


def shifted(coefficients: np.ndarray, by: float | np.ndarray) -> np.ndarray:
    """Coefficients of f(phase + by); `by` is one number or one for each channel (C,)."""
    h = (coefficients.shape[1] - 1) // 2
    angle = 2.0 * np.pi * np.arange(1, h + 1) * np.asarray(by)[..., None]
    a, b = coefficients[:, 1:h + 1], coefficients[:, h + 1:]
    c, s = np.cos(angle), np.sin(angle)
    return np.hstack([coefficients[:, :1], a * c + b * s, b * c - a * s])


def basis_at(phase: float | np.ndarray, harmonics: int) -> np.ndarray:
    """(..., 2 H + 1): what coefficients are multiplied by at phases (...,)."""
    angles = np.multiply.outer(phase, 2.0 * np.pi * np.arange(1, harmonics + 1))
    basis = np.empty((*angles.shape[:-1], 2 * harmonics + 1))
    basis[..., 0] = 1.0
    np.cos(angles, out=basis[..., 1:harmonics + 1])
    np.sin(angles, out=basis[..., harmonics + 1:])
    return basis


def periodic_derivative(samples: np.ndarray, harmonics: int = 12) -> np.ndarray:
    """Derivative per period (N, ...) of samples (N, ...) of one period, from its first harmonics."""
    spectrum = np.fft.rfft(samples, axis=0)
    orders = np.arange(len(spectrum))
    factor = np.where(orders <= harmonics, 2j * np.pi * orders, 0.0)
    return np.fft.irfft(spectrum * factor.reshape(-1, *[1] * (samples.ndim - 1)), len(samples), axis=0)


class PeriodicTable:
    """Fourier series (C channels) fitted to samples of one period; exact derivatives with respect to phase."""

    def __init__(self, samples: np.ndarray, harmonics: int = 12) -> None:
        spectrum = np.fft.rfft(samples, axis=0) / len(samples)
        spectrum[1:] *= 2.0
        order = 2.0 * np.pi * np.arange(harmonics + 1)
        # Sines are cosines that lag a quarter turn: one basis for both.
        self._order, self._lag = np.tile(order, 2), np.repeat([0.0, -0.5 * np.pi], harmonics + 1)
        self._value = np.concatenate([spectrum[: harmonics + 1].real, -spectrum[: harmonics + 1].imag])
        self._slope = -self._order[:, None] * self._value
        self._second = self._order[:, None] * self._slope

    def part(self, channels: slice) -> PeriodicTable:
        """The series of some of the channels."""
        part = copy(self)
        part._value, part._slope, part._second = (np.ascontiguousarray(m[:, channels])
                                                for m in (self._value, self._slope, self._second))
        return part

    def smoothed(self, stiffness: float) -> PeriodicTable:
        """The series f nearest to this one where `stiffness` times the square of f'' counts beside the distance."""
        kept = 1.0 / (1.0 + stiffness * self._order**4)[:, None]
        smooth = copy(self)
        smooth._value, smooth._slope, smooth._second = (kept * m for m in (self._value, self._slope, self._second))
        return smooth

    def mixed(self, other: PeriodicTable, share: float) -> PeriodicTable:
        """The series at a `share` of the way from this one to another, of as many channels and harmonics."""
        mixed = copy(self)
        mixed._value, mixed._slope, mixed._second = (
            (1.0 - share) * one + share * two
            for one, two in ((self._value, other._value), (self._slope, other._slope), (self._second, other._second)))
        return mixed

    @property
    def mean(self) -> np.ndarray:
        """(C,) mean over the period."""
        return self._value[0]

    def _angle(self, phase: float | np.ndarray) -> np.ndarray:
        angle = phase * self._order if isinstance(phase, float) else np.multiply.outer(phase, self._order)
        angle += self._lag
        return angle

    def value(self, phase: float | np.ndarray) -> np.ndarray:
        """(..., C) at phases (...,)."""
        angle = self._angle(phase)
        return np.cos(angle, out=angle) @ self._value

    def slope(self, phase: float | np.ndarray) -> np.ndarray:
        """(..., C) derivative with respect to phase."""
        return np.sin(self._angle(phase)) @ self._slope

    def second(self, phase: float | np.ndarray) -> np.ndarray:
        """(..., C) second derivative with respect to phase."""
        return np.cos(self._angle(phase)) @ self._second

    def motion(self, phase: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Value, derivative and second derivative with respect to phase, (C,) each, at one phase."""
        angle = self._angle(phase)
        cosines = np.cos(angle)
        return cosines @ self._value, np.sin(angle) @ self._slope, cosines @ self._second


Value = TypeVar("Value", float, np.ndarray)


def cubic(s: Value) -> Value:
    """3 s^2 - 2 s^3: from 0 to 1 with level ends where s goes from 0 to 1."""
    return s * s * (3.0 - 2.0 * s)


_NONE, _ALL = np.array(0.0), np.array(1.0)


def share(s: np.ndarray) -> np.ndarray:
    """Numbers (...) brought within 0 and 1; by bounds that are arrays it takes half as long."""
    return s.clip(_NONE, _ALL)


def smoothstep(s: np.ndarray) -> np.ndarray:
    """The same (...,), 0 below 0 and 1 above 1."""
    return cubic(np.clip(s, 0.0, 1.0))


def smooth(s: float) -> float:
    """The same of one number, without an array."""
    s = min(max(s, 0.0), 1.0)
    return s * s * (3.0 - 2.0 * s)


def bump(s: float) -> float:
    """Quartic from 0 over 1 at the middle to 0, with level ends; 0 outside."""
    return 16.0 * (max(s, 0.0) * max(1.0 - s, 0.0)) ** 2


def closest(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """The points (K, 2, 3) where pieces from `one` [:, 0] to [:, 1] and from `other` [:, 0] to [:, 1], both (K, 2, 3), are
    nearest to one another (Ericson 2005, section 5.1.9)."""
    u, v, off = one[:, 1] - one[:, 0], other[:, 1] - other[:, 0], one[:, 0] - other[:, 0]
    a, e, f, b, c = (np.add.reduce(product, 1) for product in (u * u, v * v, v * off, u * v, u * off))
    tiny = 1e-12
    s = share((b * f - c * e) / np.maximum(a * e - b * b, tiny))
    t = (b * s + f) / np.maximum(e, tiny)
    s = np.where(t < 0.0, share(-c / np.maximum(a, tiny)), np.where(t > 1.0, share((b - c) / np.maximum(a, tiny)), s))
    t = share(t)
    out = np.empty((len(u), 2, 3))
    out[:, 0], out[:, 1] = one[:, 0] + s[:, None] * u, other[:, 0] + t[:, None] * v
    return out


def runs(mask: np.ndarray) -> list[tuple[int, int]]:
    """Half-open index ranges over which a mask (T,) is true."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(int)))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))
