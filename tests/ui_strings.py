# SPDX-License-Identifier: GPL-3.0-or-later
"""Every text that Lope shows in Blender, gathered from its classes (Blender's own description of them) and from its
source."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SHOWN_ARGUMENTS = ("text", "heading")
OWN_OPERATORS = "Operator"


def of_source() -> Iterator[tuple[str, str]]:
    """(context, text) of the texts in the source: first argument of words(...), literal text= and heading= of layouts."""
    for path in sorted([*(ROOT / "operators").glob("*.py"), *(ROOT / "panels").glob("*.py")]):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            if name == "words":
                assert isinstance(node.args[0], ast.Constant), f"{path.name}:{node.lineno}: words() takes a plain text"
                yield "*", node.args[0].value
            for keyword in node.keywords:
                value = keyword.value
                shown = keyword.arg in SHOWN_ARGUMENTS and isinstance(value, ast.Constant) and isinstance(value.value, str)
                if shown and value.value and name in ("label", "operator", "prop", "menu", "popover", "progress", "column"):
                    yield OWN_OPERATORS if name == "operator" else "*", value.value


def of_doctor() -> Iterator[tuple[str, str]]:
    """(context, text) of the buttons that put right what the doctor finds."""
    for path in sorted((ROOT / "addon" / "rigs" / "read").glob("doctor*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Finding":
                fixes = [*node.args[3:4], *(keyword.value for keyword in node.keywords if keyword.arg == "fix")]
                parts = (part for fix in fixes for part in ast.walk(fix))
                yield from ((OWN_OPERATORS, part.value) for part in parts if isinstance(part, ast.Constant) and part.value)


def of_class(cls: type) -> Iterator[tuple[str, str]]:
    """(context, text) of a registered class: its label, its tooltip, and those of its properties and their items."""
    import bpy

    described = cls.bl_rna
    if issubclass(cls, bpy.types.Operator):
        described = getattr(bpy.ops.lope, cls.bl_idname.removeprefix("lope.")).get_rna_type()
        yield OWN_OPERATORS, described.name
        yield "*", described.description
    elif hasattr(cls, "bl_label"):
        yield "*", cls.bl_label
    for prop in described.properties:
        if prop.is_hidden or not any(prop.identifier in vars(base).get("__annotations__", {}) for base in cls.__mro__
                                     if base.__module__.startswith("lope")):
            continue
        yield prop.translation_context, prop.name
        yield "*", prop.description
        for item in prop.enum_items if prop.type == "ENUM" else ():
            yield prop.translation_context, item.name
            yield "*", item.description


def all_texts() -> set[tuple[str, str]]:
    """Everything, without empty texts."""
    from lope import operators, panels
    from lope.operators import settings
    from lope.operators import settings as entries
    from lope.operators.pose_gait_settings import items_with

    classes = (*operators._classes(), *panels._classes(), *entries.CLASSES, settings.LopeObjectSettings,
               settings.LopeSceneSettings)
    found = set(of_source()) | set(of_doctor())
    found |= {("*", text) for item in items_with(()) for text in item[1:3]}  # a menu that is made anew has no items of its own
    for cls in classes:
        found |= set(of_class(cls))
    return {(context, text) for context, text in found if text.strip()}
