# SPDX-License-Identifier: Apache-2.0
"""limber section: centres and principal axes of blade files and models; each way to spoil a file is told, a good file is not
complained of. The blade is that of the IEA 15 MW reference turbine (Apache-2.0) at seven stations, rounded to four digits."""
import json

import numpy
import pytest
from support import limber, source

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
    "N mm2": (lambda K, M: scaled(K, [1, 1, 1, 1e3, 1e3, 1e3]), ["radii"], "look at their units, m and not mm"),
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


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_spoilt_blade_is_told(mistake):
    spoil, names, text = MISTAKES[mistake]
    blade = Blade()
    blade.each(spoil)
    found = warnings(report(blade.write("spoilt")))
    assert found, "nothing is told"
    assert text in found[0]["text"]
    assert [f["name"] for f in found] == names
    assert len(found[0]["stations"]) >= 4
