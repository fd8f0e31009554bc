# SPDX-License-Identifier: Apache-2.0
"""FMUs in tests, and the host written in C that runs them (tests/fmu/master.c)."""
import pathlib
import subprocess
import xml.etree.ElementTree as xml
import zipfile

import numpy as np

from support import environment, limber, needs, source


def build_master():
    needs("cc")
    subprocess.run(["cc", "-std=c17", "-D_XOPEN_SOURCE=700", "-Wall", "-Wextra", "-Werror", f"-I{source}/src",
                    str(source / "tests/fmu/master.c"), "-o", "master", "-ldl"], check=True)


class Fmu:
    """An FMU that `limber fmu` or `limber linearize` wrote, unpacked."""

    def __init__(self, model, version=3, *words, linear=False):
        self.version = version
        name = f"{pathlib.Path(model).stem}_{version}{'_' + str(abs(hash(words))) if words else ''}"
        name += "_linear" if linear else ""
        self.path, self.folder = pathlib.Path(name + ".fmu"), pathlib.Path(name).resolve()
        self.results = name + ".h5"
        command = ["linearize", model, "-o", self.results, "--fmu"] if linear else ["fmu", model, "-o"]
        said = limber(*command, self.path, "--fmi", str(version), *words)
        assert said.code == 0, said.err
        self.said = said.out
        with zipfile.ZipFile(self.path) as z:
            assert z.testzip() is None
            self.names = z.namelist()
            z.extractall(self.folder)
        self.root = xml.parse(self.folder / "modelDescription.xml").getroot()
        found = self.root.iter("ScalarVariable" if version == 2 else "Float64")
        self.variables = {v.get("name"): v for v in found}

    def reference(self, name):
        return int(self.variables[name].get("valueReference"))

    def outputs(self):
        return [n for n, v in self.variables.items() if v.get("causality") == "output"]

    def host(self, *words, code=0):
        """Rows of all outputs, the communication point first."""
        outputs = self.outputs()
        library, = (self.folder / "binaries").glob(f"*/{self.root.find('CoSimulation').get('modelIdentifier')}.so")
        resources = (self.folder / "resources").as_uri() if self.version == 2 else str(self.folder / "resources")
        token = self.root.get("guid" if self.version == 2 else "instantiationToken")
        words = [str(self.reference(w[1:])) if isinstance(w, str) and w.startswith("@") else str(w) for w in words]
        done = subprocess.run(["./master", str(self.version), str(library), resources, token, "outputs",
                               str(self.reference(outputs[0])), str(len(outputs)), *words],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment())
        assert done.returncode == code, done.stderr
        self.err = done.stderr
        self.early = done.stdout.count("early")
        return [[float.fromhex(x.replace(",", ".")) for x in line.split()] for line in done.stdout.splitlines() if line != "early"]


def same_bits(a, b):
    a, b = np.asarray(a, float), np.asarray(b, float)
    return a.shape == b.shape and a.tobytes() == b.tobytes()
