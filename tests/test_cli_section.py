# SPDX-License-Identifier: Apache-2.0
"""limber section: centres and principal axes of blade files and models; each way to spoil a file is told, a good file is not
complained of. The blade is that of the IEA 15 MW reference turbine (Apache-2.0) at seven stations, rounded to four digits."""
import json
import subprocess

import numpy
import pytest
from support import command, environment, limber, source, write

# Place, K11 K12 ... K66 in the order of BeamDyn, and mass, x and y of the mass centre, inertia about x, y, product.
STATIONS = [
    (0, [6.74e09, 2.654e06, 0, 0, 0, 1.484e08, 6.729e09, 0, 0, 0, 3.899e07, 4.605e10, -1.092e09, 1.883e07, 0, 1.496e11,
         -2.258e07, 0, 1.497e11, 0, 8.749e10], [3127, -7.427e-05, -0.02364, 1.017e04, 1.017e04, -1.068]),
    (0.15, [9.363e08, 8.083e07, 0, 0, 0, 1.102e08, 2.314e09, 0, 0, 0, 1.025e08, 2.267e10, 1.07e10, -2.523e08, 0, 5.413e10,
            -4.84e09, 0, 2.799e10, 0, 8.077e09], [1051, 0.02331, 0.5808, 3321, 956.3, 109.4]),
    (0.3, [2.246e08, 4.178e06, 0, 0, 0, 2.282e07, 3.469e08, 0, 0, 0, 2.694e07, 2.137e10, 8.306e09, -3.492e08, 0, 3.105e10,
           -6.157e08, 0, 1.336e10, 0, 6.271e08], [484, 0.03151, 0.8875, 1565, 204.1, 34.07]),
    (0.5, [1.166e08, -1.443e06, 0, 0, 0, 9.756e06, 3.032e08, 0, 0, 0, 1.243e07, 1.992e10, 5.511e09, -1.458e08, 0, 1.559e10,
           -2.885e07, 0, 4.893e09, 0, 2.205e08], [377.7, 0.02069, 0.7223, 735.4, 66.52, 13.64]),
    (0.7, [5.555e07, 1.941e06, 0, 0, 0, 8.124e06, 3.763e08, 0, 0, 0, 1.804e07, 1.406e10, 1.013e09, -4.116e08, 0, 2.889e09,
           -1.226e07, 0, 1.352e09, 0, 7.146e07], [223.9, 0.03225, 0.2587, 131.7, 17.75, 2.642]),
    (0.85, [2.727e07, 9.934e05, 0, 0, 0, 3.331e06, 2.397e08, 0, 0, 0, 1.074e07, 4.521e09, 2.661e08, -1.488e08, 0, 6.836e08,
            -4.842e06, 0, 2.431e08, 0, 2.333e07], [84.46, 0.0334, 0.1941, 31.51, 3.616, 0.6232]),
    (1, [9.18e06, 3.08e05, 0, 0, 0, 1.267e06, 8.694e07, 0, 0, 0, 3.396e06, 1.203e09, 1.373e08, -3.19e07, 0, 2.315e08,
         -3.561e06, 0, 3.64e07, 0, 6.805e06], [34.45, 0.0266, 0.2357, 12.26, 0.7574, 0.2496])]
AXIS = [(0, 0, 0, 15.59), (0.137, 0, 11.94, 13.4), (0.249, 0, 28.65, 7.191), (0.211, 0, 45.37, 3.445),
        (-0.159, 0, 62.08, 1.302), (-0.97, 0, 78.8, -0.173), (-2.1, 0, 95.51, -2.086), (-3.997, 0, 117, -1.242)]
LIMBER_ORDER = [2, 0, 1, 5, 3, 4]  # of BeamDyn's rows


class Blade:
    """What a file of BeamDyn has: place, 6x6 stiffness and mass of the stations, and key points."""

    def __init__(self):
        self.at = [s[0] for s in STATIONS]
        self.K = [numpy.zeros((6, 6)) for _ in STATIONS]
        self.M = []
        self.axis = numpy.array(AXIS, dtype=float)
        for K, (_, upper, mass) in zip(self.K, STATIONS):
            K[numpy.triu_indices(6)] = upper
            K += numpy.triu(K, 1).T
            self.M.append(mass_matrix(*mass))

    def each(self, change):
        for K, M in zip(self.K, self.M):
            change(K, M)

    def write(self, name="blade"):
        points = "".join("%.6g %.6g %.6g %.6g\n" % tuple(p) for p in self.axis)
        with open(f"{name}.dat", "w") as f:
            f.write("--- BEAMDYN INPUT FILE ---\nA blade for a test.\n1 member_total - members\n"
                    f"{len(self.axis)} kp_total - key points\n1 {len(self.axis)}\nkp_xr kp_yr kp_zr initial_twist\n(m) (m) (m) (deg)\n"
                    f'{points}5 order_elem - order\n"{name}_sections.dat" BldFile - sections\n')
        with open(f"{name}_sections.dat", "w") as f:
            f.write(f"--- BEAMDYN INDIVIDUAL BLADE INPUT FILE ---\nSections.\n{len(self.at)} station_total - stations\n"
                    "0 damp_type - damping\n--- DISTRIBUTED PROPERTIES ---\n")
            for at, K, M in zip(self.at, self.K, self.M):
                f.write(f"{at}\n" + "\n".join(" ".join("%.8e" % v for v in row) for row in [*K, *M]) + "\n")
        return f"{name}.dat"


def mass_matrix(m, x, y, about_x, about_y, product):
    M = numpy.diag([m, m, m, about_x, about_y, about_x + about_y]).astype(float)
    for i, j, v in [(0, 5, -m * y), (1, 5, m * x), (2, 3, m * y), (2, 4, -m * x), (3, 4, -product)]:
        M[i, j] = M[j, i] = v
    return M


def moved(x, y):
    """Strains at (x, y) from those at the axis."""
    T = numpy.eye(6)
    T[0, 5], T[1, 5], T[2, 3], T[2, 4] = -y, x, y, -x
    return T


def swap(A, i, j):
    order = list(range(6))
    order[i], order[j] = order[j], order[i]
    A[:] = A[numpy.ix_(order, order)]


def diagonal(A, i, j):
    A[i, i], A[j, j] = A[j, j], A[i, i]


def sign(A, *entries):
    for i, j in entries:
        A[i, j], A[j, i] = -A[i, j], -A[j, i]


def scaled(A, factors):
    A *= numpy.outer(factors, factors)


def about_tension_centre(K, M):
    T = moved(K[2, 4] / K[2, 2], -K[2, 3] / K[2, 2])  # from there to the axis
    K[:] = T.T @ K @ T


def about_another_point(K, M):  # 0.9 m towards the trailing edge
    T = moved(0, 0.9)
    K[:] = numpy.linalg.inv(T).T @ K @ numpy.linalg.inv(T)


def turn(K, M):  # axes of HAWC2: x along the chord
    R = numpy.array([[0, 1, 0], [-1, 0, 0], [0, 0, 1]])
    T = numpy.kron(numpy.eye(2), R)
    K[:], M[:] = T @ K @ T.T, T @ M @ T.T


def coordinates_of_mass(K, M):
    m, x, y = M[0, 0], M[1, 5] / M[0, 0], -M[0, 5] / M[0, 0]
    for i, j, v in [(0, 5, -m * x), (1, 5, m * y), (2, 3, m * x), (2, 4, -m * y)]:
        M[i, j] = M[j, i] = v


def only_lower(K, M):
    K[3, 2] = -K[3, 2]


# How the file is spoilt; the names of the findings; what the first one says.
MISTAKES = {
    "flap and edge stiffness": (lambda K, M: diagonal(K, 3, 4), ["bending-swapped"], "the two bending stiffnesses are swapped"),
    "shear stiffnesses": (lambda K, M: diagonal(K, 0, 1), ["shear-swapped"], "the two shear stiffnesses are swapped"),
    "inertias": (lambda K, M: diagonal(M, 3, 4), ["inertia-swapped"], "the two inertias are swapped"),
    "sign of the mass centre": (lambda K, M: sign(M, (0, 5), (1, 5), (2, 3), (2, 4)), ["centres-apart"],
                                "one of them has a wrong sign or swapped coordinates (K34 and K35, or M16, M26, M34 and M35)"),
    "sign of the tension centre": (lambda K, M: sign(K, (2, 3), (2, 4)), ["centres-apart"], "has its tension centre at (-0.0073"),
    "coordinates of the mass centre": (coordinates_of_mass, ["mass-centre-swapped"],
                                       "are the two coordinates of the mass centre swapped?"),
    "order of Limber and VABS": (lambda K, M: K.__setitem__(slice(None), K[numpy.ix_(LIMBER_ORDER, LIMBER_ORDER)].copy()),
                                 ["order"],
                                 "it looks like that of Limber and VABS, axial, shear 2, shear 3, torsion"),
    "axes of HAWC2": (turn, ["axes-swapped"], "its axes are swapped; turn the matrices by 90 degrees about z"),
    "kN": (lambda K, M: K.__imul__(1e-3), ["units"], "is it in kN?"),
    "mass in t": (lambda K, M: M.__imul__(1e-3), ["units"], "is the mass in t?"),
    "N mm2": (lambda K, M: scaled(K, [1, 1, 1, 1e3, 1e3, 1e3]), ["radii"], "check their units, m and not mm"),
    "no shear stiffness": (lambda K, M: (K[:2].fill(0), K[:, :2].fill(0)), ["without-shear"],
                           "has no shear stiffness along x and y: give it one"),
    "polar inertia": (lambda K, M: M.__setitem__((5, 5), M[3, 3]), ["polar-inertia"], "which must be the sum of"),
    "about the elastic centre": (about_tension_centre, ["about-tension-centre"], "It must be about the axis"),
    "about another point": (about_another_point, ["centres-apart"], "stiffness and inertia are about different points"),
    "a coupling in N mm": (lambda K, M: sign(K.__setitem__((2, 3), 1e3 * K[2, 3]) or K, (2, 3)) or
                           K.__setitem__((3, 2), K[2, 3]), ["not-definite"], "the coupling K34 = "),
    "a sign in the lower triangle": (only_lower, ["asymmetric"], "is not symmetric"),
    "one sign in the mass matrix": (lambda K, M: sign(M, (2, 3)), ["mass-matrix"], "contradict each other"),
    "torsion and bending": (lambda K, M: diagonal(K, 3, 5), ["torsion-above-bending"], "the order is shear x, shear y, axial"),
}


def warnings(section):
    return [f for f in section["findings"] if f["level"] == "warning"]


def report(*words):
    said = limber("section", *words, "--json")
    assert said.code == 0, said.err
    return json.loads(said.out)["sections"][0]


def test_nothing_is_wrong_in_the_good_blade():
    section = report(Blade().write("good"))
    assert warnings(section) == []
    assert [f["name"] for f in section["findings"]] == ["round"] and section["findings"][0]["stations"] == [1]


# Files that are published, with what is peculiar about them.
PUBLISHED = {"iea_15mw_blade/IEA-15-240-RWT_BeamDyn.dat": ["asymmetric", "round"], "iea_15mw_blade/IEA-15-240-RWT_windIO.yaml": ["round"],
             "iea_15mw_blade/blade.htc": ["round"], "iea_15mw_blade/IEA_15MW_RWT_Blade_st_FPM.st": ["round"],
             "iea_22mw_blade/IEA-22-280-RWT_BeamDyn.dat": ["round"],
             "nrel_5mw_blade/NRELOffshrBsline5MW_BeamDyn.dat": ["round", "shear-chosen"],
             "static_beamdyn/bd_static_twisted_with_k1/bd_primary.inp": [], "static_beamdyn/bd_curved_beam/bd_primary.inp": []}


@pytest.mark.parametrize("name", PUBLISHED)
def test_nothing_is_wrong_in_files_that_are_published(name):
    section = report(source / "examples" / name)
    assert warnings(section) == [] and [f["name"] for f in section["findings"]] == PUBLISHED[name]


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_spoilt_blade_is_told(mistake):
    spoil, names, text = MISTAKES[mistake]
    blade = Blade()
    blade.each(spoil)
    found = warnings(report(blade.write("spoilt")))
    assert found, "nothing is told"
    assert text in found[0]["text"]
    assert [f["name"] for f in found] == names
    assert set(found[0]["stations"]) >= {2, 3, 4, 5, 6, 7}  # the root is round


@pytest.mark.parametrize("change, name, text", [
    (lambda twist: numpy.radians(twist), "twist-unit", "turns by only 0.31 degrees between root and tip: in BeamDyn twist is in degrees"),
    (lambda twist: numpy.degrees(twist), "twist-unit", "turns by 1013 degrees between root and tip"),
    (lambda twist: -twist, "twist-sign", "in BeamDyn the twist of a blade falls towards the tip; change its sign"),
    (lambda twist: twist + [0, 0, 60, 0, 0, 0, 0, 0], "twist-jump", "look for one that is wrong")])
def test_a_spoilt_twist_is_told(change, name, text):
    blade = Blade()
    blade.axis[:, 3] = change(blade.axis[:, 3])
    found = warnings(report(blade.write("twisted")))
    assert [f["name"] for f in found] == [name] and text in found[0]["text"]


def test_stations_of_a_finding_are_named():
    blade = Blade()
    for i in (2, 3, 5):
        blade.M[i][5, 5] *= 0.5
    said = limber("section", blade.write("some"))
    assert said.code == 0 and said.err == ""
    text = " ".join(said.out.split())
    assert "warning: stations 3 to 4, 6 of 7: the section has an inertia of 400.96 about z, which must be the sum of 735.4 and 66.52" in text
    assert "remark: station 1 of 7: the section is nearly circular" in text


def angle(a, b, c):
    """Of the axis of the smaller eigenvalue of [a b; b c], from the second axis about e1, in degrees."""
    values, vectors = numpy.linalg.eigh([[a, b], [b, c]])
    found = numpy.degrees(numpy.arctan2(*vectors[::-1, 0])) - 90
    return found - 180 * round(found / 180)


def test_centres_and_stiffnesses_are_those_of_the_matrices():
    blade = Blade()
    section = report(blade.write("centres"))
    assert (section["axes"], section["along"], section["angles_from"]) == (["x", "y"], "z", "y")
    for K, M, s in list(zip(blade.K, blade.M, section["stations"]))[1:]:
        # this blade has no coupling of shear and bending: all follows from blocks of three
        tension = [-K[2, 4] / K[2, 2], K[2, 3] / K[2, 2]]
        bending = K[3:5, 3:5] - numpy.outer(K[2, 3:5], K[2, 3:5]) / K[2, 2]
        shear = numpy.linalg.solve(K[:2, :2], K[:2, 5])  # (-y, x)
        torsion = K[5, 5] - K[:2, 5] @ shear
        m, x, y = M[0, 0], M[1, 5] / M[0, 0], -M[0, 5] / M[0, 0]
        assert numpy.allclose(s["tension_centre"], tension, rtol=1e-9)
        assert numpy.allclose(s["shear_centre"], [shear[1], -shear[0]], rtol=1e-9)
        assert numpy.allclose(s["mass_centre"], [x, y], rtol=1e-7)  # as many digits as were written
        assert numpy.allclose([s["EA"], s["GJ"], s["mass"]], [K[2, 2], torsion, m], rtol=1e-9)
        assert numpy.allclose(s["EI"], numpy.linalg.eigvalsh(bending), rtol=1e-9)
        assert numpy.allclose(s["GA"], numpy.linalg.eigvalsh(K[:2, :2]), rtol=1e-9)
        assert abs(s["bending_angle"] - angle(bending[0, 0], bending[0, 1], bending[1, 1])) < 1e-6
        inertia = angle(M[3, 3] - m * y * y, M[3, 4] + m * x * y, M[4, 4] - m * x * x)
        assert abs(s["inertia_angle"] - inertia) < 1e-4
    assert section["stations"][0]["bending_angle"] is None


def test_totals_are_integrals_along_the_axis():
    blade = Blade()
    blade.axis[:, [0, 1, 3]] = 0  # straight, without twist
    for M, (_, _, mass) in zip(blade.M, STATIONS):
        M[:] = mass_matrix(mass[0], 0.1, 0.2, mass[3], mass[4], mass[5])
    section = report(blade.write("straight"))
    m, s = [M[0, 0] for M in blade.M], 117 * numpy.array(blade.at)
    mass = numpy.trapz(m, s)
    moment = sum((b - a) * (a * (2 * p + q) + b * (p + 2 * q)) / 6 for a, b, p, q in zip(s, s[1:], m, m[1:]))
    assert abs(section["length"] - 117) < 1e-9 and abs(section["mass"] / mass - 1) < 1e-9
    assert numpy.allclose(section["mass_centre"], [0.1, 0.2, moment / mass], rtol=1e-3)


HTC = """begin new_htc_structure ;
  begin main_body ;
    name blade1 ;
    begin timoschenko_input ;
      filename blade.st ;
      set 1 1 ;
    end timoschenko_input ;
    begin c2_def ;
      nsec 4 ;
{sections}    end c2_def ;
  end main_body ;
end new_htc_structure ;
"""


def hawc2(twist, swap_inertia=False):
    """A blade of HAWC2 with the 19 columns; tension centre, shear centre, mass centre and pitch are columns."""
    with open("blade.htc", "w") as f:
        f.write(HTC.format(sections="".join(f"      sec {i + 1} 0 0 {20 * i} {t} ;\n" for i, t in enumerate(twist))))
    with open("blade.st", "w") as f:
        f.write("1 ; sets\n#1 ; set\nr m x_cg ...\n$1 4\n")
        for r, m in zip((0, 20, 40, 60), (400, 300, 200, 100)):
            ri = (0.9, 0.2) if swap_inertia else (0.2, 0.9)
            f.write(f"{r} {m} 0.30 0.04 {ri[0]} {ri[1]} 0.45 0.03 2e10 3e9 0.004 0.06 0.003 0.6 0.3 0.1 2.5 0.35 0.02\n")
    return "blade.htc"


def test_a_blade_of_HAWC2_is_told_in_its_own_axes():
    section = report(hawc2([-12, -8, -3, 0]))
    assert warnings(section) == [] and (section["program"], section["axes"], section["angles_from"]) == ("HAWC2", ["x", "y"], "x")
    for s in section["stations"]:
        assert numpy.allclose(s["tension_centre"], [0.35, 0.02], atol=1e-9)
        assert numpy.allclose(s["shear_centre"], [0.45, 0.03], atol=1e-9)
        assert numpy.allclose(s["mass_centre"], [0.30, 0.04], atol=1e-9)
        assert abs(s["bending_angle"] - 2.5) < 1e-9
        assert numpy.allclose(s["EI"], [8e7, 1.2e9]) and numpy.allclose([s["EA"], s["GJ"]], [2e9, 9e6])


def test_a_round_root_of_HAWC2_has_no_pitch():
    hawc2([-12, -8, -3, 0])
    text = open("blade.st").read().replace("0.004 0.06", "0.06 0.06", 1)
    write("blade.st", text)
    section = report("blade.htc")
    assert section["stations"][0]["bending_angle"] is None and section["stations"][1]["bending_angle"] is not None
    remark = [f for f in section["findings"] if f["name"] == "round"][0]
    assert remark["stations"] == [1] and "principal axes, `pitch` in the file, has no meaning" in remark["text"]


def test_mistakes_in_a_blade_of_HAWC2_are_told():
    found = warnings(report(hawc2([12, 8, 3, 0])))
    assert [f["name"] for f in found] == ["twist-sign"] and "in HAWC2 the twist of a blade rises towards the tip" in found[0]["text"]
    found = warnings(report(hawc2([-12, -8, -3, 0], swap_inertia=True), "--gyration", "mass_centre"))
    assert [f["name"] for f in found] == ["inertia-swapped"]
    assert found[0]["text"].startswith("is wide along y by its inertias, but along x by its shear and bending stiffness")


def windio(blade, twist=numpy.radians, chord=5.0):
    """Version 1 of WindIO, whose twist is in radians."""
    grid = (blade.axis[:, 2] / 117).tolist()
    upper = numpy.triu_indices(6)

    def along(values, places=grid):
        return json.dumps({"grid": list(places), "values": numpy.asarray(values).tolist()})
    with open("turbine.yaml", "w") as f:
        f.write(f"""name: a turbine
windIO_version: 1.0
components:
  blade:
    outer_shape_bem: {{chord: {along([chord] * len(grid))}}}
    elastic_properties_mb:
      six_x_six:
        reference_axis: {{x: {along(blade.axis[:, 0])}, y: {along(blade.axis[:, 1])}, z: {along(blade.axis[:, 2])}}}
        twist: {along(twist(blade.axis[:, 3]))}
        stiff_matrix: {along([K[upper] for K in blade.K], blade.at)}
        inertia_matrix: {along([M[upper] for M in blade.M], blade.at)}
""")
    return "turbine.yaml"


def test_a_blade_of_WindIO_is_told_in_parts_of_its_chord():
    section = report(windio(Blade()))
    assert warnings(section) == [] and section["program"] == "WindIO"
    assert section["stations"][3]["chord"] == 5
    said = limber("section", "turbine.yaml")
    assert "In % of the chord from the reference axis, not from the leading edge; x towards the suction side, y towards the trailing edge:" \
        in said.lines
    row = [line for line in said.lines if line.split()[:1] == ["4"]][-1].split()
    assert row[3:] == ["5.0000", "5.53", "0.15", "-1.68", "0.83", "14.45", "0.41"]


def test_mistakes_in_a_blade_of_WindIO_are_told():
    found = warnings(report(windio(Blade(), twist=lambda t: t)))
    assert [f["name"] for f in found] == ["twist-unit"]
    assert "in WindIO twist is in degrees in version 2 of the format and radians in version 1" in found[0]["text"]
    blade = Blade()
    blade.each(turn)  # as the description of version 2 has it, x towards the trailing edge
    assert [f["name"] for f in warnings(report(windio(blade)))] == ["axes-swapped"]
    found = warnings(report(windio(Blade(), chord=0.5)))
    assert [f["name"] for f in found] == ["centre-outside"] and found[0]["stations"] == [2, 3, 4]


def test_what_a_tower_has_is_told_and_what_it_lacks():
    write("tower.yaml", """windIO_version: '2.0'
components:
  tower:
    reference_axis: {x: {grid: [0, 1], values: [0, 0]}, y: {grid: [0, 1], values: [0, 0]}, z: {grid: [0, 1], values: [15, 145]}}
    structure:
      elastic_properties:
        inertia_matrix: {grid: [0, 1], mass: [10000, 4000], i_edge: [1e5, 3e4], i_flap: [1e5, 3e4], i_plr: [2e5, 6e4]}
        stiffness_matrix: {grid: [0, 1], K44: [3e12, 5e11], K55: [3.3e12, 6e11], K66: [2.4e12, 4e11]}
""")
    section = report("tower.yaml", "--part", "tower")
    assert [f["name"] for f in warnings(section)] == ["without-axial", "without-shear"]
    first = section["stations"][0]
    assert numpy.allclose(first["EI"], [3e12, 3.3e12]) and numpy.allclose(first["GJ"], 2.4e12)
    assert first["EA"] is None and first["GA"] == first["tension_centre"] == first["shear_centre"] == [None, None]
    assert abs(section["length"] - 130) < 1e-9 and abs(section["mass"] - 910000) < 1e-6
    assert limber("section", "tower.yaml", "--part", "tower").lines[0] == "tower.yaml, tower: WindIO, 2 stations"


def test_what_is_not_read_is_told():
    blade = Blade().write("modal")
    text = open("modal_sections.dat").read()
    write("modal_sections.dat", text.replace("0 damp_type", "2 damp_type"))
    assert any(line.startswith("  not read      damping by modes (damp_type 2)") for line in limber("section", blade).lines)


def model(blade, order=range(6)):
    """The sections in a model, in Limber's order of BeamDyn's rows, or as they are."""
    stations = []
    for at, K, M in zip(blade.at, blade.K, blade.M):
        i = [k - 3 for k in LIMBER_ORDER[3:]]
        stations.append({"at": at, "stiffness": K[numpy.ix_(order, order)].tolist(), "mass": M[0, 0],
                         "centre": [M[1, 5] / M[0, 0], -M[0, 5] / M[0, 0]], "inertia": M[3:, 3:][numpy.ix_(i, i)].tolist()})
    with open("model.yaml", "w") as f:
        f.write("limber: 1\nnodes: {root: [0, 0, 0], tip: [0, 0, 117]}\nsections:\n"
                f"  spar: {json.dumps(stations)}\n"
                "  strip: {stiffness: [1e6, 4e5, 4e5, 80, 400, 100], mass: 1, inertia: [5e-4, 4e-4, 1e-4]}\n"
                "elements: [{beam: {name: blade, from: root, to: tip, section: spar, up: [1, 0, 0], elements: 4}}]\n"
                "joints: [{clamp: {node: root}}]\nrun: {step: 1 ms, end: 1 s}\n")
    return "model.yaml"


def test_sections_of_a_model_are_told():
    sections = json.loads(limber("section", model(Blade(), LIMBER_ORDER), "--json").out)["sections"]
    assert [s["name"] for s in sections] == ["spar", "strip"]
    spar, strip = sections
    blade = report(Blade().write("same"))
    assert warnings(spar) == [] and spar["axes"] == ["e2", "e3"] and spar["angles_from"] == "e3"
    assert abs(spar["length"] - 117) < 1e-9 and strip["length"] is None
    for a, b in zip(spar["stations"], blade["stations"]):
        for name in ("EA", "GJ", "EI", "GA", "tension_centre", "shear_centre", "mass_centre"):
            assert numpy.allclose(a[name], b[name], rtol=1e-6, atol=1e-9), name
    assert numpy.allclose(strip["stations"][0]["EI"], [100, 400], rtol=1e-12)
    said = limber("section", "model.yaml", "--name", "spare")
    assert said.code == 2 and said.err == "limber section: the model has no section 'spare'; did you mean 'spar'?"


def test_check_warns_with_the_same_words():
    model(Blade())  # in BeamDyn's order
    found = warnings(json.loads(limber("section", "model.yaml", "--json").out)["sections"][0])
    assert "it looks like that of BeamDyn, shear x, shear y, axial, bending about x" in found[0]["text"]
    said = limber("check", "model.yaml")
    assert said.code == 0
    for f, stations in zip(found, ("all 7 stations", "stations 2 to 7 of 7")):
        assert f"warning: section 'spar', {stations}, {f['text']}" in said.err


def test_check_warns_of_a_file_that_a_model_reads():
    blade = Blade()
    blade.axis[:, 3] *= -1
    blade.each(lambda K, M: diagonal(K, 3, 4))
    found = warnings(report(blade.write("read")))
    assert [f["name"] for f in found] == ["bending-swapped", "twist-sign"]
    write("reads.yaml", "limber: 1\nnodes: {root: [0, 0, 0]}\njoints: [{clamp: {node: root}}]\n"
                        "elements: [{beam: {name: blade, from: root, from_file: {beamdyn: read.dat}}}]\n")
    said = limber("check", "reads.yaml")
    assert said.code == 0 and said.err.count("warning:") == 2
    assert f"warning: section 'blade', stations 2 to 7 of 7, {found[0]['text']}" in said.err
    assert f"warning: section 'blade' {found[1]['text']}" in said.err


def test_a_picture_is_drawn_along_the_span():
    blade = Blade().write("drawn")
    for ending, first in (("svg", b"<svg"), ("png", b"\x89PNG"), ("pdf", b"%PDF")):
        said = limber("section", blade, "--picture", f"drawn.{ending}")
        assert said.code == 0 and said.lines[-1] == f"drawn.{ending}"
        assert open(f"drawn.{ending}", "rb").read(9).startswith(first)
    text = open("drawn.svg").read()
    for name in ("tension centre", "shear centre", "mass centre", "angle from y", "along the axis"):
        assert name in text
    said = limber("section", blade, "--picture", "drawn.gif")
    assert said.code == 2 and "a picture ends in .png, .svg or .pdf" in said.err
    model(Blade(), LIMBER_ORDER)
    said = limber("section", "model.yaml", "-n", "strip", "-p", "strip.svg")
    assert said.code == 2 and "a picture needs a section with several stations" in said.err


def test_files_that_cannot_be_read_are_told():
    said = limber("section", "nowhere.dat")
    assert said.code == 2 and said.err == "limber section: cannot read 'nowhere.dat': No such file or directory"
    with open("other.txt", "w") as f:
        f.write("What is this?\n")
    said = limber("section", "other.txt")
    assert said.code == 2 and "other.txt:1:1: error: the format of the file is not recognised" in said.err
    blade = Blade().write("lost")
    said = limber("section", blade, "--format", "nastran")
    assert said.code == 2 and "there is no format 'nastran'; there are beamdyn" in said.err
    said = limber("section", blade, "--name", "spar")
    assert said.code == 2 and "--name is of a model" in said.err


def test_two_processes_print_once():
    blade = Blade().write("twice")
    one, two = limber("section", blade), limber("section", blade, ranks=2)
    assert one.code == two.code == 0 and one.out == two.out and two.out.count("7 stations") == 1


def vabs(K, M):
    def rows(A):
        return "\n".join(" ".join("%.10E" % v for v in row) for row in A)
    write("box.K", f"""
 The 6X6 Mass Matrix
 ========================================================
{rows(M)}

 Timoshenko Stiffness Matrix (1-extension; 2,3-shear, 4-twist; 5,6-bending)
 ========================================================
{rows(K)}
""")
    return "box.K"


def test_a_section_of_VABS_is_told():
    K = Blade().K[3][numpy.ix_(LIMBER_ORDER, LIMBER_ORDER)]
    M = Blade().M[3][numpy.ix_(LIMBER_ORDER, LIMBER_ORDER)]
    section = report(vabs(K, M))
    assert warnings(section) == [] and section["program"].startswith("VABS") and section["axes"] == ["x2", "x3"]
    assert numpy.allclose(section["stations"][0]["tension_centre"], [1.458e8 / 1.992e10, 5.511e9 / 1.992e10])
    found = warnings(report(vabs(Blade().K[3], M)))
    assert found[0]["name"] == "order" and "it looks like that of BeamDyn" in found[0]["text"]


def test_files_of_others_are_not_overwritten():
    blade = Blade().write("kept")
    write("mine.svg", "mine\n")
    said = limber("section", blade, "-p", "mine.svg")
    assert said.code == 2 and "is not overwritten; --force overwrites it" in said.err
    assert limber("section", blade, "-p", "mine.svg", "--force").code == 0
    assert limber("section", blade, "-p", "mine.svg").code == 0  # its own it may


def test_what_cannot_be_printed_is_an_error():
    with open("/dev/full", "w") as full:
        done = subprocess.run(command("section", Blade().write("full")), env=environment(), stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 3 and "cannot write to stdout" in done.stderr
