#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does what a page tells its reader to do: document.py PAGE [--figures]

In the present folder, in order: blocks `yaml` whose first line is `# NAME.yaml` are written to that file; in blocks
`console` the lines that begin with `$ ` are run, and what they print must be what stands below them, up to the next
`$ ` or the end of the block. A line `...` stands for any lines. Numbers agree to 0.1 %, times of the machine, megabytes
and counts of iterations are not compared, and what is smaller than 1e-8 is round-off. A command that is shown with an error must end with code 2, any
other with 0. A picture tutorial_NAME of the page is a file NAME that a command wrote; --figures copies it to its place."""
import os
import re
import shutil
import subprocess
import sys

NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\w])")
FREE = re.compile(r"[\d.]+(?= s left| MB| iterations| a step;)|(?<=, in )[\d.]+(?= s)")


def same(found, shown):
    found, shown = FREE.sub("N", found.rstrip()), FREE.sub("N", shown.rstrip())
    a, b = NUMBER.findall(found), NUMBER.findall(shown)
    if NUMBER.sub("#", found) != NUMBER.sub("#", shown) or len(a) != len(b):
        return False
    for x, y in zip(map(float, a), map(float, b)):
        if abs(x - y) > 1e-3 * abs(y) and max(abs(x), abs(y)) > 1e-8:
            return False
    return True


def match(found, shown):
    """Whether lines are as shown, where `...` is any number of them."""
    if not shown:
        return not found
    if shown[0].strip() == "...":
        return any(match(found[i:], shown[1:]) for i in range(len(found) + 1))
    return bool(found) and same(found[0], shown[0]) and match(found[1:], shown[1:])


def run(command, shown):
    done = subprocess.run(["bash", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    while shown and not shown[-1].strip():
        shown.pop()
    code = 2 if any(": error:" in line for line in shown) else 0
    found = done.stdout.rstrip("\n").split("\n") if done.stdout else []
    if done.returncode != code:
        return f"$ {command}\nended with {done.returncode}\n{done.stdout}"
    if not match(found, shown):
        return f"$ {command}\nprints\n{done.stdout}"
    return None


def main():
    page = sys.argv[1]
    with open(page) as f:
        text = f.read()
    wrong, count = [], 0
    for kind, block in re.findall(r"^```(\w+)\n(.*?)^```$", text, re.M | re.S):
        name = re.match(r"# (\S+\.yaml)\n", block)
        if kind == "yaml" and name:
            with open(name.group(1), "w") as f:
                f.write(block)
        if kind != "console":
            continue
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, shown = part.partition("\n")
            wrong.append(run(command, shown.split("\n")))
            count += 1
    for place, name in re.findall(r"\((figures/tutorial_([^)]+))\)", text):
        if not os.path.exists(name):
            wrong.append(f"no command writes {name}")
        elif "--figures" in sys.argv:
            shutil.copyfile(name, os.path.join(os.path.dirname(page), place))
    wrong = [w for w in wrong if w]
    print("\n".join(wrong) if wrong else f"{count} commands, as the page says")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
