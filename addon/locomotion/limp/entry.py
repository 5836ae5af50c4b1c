# SPDX-License-Identifier: GPL-3.0-or-later
"""The limp body's entry in the registry."""

from ...engines.engine import Excitations, Torques
from ..entry import Entry

LIMP = Entry(
    name="limp",
    maker=".limp.maker",
    title="Go Limp",
    summary="A body that lets go: it falls, lands and comes to rest",
    kinds=(),
    commands=(Torques, Excitations),
    takes_over=True,
    after_fall=True,
)
