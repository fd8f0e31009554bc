#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Pictures of results, through the command.
modules='h5py, vtk'
. "$(dirname "$0")/support.bash"
mkdir "$try/tmp"
export TMPDIR=$try/tmp
cd "$try" || exit 1
said() { "$limber" "$@" >out.txt 2>err.txt; echo "$? $(cat err.txt)"; } # exit code and stderr
drawn() { "$limber" plot "$@" >out.txt 2>err.txt; echo "$? $(cat out.txt err.txt)"; }

"$limber" run "$models/swing.yaml" -q -o swing.h5 || exit 1
sed '/^run:/s/decaying_c/preserving/' "$models/swing.yaml" >other.yaml
"$limber" run other.yaml -q -o other.h5 || exit 1
# snapshots of a strip that bends, and a weight on it, as docs/results.md describes them
cp swing.h5 shapes.h5
HDF5_USE_FILE_LOCKING=FALSE "$python" <<'P' || exit 1
import h5py, numpy as np
f = h5py.File("shapes.h5", "a")
if "VTKHDF" in f: del f["VTKHDF"]
g, s = f.create_group("VTKHDF"), np.linspace(0, 1, 11)
steps = np.arange(5)
g["Points"] = np.concatenate([np.stack([s, 0 * s, 0.1 * k * s**2], 1) for k in steps])
g["NumberOfPoints"], g["NumberOfCells"], g["NumberOfConnectivityIds"] = [11], [11], [21]
g["Connectivity"] = [i for k in range(10) for i in (k, k + 1)] + [5]
g["Offsets"], g["Types"] = list(range(0, 21, 2)) + [21], [3] * 10 + [1]
g["Steps/Values"], g["Steps/PointOffsets"] = 0.01 * steps, 11 * steps
for name in "PartOffsets", "CellOffsets", "ConnectivityIdOffsets": g["Steps/" + name] = 0 * steps
P

# ---- every kind of picture ----
verdict histories_are_drawn "$(drawn swing.h5 B.x B.z mid.N -o b.png)" "0 b.png"
verdict spectra_are_drawn "$(drawn swing.h5 other.h5 mid.N --spectrum -o spectrum.png)" "0 spectrum.png"
verdict loci_are_drawn "$(drawn swing.h5 --path B.x B.z -o path.png)" "0 path.png"
verdict shapes_are_drawn "$(drawn shapes.h5 --shape -o shape.png)" "0 shape.png"
verdict energies_are_drawn "$(drawn swing.h5 --ledger)" "0 swing_ledger.png"
verdict pictures_have_names_of_their_own "$(drawn swing.h5 B.x) $(drawn swing.h5 B.x --spectrum)" "0 swing_B.x.png 0 swing_B.x_spectrum.png"
verdict pictures_show_something "$("$python" <<'P'
import vtk
from vtk.util.numpy_support import vtk_to_numpy as numbers
for name in "b", "spectrum", "path", "shape", "swing_ledger", "swing_B.x":
    r = vtk.vtkPNGReader()
    r.SetFileName(name + ".png")
    r.Update()
    d = r.GetOutput().GetDimensions()
    rgb = numbers(r.GetOutput().GetPointData().GetScalars())[:, :3].astype(int)
    ink, colour = (rgb.sum(1) < 600).mean(), (rgb.max(1) - rgb.min(1) > 80).mean() # dark pixels; coloured ones
    print(name, d[0], d[1] >= 450, ink > 0.008, colour > 0.0003)
P
)" "b 1200 True True True
spectrum 1200 True True True
path 1200 True True True
shape 1200 True True True
swing_ledger 1200 True True True
swing_B.x 1200 True True True"
drawn swing.h5 B.x -o b.svg >/dev/null && drawn swing.h5 B.x -o b.pdf >/dev/null
verdict the_ending_tells_the_format "$(grep -c '<svg' b.svg) $(head -c 4 b.pdf) $(head -c 4 b.png | tail -c 3)" "1 %PDF PNG"

# ---- what the pictures show ----
script() { "$limber" plot "$@" --script; }
block() { awk -v b="\$$1" '$1 == b && $2 == "<<" {on = 1; next} $1 == "EOD" {on = 0} on'; } # the numbers of a block of the script
verdict the_script_holds_the_numbers "$(script swing.h5 B.z | block data0 | awk '{printf "%.7g %.7g\n", $1, $2}' | md5sum)" \
  "$("$limber" export swing.h5 B.z | sed 1d | awk -F, '{printf "%.7g %.7g\n", $1, $2}' | md5sum)"
verdict units_have_panels_of_their_own "$(script swing.h5 B.x B.z mid.N | grep -E 'set ylabel|title')" \
  "set ylabel 'B.position [m]'
plot \$data0 with lines lc rgb '#0072b2' dt 1 lw 2 title 'B.x', \\
     \$data1 with lines lc rgb '#d55e00' dt 1 lw 2 title 'B.z'
set ylabel 'mid.N [N]'
plot \$data2 with lines lc rgb '#0072b2' dt 1 lw 2 title ''"
verdict runs_are_told_apart_by_what_differs "$(script swing.h5 other.h5 B.x | grep -o "title '.*'")" "title 'decaying\\_c'
title 'preserving'"
cp swing.h5 copy.h5
verdict runs_that_do_not_differ_are_called_by_their_files "$(script swing.h5 copy.h5 B.x | grep -o "title '.*'")" "title 'swing'
title 'copy'"
verdict the_user_may_name_runs_and_picture "$(script swing.h5 other.h5 B.x --label "it's" --label 'a_{b}' --title 'T' | grep -oE "title '.*'|label 99 'T'")" \
  "label 99 'T'
title 'it''s'
title 'a\\_\\{b\\}'"
verdict ranges_are_obeyed "$(script swing.h5 B.x --xrange 0.01:0.03 --yrange -1: | grep range | sed 's/\(range \[-1:\).*/\1/')" "set xrange [0.01:0.03]
set yrange [-1:"
verdict the_script_draws_the_picture "$(script swing.h5 B.x -o again.png >again.gp; gnuplot again.gp && cmp again.png swing_B.x.png && echo same)" same
verdict shapes_come_at_the_times_asked_for \
  "$(script shapes.h5 --shape --times 0,0.029 | grep -o "title '.*'") $(script shapes.h5 --shape --times 3 | grep -c '^.*LINES.* title')" \
  "title '0 s'
title '0.03 s' 3"
verdict a_low_picture_tells_many_times_by_a_scale \
  "$(for x in 0:1 -3:3; do script swing.h5 --shape --times 12 --xrange "$x" | grep -o '.*set colorbox'; done)" "unset colorbox
set colorbox"
verdict the_ledger_adds_up "$(script swing.h5 --ledger >l.gp; paste <(block area5 <l.gp) <(block work0 <l.gp) |
  awk '{d = $3 - $5; if (d * d > 1e-18) bad++} END {print NR, bad + 0}')" "101 0"

# Fig. 9 and 11 of Bauchau & Theron 1996: 128 rows in 0.128 s, as in examples/hinged_beam
"$limber" run "$source/examples/hinged_beam/hinged_beam.yaml" -q -o hinged.h5
script hinged.h5 root.V2 root.M1 --spectrum --from 0.122 --to 0.25 >hinged.gp
verdict spectra_are_those_of_the_study "$(block data0 <hinged.gp >v2; block data1 <hinged.gp >m1; "$python" - "$source" <<'P'
import csv, sys, numpy as np
table = list(csv.DictReader(open(sys.argv[1] + "/examples/hinged_beam/results/spectra.csv")))
for name, key in ("v2", "V2_decaying_a_250"), ("m1", "M1_decaying_a_250"):
    f, a = np.loadtxt(name).T
    expected = [(float(r["frequency"]), float(r[key])) for r in table if r[key]][:len(f)]
    g, b = np.array(expected).T
    b[-1] /= 2 if len(f) == 64 else 1 # at the fastest alternation the study counts twice
    print(len(f), np.abs(f - g).max() < 1e-4, np.abs(a / b - 1).max() < 1e-3)
P
)" "64 True True
64 True True"

# ---- mistakes ----
verdict a_wrong_column_gets_a_suggestion "$(said plot swing.h5 B.velocty.x)" \
  "2 limber plot: swing.h5 holds no column 'B.velocty.x'; did you mean 'B.velocity.x'?"
verdict columns_are_needed "$(said plot swing.h5)" \
  "2 limber plot: what of swing.h5? Name columns, --ledger or --shape; limber export swing.h5 --list names all"
verdict a_run_is_needed "$(said plot B.x)" "2 limber plot: no run is given: a file of \`limber run\` whose name ends in .h5"
verdict formats_are_few "$(said plot swing.h5 B.x -o b.jpg)" "2 limber plot: a picture ends in .png, .svg or .pdf, not as 'b.jpg'"
verdict one_picture_at_a_time "$(said plot swing.h5 --ledger --shape)" "2 limber plot: --shape and --ledger are two pictures"
verdict loci_need_pairs "$(said plot swing.h5 --path B.x)" \
  "2 limber plot: --path needs columns in pairs, such as tip.x tip.z; here are 1"
verdict ranges_are_ranges "$(said plot swing.h5 B.x --xrange 3) $(said plot swing.h5 B.x --yrange 2:1)" \
  "2 limber plot: --xrange needs a range such as 0:0.5, 0: or :0.5, not '3' 2 limber plot: --yrange needs a range such as 0:0.5, 0: or :0.5, not '2:1'"
verdict a_missing_run_is_a_mistake "$(said plot none.h5 B.x)" "2 limber plot: cannot read 'none.h5': No such file or directory"
verdict a_picture_that_cannot_be_written_is_a_mistake "$(said plot swing.h5 B.x -o nowhere/b.png)" \
  "2 limber plot: cannot write 'nowhere/b.png': No such file or directory"
mkdir empty broken
PATH=$try/empty "$limber" plot swing.h5 B.x >out.txt 2>err.txt
verdict without_gnuplot_it_says_so "$? $(head -1 err.txt)" \
  "3 limber plot: there is no gnuplot, which draws the pictures; install it (Debian: gnuplot-nox),"
printf '#!/bin/sh\necho "line 3: no such terminal" >&2\nexit 1\n' >broken/gnuplot
chmod +x broken/gnuplot
verdict what_gnuplot_complains_of_is_told "$(PATH=$try/broken:$PATH said plot swing.h5 B.x | head -1)" \
  "3 limber plot: gnuplot could not draw 'swing_B.x.png': line 3: no such terminal"
verdict nothing_is_left_behind "$(ls tmp)" ""

finish
