#!/usr/bin/env bash
# Runs every verb of Lope's command line in a real Blender, with the extension installed from the built zip, and checks exit
# codes, standard output and the files that come out. What was run and seen goes to out/cli/report.json.
#
#   BLENDER=/path/to/blender scripts/test-cli     that Blender; its settings of this run are not the user's own
#   scripts/test-cli                              a Blender of tools/real-blender beside this folder's shared data, if it is there
#
# Environment: SUITE (of real-blender, default sid); ZIP (a zip that is built already); OUT (default out/cli).
# Exit codes: 0 all well; 1 something failed, see report.json; 2 no Blender, or one that cannot take the extension.
set -euo pipefail
cd "$(dirname "$0")/.."
ROOT=$PWD
SUITE=${SUITE:-sid}
OUT=${OUT:-$ROOT/out/cli}
TOOL=$ROOT/../shared/tools/real-blender
PYTHON=${PYTHON:-$ROOT/.venv/bin/python}
say() { echo "scripts/test-cli: $*" >&2; }

if [ -n "${BLENDER:-}" ]; then
  BLENDER_USER_RESOURCES=$(mktemp -d)
  export BLENDER_USER_RESOURCES
  trap 'rm -rf "$BLENDER_USER_RESOURCES"' EXIT
  call=("$BLENDER")
elif [ -x "$TOOL" ]; then
  call=("$TOOL" run "$SUITE")
else
  say "no Blender: set BLENDER=/path/to/blender"
  exit 2
fi
[ -x "$PYTHON" ] || scripts/setup
mkdir -p "$OUT"
OUT=$(realpath "$OUT")
[ -z "${ZIP:-}" ] || ZIP=$(realpath "$ZIP")
find "$OUT" -mindepth 1 ! -path "${ZIP:-}" -delete  # not the folder itself: a Blender in a chroot may hold it
cd "$OUT"

found=$("${call[@]}" --background --factory-startup --python-expr \
  'import bpy, sys; print("found", "%d.%d" % sys.version_info[:2], bpy.app.version_string)' 2>/dev/null | sed -n 's/^found //p')
[ -n "$found" ] || { say "Blender does not start"; exit 2; }
version=${found%% *}
say "Blender ${found#* } with Python $version"
if [ -z "${ZIP:-}" ]; then
  "$PYTHON" "$ROOT/scripts/build_extension.py" --platform linux-x64 --python "$version" --out "$OUT" >&2
  ZIP=$(ls "$OUT"/*.zip)
fi
[ "$(dirname "$ZIP")" = "$OUT" ] || cp "$ZIP" "$OUT/"
say "installing $(basename "$ZIP")"
if ! "${call[@]}" --background --command extension install-file --repo user_default --enable "$(basename "$ZIP")" >install.log 2>&1 \
    || ! grep -q -E 'STATUS (Reinstalled|Installed)' install.log; then
  cat install.log >&2
  say "this Blender does not take the extension (it needs Blender 4.5 or newer)"
  exit 2
fi
exec "$PYTHON" "$ROOT/scripts/cli_drive.py" "$OUT" -- "${call[@]}"
