#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Pages of runs, through the command and a browser.
modules='h5py, numpy'
. "$(dirname "$0")/support.bash"
cp "$(dirname "$0")"/{browser,view}.py "$try"
mkdir "$try/tmp"
export TMPDIR=$try/tmp HDF5_USE_FILE_LOCKING=FALSE
cd "$try" || exit 1
said() { "$limber" "$@" >out.txt 2>err.txt; echo "$? $(cat err.txt)"; } # exit code and stderr
page() { "$limber" view "$@" >out.txt 2>err.txt; echo "$? $(sed 's/: [0-9.]* MB/: MB/' out.txt)$(cat err.txt)"; }
look() { timeout 300 "$python" view.py "$@" 2>&1; } # what the browser finds, see view.py

"$limber" run "$models/swing.yaml" -q -o swing.h5 || exit 1
cat >long.yaml <<'Y'
limber: 1
title: A weight </script> on a spring
nodes: {O: {at: [0, 0, 1], kind: fixed}, w: {at: [0, 0, 0], kind: point, velocity: [0, 0, 1]}}
elements:
  - mass: {name: weight, node: w, mass: 1}
  - spring: {name: coil, nodes: [O, w], stiffness: 1e4}
loads:
  - gravity: {acceleration: [0, 0, -9.81]}
probes:
  - {name: w, node: w}
run: {scheme: preserving, step: 0.3 ms, end: 3 s}
Y
"$limber" run long.yaml -q -o long.h5 || exit 1
"$limber" run long.yaml -q -o still.h5 --set run.snapshots=0 --set 'run.end=0.3 s' || exit 1
cp "$models"/mesh/* . 2>/dev/null
cp "$source"/examples/bending_block/{bar.yaml,tetrahedra.msh} . && "$limber" run bar.yaml -q -o bar.h5 || exit 1
rm -f tetrahedra.msh # the results hold it

# ---- pages ----
verdict page_is_written_and_told "$(page swing.h5 | sed 's/[0-9.e-]* m,/X m,/')" "$(
  "$python" -c "
import h5py
f = h5py.File('swing.h5'); n = len(f['VTKHDF/Steps/Values'])
print(f'0 swing.html: MB, {n} of {n} snapshots, places to X m, {len(f[\"history/time\"])} rows; open it in a browser')")"
verdict long_run_is_thinned_out_and_told "$(page long.h5 --frames 50 | sed 's/[0-9.e-]* m,/X m,/')" \
  "0 long.html: MB, 50 of 101 snapshots, places to X m, 10001 rows by least and largest of every 5; open it in a browser"
verdict run_without_snapshots_tells_how_to_get_some "$(page still.h5 | grep -c 'no .snapshots. at all for a hundred')" 1
verdict model_is_read_from_the_results_alone "$(page bar.h5 -o sub.html >/dev/null; grep -c 'id="bytes"' sub.html)" 1
verdict page_names_the_licences "$(grep -c 'MIT License' swing.html)$(grep -c 'Leon Sorokin' swing.html)" 21
verdict numbers_of_the_page_are_those_of_the_run "$("$python" view.py --numbers swing.h5 swing.html long.h5 long.html bar.h5 sub.html)" \
  "swing: places as stated, extremes kept
long: places as stated, extremes kept
bar: places as stated, extremes kept"

# ---- in a browser ----
verdict page_shows_a_mechanism_that_the_slider_moves "$(look swing.html)" "no errors
canvas shows something
slider moves the model
click in a plot sets the time
colours change the picture
energies are drawn
dark follows the system"
verdict solid_is_shown "$(look sub.html | head -3)" "no errors
canvas shows something
slider moves the model"
verdict spring_is_shown "$(look long.html | head -3)" "no errors
canvas shows something
slider moves the model"
verdict run_without_snapshots_is_shown "$(look still.html | head -3)" "no errors
canvas shows something
slider does not move the model"

# ---- pictures ----
# width, height and whether more than one pixel in 500 is not white
shows() {
  ffmpeg -v error -y -i "$1" -f rawvideo -pix_fmt rgb24 raw.rgb
  echo "$(ffprobe -v error -show_entries stream=codec_name,width,height -of csv=p=0 "$1")$("$python" -c "
import numpy
a = numpy.fromfile('raw.rgb', dtype='u1').reshape(-1, 3)
print(', blank' if (a.min(axis=1) < 250).mean() < 0.002 else ', a mechanism')")"
}
draw() { "$limber" view swing.h5 -o picture.html --picture "$@" 2>&1 | tail -1; }
verdict picture_is_made_and_told "$(draw end.png)" "end.png: 1600 x 1000, at $("$python" -c "
import h5py
print(f'{h5py.File(\"swing.h5\")[\"VTKHDF/Steps/Values\"][-1]:g}')") s"
verdict picture_has_the_size_that_was_asked_for_and_shows_something "$(draw small.png --size 320x200 --at 0 >/dev/null; shows small.png)" "png,320,200, a mechanism"
draw other.png --size 320x200 --at 50ms >/dev/null
draw shadows.png --size 320x200 --at '0, 50 ms' >/dev/null
draw across.png --size 320x200 --at 0 --view y >/dev/null
draw aslant.png --size 320x200 --at 0 --view 1,-2,0.5 >/dev/null
verdict times_shadows_and_views_make_pictures_of_their_own "$(sha256sum small.png other.png shadows.png across.png aslant.png | cut -d' ' -f1 | sort -u | wc -l)" 5
verdict the_same_picture_twice_is_the_same "$(draw again.png --size 320x200 --at 0 >/dev/null; cmp small.png again.png && echo same)" same
verdict solid_and_spring_are_drawn "$("$limber" view bar.h5 --picture bar.png --size 320x200 >/dev/null; shows bar.png; "$limber" view long.h5 --picture long.png --size 320x200 >/dev/null; shows long.png)" "png,320,200, a mechanism
png,320,200, a mechanism"
verdict run_without_snapshots_is_drawn_as_it_starts "$("$limber" view still.h5 --picture still.png --size 320x200 | tail -1)" "still.png: 320 x 200, at 0 s"

# ---- films ----
rm -rf "${TMPDIR:?}"/*
verdict film_is_made "$("$limber" view swing.h5 -o film.html --video film.mp4 --seconds 0.1 2>&1 | tail -1)" "film.mp4: 3 pictures, 0.1 s"
verdict film_holds_its_pictures "$(ffprobe -v error -count_frames -show_entries stream=width,height,nb_read_frames -of csv=p=0 film.mp4)" "1280,720,3"
mkdir bare && verdict picture_without_its_program_tells_what_to_install "$(PATH=$try/bare "$limber" view swing.h5 --picture a.png 2>&1)" \
  "limber view: a picture needs Chromium, which is not here: apt-get install chromium"
verdict film_without_its_programs_tells_what_to_install "$(PATH=$try/bare "$limber" view swing.h5 --video film.mp4 2>&1)" \
  "limber view: a film needs Chromium and FFmpeg, which are not here: apt-get install chromium ffmpeg"
verdict nothing_is_left_behind "$(ls "$TMPDIR")" ""

# ---- mistakes ----
verdict run_that_is_not_there_is_a_mistake "$(said view none.h5 | cut -c1-26)" "2 limber view: cannot read"
verdict page_must_end_in_html "$(said view swing.h5 -o swing.txt)" "2 limber view: a page ends in .html, not as 'swing.txt'"
verdict frames_must_be_a_number "$(said view swing.h5 --frames many)" \
  "2 limber view: --frames needs a whole number from 2 on, not 'many'"
verdict film_must_have_an_ending "$(said view swing.h5 --video film.avi)" \
  "2 limber view: a film ends in .mp4 or .webm, not as 'film.avi'"
verdict film_must_take_some_time "$(said view swing.h5 --video film.mp4 --seconds 0)" \
  "2 limber view: --seconds needs a time from 0 to 600 s, not '0'"
verdict picture_must_be_a_png "$(said view swing.h5 --picture swing.jpg)" "2 limber view: a picture ends in .png, not as 'swing.jpg'"
verdict size_must_be_pixels "$(said view swing.h5 --picture a.png --size large)" \
  "2 limber view: --size needs pixels from 16 to 8192 such as 1600x1000, not 'large'"
verdict picture_needs_a_time_of_the_run "$(said view swing.h5 --picture a.png --at 0,99 | sed 's/to [0-9.e-]* s, not/to X s, not/')" \
  "2 limber view: the snapshots reach from 0 to X s, not to 99 s"
verdict times_must_be_times "$(said view swing.h5 --picture a.png --at soon)" \
  "2 limber view: --at needs a time such as 1.2, or several such as 0,0.5,1, not 'soon'"
verdict view_must_be_one "$(said view swing.h5 --picture a.png --view above)" \
  "2 limber view: --view is x, y, z, iso or a direction such as 1,-2,0.5, not 'above'"
verdict options_of_a_picture_need_one "$(said view swing.h5 --at 1)" "2 limber view: --at needs --picture mechanism.png"
finish
