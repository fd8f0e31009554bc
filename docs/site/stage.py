#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Puts the sources of the site together: python3 docs/site/stage.py SOURCE TARGET [LIVE [GENERATED_HEADERS]]

Every page and every file that a page links to is copied to its place; a notebook becomes a page with its code and what it
prints. docs/README.md becomes the first page; the lists and
tables of it and of the pages in GROUPS become the navigation. A link to a folder goes to its README.md. The pages are plain
Markdown as a forge shows it; equations (equations.py) and references, links to references.bib#key, become those of Sphinx.
MathJax is copied into the site, which asks no server for anything. A page that the navigation does not reach, a link to a
file that is not there or is not part of the repository, a number of an equation that is not its own, and a picture without a
text are errors.

LIVE is a folder of pages of `limber view` (docs/figures/gallery.py --pages): where a page writes `live/NAME.html` and that is
there, it is copied and linked."""
import json
import os
import re
import shutil
import subprocess
import sys

import equations

PAGES = ("docs/", "examples/", "benchmarks/", "viewer/README.md", "viewer/THIRD-PARTY.md", "packaging/README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")
FRONT = "docs/README.md"
GROUPS = ("docs/tutorials.md", "docs/how_to.md", "docs/lookup.md", "docs/checks.md", "docs/develop.md")
SEARCH = """
```{raw} html
<form class="front-search" action="search.html" role="search"><input type="search" name="q" placeholder="Search all pages" aria-label="Search"></form>
```
"""
REFERENCES = "docs/references.bib"
MATHJAX = "/usr/share/javascript/mathjax"  # Debian's libjs-mathjax, version 2.7
MATHJAX_PARTS = ("MathJax.js", "config/TeX-AMS_SVG.js", "extensions", "jax/element", "jax/input/TeX", "jax/output/SVG/jax.js",
                 "jax/output/SVG/config.js", "jax/output/SVG/autoload", "jax/output/SVG/fonts/TeX")
LINK = re.compile(r"(!?)\[((?:[^\[\]]|!?\[[^\]]*\]\([^)]*\))*)\]\(([^()\s]+)\)")
CODE = re.compile(r"(^ *```.*?^ *```$|``[^`]+``|`[^`\n]*`|\$[^$\n]+\$)", re.S | re.M)


def files(source):
    """What belongs to the repository, as git says; in an unpacked archive, what is there."""
    try:
        said = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=source, check=True, capture_output=True, text=True)
        return {f for f in said.stdout.split("\n") if os.path.exists(os.path.join(source, f))}
    except (OSError, subprocess.CalledProcessError):
        return {os.path.relpath(os.path.join(d, f), source) for d, _, names in os.walk(source) for f in names
                if not os.path.relpath(d, source).startswith("build")}


def markdown(page):
    """Where a page is put: a notebook becomes Markdown."""
    return re.sub(r"\.ipynb$", ".md", page)


def notebook(text):
    """A notebook as Markdown, with what its cells print."""
    parts = []
    for cell in json.loads(text)["cells"]:
        source = "".join(cell["source"])
        printed = "".join(line for output in cell.get("outputs", ()) for line in output["text"])
        parts.append(source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```")
        parts += [f"```text\n{printed}```"] if printed else []
    return "\n\n".join(parts) + "\n"


class Stage:
    def __init__(self, source, target, live=None, generated=""):
        self.source, self.target, self.live, self.generated, self.errors, self.reached = source, target, live, generated, [], set()
        self.files = files(source)
        self.chapters = equations.chapters(source)
        self.equations = equations.numbers(source)
        self.pages = {f for f in self.files if f.endswith((".md", ".ipynb")) and f.startswith(PAGES)} - {FRONT}

    def put(self, path, text=None):
        to = os.path.join(self.target, path)
        os.makedirs(os.path.dirname(to), exist_ok=True)
        if text is None:
            shutil.copyfile(os.path.join(self.source, path), to)
        else:
            with open(to, "w") as f:
                f.write(text)

    def read(self, page):
        with open(os.path.join(self.source, page)) as f:
            text = f.read()
        return notebook(text) if page.endswith(".ipynb") else text

    def goal(self, page, link):
        """The file that a link means, with its anchor; None where it leads elsewhere."""
        name, _, anchor = link.partition("#")
        if re.match(r"[a-z]+:", link) or not name:
            return None
        path = os.path.normpath(os.path.join(os.path.dirname(page), name))
        if path + "/README.md" in self.files:
            path += "/README.md"
        if path == "README.md":
            path = FRONT
        if path not in self.files:
            inside = [f for f in self.files if f.startswith(path + "/")]
            if not inside:
                self.errors.append(f"{page}: the link to {link} leads nowhere")
            return ("", "")
        return path, anchor and "#" + anchor

    def rewrite(self, page, text, placed):
        """The text of a page with links as Sphinx wants them, from where the page is placed."""
        def one(m):
            picture, label, link = m.groups()
            if picture and not label:
                self.errors.append(f"{page}: the picture {link} has no text for those who do not see it")
            label = LINK.sub(one, label)
            goal = self.goal(page, link)
            if goal is None:
                return f"{picture}[{label}]({link})"
            path, anchor = goal
            if not path:
                return label  # a folder without a page of its own
            if path == REFERENCES and anchor:
                return re.sub(r"\s+\d{4}$", "", label) + f" {{cite:p}}`{anchor[1:]}`"
            if path == FRONT:
                path = "index.md"
            elif path not in self.pages:
                self.put(path)
            path = markdown(path)
            return f"{picture}[{label}]({os.path.relpath(path, os.path.dirname(placed) or '.')}{anchor})"

        text, wrong = equations.for_sphinx(page, text, self.equations)
        self.errors += wrong
        parts = CODE.split(text)
        return "".join(part if i % 2 else LINK.sub(one, part) for i, part in enumerate(parts))

    def link_live(self, page, text):
        def one(m):
            path = os.path.join(self.live, m.group(1))
            if not os.path.exists(path):
                return m.group(0)
            to = os.path.join(self.target, "_extra/live", m.group(1))
            os.makedirs(os.path.dirname(to), exist_ok=True)
            shutil.copyfile(path, to)
            return f'<a href="{os.path.relpath("live", os.path.dirname(page))}/{m.group(1)}">See it move</a>'

        return re.sub(r"`live/([a-z0-9_]+\.html)`", one, text) if self.live else text

    def listed(self, page, text):
        """The pages that the lists and tables of a page name and that no other has listed before."""
        lines = "\n".join(line for line in text.split("\n") if re.match(r" *[-|]", line))
        found = [self.goal(page, link) for link in re.findall(r"\]\(([^()\s]+)\)", lines)]
        found = [g[0] for g in found if g and g[0] in self.pages and g[0] not in self.reached]
        self.reached.update(found)
        return list(dict.fromkeys(found))

    def contents(self, page, text):
        """A hidden table of contents with the pages that a page lists: one for each heading of the front page."""
        out = []
        for part in re.split(r"^(?=## )", text, flags=re.M) if page == FRONT else [text]:
            heading = re.match(r"## (.*)", part)
            found = self.listed(page, part) if heading or page != FRONT else []
            out.append(part)
            if found:
                caption = ":caption: " + heading.group(1) + "\n" if page == FRONT else ""
                pages = "\n".join(os.path.relpath(markdown(f), os.path.dirname("index.md" if page == FRONT else page)) for f in found)
                out.append("\n```{toctree}\n:hidden:\n:maxdepth: 1\n" + caption + "\n" + pages + "\n```\n\n")
        return "".join(out)

    def front(self):
        """The first page, with a field for searching below its first picture or text."""
        with open(os.path.join(self.source, FRONT)) as f:
            text = self.contents(FRONT, f.read())
        start, heading, rest = text.partition("\n## ")
        self.put("index.md", self.rewrite(FRONT, start, "index.md") + SEARCH + self.rewrite(FRONT, heading + rest, "index.md"))

    def headers(self):
        """The public headers as XML, for docs/api.md; those that are made by CMake lie in the build folder."""
        include, out = os.path.join(self.source, "include"), os.path.join(self.target, "_doxygen")
        if not os.path.exists(include):
            return
        os.makedirs(out)
        places = dict(LIMBER_INCLUDE=include, LIMBER_GENERATED=self.generated, LIMBER_OUTPUT=out)
        said = subprocess.run(["doxygen", os.path.join(self.source, "docs/site/Doxyfile")], env=dict(os.environ, **places),
                              capture_output=True, text=True)
        self.errors += [line.replace(self.source + "/", "") for line in said.stderr.splitlines() if line]

    def run(self):
        shutil.rmtree(self.target, ignore_errors=True)
        self.front()
        for page in sorted(self.pages, key=lambda p: (p not in GROUPS, GROUPS.index(p) if p in GROUPS else p)):
            text = self.read(page)
            text = self.link_live(page, self.rewrite(page, self.contents(page, text) if page in GROUPS else text, page))
            if page == "examples/README.md":
                inner = [p for p in self.pages if p.startswith("examples/") and p != page]
                inner.sort(key=lambda p: text.rfind("](" + os.path.relpath(p, "examples")))  # as its tables have them
                text += "\n```{toctree}\n:hidden:\n\n" + "\n".join(os.path.relpath(p, "examples") for p in inner) + "\n```\n"
            if page == equations.INDEX:
                inner = [os.path.relpath(p, equations.FOLDER) for p in self.chapters]
                text += "\n```{toctree}\n:hidden:\n:numbered: 1\n\n" + "\n".join(inner) + "\n```\n"
            if page == equations.FOLDER + "references.md":
                text += "\n```{bibliography}\n```\n"
            if page.endswith(".ipynb"):
                self.put(page)
                text += f"\n[Download this notebook]({os.path.basename(page)})\n"
            self.put(markdown(page), text)
        if REFERENCES in self.files:
            self.put(REFERENCES)
        for page in sorted(self.pages - self.reached - set(self.chapters)):
            if not re.match(r"examples/.+/", page):
                self.errors.append(f"{page} is a page that no list of pages names")
        self.headers()
        for folder in ("_static", "_extra"):
            os.makedirs(os.path.join(self.target, folder), exist_ok=True)
        for name, folder in (("conf.py", ""), ("style.css", "_static"), ("theme.js", "_static"), ("gallery.js", "_static")):
            shutil.copyfile(os.path.join(self.source, "docs/site", name), os.path.join(self.target, folder, name))
        self.mathjax()
        return list(dict.fromkeys(self.errors))

    def mathjax(self):
        """What of MathJax the pages need: TeX in, SVG out, whose glyphs are scripts that browsers take from the disk as well."""
        if not os.path.exists(os.path.join(MATHJAX, "MathJax.js")):
            self.errors.append(f"there is no MathJax in {MATHJAX}: install Debian's package libjs-mathjax")
            return
        for part in MATHJAX_PARTS:
            come, to = os.path.join(MATHJAX, part), os.path.join(self.target, "_static/mathjax", part)
            os.makedirs(os.path.dirname(to), exist_ok=True)
            (shutil.copytree if os.path.isdir(come) else shutil.copyfile)(come, to)


if __name__ == "__main__":
    wrong = Stage(*sys.argv[1:]).run()
    print("\n".join(wrong), end="\n" if wrong else "")
    sys.exit(bool(wrong))
