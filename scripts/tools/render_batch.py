# SPDX-License-Identifier: GPL-3.0-or-later
"""Lope's command line for a Blender that is started the classic way, with a script:

    blender --background FILE.blend --python scripts/tools/render_batch.py -- shots.toml --workers 2
    blender --background FILE.blend --python scripts/tools/render_batch.py -- bake --take moon.npz --out walked.blend
    blender --background FILE.blend --python scripts/tools/render_batch.py -- render --out pictures --frames 1,240,12

After the "--" stand the words of `lope`, a verb first; a shot list alone means `batch`. FILE.blend is what bake, render and
doctor work on where they are given no --blend. The installed extension is used where there is one, else the folder that
this script lies in. Blender's exit code is Lope's. `blender --background FILE.blend --command lope ...` does the same without
a script.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]
LISTS = (".toml", ".json")


def package() -> ModuleType:
    """Lope: the enabled extension, else the package that this script belongs to."""
    for name, module in list(sys.modules.items()):
        if name.startswith("bl_ext.") and name.endswith(".lope"):
            return module
    spec = importlib.util.spec_from_file_location("lope", ROOT / "__init__.py", submodule_search_locations=[str(ROOT)])
    module = importlib.util.module_from_spec(spec)
    sys.modules["lope"] = module
    spec.loader.exec_module(module)
    return module


def lope_words(arguments: Sequence[str]) -> list[str]:
    """The words of `lope` in Blender's own arguments."""
    words = list(arguments[arguments.index("--") + 1:]) if "--" in arguments else []
    return ["batch", *words] if words and Path(words[0]).suffix.lower() in LISTS else words


def main() -> int:
    """Run Lope's words; gives its exit code."""
    command_line = importlib.import_module(f"{package().__name__}.operators.command_line")
    return command_line.run(lope_words(sys.argv))


if __name__ == "__main__":
    sys.exit(main())
