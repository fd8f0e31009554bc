#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The site can be built without a warning: no dead link, no page that is not reached, no generated page behind its sources. It
# needs no server: mathematics is drawn from the disk. Lines of Markdown keep to their width.
modules='sphinx, myst_parser, furo, sphinxcontrib.bibtex, breathe, yaml'
. "$(dirname "$0")/support.bash"
cd "$try" || exit 1
generated=$(cd "$(dirname "$limber")/.." && pwd)/include # headers that CMake makes
stage() { "$python" "$1/docs/site/stage.py" "$1" "$try/staged" "$try/live" "$generated" 2>&1; }
build() { "$python" -m sphinx -q -W --keep-going -b html "$try/staged" "$try/html" 2>&1 | sed "s#$try/staged/##"; }

# ---- generated pages ----
verdict gallery_and_pages_show_every_example_as_the_tables_say "$("$python" "$source/docs/site/gallery.py" 2>&1)" ""
verdict verified_quantities_are_those_of_the_examples "$("$python" "$source/docs/site/verification.py" --check 2>&1)" ""

verdict readme_counts_them "$(grep -oE '[0-9]+ quantities of [0-9]+ examples' "$source/README.md")" "$(grep -oE '[0-9]+ quantities of [0-9]+ examples' "$source/docs/verification.md")"
verdict readme_fits_on_a_page "$(awk 'END {print NR <= 100}' "$source/README.md")" 1

# ---- the site, with one of the examples that move ----
mkdir live && echo '<p>It moves.</p>' >live/swing.html
verdict every_link_to_a_file_leads_to_one "$(stage "$source")" ""
verdict a_live_page_is_linked_and_those_that_are_not_there_are_named "$(grep -o 'href="../live/[a-z_.]*"' staged/docs/gallery.md; grep -o '`live/governor.html`' staged/docs/gallery.md)" \
  'href="../live/swing.html"
`live/governor.html`'
verdict a_notebook_is_a_page_with_what_it_prints "$(grep -cE '^ *[0-9.]+ s  latch-|^\[Download this notebook\]\(space.ipynb\)' staged/docs/notebooks/space.md)" 3
verdict pages_are_made_without_a_warning "$(build)" ""
verdict a_live_page_is_part_of_the_site "$(cmp live/swing.html html/live/swing.html && echo same)" same
verdict first_page_names_the_others "$(grep -c 'class="reference internal" href="docs/tutorial.html"' html/index.html)" 2
foreign() { "$python" "$source/tests/foreign.py" "$1"; } # what pages take from elsewhere
verdict pages_load_nothing_from_elsewhere "$(foreign html)" ""

# ---- mathematics ----
"$python" "$source/docs/site/equations.py" | awk '{print $1, $2}' >ours.txt
grep -rhoE 'class="eqno">\([0-9.]+\)<a class="headerlink" href="#equation-eq-[a-z0-9-]+' html/docs/theory |
  sed -E 's/.*>(\([0-9.]+\)).*equation-(.*)/\2 \1/' >sphinx.txt
verdict equations_have_their_numbers_on_the_site "$(sort ours.txt | diff - <(sort sphinx.txt) && echo same)" same
verdict sources_cite_equations_that_are_there "$(LIMBER_SOURCE=$source "$python" "$source/docs/site/equations.py" --check)" ""
verdict every_reference_is_cited_and_listed \
  "$(diff <(grep -oE '^@[a-z]+\{[a-z0-9]+' "$source/docs/references.bib" | sed 's/.*{//' | sort) \
          <(grep -rhoE 'references\.bib#[a-z0-9]+' "$source/docs/theory" | sed 's/.*#//' | sort -u) && grep -c doc-biblioentry html/docs/theory/references.html)" \
  "$(grep -c '^@' "$source/docs/references.bib")"
cp "$source"/tests/{browser,pages}.py .
timeout 300 "$python" pages.py html/docs/theory/*.html >drawn.txt 2>&1
verdict mathematics_is_drawn_without_a_server "$(grep -v 'formulas$' drawn.txt)" ""
verdict all_chapters_have_been_looked_at "$(grep -c 'formulas$' drawn.txt)" "$(ls "$source"/docs/theory/*.md | wc -l)"

# ---- the first page and those of the fields: light and dark, search from the disk, phones ----
front=(index docs/for_wind docs/for_machines docs/for_space docs/for_cables docs/gallery)
PYTHONPATH=$source/docs/site timeout 300 "$python" - "${front[@]}" >front.txt 2>&1 <<'END'
import os, sys
from browser import Page
from gallery import fields
folder, loaded = "file://" + os.path.abspath("html") + "/", "document.readyState == 'complete'"
with Page(folder + "index.html", 1200, 900, loaded) as page:
    themes = []
    for _ in range(3):
        themes.append(page.value("document.querySelector('.theme-toggle').click(), document.body.dataset.theme"))
        if themes[-1] == "dark":
            page.open(folder + "docs/for_wind.html", "location.href.endsWith('wind.html') && " + loaded)
            themes.append("then " + page.value("document.body.dataset.theme"))
    print(*themes)
    page.open(folder + "search.html?q=winch", "document.querySelector('#search-results li a[href*=\"docs/cables.html\"]')")
    print("a page on winches is found", *page.errors)
    page.open(folder + "docs/gallery.html", "document.querySelector('.filter')")
    choose = "[...document.querySelectorAll('.filter button')].find(b => b.textContent == '%s').click(), document.querySelector('.count').textContent"
    every, cables = [e for _, _, examples in fields() for e in examples], next(e for title, _, e in fields() if title == "Cables and offshore")
    touching = [e for e in cables if "contact" in e[2].split(", ")]
    shown = [page.value(choose % button).split()[0] for button in ("Cables and offshore", "contact", "all features", "all fields")]
    print("filters choose" if shown == [str(len(e)) for e in (cables, touching, cables, every)] and touching else shown, *page.errors)
    for dark in (False, True):
        page.dark(dark)
        page.open(folder + "index.html", "location.href.endsWith('index.html') && " + loaded)
        print("dark" if dark else "light", "system:", page.value("getComputedStyle(document.body).backgroundColor"))
for width in (390, 1100, 1400):
    with Page(folder + "index.html", width, 800, loaded) as page:
        for name in sys.argv[1:] if width == 390 else sys.argv[1:2]:
            page.open(folder + name + ".html", f"location.href.endsWith('{name}.html') && " + loaded)
            if page.value("document.documentElement.scrollWidth") > width:
                print(name, "is wider than", width, "pixels")
END
verdict theme_is_kept_search_works_from_the_disk_and_pages_fit_phones "$(cat front.txt)" "light dark then dark auto
a page on winches is found
filters choose
light system: rgb(255, 255, 255)
dark system: rgb(19, 20, 22)"

# ---- lines ----
verdict lines_of_pages_keep_to_120_columns "$("$python" "$source/docs/site/wrap.py" 2>&1)" ""
verdict editors_and_formatter_agree_on_columns \
  "$(awk -F' *= *' '/^\[/ {s = $0} /max_line_length/ {print s, $2}' "$source/.editorconfig" | grep -E '^\[\*\.(\{c,h\}|md)\]')" \
  "[*.{c,h}] $(awk '/^ColumnLimit/ {print $2}' "$source/.clang-format")
[*.md] 120"

# ---- and it notices ----
mkdir -p bad/docs bad/examples
cp -r "$source/docs/site" bad/docs/
printf '%s\n' '# Front' '' '## Part' '' '- [One](one.md)' '- [Two](../examples/README.md)' >bad/docs/README.md
printf '%s\n' '# One' '' '[gone](gone.txt) [there](../examples/README.md#nothing)' >bad/docs/one.md
printf '%s\n' '# Two' >bad/examples/README.md
printf '%s\n' '# Lost' >bad/docs/lost.md
verdict a_dead_link_and_a_lost_page_are_noticed "$(stage "$try/bad")" "docs/one.md: the link to gone.txt leads nowhere
docs/lost.md is a page that no list of pages names"
sed -i 's/\[gone\](gone.txt)//' bad/docs/one.md && rm bad/docs/lost.md && stage "$try/bad"
verdict a_dead_anchor_is_noticed "$(build | head -1)" \
  "docs/one.md:3: WARNING: 'myst' reference target not found: ../examples/README.md#nothing"

# A page with a number that is not its own, a formula that TeX refuses, a script and a style from elsewhere, a line too long.
mkdir -p bad/docs/theory
printf '%s\n' '- [Theory](theory/index.md)' >>bad/docs/README.md
printf '%s\n' '# Theory' '' '1. [Sums](sums.md)' >bad/docs/theory/index.md
printf '%s\n' '# Sums' '' 'By [(1.2)](#eq-sum-all) and [(1.1)](#eq-none)' '' '<a id="eq-sum-all"></a>' '```math' '\frac{a' '\tag{2.1}' '```' >bad/docs/theory/sums.md
verdict numbers_that_are_wrong_are_noticed "$(stage "$try/bad")" "docs/theory/sums.md: eq-sum-all is equation 1.1, not 2.1; equations.py --write sets it right
docs/theory/sums.md: eq-sum-all is equation 1.1 of docs/theory/sums.md, not 1.2 of docs/theory/sums.md
docs/theory/sums.md: there is no equation eq-none"
sed -i 's/ and .*//; s/1\.2/1.1/; s/2\.1/1.1/' bad/docs/theory/sums.md && sed -i 's/\[there\].*//' bad/docs/one.md && stage "$try/bad" && build
mkdir -p bad/src
printf '%s\n' '// eq-sum-all (1.1)' '// eq-sum-all (1.7)' '// eq-sum-none, freq-a-b' >bad/src/a.c
verdict wrong_citations_in_sources_are_noticed "$(LIMBER_SOURCE=$try/bad "$python" "$source/docs/site/equations.py" --check)" \
  "src/a.c:2: eq-sum-all is equation 1.1, not 1.7
src/a.c:3: there is no equation eq-sum-none"
verdict a_formula_that_tex_refuses_is_noticed "$(timeout 100 "$python" pages.py html/docs/theory/sums.html | grep -c 'error of TeX: equation-eq-sum-all')" 1
printf '%s\n' '<script async src="//elsewhere.org/a.js"></script><link href="https://elsewhere.org/b.css" rel="stylesheet">' \
  '<style>@import "https://elsewhere.org/c.css";</style><a href="https://elsewhere.org/d">a link is no request</a>' >html/foreign.html
verdict what_comes_from_elsewhere_is_noticed "$(foreign html)" "html/foreign.html: //elsewhere.org/a.js
html/foreign.html: https://elsewhere.org/b.css
html/foreign.html: https://elsewhere.org/c.css"
{ printf '%s\n' '# Long' ''; printf 'word %.0s' {1..30}; printf '\n\n| '; printf 'cell %.0s' {1..30}; printf '|\n\n    '; printf 'code %.0s' {1..30}; echo; } >long.md
verdict a_line_that_is_too_long_is_noticed "$("$python" "$source/docs/site/wrap.py" long.md)" "long.md:3: longer than 120 columns"
"$python" "$source/docs/site/wrap.py" --write long.md
verdict and_wrapped "$("$python" "$source/docs/site/wrap.py" long.md; grep -c '^word' long.md; tr -s ' \n' '\n\n' <long.md | grep -c '^word$')" "2
30"
finish
