#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The page of pictures, docs/gallery.md, from the pages of the examples, in the order of the table in examples/README.md.

    python3 docs/site/gallery.py           prints it
    python3 docs/site/gallery.py --write   writes docs/gallery.md

An example is shown by its title, what the table says of it and a picture of the mechanism, docs/figures/gallery/NAME.png, which
docs/figures/gallery.py draws. Below stands its page of `limber view`, in which it moves; on the site that is a link (stage.py)."""
import os
import re
import sys

root = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
COLUMNS = 3


def read(path):
    with open(os.path.join(root, path)) as f:
        return f.read()


def picture(name):
    path = f"docs/figures/gallery/{name}.png"
    if not os.path.exists(os.path.join(root, path)):
        raise SystemExit(f"there is no {path}: a line in docs/figures/gallery.py draws it")
    return path


def cell(name, text):
    page = read(f"examples/{name}/README.md")
    title = re.match(r"# (.*)", page).group(1)
    link = f"../examples/{name}/README.md"
    return f"[![{title}](../{picture(name)})]({link})<br>**[{title}]({link})**<br>{text[0].upper() + text[1:]}.<br>`live/{name}.html`".replace("|", r"\|")


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
        "Pictures of all [examples](../examples/README.md), drawn by `limber view --picture`; shadows show other times. Click\n"
        "one for its page with the model, results next to their sources, and plots. `limber verify NAME` runs one, and\n"
        "\n"
        "    python3 docs/figures/gallery.py --pages live NAME\n"
        "\n"
        "also writes `live/NAME.html`, its animation. On the site these animations are one click away.\n\n"
    ) + "| " * COLUMNS + "|\n" + "|---" * COLUMNS + "|\n" + "\n".join(rows) + "\n"
    if "--write" in sys.argv:
        with open(os.path.join(root, "docs/gallery.md"), "w") as f:
            f.write(text)
    else:
        sys.stdout.write(text)


main()
