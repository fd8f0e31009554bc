#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes what pages say about fields and features of the examples, from the tables in examples/README.md.

    python3 docs/site/gallery.py           names the pages that differ from what would be written
    python3 docs/site/gallery.py --write   writes them

- docs/gallery.md shows every example by its picture, title, what the table says, its features and its page of `limber view`,
  in which it moves; on the site that is a link (stage.py). gallery.js adds buttons that filter by field and feature.
- The line below the title of examples/NAME/README.md names field and features.

docs/figures/gallery.py draws the pictures, docs/figures/gallery/NAME.png."""
import os
import re
import sys

root = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
COLUMNS = 3
ROW = r"^\| \[([a-z0-9_]+)\]\(\1\) \| (.*) \| ([^|]+) \| [^|]* \|$"


def read(path):
    with open(os.path.join(root, path)) as f:
        return f.read()


def anchor(heading):
    return heading.lower().replace(" ", "-")


def fields():
    """Of each field its title, its page if there is one, and its examples: name, content, features."""
    parts = re.split(r"^## (.*)$", read("examples/README.md"), flags=re.M)[1:]
    out = []
    for title, text in zip(parts[::2], parts[1::2]):
        page = re.search(r"\]\(\.\./(docs/for_\w+\.md)\)", text)
        out.append((title, page and page.group(1), re.findall(ROW, text, re.M)))
    listed = [name for _, _, examples in out for name, _, _ in examples]
    present = [n for n in os.listdir(os.path.join(root, "examples")) if os.path.isdir(os.path.join(root, "examples", n))]
    wrong = sorted(set(listed) ^ set(present) | {n for n in listed if listed.count(n) > 1})
    if wrong:
        raise SystemExit(f"the tables in examples/README.md and the folders differ by {', '.join(wrong)}")
    return out


def title_of(name):
    return re.match(r"# (.*)", read(f"examples/{name}/README.md")).group(1)


def cell(name, content, features):
    picture = f"docs/figures/gallery/{name}.png"
    if not os.path.exists(os.path.join(root, picture)):
        raise SystemExit(f"there is no {picture}: a line in docs/figures/gallery.py draws it")
    title, link = title_of(name), f"../examples/{name}/README.md"
    parts = [f"[![{title}](../{picture})]({link})", f"**[{title}]({link})**", f"{content[0].upper() + content[1:]}.", f"*{features}*", f"`live/{name}.html`"]
    return "<br>".join(parts).replace("|", r"\|")


def gallery():
    text = "# Gallery\n\n" + (
        "All [examples](../examples/README.md) by field; shadows show other times. Click a picture for its page. The site shows\n"
        "each in motion, too; `python3 docs/figures/gallery.py --pages live` writes these pages.\n"
    )
    for title, page, examples in fields():
        cells = [cell(*example) for example in examples]
        cells += [""] * (-len(cells) % COLUMNS)
        rows = ["| " + " | ".join(cells[i : i + COLUMNS]) + " |" for i in range(0, len(cells), COLUMNS)]
        more = f"[What you can do in this field]({os.path.basename(page)}).\n\n" if page else ""
        text += f"\n## {title}\n\n{more}" + "| " * COLUMNS + "|\n" + "|---" * COLUMNS + "|\n" + "\n".join(rows) + "\n"
    return text


def with_field(name, field, page, features):
    """The page of an example with its field and features in the line below the title."""
    link = f"../../{page}" if page else f"../README.md#{anchor(field)}"
    title, _, rest = read(f"examples/{name}/README.md").partition("\n")
    rest = re.sub(r"\A\n(\[[^\n]*\]\([^\n]*\) · [^\n]*\n\n)?", "", rest)
    return f"{title}\n\n[{field}]({link}) · {features}\n\n{rest}"


def pages():
    out = {"docs/gallery.md": gallery()}
    for field, page, examples in fields():
        out.update({f"examples/{name}/README.md": with_field(name, field, page, features) for name, _, features in examples})
    return out


def main():
    for path, text in pages().items():
        if "--write" in sys.argv:
            with open(os.path.join(root, path), "w") as f:
                f.write(text)
        elif text != read(path):
            print(f"{path} differs from examples/README.md: docs/site/gallery.py --write writes it")


if __name__ == "__main__":
    main()
