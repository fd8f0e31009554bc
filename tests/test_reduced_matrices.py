# SPDX-License-Identifier: Apache-2.0
"""Reduced bodies from matrices: of CalculiX, and of an own finite element code as Matrix Market; stiffening by rotation, energy,
amplitudes inside elements, units, other axes, stresses, and mistakes in each file."""
import itertools
import shutil

import h5py
import numpy as np
import pytest

from support import limber, models, run, same_results, write
from test_cli_inp import box, frequencies, steel

E, NU, RHO = 210e9, 0.3, 7800.0


def brick(size):
    """Stiffness and mass of a brick of 8 nodes: points and displacements, 24 x 24 and 8 x 8."""
    corner = np.array([(-1, -1, -1), (1, -1, -1), (1, 1, -1), (-1, 1, -1), (-1, -1, 1), (1, -1, 1), (1, 1, 1), (-1, 1, 1)])
    lame, shear = E * NU / (1 + NU) / (1 - 2 * NU), E / 2 / (1 + NU)
    law = np.diag([2 * shear] * 3 + [shear] * 3)
    law[:3, :3] += lame
    k, m, half = np.zeros((24, 24)), np.zeros((8, 8)), np.array(size) / 2
    for point in itertools.product((-3**-0.5, 3**-0.5), repeat=3):
        terms = 1 + corner * point
        n = terms.prod(1) / 8
        d = np.array([corner[:, i] * np.delete(terms, i, 1).prod(1) / 8 / half[i] for i in range(3)]).T
        b = np.zeros((6, 24))
        for i in range(3):
            b[i, i::3] = d[:, i]
        for row, (i, j) in enumerate(((1, 2), (0, 2), (0, 1))):
            b[3 + row, i::3], b[3 + row, j::3] = d[:, j], d[:, i]
        k += b.T @ law @ b * half.prod()
        m += RHO * np.outer(n, n) * half.prod()
    return k, m


def market(path, entries, n, symmetric):
    rows = [f"{i + 1} {j + 1} {v:.17g}" for (i, j), v in sorted(entries.items()) if not symmetric or i >= j]
    write(path, f"%%MatrixMarket matrix coordinate real {'symmetric' if symmetric else 'general'}\n% a bar\n{n} {n} {len(rows)}\n"
          + "\n".join(rows) + "\n")


@pytest.fixture(scope="module", autouse=True)
def files(folder):
    for end in ("inp", "sti", "mas", "dof"):
        shutil.copy(models / f"ccx_bar.{end}", f"ccx_bar.{end}")
    n, size = (40, 2, 2), (1, 0.05, 0.02)
    k, m = brick([s / c for s, c in zip(size, n)])
    stiffness, mass, places = {}, {}, {}
    node = {p: i for i, p in enumerate(itertools.product(*(range(c + 1) for c in n)))}
    for cell in itertools.product(*(range(c) for c in n)):
        ids = [node[cell[0] + a, cell[1] + b, cell[2] + c] for c in (0, 1) for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))]
        for (a, i), (b, j) in itertools.product(enumerate(ids), repeat=2):
            for r, s in itertools.product(range(3), repeat=2):
                stiffness[3 * i + r, 3 * j + s] = stiffness.get((3 * i + r, 3 * j + s), 0) + k[3 * a + r, 3 * b + s]
            for r in range(3):
                mass[3 * i + r, 3 * j + r] = mass.get((3 * i + r, 3 * j + r), 0) + m[a, b]
    market("own_k.mtx", stiffness, 3 * len(node), True)
    market("own_m.mtx", mass, 3 * len(node), False)
    places = {i: [s * a / c for s, a, c in zip(size, p, n)] for p, i in node.items()}
    write("own.csv", "node,x,y,z,group\n" + "".join(
        f"{i + 1}, {x!r}, {y!r}, {z!r}, {'ROOT' if x == 0 else 'TIP' if x == 1 else ''}\n" for i, (x, y, z) in places.items()))
    write("own.inp", box(n, size) + steel)


OWN = "file: own.csv, stiffness: own_k.mtx, mass: own_m.mtx"
CCX = "file: ccx_bar.inp, stiffness: ccx_bar.sti, mass: ccx_bar.mas, unknowns: ccx_bar.dof"


def model(name, mesh, more, body="", root="", tip="", at="[0, 0, 0]", end="[1, 0, 0]", modes=6):
    return write(name, f"""limber: 1
meshes: {{bar: {{{mesh}}}}}
nodes: {{root: {{at: {at}{root}}}, tip: {end}}}
elements:
  - reduced_body: {{name: bar, mesh: bar{body}, modes: {modes},
                   interfaces: [{{group: bar.ROOT, node: root}}, {{group: bar.TIP, node: tip{tip}}}]}}
{more}
""")


MODES = "modes: {count: 5}\n"


# CalculiX 2.20, *FREQUENCY of the same mesh, as in test_reduced_body.py; measured 1e-5
@pytest.mark.parametrize("ranks", [1, 2])
def test_a_bar_from_matrices_has_the_frequencies_of_calculix(ranks):
    said = limber("modes", model("own.yaml", OWN, MODES, root=", kind: fixed"), "-o", f"own{ranks}.h5", ranks=ranks)
    assert said.code == 0, said.err
    assert frequencies(said) == pytest.approx([21.7437, 44.5698, 136.128, 276.589, 380.783], rel=1e-4)


COARSE = dict(at="[0, 0.025, 0.01]", end="[0.4, 0.025, 0.01]", modes=2)


# CalculiX on the coarse bar: 200.1774 319.3573 1261.387 1439.799 1907.831; along the bar, 4th, the rigid TIP is stiffer. Measured 4e-4
@pytest.mark.parametrize("body", ["", ", material: bar.Steel"])
def test_the_files_of_calculix_give_its_frequencies(body):
    said = limber("modes", model("ccx.yaml", CCX, MODES, body, ", kind: fixed", **COARSE))
    assert said.code == 0, said.err
    assert frequencies(said) == pytest.approx([200.1774, 319.3573, 1261.387, 1439.799, 1907.831], rel=1e-3)


def spinning(name, mesh, body):
    said = limber("modes", model(name, mesh, """joints:
  - revolute: {name: hub, nodes: [ground, root], axis: [0, 0, 1]}
loads:
  - drive: {joint: hub, rate: 400}
motion: {angular_velocity: [0, 0, 400]}
modes: {count: 3}
""", body))
    assert said.code == 0, said.err
    return frequencies(said)


# against elements with the same matrices measured 2e-4; against those of Limber 1.9e-3, from their masses at the nodes
def test_matrices_alone_have_the_stiffness_of_stresses():
    bars, mesh = spinning("bars.yaml", OWN, ""), spinning("mesh.yaml", "file: own.inp", ", material: bar.Steel")
    assert bars == pytest.approx(mesh, rel=4e-3)
    assert bars[1] > 70  # 21.7 Hz at rest


FREE = """loads:
  - force: {{node: tip, direction: [500, 2000, 3000], amplitude: {{triangle: {{peak: 1, at: 1 ms, end: 2 ms}}}}}}
motion: {{angular_velocity: [30, 50, 70], velocity: [1, 2, 3]}}
probes: [{{node: tip}}, {{element: bar, mesh_node: 7}}]
run: {{scheme: {scheme}, step: 0.1 ms, end: 5 ms}}
"""


@pytest.mark.parametrize("scheme", ["preserving", "decaying"])
@pytest.mark.parametrize("tip", ["", ", kind: averaging"])
def test_the_energy_in_free_flight_is_balanced(scheme, tip):
    name = f"{scheme}{len(tip)}"
    for ranks in (1, 2):
        assert run(model(name + ".yaml", CCX, FREE.format(scheme=scheme), tip=tip, **COARSE), f"{name}_{ranks}.h5", ranks=ranks).code == 0
    same_results(f"{name}_1.h5", f"{name}_2.h5", 1e-8)
    with h5py.File(f"{name}_1.h5") as f:
        energy, error = (np.array(f["history/ledger/" + k]) for k in ("kinetic", "residual"))
        assert "stress" not in f["history/probes/bar"]
    assert np.abs(error).max() < 1e-12 * energy.max()


# Three amplitudes whose effect is added to the stiffness before: condensing them must give the cell without them
def test_amplitudes_inside_elements_are_condensed():
    n, size = (8, 1, 1), (0.4, 0.05, 0.02)
    k, m = brick([s / c for s, c in zip(size, n)])
    rows, masses, unknowns = [], [], [f"{i}.{d}" for i in range(1, 9) for d in (1, 2, 3)] + ["9.1", "9.2", "9.3"]
    inside = np.zeros((3, 24))
    for d in range(3):  # opposite displacements of two nodes along the line between them
        inside[d, d], inside[d, 3 * (1, 3, 4)[d] + d] = 1e9, -1e9
    big = np.block([[k + inside.T @ inside / 2e9, inside.T], [inside, 2e9 * np.eye(3)]])
    for i, j in itertools.combinations_with_replacement(range(27), 2):
        rows.append(f"{i + 1} {j + 1} {big[i, j]:.16e}")
    for i, j in itertools.combinations_with_replacement(range(8), 2):
        masses += [f"{3 * i + d + 1} {3 * j + d + 1} {m[i, j]:.16e}" for d in range(3)]
    write("cell.sti", "\n".join(rows)), write("cell.mas", "\n".join(masses)), write("cell.dof", "\n".join(unknowns))
    corner = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
    places = [[c * s / i for c, s, i in zip(p, size, n)] for p in corner]
    write("cell.csv", "node,x,y,z\n" + "".join(f"{i + 1},{x!r},{y!r},{z!r}\n" for i, (x, y, z) in enumerate(places)))
    for name, size in (("plain", 24), ("inside", 27)):
        use = k if size == 24 else big
        write("use.sti", "\n".join(f"{i + 1} {j + 1} {use[i, j]:.16e}" for i, j in itertools.combinations_with_replacement(range(size), 2)))
        write("use.dof", "\n".join(unknowns[:size]))
        said = limber("body", "cell.csv", "--stiffness", "use.sti", "--mass", "cell.mas", "--unknowns", "use.dof", "-m", "6", "-c", "3")
        assert said.code == 0, said.err
        found = [line.split()[1] for line in said.lines if line.strip()[:1].isdigit()]
        if name == "plain":
            first = found
    assert found == first


def test_lengths_in_mm_and_other_axes_change_nothing():
    scale = 1e-3  # of tonnes and N/mm
    for end, factor in (("sti", 1e-3), ("mas", 1e-3)):
        rows = [line.split() for line in open(f"ccx_bar.{end}")]
        write(f"mm.{end}", "".join(f"{i} {j} {float(v) * factor:.16e}\n" for i, j, v in rows))
    write("mm.inp", box((8, 1, 1), (0.4, 0.05, 0.02), unit=scale))
    said = limber("modes", model("mm.yaml", "file: mm.inp, unit: mm, stiffness: mm.sti, mass: mm.mas, unknowns: ccx_bar.dof", MODES,
                                 root=", kind: fixed", **COARSE))
    assert said.code == 0, said.err
    assert frequencies(said) == pytest.approx([200.1774, 319.3573, 1261.387, 1439.799, 1907.831], rel=1e-3)


def test_there_are_no_stresses_without_elements():
    for probe, message in (("{stress: bar}", "has no stresses, because it has matrices alone"),
                           ("{element: bar, mesh_node: 7, record: [stress]}", "has no stresses, because it has matrices alone"),
                           ("{element: bar, mesh_node: 7}", None)):
        said = limber("check", model("stress.yaml", CCX, f"probes: [{probe}]\nrun: {{step: 1 ms, end: 1 ms}}\n", **COARSE))
        assert (said.code == 0) if message is None else (said.code == 2 and message in said.err), said.err


@pytest.mark.parametrize("name, change, message", [
    ("sti", lambda s: s.replace("1 1 ", "1 x ", 1), "line 1 of 'bad.sti': 'x' is not a whole number; a column is expected"),
    ("sti", lambda s: s + "1 1 nan\n", "'nan' is not a number; the value of an entry is expected"),
    ("sti", lambda s: s + "1 1 1e999\n", "'1e999' is not a number"),
    ("sti", lambda s: s + "0 1 1\n", "the entry 0, 1 is outside of the matrix"),
    ("sti", lambda s: s + "1 109 1\n", "the stiffness has an entry 1, 109, and there are 108 unknowns"),
    ("sti", lambda s: s + "1 1 1e6\n", "the stiffness matrix resists a rigid motion, most at node 1"),
    ("sti", lambda s: s[:len(s) // 2], "resists a rigid motion"),
    ("sti", lambda s: "", "the matrix has no entries"),
    ("sti", lambda s: "%%MatrixMarket matrix array real general\n", "a Matrix Market file of a body begins with"),
    ("sti", lambda s: "%%MatrixMarket matrix coordinate real symmetric\n3 3 9000000\n", "more than the rest of the file can contain"),
    ("sti", lambda s: "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 1\n2 1 2\n", "the matrix is not symmetric"),
    ("mas", lambda s: s + "1 1 1\n", "differs between directions"),
    ("mas", lambda s: "1 1 1\n2 2 1\n3 3 1\n", "the mass matrix has no positive mass at node 2"),
    ("dof", lambda s: s.replace("1.3\n", "", 1), "node 1 has no unknown in direction 3"),
    ("dof", lambda s: s.replace("1.3\n", "1.2\n", 1), "the unknown 1.2 is there twice"),
    ("dof", lambda s: s.replace("1.3\n", "1.4\n", 1), "the direction 4 of node 1 is no displacement"),
    ("dof", lambda s: s.replace("1.3\n", "one\n", 1), "'one' is no unknown; NODE.DIRECTION is expected"),
    ("dof", lambda s: s.replace("36.", "99."), "the matrices have node 99, which is not in the mesh"),
])
def test_mistakes_in_a_file_are_told(name, change, message):
    with open(f"ccx_bar.{name}") as f:
        write(f"bad.{name}", change(f.read()))
    said = limber("check", model("bad.yaml", CCX.replace(f"ccx_bar.{name}", f"bad.{name}"), "run: {step: 1 ms, end: 1 ms}\n", **COARSE))
    assert said.code == 2
    assert message in said.err


def test_a_mesh_has_both_matrices_or_none():
    said = limber("check", model("half.yaml", CCX.replace("mass: ccx_bar.mas, ", ""), "run: {step: 1 ms, end: 1 ms}\n", **COARSE))
    assert said.code == 2 and "a mesh with matrices needs both `stiffness` and `mass`" in said.err


@pytest.mark.parametrize("text, message", [
    ("node,x,y,z\n1,0,0\n", "line 2 of 'bad.csv': a line is NODE, X, Y, Z, and a group or none"),
    ("node,x,y,z\n1,0,0,inf\n", "'inf' is not a number; a coordinate is expected"),
    ("node,x,y,z\n1,0,0,0\n1,0,0,1\n", "two nodes have the number 1"),
    ("node,x,y,z\n-1,0,0,0\n", "the number of a node is positive"),
    ("node,x,y,z\n", "the file has no nodes"),
])
def test_mistakes_in_a_list_of_nodes_are_told(text, message):
    write("bad.csv", text)
    said = limber("check", model("nodes.yaml", CCX.replace("ccx_bar.inp", "bad.csv"), "run: {step: 1 ms, end: 1 ms}\n", **COARSE))
    assert said.code == 2
    assert message in said.err


def triples(path):
    return [(int(i) - 1, int(j) - 1, float(v)) for i, j, v in (line.split() for line in open(path))]


def dmig(matrices, dof, wide=True, square=False):
    out = ["$ a comment", "GRID           1              0.      0.      0."]
    for name, entries in matrices:
        out.append(f"DMIG    {name:8}{0:8}{1 if square else 6:8}{2:8}{0:8}")
        full = entries + [(j, i, v) for i, j, v in entries if i != j] * square
        for column in sorted({j for _, j, _ in full}):
            head, rows = dof[column], [(dof[i], v) for i, j, v in full if j == column]
            if wide:
                out.append(f"DMIG*   {name:16}{head[0]:16}{head[1]:16}")
                out += [f"*       {n:16}{d:16}{v:16.9E}".replace("E", "D") for (n, d), v in rows]
            else:
                out += [f"DMIG,{name},{head[0]},{head[1]},,{n},{d},{v:.15E}".replace("E", "") for (n, d), v in rows]  # Nastran needs no letter
    return "\n".join(out) + "\nENDDATA\n"


def output4(matrices, size, kind="dense", half=False):
    out = []
    for name, entries in matrices:
        full = dict(((i, j), v) for i, j, v in entries) | ({} if half else dict(((j, i), v) for i, j, v in entries))
        out.append(f"{size:8}{-size if kind == 'big' else size:8}{6:8}{2:8}{name:8}1P,3E23.16")
        for column in range(size):
            rows = sorted(i for i, j in full if j == column)
            if not rows:
                continue
            strings = [rows] if kind == "dense" else [[i] for i in rows]
            if kind == "dense":
                strings = [list(range(rows[0], rows[-1] + 1))]
                out.append(f"{column + 1:8}{rows[0] + 1:8}{2 * len(strings[0]):8}")
            else:
                out.append(f"{column + 1:8}{0:8}{sum(2 * len(s) + (2 if kind == 'big' else 1) for s in strings):8}")
            for s in strings:
                if kind == "big":
                    out.append(f"{2 * len(s) + 1:8}{s[0] + 1:8}")
                elif kind == "sparse":
                    out.append(f"{s[0] + 1 + 65536 * (2 * len(s) + 1):8}")
                numbers = [f"{full.get((i, column), 0):23.16E}" for i in s]
                out += ["".join(numbers[k:k + 3]) for k in range(0, len(numbers), 3)]
        out += [f"{size + 1:8}{1:8}{1:8}", f"{1:23.16E}"]
    return "\n".join(out) + "\n"


NASTRAN = {"wide.pch": lambda k, m, dof: dmig([("KAAX", k), ("MAAX", m)], dof),
           "free.pch": lambda k, m, dof: dmig([("MGG", m), ("KGG", k)], dof, wide=False, square=True),
           "dense.op4": lambda k, m, dof: output4([("KGG", k), ("MGG", m)], len(dof)),
           "half.op4": lambda k, m, dof: output4([("MGG", m), ("KGG", k)], len(dof), "sparse", half=True),
           "big.op4": lambda k, m, dof: output4([("KGG", k), ("MGG", m)], len(dof), "big")}


# the same matrices as above in files of Nastran, with both in one file; of DMIG* with 10 digits. Measured 1e-7
@pytest.mark.parametrize("name", NASTRAN)
def test_files_of_nastran_give_the_same_frequencies(name):
    dof = [tuple(map(int, line.split("."))) for line in open("ccx_bar.dof")]
    write(name, NASTRAN[name](triples("ccx_bar.sti"), triples("ccx_bar.mas"), dof))
    mesh = f"file: ccx_bar.inp, stiffness: {name}, mass: {name}" + (", unknowns: ccx_bar.dof" if "op4" in name else "")
    found = [limber("modes", model(f"{k}.yaml", text, MODES, "", ", kind: fixed", **COARSE)) for k, text in (("ccx", CCX), ("nastran", mesh))]
    assert [said.code for said in found] == [0, 0], found[1].err
    assert frequencies(found[1]) == pytest.approx(frequencies(found[0]), rel=1e-6)


@pytest.mark.parametrize("name,change,says", [
    ("wide.pch", lambda s: s.replace("KAAX           0       6", "KAAX           0       9"), "the matrix KAAX has the form 9"),
    ("wide.pch", lambda s: s.replace("KAAX           0       6       2", "KAAX           0       6       4"), "complex"),
    ("wide.pch", lambda s: s.replace("D+", "X+", 1), "is not a number"),
    ("free.pch", lambda s: s.replace("DMIG,KGG,1,1,", "DMIG,KGG,1,4,", 1), "the component 4 of grid point 1 is no displacement"),
    ("free.pch", lambda s: s.replace("DMIG,KGG,1,1,", "DMIG,KGG,999,1,", 1), "the mesh has no node 999"),
    ("free.pch", lambda s: s.replace("DMIG,KGG,1,1,,1,2,", "DMIG,KGG,1,1,,1,2,1", 1), "the matrix is not symmetric"),
    ("dense.op4", lambda s: s.replace("1P,3E23.16", "1P,3E2.16", 1), "is no format of OUTPUT4"),
    ("dense.op4", lambda s: s[:2000], "the file ends where"),
    ("dense.op4", lambda s: s.replace("     108     108       6       2KGG", "     108     107       6       2KGG"), "it must be square"),
    ("dense.op4", lambda s: s.replace("       2       1     ", "       2      90     ", 1), "and the matrix 108 rows"),
    ("half.op4", lambda s: s.replace("\n  196610\n", "\n   65530\n", 1), "is a string of no numbers"),
])
def test_mistakes_in_files_of_nastran(name, change, says):
    dof = [tuple(map(int, line.split("."))) for line in open("ccx_bar.dof")]
    text = NASTRAN[name](triples("ccx_bar.sti"), triples("ccx_bar.mas"), dof)
    write(name, change(text))
    mesh = f"file: ccx_bar.inp, stiffness: {name}, mass: {name}" + (", unknowns: ccx_bar.dof" if "op4" in name else "")
    said = limber("check", model("wrong.yaml", mesh, "", "", ", kind: fixed", **COARSE))
    assert said.code == 2 and says in said.err and f"of '{name}'" in said.err, said.err


def test_dmig_needs_no_unknowns():
    write("wide.pch", dmig([("KAAX", triples("ccx_bar.sti")), ("MAAX", triples("ccx_bar.mas"))],
                           [tuple(map(int, line.split("."))) for line in open("ccx_bar.dof")]))
    said = limber("check", model("named.yaml", "file: ccx_bar.inp, stiffness: wide.pch, mass: wide.pch, unknowns: ccx_bar.dof", "", **COARSE))
    assert said.code == 2 and "leave `unknowns` out" in said.err
