# SPDX-License-Identifier: Apache-2.0
"""Blades and towers of ElastoDyn's files: sections, axis and twist, what the files do not have, and what is said of wrong ones."""
import json
import math
import types

import numpy as np
import pytest

from support import h5, limber, python, settings, source, write

seeds = source / "tests/fuzz/blades"
blade, tower = ((seeds / f"elastodyn_{name}").read_text() for name in ("blade", "tower"))
primary = (seeds / "elastodyn").read_text().replace('"blade"    BldFile', '"b.dat"    BldFile').replace('"blade"    TwrFile', '"t.dat"    TwrFile')


def files(**changed):
    """The three files, with changes: blade=("old", "new")."""
    for name, text in (("primary", primary), ("blade", blade), ("tower", tower)):
        old, new = changed.get(name, ("", ""))
        assert old in text
        write({"primary": "turbine.dat", "blade": "b.dat", "tower": "t.dat"}[name], text.replace(old, new, 1))


READ = """
import json, limber, sys
b = limber.read_blade(sys.argv[1], **json.loads(sys.argv[2]))._asdict()
print(json.dumps({k: v.tolist() if hasattr(v, "tolist") else v for k, v in b.items()}))
"""


def read_blade(name, **options):
    """limber.read_blade in Python."""
    found = json.loads(python(READ, name, json.dumps(options)))
    return types.SimpleNamespace(**{k: np.array(v) if isinstance(v, list) else v for k, v in found.items()})


def test_a_blade_has_its_columns_times_the_factors():
    files()
    b = read_blade("turbine.dat")
    assert b.format == "elastodyn" and len(b.at) == 3
    assert b.at.tolist() == [0, 0.25, 1]
    assert b.mass.tolist() == pytest.approx([1.05 * 680, 1.05 * 350, 1.05 * 10], rel=1e-14)
    assert b.stiffness[:, 5, 5].tolist() == [1.8e10, 2.5e9, 1.7e5]  # flap: about e3, the edgewise axis
    assert b.stiffness[:, 4, 4].tolist() == [3.6e10, 1e10, 1e7]  # edge, of which the factor is 2
    assert b.stiffness[:, 3, 3].tolist() == [5e9, 2e8, 2e5] and b.stiffness[:, 0, 0].tolist() == [9e9, 3e9, 4e7]
    assert np.allclose(b.position, [[0, 0, 0], [0, 0, 0.25 * 61.5], [0, 0, 61.5]], rtol=0, atol=1e-12)
    assert np.allclose(b.inertia[0], np.diag([1.05 * 680 * x / 9e9 for x in (5.4e10, 3.6e10, 1.8e10)]), rtol=1e-14)
    assert any("FlStTunr(1) is 1.1" in x for x in b.remarks) and not any("torsion" in x for x in b.remarks)


def test_the_twist_is_that_of_beamdyn():
    """Both files of the 5 MW turbine have the twist of the root and of the tip."""
    files(blade=("  0.0   0.5   13.3 ", "  0.0   0.5   13.308 "))
    other = read_blade(source / "examples/rotor_5mw/NRELOffshrBsline5MW_BeamDyn.dat")
    b = read_blade("turbine.dat")
    assert abs(b.twist[0] - other.twist[0]) < 1e-9 and abs(b.twist[-1] - other.twist[-1]) < 1e-9


def test_a_tower_stands_from_its_base_to_its_top():
    files(primary=("      0   TowerBsHt", "     10   TowerBsHt"))
    t = read_blade("turbine.dat", part="tower")
    assert np.allclose(t.position[:, 2], [10, 87.6]) and not t.twist.any()
    assert t.stiffness[:, 4, 4].tolist() == t.stiffness[:, 5, 5].tolist() == [6.14343e11, 1.1582e11]
    assert t.mass.tolist() == [5590.87, 2536.27]
    assert any("it has no stiffness of torsion and stretch" in x for x in t.remarks)
    stiff = read_blade("turbine.dat", part="tower", torsion=1e12, stretch=2e11)
    assert set(stiff.stiffness[:, 3, 3]) == {1e12} and set(stiff.stiffness[:, 0, 0]) == {2e11}
    assert not any("torsion" in x for x in stiff.remarks)


def test_a_uniform_blade_has_the_frequencies_of_bernoulli(measured):
    """What is not in the file is so stiff that it does not count: 1.8751^2 and 4.6941^2 sqrt(EI/m)/L^2."""
    rows = "".join(f"  {at}  0  0  100  {4e8}  {9e8}\n" for at in (0.0, 0.5, 1.0))
    head = "  BlFract  PitchAxis  StrcTwst  BMassDen  FlpStff  EdgStff\n  (-) (-) (deg) (kg/m) (Nm^2) (Nm^2)\n"
    files()
    write("b.dat", blade.split("  BlFract")[0].replace("1.05   AdjBlMs", "1   AdjBlMs").replace("2   AdjEdSt", "1   AdjEdSt") + head + rows)
    write("m.yaml", "limber: 1\nnodes: {root: [0, 0, 0]}\nelements:\n"
          "  - beam: {name: blade, from: root, elements: 60, from_file: {elastodyn: turbine.dat}}\n"
          "joints: [{weld: {nodes: [ground, root]}}]\nmodes: {count: 4}\n")
    said = limber("modes", "m.yaml", "-o", "m.h5")
    assert said.code == 0 and "stiffness of torsion and stretch" in said.err
    with h5("m.h5") as f:
        found = sorted(f["history/mode/frequency"][:])
    exact = sorted(k**2 / (2 * math.pi * 61.5**2) * math.sqrt(x / 100) for k in (1.87510407, 4.69409113) for x in (4e8, 9e8))
    worst = max(abs(a / b - 1) for a, b in zip(found, exact))
    measured(f"off by {worst:.1e}")
    assert worst < 4e-4  # shear and moments of inertia of the edgewise modes

    # so stiff in torsion that a first shift far below the stiffest is far above these modes
    for torsion in "1e16", "1e18":
        words = settings(f"elements.blade.from_file.torsion={torsion}", "elements.blade.elements=250")
        assert limber("modes", "m.yaml", "-o", "m.h5", "--force", *words).code == 0
        with h5("m.h5") as f:
            stiff = sorted(f["history/mode/frequency"][:])
        worst = max(abs(a / b - 1) for a, b in zip(stiff, found))
        measured(f"torsion {torsion}: off by {worst:.1e}")
        assert worst < 1e-5


def test_a_file_alone_has_sections_and_no_axis():
    files()
    for name in ("b.dat", "t.dat"):
        b = read_blade(name)
        assert not len(b.position) and len(b.at) >= 2
    write("m.yaml", "limber: 1\nsections: {tower: {from_file: {elastodyn: t.dat, torsion: 2e11, stretch: 1e11}}}\nnodes: {a: [0, 0, 0], b: [0, 0, 80]}\n"
          "elements:\n  - beam: {name: tower, from: a, to: b, section: tower, elements: 4, up: [1, 0, 0]}\n"
          "joints: [{clamp: {node: a}}]\nmodes: {count: 2}\n")
    said = limber("check", "m.yaml")
    assert said.code == 0 and "torsion" not in said.err, said.err


@pytest.mark.parametrize("change, message", [
    ({"blade": ("NBlInpSt", "NBlInp")}, "b.dat:1:1: error: the file has no line 'NBlInpSt': it is not one of a blade"),
    ({"blade": ("3   NBlInpSt", "4   NBlInpSt")}, "the file ends where BlFract is expected"),
    ({"blade": ("3   NBlInpSt", "999999999   NBlInpSt")}, "NBlInpSt is '999999999'; a number of at least 1 is expected"),
    ({"blade": ("FlpStff", "Flap")}, "the table has no column 'FlpStff'"),
    ({"blade": ("1.8e10", "1.8x10")}, "b.dat:12:1: error: '1.8x10' is not a number; FlpStff is expected"),
    ({"blade": ("1.7e5", "0")}, "mass and stiffness must be above 0"),
    ({"blade": ("  1.0   0.5", "  0.9   0.5")}, "the first station must be at 0 and the last one at 1"),
    ({"blade": ("0.25 ", "1.5 ")}, "must"),
    ({"blade": ("AdjBlMs", "Adj")}, "the file has no line 'AdjBlMs'"),
    ({"primary": ("63   TipRad", "1   TipRad")}, "the blade has no length: 1.5 m to 1 m"),
    ({"primary": ("TipRad", "Radius")}, "the file has no line 'TipRad'"),
    ({"primary": ("b.dat", "t.dat")}, "the file has no line 'NBlInpSt': it is not one of a blade"),
    ({"primary": ("b.dat", "away.dat")}, "away.dat"),
])
def test_mistakes_are_told_with_their_lines(change, message):
    files(**change)
    said = limber("import", "turbine.dat")
    assert said.code != 0 and message in said.err, said.err


def test_parts_are_blade_and_tower():
    files()
    assert "the parts are blade and tower, not 'hub'" in limber("import", "turbine.dat", "--part", "hub").err
    assert "the file is one of a tower, not of a blade" in limber("import", "t.dat", "--part", "blade").err
    write("m.yaml", "limber: 1\nnodes: {root: [0, 0, 0]}\nelements:\n"
          "  - beam: {name: blade, from: root, from_file: {elastodyn: turbine.dat, torsion: -1}}\njoints: [{weld: {nodes: [ground, root]}}]\nmodes: {count: 1}\n")
    assert "'torsion' and 'stretch' of 'from_file' must not be negative" in limber("check", "m.yaml").err
