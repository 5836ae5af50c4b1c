# SPDX-License-Identifier: GPL-3.0-or-later
"""The standing controller's entry in the registry."""

from ...engines.engine import Accelerations, Excitations, Torques
from ..entry import Entry

STANDING = Entry(
    name="standing",
    maker=".stand.maker",
    title="Stand",
    summary="Stands, and stays up when pushed: with ankles, hips and steps to where the body would fall",
    kinds=("human",),
    commands=(Torques, Accelerations, Excitations),
    takes_over=True,
)
