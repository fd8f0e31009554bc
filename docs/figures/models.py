#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws all pictures of models that pages show: `limber check --picture` of templates, examples and the model of a page.

    LIMBER=build/dev/bin/limber python3 docs/figures/models.py [FOLDER]   # default: docs/figures"""
import os
import re
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
source = os.path.normpath(os.path.join(here, "..", ".."))
limber = os.path.abspath(os.environ.get("LIMBER", os.path.join(source, "build/dev/bin/limber")))
out = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else here
LYING = "elements.blade.from_file={windio: IEA-15-240-RWT_windIO.yaml, axis: [1, 0, 0], up: [0, 0, 1]}"
# picture: model, or `page#file` of a block in a page; further words of the command
pictures = {
    "model_pendulum.svg": ("src/cli/templates/pendulum.yaml", []),
    "model_four-bar.svg": ("src/cli/templates/four-bar.yaml", []),
    "model_blade.svg": ("src/cli/templates/blade.yaml", []),
    "model_rotor.svg": ("docs/tutorial.md#rotor.yaml", []),
    "model_boom.svg": ("examples/boom/boom.yaml", []),
    "model_iea_15mw.png": ("examples/iea_15mw_blade/blade.yaml", ["--set", LYING, "--view", "iso"]),
    "marks.svg": ("docs/figures/marks.yaml", ["--view", "y"]),
}


def block(page, name):
    """The block of YAML in a page whose first line is the name of its file."""
    text = open(os.path.join(source, page), encoding="utf-8").read()
    return re.search(rf"```yaml\n(# {re.escape(name)}\n.*?)```", text, re.S)[1]


with tempfile.TemporaryDirectory() as folder:
    for picture, (model, words) in pictures.items():
        path = os.path.join(source, model)
        if "#" in model:
            page, name = model.split("#")
            path = os.path.join(folder, name)
            with open(path, "w", encoding="utf-8") as f:
                f.write(block(page, name))
        subprocess.run([limber, "check", path, "--picture", os.path.join(out, picture), "--force", *words], check=True, stdout=subprocess.DEVNULL)
        print(picture)
