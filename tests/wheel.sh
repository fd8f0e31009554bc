#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Preset wheel: a copy of the tree, built in another folder, gives the same wheel and tarball to the byte; they name nothing of
# the machine that made them. What pip would unpack runs and has its licences.
. "$(dirname "$0")/support.bash"
build=$(cd "$(dirname "$limber")/.." && pwd)
prefix=$(sed -n 's/^LIMBER_PREFIX:PATH=//p' "$build/CMakeCache.txt")
export SOURCE_DATE_EPOCH=1700000000 LIMBER_PREFIX=$prefix
copy=$try/a_copy_with_a_longer_name
mkdir "$copy"
tar -c -C "$source" --exclude=./build --exclude=./.git --exclude=node_modules . | tar -x -C "$copy"
(cd "$copy" && cmake --workflow --preset wheel) >"$try/build.log" 2>&1 || tail -n 20 "$try/build.log"
python3 "$source/packaging/wheel.py" "$build" "$try/first" >"$try/made.txt"
python3 "$copy/packaging/wheel.py" "$copy/build/wheel" "$try/second" >/dev/null
sed "s|.*/|     measured: |" "$try/made.txt"
verdict another_folder_gives_the_same_bytes "$(cd "$try/second" && sha256sum -- *)" "$(cd "$try/first" && sha256sum -- *)"
read -r wheel tarball < <(awk '{printf "%.0f ", $2}' "$try/made.txt")
verdict pages_tell_their_sizes "$(tr '\n' ' ' <"$source/docs/install.md" | grep -oE 'The wheel takes [0-9]+ MB, the tarball [0-9]+ MB')" \
  "The wheel takes $wheel MB, the tarball $tarball MB"

cd "$try" || exit 1
"$python" - first/*.whl environment <<'END'
import pathlib, re, sys, zipfile  # as pip does it: data and scripts into the prefix, the module into site-packages
with zipfile.ZipFile(sys.argv[1]) as wheel:
    for item in wheel.infolist():
        name = re.sub(r"^limber-[^/]*\.data/(data/)?", "", item.filename)
        name = re.sub(r"^scripts/", "bin/", name) if name != item.filename else f"lib/python3/site-packages/{name}"
        path = pathlib.Path(sys.argv[2], name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(wheel.read(item))
        path.chmod(item.external_attr >> 16 & 0o777)
END
verdict no_folder_of_the_machine_is_named \
  "$(grep -rlF -e "$HOME/" -e "$prefix" -e "$source/" -e "$build/" -e "$copy" environment)" ""
verdict host_and_time_of_petsc_are_not_told \
  "$(grep -rl -e 'Libraries compiled on' -e 'Machine characteristics' -e "on $(hostname)" environment)" ""
verdict a_pendulum_swings "$(environment/bin/limber verify pendulum | tail -n 1 | cut -d' ' -f2-)" "passed, 0 failed"
environment/bin/limber new pendulum -o swing.yaml >/dev/null
verdict an_fmu_contains_all_that_it_needs \
  "$(environment/bin/limber fmu swing.yaml -o swing.fmu >/dev/null && "$python" -m zipfile -l swing.fmu | grep -cE 'binaries/[^/]*/(swing.so|liblimber.so.[0-9.]+) |resources/units/udunits2.xml ')" 3
verdict the_module_is_all_that_python_finds "$(ls environment/lib/python3/site-packages/limber)" "$(ls "$source/python/limber" | grep -v __pycache__)"
mkdir readme
verdict the_commands_of_the_readme_run "$(cd readme && PATH=$try/environment/bin:$PATH "$python" "$source/tests/document.py" "$source/README.md" | sed 's/.* commands, //')" \
  "as the page says"
texts=$(environment/bin/limber --version --licenses | sed -n 's/^Licence texts of everything that Limber contains: \(.*\)\. Loaded .*/\1/p')
verdict licences_are_where_it_says "$(ls "$texts" | grep -cE '^(copyright|pocketfft.txt|petsc.txt|libhdf5-dev.txt|openblas.txt)$')" 5
finish
