# SPDX-License-Identifier: GPL-3.0-or-later
"""The reflex walker's entry in the registry."""

from ...engines.engine import Torques
from ..entry import Entry

REFLEX = Entry(
    name="reflex",
    maker=".reflex.maker",
    title="Muscle Reflexes",
    summary="Eight muscles a leg and their delayed reflexes make a walk or a run, with no captured motion (Wang et al. 2012)",
    kinds=("human",),
    commands=(Torques,),
)
