# SPDX-License-Identifier: Apache-2.0
"""Bodies of cells for random mechanisms, moving as one at the start, and what ties them to the rest."""
import numpy as np

TETRAHEDRA = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)]
EDGES = [(0, 1), (1, 2), (0, 2), (0, 3), (1, 3), (2, 3)]  # in whose middle the other nodes of a cell of ten stand
SHEET = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]


class Cells:
    """Places of a cell's own axes, mapped to a body that moves."""

    def __init__(self, m, name):
        n = m.n
        self.m, self.name, self.names = m, name, []
        self.centre = n.unit() * n.spread(0.5, 3)
        self.map = n.axes() @ np.diag([n.between(0.1, 0.6) for _ in range(3)])
        self.velocity, self.angular_velocity = n.unit() * n.spread(0.1, 5), n.unit() * n.spread(0.1, 10)

    def add(self, place):
        at = self.centre + self.map @ np.array(place, float)
        name = f"{self.name}x{len(self.names)}"
        self.names.append(name)
        self.m.nodes[name] = {"at": at, "kind": "point", "velocity": self.velocity + np.cross(self.angular_velocity, at - self.centre)}
        return name


def tetrahedra(c):
    a = [c.add(x) for x in TETRAHEDRA]
    return [{"tetrahedron": a[:4]}, {"tetrahedron": [a[1], a[4], a[2], a[3]]}]


def tetrahedron_10(c):
    corner = [np.array(x, float) for x in TETRAHEDRA[:4]]
    places = corner + [(corner[i] + corner[j]) / 2 for i, j in EDGES]
    return [{"tetrahedron_10": [c.add(x) for x in places]}]


def hexahedron_20(c):
    corner = [np.array((x, y, z), float) for z in range(2) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))]
    edges = [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7)]
    return [{"hexahedron_20": [c.add(x) for x in corner + [(corner[i] + corner[j]) / 2 for i, j in edges]]}]


def hexahedra(c, count):
    at = {(x, y, z): c.add((x, y, z)) for x in range(count + 1) for y in range(2) for z in range(2)}
    face = [(0, 0), (1, 0), (1, 1), (0, 1)]
    return [{"hexahedron": [at[x + dx, y, z] for z in range(2) for dx, y in face]} for x in range(count)]


def add_solid(m):
    n = m.n
    name, material = f"so{len(m.elements)}", f"m{len(m.materials)}"
    m.materials[material] = {"E": n.spread(1e4, 1e10), "nu": n.between(0.05, 0.45), "density": n.spread(500, 3000),
                             "law": n.one(["linear", "neo_hookean"])}
    kind = n.one(["tetrahedra", "tetrahedron_10", "hexahedra", "hexahedron_20", "enhanced", "shell", "triangles", "quadrilateral", "plane_beam"])
    m.tags.add(kind)
    c = Cells(m, name)
    d = {"name": name, "material": material}
    if n.chance(0.4):
        d["damping"] = n.spread(1e-5, 1e-1)
    if kind == "enhanced":
        d["hexahedra"] = "enhanced"
    if kind in ("shell", "plane_beam", "enhanced"):
        m.materials[material]["law"] = "linear"
    if kind == "plane_beam":
        d.update(start=c.centre, end=c.centre + np.array([n.between(0.3, 2), 0, 0]), across=[0, 1, 0], depth=n.spread(0.01, 0.2),
                 width=n.spread(0.01, 0.1), elements=n.one([2, 4, 6]))
        if n.chance(0.4):
            d["inertia"] = "consistent"
        m.elements.append(("plane_beam", d))
        c.names = [f"{name}.start-below", f"{name}.end-above"]
    elif kind in ("triangles", "quadrilateral"):
        a = [c.add(x) for x in SHEET]
        mesh = [{"quadrilateral": a}] if kind == "quadrilateral" else [{"triangle": [a[0], a[1], a[2]]}, {"triangle": [a[0], a[2], a[3]]}]
        m.elements.append(("membrane", {**d, "mesh": mesh, "thickness": n.spread(1e-3, 0.05), "plane": n.one(["stress", "strain"])}))
    else:
        if kind == "shell":
            c.map = c.map @ np.diag([1, 1, 0.1])
        make = {"tetrahedra": tetrahedra, "tetrahedron_10": tetrahedron_10, "hexahedron_20": hexahedron_20}.get(kind)
        mesh = make(c) if make else hexahedra(c, n.one([1, 2]))
        m.elements.append(("solid_shell" if kind == "shell" else "solid", {**d, "mesh": mesh}))
    tie_solid(m, c, name)


def tie_solid(m, c, name):
    """A spring, a link, a bolt, a point that others carry, or points that are made rigid; or it flies."""
    n = m.n
    node, way = n.one(c.names), n.r.random()
    frames = [b for b in m.kind if m.kind[b] == "rigid"]
    if way < 0.25:
        m.elements.append(("spring", {"name": "sp" + name, "nodes": [m.fixed(c.centre + n.unit()), node], "stiffness": n.spread(1, 1e5)}))
    elif way < 0.45:
        m.joints.append(("distance", {"name": "di" + name, "nodes": ["ground", node]}))
        m.tags.add("distance")
    elif way < 0.65:
        m.joints.append(("rigid_tie", {"name": "bo" + name, "body": n.one(frames) if frames else "ground", "node": node}))
        m.tags.add("rigid_tie")
    elif way < 0.75 and len(c.names) > 2:
        a, b = c.names[0], c.names[1]
        at = (m.nodes[a]["at"] + m.nodes[b]["at"]) / 2
        m.nodes[name + "c"] = {"at": at, "kind": "point", "velocity": (m.nodes[a]["velocity"] + m.nodes[b]["velocity"]) / 2}
        m.elements.append(("mass", {"name": "m" + name, "node": name + "c", "mass": n.spread(0.01, 1)}))
        m.joints.append(("multipoint_constraint", {"name": "ca" + name, "node": name + "c", "reference": [a, b]}))
        m.tags.add("multipoint_constraint")
    elif way < 0.85 and len(c.names) > 2:
        m.joints.append(("rigid_points", {"name": "ri" + name, "nodes": c.names[:2]}))
        m.tags.add("rigid_points")
