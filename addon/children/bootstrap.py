# SPDX-License-Identifier: GPL-3.0-or-later
"""First file of a process of Lope's own: finds Lope and its packages, then hands over. Imports nothing of Lope. Arguments: the
folder of Lope's package, the folders that hold the packages it needs, "--", the name of the module under the package whose `main`
is run, and the words that it gets. Blender starts its Python isolated, so the packages that the extension brought are not on the
path by themselves; and the extension's folder need not be called `lope`, so the package is loaded from where it lies."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path

NAME = "lope"
WORDS = "--"


def load(root: str, folders: list[str]) -> None:
    """Make the package importable as `lope`, and keep the libraries that it will load to one thread."""
    sys.path += [folder for folder in folders if folder not in sys.path]
    spec = importlib.util.spec_from_file_location(NAME, Path(root) / "__init__.py", submodule_search_locations=[root])
    if spec is None or spec.loader is None:
        raise ImportError(f"There is no package in {root}.")
    package = importlib.util.module_from_spec(spec)
    sys.modules[NAME] = package
    spec.loader.exec_module(package)
    importlib.import_module(f"{NAME}.addon.children.protocol").use_one_thread()


def main() -> int:
    cut = sys.argv.index(WORDS)
    (root, *folders), (module, *words) = sys.argv[1:cut], sys.argv[cut + 1:]
    load(root, folders)
    if __name__ != "__main__":  # a child of multiprocessing, which only needs the package
        return 0
    code = importlib.import_module(f"{NAME}.{module}").main(words)
    return importlib.import_module(f"{NAME}.addon.children.protocol").leave(code)


if __name__ == "__main__":
    sys.exit(main())
elif __name__ == "__mp_main__":
    main()
