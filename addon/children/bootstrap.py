# SPDX-License-Identifier: GPL-3.0-or-later
"""First file of a process of Lope's own: finds Lope and its packages, then hands over. Imports nothing of Lope.

Arguments: the folder of Lope's package, then the folders that hold the packages it needs; without more the process is a
job's worker, after "--" it is the command line with the words that follow. Blender starts its Python isolated, so the
packages that the extension brought are not on the path by themselves; and the extension's folder need not be called `lope`,
so the package is loaded from where it lies.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from pathlib import Path

NAME = "lope"
WORDS = "--"


def load(root: str, folders: list[str]) -> None:
    """Make the package importable as `lope`."""
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"):
        os.environ.setdefault(name, "1")  # small matrices: more threads only wait for one another
    sys.path += [folder for folder in folders if folder not in sys.path]
    spec = importlib.util.spec_from_file_location(NAME, Path(root) / "__init__.py", submodule_search_locations=[root])
    package = importlib.util.module_from_spec(spec)
    sys.modules[NAME] = package
    spec.loader.exec_module(package)


def main() -> int:
    """Load the package and run the worker, or the command line."""
    places, words = sys.argv[1:], None
    if WORDS in places:
        cut = places.index(WORDS)
        places, words = places[:cut], places[cut + 1:]
    load(places[0], places[1:])
    if __name__ != "__main__":  # a child of multiprocessing, which only needs the package
        return 0
    if words is None:
        return importlib.import_module(f"{NAME}.addon.jobs.worker").main()
    return importlib.import_module(f"{NAME}.addon.cli").main(words)


if __name__ == "__main__":
    sys.exit(main())
elif __name__ == "__mp_main__":
    main()
