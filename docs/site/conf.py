# SPDX-License-Identifier: Apache-2.0
"""Sphinx's settings for the site; its sources are put together by stage.py."""
import os
import re

from docutils import nodes

project = "Limber"
copyright = "Limber developers"  # noqa: A001: Sphinx calls it so
version = release = os.environ.get("LIMBER_VERSION", "")
html_title = "Limber"
extensions = ["myst_parser", "sphinx.ext.mathjax", "sphinxcontrib.bibtex"]
if os.path.exists("_doxygen/xml"):  # the public headers, by stage.py
    extensions += ["breathe"]
    breathe_projects, breathe_default_project = {"limber": "_doxygen/xml"}, "limber"
    breathe_domain_by_extension, breathe_show_include = {"h": "c"}, False
    nitpick_ignore_regex = [("c:identifier", r"size_t|MPI_Comm|Limber\w+Data")]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_static", "_extra", "_doxygen"]
suppress_warnings = ["myst.header"]  # a page may begin below its first rank of headings
nitpicky = True
smartquotes = False
html_theme = "furo"
html_static_path = ["_static"]
html_extra_path = ["_extra"]  # pages of `limber view`
html_css_files = ["style.css"]
html_js_files = ["theme.js", "gallery.js"]
html_show_search_summary = False  # browsers do not fetch other pages from the disk
html_copy_source = False
html_show_sphinx = False
pygments_style = "friendly"
myst_heading_anchors = 6  # as other viewers of Markdown name them
myst_enable_extensions = ["dollarmath"]
myst_update_mathjax = False  # its settings are for version 3
myst_dmath_allow_digits = False  # a price is not mathematics
numfig = math_numfig = True  # equations as (chapter.number)
numfig_secnum_depth = 1
mathjax_path = "mathjax/MathJax.js?config=TeX-AMS_SVG"  # copied by stage.py
mathjax2_config = {"showMathMenu": False, "messageStyle": "none", "SVG": {"scale": 90}}
bibtex_bibfiles = [f for f in ["docs/references.bib"] if os.path.exists(f)]
bibtex_default_style = "alpha"
bibtex_reference_style = "label"


def drop_script(app, page, template, context, doctree):
    """Debian's furo.js is a module in parts, which browsers do not load from the disk; theme.js switches light and dark."""
    context["script_files"] = [s for s in context.get("script_files", []) if "furo.js" not in s]


def mend_style(app, exception):
    """Debian's furo.css asks for the server's folder of scripts, which is not there, and lacks the dark colours of those whose system is dark."""
    path = os.path.join(app.outdir, "_static/styles/furo.css")
    if exception is None and os.path.exists(path):
        with open(path) as f:
            text = re.sub(r"@import[^;]*/javascript/[^;]*;", "", f.read())
        if "prefers-color-scheme" not in text:
            dark = re.search(r'body\[data-theme="dark"\] (\{[^}]*\})', text).group(1)
            text += f'@media screen and (prefers-color-scheme: dark) {{ body:not([data-theme="light"]) {dark} }}\n'
        with open(path, "w") as f:
            f.write(text)


def open_lists(app, doctree, name):
    """Docutils 0.19 takes the last citation of a list for the one before the first, and does not open the list."""
    for citation in doctree.findall(nodes.citation):
        if citation.parent.index(citation) == 0:
            citation.parent.insert(0, nodes.comment())


def setup(app):
    app.connect("doctree-resolved", open_lists)
    app.connect("build-finished", mend_style)
    app.connect("html-page-context", drop_script, priority=900)
