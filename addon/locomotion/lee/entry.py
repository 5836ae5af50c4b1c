# SPDX-License-Identifier: GPL-3.0-or-later
"""The data-driven controller's entry in the registry."""

from ...engines.engine import Accelerations, Torques
from ..entry import Entry

LEE = Entry(
    name="lee",
    maker=".lee.maker",
    title="Follow a Motion, Data-Driven",
    summary="A clip's pose, modulated as it goes and tracked joint by joint (Lee 2014); every motion needs gains of its own",
    kinds=("human",),
    commands=(Torques, Accelerations),
    per_motion=True,
)
