# SPDX-License-Identifier: GPL-3.0-or-later
"""Compare hip, knee and ankle angles of a gait or a take with published normal gait; write a picture, print the distance.

    scripts/check norms walk --out docs/notes/walk-vs-norms.png       a gait preset, a gait's JSON file, or a BVH clip
    scripts/check norms TAKE.npz --out picture.png                    a simulated take

Norms: Schwartz, Rozumalski and Trost 2008 (J. Biomech. 41:1639), five speeds, interpolated to the gait's dimensionless speed
v / sqrt(g l); and the adult of OpenSim's example "subject01". The files are looked for beside the project, in
../shared/motion/gait_norms, or where --norms says.
"""

from lope.addon.files import written_whole
from lope.scripts.tools.common import ROOT

# isort: split
import argparse
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from lope.addon.errors import LopeError
from lope.addon.motions.library import cycle_from_file, load_gait
from lope.addon.reports.norms import JOINTS, PERCENT, Curves, Score, curves_of_cycle, curves_of_take, schwartz, scores
from lope.addon.sim.take import Take


def curves_of(name: str) -> Curves:
    """Curves of a take, a gait preset, a gait file or a clip."""
    if name.endswith(".npz"):
        return curves_of_take(Take.load(name))
    return curves_of_cycle(cycle_from_file(name) if Path(name).suffix else load_gait(name))


def draw(curves: Curves, found: dict[str, Score], out: str) -> None:
    """The picture: every stride and their mean over the norm's band."""
    figure, axes = plt.subplots(1, 3, figsize=(15, 4.6))
    for axis, (joint, score) in zip(axes, found.items(), strict=True):
        axis.fill_between(PERCENT, score.mean - score.sd_deg, score.mean + score.sd_deg, color="0.85",
                          label=f"Schwartz 2008, v* {curves.speed_star:.2f}: mean ± SD")
        axis.plot(PERCENT, score.mean, color="0.55")
        axis.plot(PERCENT, score.adult, color="tab:green", linestyle="--", label="OpenSim adult, 1.13 m/s")
        axis.plot(PERCENT, score.own.T, color="tab:blue", linewidth=0.6, alpha=0.5)
        axis.plot(PERCENT, score.own.mean(axis=0), color="tab:blue", linewidth=2.2, label=curves.title)
        axis.set(title=f"{joint}: {score.sd:.2f} SD", xlabel="% of the cycle from heel strike", ylabel="degrees")
        axis.grid(alpha=0.3)
    axes[1].legend(loc="upper left", fontsize=8)
    figure.tight_layout()
    with written_whole(out, "picture") as partial:
        figure.savefig(partial, dpi=90)


def tell(curves: Curves, found: dict[str, Score], tilt_deg: float) -> None:
    """Print the distances."""
    print(f"{curves.title}; dimensionless speed {curves.speed_star:.3f}; "
          f"pelvis plane turned by {tilt_deg - curves.pelvis.mean():+.1f} deg")
    for joint in JOINTS:
        score, own = found[joint], found[joint].own.mean(axis=0)
        print(f"{joint:6s} mean |standard score| {score.sd:.2f} SD; mean |difference| from the adult {score.adult_deg:.1f} deg; "
              f"range {own.min():.0f} .. {own.max():.0f} deg (norm {score.mean.min():.0f} .. {score.mean.max():.0f})")
    print(f"mean of the three: {np.mean([s.sd for s in found.values()]):.2f} SD")


def main() -> int:
    """Exit code 2 for bad input."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", help="a gait's name, a gait's JSON file, a BVH clip, or a take (.npz)")
    parser.add_argument("--out", default="norms.png", help="the picture")
    parser.add_argument("--norms", type=Path, default=ROOT.parent / "shared" / "motion" / "gait_norms")
    options = parser.parse_args()
    try:
        curves = curves_of(options.what)
        found = scores(curves, options.norms)
        draw(curves, found, options.out)
        tell(curves, found, float(schwartz(options.norms, curves.speed_star)["pelvis_tilt_deg"][0].mean()))
    except LopeError as error:
        print(f"compare_norms: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
