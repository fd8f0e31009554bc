#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The page of pictures, docs/gallery.md, from the pages of the examples, in the order of the table in examples/README.md.

    python3 docs/site/gallery.py           prints it
    python3 docs/site/gallery.py --write   writes docs/gallery.md

An example is shown by its title, what the table says of it and a picture: that of the shapes if it has one, else the first on
the page; a page without pictures shows that of the first example that it links to."""
import os
import re
import sys

root = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
COLUMNS = 3
PICTURE = re.compile(r"!\[[^\]]*\]\(([^)]+\.(?:png|svg))\)")


def read(path):
    with open(os.path.join(root, path)) as f:
        return f.read()


def picture(name, visited=()):
    page = read(f"examples/{name}/README.md")
    shown = [os.path.normpath(f"examples/{name}/{p}") for p in PICTURE.findall(page)]
    shapes = [p for p in shown if re.search(r"/(shapes|shape)\.png$", p)]
    for path in shapes + shown:
        if os.path.exists(os.path.join(root, path)):
            return path
    for other in re.findall(r"\]\(\.\./([a-z0-9_]+)/?(?:README\.md)?\)", page):
        if other not in visited:
            return picture(other, (*visited, name))
    return "docs/figures/model_pendulum.svg"


def cell(name, text):
    page = read(f"examples/{name}/README.md")
    title = re.match(r"# (.*)", page).group(1)
    link = f"../examples/{name}/README.md"
    return f"[![{title}](../{picture(name)})]({link})<br>**[{title}]({link})**<br>{text[0].upper() + text[1:]}.".replace("|", r"\|")


def listed():
    """Examples with what the table says of them; a folder that it leaves out is a mistake."""
    table = dict(re.findall(r"^\| \[([a-z0-9_]+)\]\(\1\) \| (.*) \| [^|]* \|$", read("examples/README.md"), re.M))
    present = {n for n in os.listdir(os.path.join(root, "examples")) if os.path.exists(os.path.join(root, "examples", n, "README.md"))}
    if present != set(table):
        raise SystemExit(f"the table in examples/README.md and the folders differ by {', '.join(sorted(present ^ set(table)))}")
    return table


def main():
    cells = [cell(name, text) for name, text in listed().items()]
    cells += [""] * (-len(cells) % COLUMNS)
    rows = ["| " + " | ".join(cells[i : i + COLUMNS]) + " |" for i in range(0, len(cells), COLUMNS)]
    text = "# Gallery\n\n" + (
        "Every [example](../examples/README.md) with a picture of it. A click leads to its page: the model, its numbers beside\n"
        "their sources, and more pictures. `limber verify NAME` runs one.\n\n"
    ) + "| " * COLUMNS + "|\n" + "|---" * COLUMNS + "|\n" + "\n".join(rows) + "\n"
    if "--write" in sys.argv:
        with open(os.path.join(root, "docs/gallery.md"), "w") as f:
            f.write(text)
    else:
        sys.stdout.write(text)


main()
