#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The site can be built without a warning: no dead link, no page that is not reached, no generated page behind its sources.
modules='sphinx, myst_parser, furo, yaml'
. "$(dirname "$0")/support.bash"
cd "$try" || exit 1
stage() { "$python" "$1/docs/site/stage.py" "$1" "$try/staged" 2>&1; }
build() { "$python" -m sphinx -q -W --keep-going -b html "$try/staged" "$try/html" 2>&1 | sed "s#$try/staged/##"; }

# ---- generated pages ----
verdict gallery_shows_every_example_as_it_is "$("$python" "$source/docs/site/gallery.py" | diff "$source/docs/gallery.md" - && echo same)" same
verdict verified_quantities_are_those_of_the_examples "$("$python" "$source/docs/site/verification.py" --check 2>&1)" ""

# ---- the site ----
verdict every_link_to_a_file_leads_to_one "$(stage "$source")" ""
verdict pages_are_made_without_a_warning "$(build)" ""
verdict first_page_names_the_others "$(grep -c 'class="reference internal" href="docs/tutorial.html"' html/index.html)" 2
"$python" - html >foreign.txt <<'P'
import os, re, sys
for folder, _, names in os.walk(sys.argv[1]):
    for name in names:
        if name.endswith((".html", ".css")):
            text = open(os.path.join(folder, name)).read()
            print(*re.findall(r'(?:<script[^>]* src|<link rel="stylesheet"[^>]* href|<img[^>]* src)="(https?:[^"]*)|@import[^;]*', text), sep="\n", end="")
P
verdict pages_load_nothing_from_elsewhere "$(grep -v '^$' foreign.txt)" ""

# ---- examples that move ----
mkdir live && echo '<p>It moves.</p>' >live/swing.html
"$python" "$source/docs/site/stage.py" "$source" "$try/staged" live
verdict a_live_page_is_linked_and_those_that_are_not_there_are_named "$(grep -o 'href="../live/[a-z_.]*"' staged/docs/gallery.md; grep -o '`live/governor.html`' staged/docs/gallery.md)" \
  'href="../live/swing.html"
`live/governor.html`'
verdict a_live_page_is_part_of_the_site "$(build; cmp live/swing.html html/live/swing.html && echo same)" same

# ---- and it notices ----
mkdir -p bad/docs bad/examples
cp -r "$source/docs/site" bad/docs/
printf '%s\n' '# Front' '' '## Part' '' '- [One](one.md)' '- [Two](../examples/README.md)' >bad/docs/README.md
printf '%s\n' '# One' '' '[gone](gone.txt) [there](../examples/README.md#nothing)' >bad/docs/one.md
printf '%s\n' '# Two' >bad/examples/README.md
printf '%s\n' '# Lost' >bad/docs/lost.md
verdict a_dead_link_and_a_lost_page_are_noticed "$(stage "$try/bad")" "docs/one.md: the link to gone.txt leads nowhere
docs/lost.md is a page that docs/README.md does not name"
sed -i 's/\[gone\](gone.txt)//' bad/docs/one.md && rm bad/docs/lost.md && stage "$try/bad"
verdict a_dead_anchor_is_noticed "$(build | head -1)" \
  "docs/one.md:3: WARNING: 'myst' reference target not found: ../examples/README.md#nothing"
finish
