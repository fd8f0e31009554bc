#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `limber check --picture`: pictures are XML, hold every name, put no label upon another, and say what is wrong with a request.
modules=xml.etree.ElementTree
. "$(dirname "$0")/support.bash"
cd "$try" || exit 1
says() { # what a command prints on both channels, and its exit code
  local out
  out=$("$limber" "$@" 2>&1)
  echo "$out${out:+$'\n'}exit $?"
}

cat >look.py <<'END'
# look.py xml picture.svg, look.py labels picture.svg, look.py marks CLASS picture.svg, look.py overlaps picture.svg ...
# look.py largest CLASS picture.svg: radius of dots; look.py outside CLASS picture.svg: corners of paths off the sheet
import re
import sys
import xml.etree.ElementTree as tree
what, paths = sys.argv[1], sys.argv[2:]
for path in paths[1:] if what in ('marks', 'largest', 'outside') else paths:
    root = tree.parse(path).getroot()
    texts = [t for t in root.iter('{http://www.w3.org/2000/svg}text') if t.text and t.get('class') in
             ('element', 'of-node', 'of-joint', 'of-load', 'of-drive')]
    if what == 'xml':
        print(root.tag.split('}')[1])
    elif what == 'labels':
        print(' '.join(sorted(t.text for t in texts)))
    elif what == 'largest':
        print(max([float(e.get('stroke-width')) / 2 for e in root.iter() if paths[0] in e.get('class', '').split()], default=0))
    elif what == 'outside':
        points = [float(v) for e in root.iter() if e.get('class') == paths[0] for v in re.findall('-?[0-9.]+', e.get('d', ''))]
        size = [float(root.get('width')), float(root.get('height'))]
        print(sum(not 0 < v < size[i % 2] for i, v in enumerate(points)), 'of', len(points) > 8)
    elif what == 'marks':
        print(sum(paths[0] in e.get('class', '').split() for e in root.iter()))
    else:
        boxes = [(float(t.get('x')), float(t.get('y')) - 10, 6.4 * len(t.text), 12, t.text) for t in texts]
        for i, a in enumerate(boxes):
            for b in boxes[:i]:
                if a[0] < b[0] + b[2] and b[0] < a[0] + a[2] and a[1] < b[1] + b[3] and b[1] < a[1] + a[3]:
                    print(path, a[4], b[4])
END
look() { "$python" look.py "$@"; }

wrong=""
for file in "$models"/*.yaml "$source"/src/cli/templates/*.yaml; do
  name=$(basename "$file" .yaml)
  for view in "" x y z iso; do
    "$limber" check "$file" --picture "of_$name$view.svg" ${view:+--view $view} >/dev/null 2>&1 || wrong+="$name $view "
  done
done
pictures=(of_*.svg)
verdict pictures_of_all_models_are_drawn "$wrong" ""
verdict no_label_stands_upon_another "$(look overlaps "${pictures[@]}")" ""
verdict at_least_50_pictures $((${#pictures[@]} >= 50)) 1

cp "$source/src/cli/templates/four-bar.yaml" .
"$limber" check four-bar.yaml --picture bar.svg >said.txt
verdict what_is_drawn_is_named "$(look labels bar.svg)" \
  "coupler coupler-end coupler-start crank crank-pin crank-root motor pin1 pin2 pivot rocker rocker-root rocker-tip"
verdict a_picture_is_mentioned "$(tail -1 said.txt)" "  picture     bar.svg"
verdict four_hinges_two_on_the_ground "$(look marks joint bar.svg) $(look marks ground bar.svg)" "4 2"
verdict a_planar_model_is_drawn_in_its_plane "$(grep -c 'view along y' bar.svg)" 1
"$limber" check four-bar.yaml -p again.svg >/dev/null
verdict the_same_model_gives_the_same_bits "$(cmp bar.svg again.svg && echo same)" same
"$limber" check four-bar.yaml -p aslant.svg --view iso >/dev/null
verdict the_view_changes_the_picture "$(cmp -s bar.svg aslant.svg; echo $?)" 1

sed 's/^title: .*/title: "<Spring> \& \\u00a0co"/' "$source/src/cli/templates/empty.yaml" >signs.yaml
"$limber" check signs.yaml -p signs.svg >/dev/null
verdict signs_of_xml_in_a_title_are_written_out "$(look xml signs.svg) $(grep -c '&lt;Spring&gt; &amp;' signs.svg)" "svg 2"
verdict a_spring_is_a_coil_at_the_ground \
  "$(look marks spring signs.svg) $(look marks ground signs.svg) $(look marks mass signs.svg)" "1 1 1"

# A ladder of 40 bays is 12 pixels a bay on the sheet: marks are smaller than its gaps, and what has no room is told.
ladder() { # bays
  awk -v n="$1" 'BEGIN {
    print "limber: 1\nnodes:"
    for (i = 0; i <= n; i++) for (k = 0; k < 2; k++) printf "  n%d_%d: {at: [%d, 0, %d], kind: %s}\n", i, k, k, i, i ? "point" : "fixed"
    print "elements:"
    for (i = 0; i < n; i++) for (k = 0; k < 3; k++)
      printf "  - bar: {nodes: [n%d_%d, n%d_%d], stiffness: 1e6, mass: 1}\n", i, k % 2, i + 1, k < 2 ? k : 1
  }'
}
ladder 40 >many.yaml
ladder 4 >few.yaml
for name in many few; do "$limber" check $name.yaml -p $name.svg --view y >/dev/null; done
verdict nodes_of_few_bars_are_seen "$(look largest node few.svg) $(grep -c 'lack of space' few.svg)" "2.6 0"
many=$(look largest node many.svg)
verdict nodes_of_many_bars_are_smaller_than_their_gaps "$(awk "BEGIN { print ($many > 0.5 && $many < 1.2) }")" 1
verdict names_without_room_are_told \
  "$(($(look labels many.svg | wc -w) + $(sed -n 's|.*>\([0-9]*\) names* omitted for lack of space<.*|\1|p' many.svg)))" 82
verdict no_label_of_many_stands_upon_another "$(look overlaps many.svg)" ""
"$limber" check "$source/examples/bending_block/bar.yaml" -p mesh.svg >/dev/null
verdict nodes_of_a_mesh_have_no_names "$(look labels mesh.svg | grep -c 'bar\.[0-9]')" 0
"$limber" check "$source/examples/andrews/andrews.yaml" -p spring.svg >/dev/null
verdict ends_of_springs_are_in_the_picture "$(look outside spring spring.svg)" "0 of True"

verdict a_view_is_suggested "$(says check four-bar.yaml -p a.svg --view isu)" \
  "limber check: there is no view 'isu'; did you mean 'iso'?"$'\n'"exit 2"
verdict a_view_needs_a_picture "$(says check four-bar.yaml --view x)" \
  "limber check: --view needs --picture model.svg"$'\n'"exit 2"
verdict a_picture_has_a_known_ending "$(says check four-bar.yaml -p a.jpg | tail -2)" \
  "limber check: a picture ends in .png, .svg or .pdf, not as 'a.jpg'"$'\n'"exit 2"
for ending in png pdf; do PATH=/nowhere "$limber" check four-bar.yaml -p bar.$ending >/dev/null || true; done
verdict a_png_needs_no_browser_and_is_the_svg_at_twice_its_size \
  "$("$python" -c "import struct; print(*struct.unpack('>2I', open('bar.png', 'rb').read()[16:24]))")" \
  "$(sed -n '1s/.*width="\([0-9]*\)" height="\([0-9]*\)".*/\1 \2/p' bar.svg | awk '{ print 2*$1, 2*$2 }')"
verdict a_pdf_is_one "$(head -c 8 bar.pdf)" "%PDF-1.4"
cat >pixels.py <<'END'
# pixels.py picture.png X Y: the colour of a pixel, as RRGGBB
import struct, sys, zlib
data, at, packed = open(sys.argv[1], 'rb').read(), 8, b''
while at < len(data):
    size, name = struct.unpack('>I4s', data[at:at + 8])
    if name == b'IHDR':
        width = struct.unpack('>I', data[at + 8:at + 12])[0]
    packed += data[at + 8:at + 8 + size] if name == b'IDAT' else b''
    at += 12 + size
place = (1 + 3 * width) * int(sys.argv[3]) + 1 + 3 * int(sys.argv[2])
print(zlib.decompress(packed)[place:place + 3].hex())
END

# A blue ball behind a beam, and a red one in front of it: what is nearer is drawn later, whatever its place in the file.
cat >depth.yaml <<'END'
limber: 1
nodes: {near: [0.5, 0, 0], far: [0.5, 2, 0], left: [0, 1, 0], right: [1, 1, 0]}
sections: {rod: {circle: {diameter: 0.05}, E: 2e11, nu: 0.3, density: 7800}}
elements:
  - mass: {node: near, mass: 1}
  - mass: {node: far, mass: 1}
  - beam: {from: left, to: right, section: rod, elements: 1}
visuals: [{node: near, sphere: 0.2, colour: "#ff0000"}, {node: far, sphere: 0.2, colour: "#0000ff"}]
END
"$limber" check depth.yaml -p depth.svg --view y >/dev/null 2>&1
verdict what_is_nearer_is_drawn_later "$(grep -oE 'fill="#0000[0-9a-f]{2}"|class="beam"|fill="#[0-9a-f]{2}0000"' depth.svg |
  sed -E 's/.*beam.*/beam/; s/.*#0000[1-9a-f].*/blue/; s/.*0000".*/red/' | uniq | xargs)" "blue beam red"
"$limber" check depth.yaml -p depth.png --view y >/dev/null 2>&1
middle=$("$python" -c "import struct; w, h = struct.unpack('>2I', open('depth.png', 'rb').read()[16:24]); print(w // 2, h // 2 - 40)")
verdict so_it_is_in_a_png "$("$python" pixels.py depth.png $middle | sed -E 's/^[1-9a-f][0-9a-f]0000$/red/')" red

# The ground of what stands is below its joint, of what hangs above it.
hinged() { # height of the tip
  echo "limber: 1
nodes: {pivot: [0, 0, 0], tip: [0, 0, $1]}
sections: {rod: {circle: {diameter: 0.03}, E: 2e11, nu: 0.3, density: 7800}}
elements: [{beam: {name: rod, from: pivot, to: tip, section: rod, elements: 2}}]
joints: [{revolute: {name: hinge, nodes: [ground, pivot], axis: [0, 1, 0]}}]" >hinged.yaml
  "$limber" check hinged.yaml -p hinged.svg --view y --force >/dev/null
  "$python" -c "
import re
text = open('hinged.svg').read()
height = lambda kind: float(re.search(f'class=\"{kind}\"[^>]* d=\"M[-0-9.]+ ([-0-9.]+)', text)[1])
print('above' if height('ground') < height('joint') else 'below')"
}
verdict the_ground_of_what_stands_is_below "$(hinged 1)" below
verdict the_ground_of_what_hangs_is_above "$(hinged -1)" above

# A blade with its airfoils: at the root a circle as wide as the chord, to the scale of the picture; a row of faces a ring.
"$limber" check "$source/examples/iea_15mw_blade/blade.yaml" --set 'elements.blade.from_file={windio: IEA-15-240-RWT_windIO.yaml}' \
  -p blade.svg --view x >/dev/null 2>&1
cat >blade.py <<'END'
import re
text = open('blade.svg').read()
faces = [[float(x) for x in re.findall('-?[0-9.]+', d)] for d in re.findall('class="beam"[^>]* d="([^"]*)"', text)]
points = [(f[i], f[i + 1]) for f in faces for i in range(0, len(f), 2)]
foot, top = max(y for x, y in points), min(y for x, y in points)
a, b = (float(x) for x in re.search('class="scale"[^>]* d="M([0-9.]+) [0-9.]+L([0-9.]+)', text).groups())
metre = (b - a) / float(re.search('class="scale-name".*>([0-9.]+) m<', text)[1])
def width(part):
    near = [x for x, y in points if abs(y - foot + part * (foot - top)) < 0.012 * (foot - top)]
    return (max(near) - min(near)) / metre
print(abs(width(0) - 5.2) < 0.2, 5.4 < width(0.25) < 6, 1.5 < width(0.95) < 3, len(faces) > 500)
END
verdict a_blade_has_its_chord_to_scale "$("$python" blade.py)" "True True True True"

# All pictures of models that pages show, by one command.
mkdir figures
LIMBER=$limber "$python" "$source/docs/figures/models.py" figures >/dev/null 2>&1
verdict pictures_of_pages_are_drawn_by_one_command "$(cd figures && echo *)" \
  "$(cd "$source/docs/figures" && echo marks.svg model_*)"
for file in figures/*.svg; do
  [[ $(look labels "$file") == "$(look labels "$source/docs/$file")" ]] || echo "$file"
done >stale.txt
verdict the_pictures_of_pages_show_what_the_models_have "$(cat stale.txt)" ""
verdict a_picture_is_of_one_model "$(says check four-bar.yaml signs.yaml -p a.svg)" \
  "limber check: --picture draws one model, not 2"$'\n'"exit 2"
verdict a_broken_model_is_not_drawn "$(says check "$models/broken/unit_unknown.yaml" -p no.svg | tail -1) $([[ -e no.svg ]]; echo $?)" \
  "exit 2 1"
verdict a_folder_that_is_not_there_is_a_mistake "$(says check four-bar.yaml -p nowhere/a.svg | tail -3)" \
  "limber check: cannot write 'nowhere/a.svg': No such file or directory"$'\n'"  There is no folder 'nowhere': make it (mkdir -p nowhere), or give another with -o"$'\n'"exit 2"

finish
