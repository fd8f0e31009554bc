# SPDX-License-Identifier: Apache-2.0
"""Random mechanisms of everything in the catalogue, each from its seed: bodies, what ties them, solids, loads."""
import numpy as np

from pieces import Numbers, flow, function, law, section
from solids import add_solid

COORDINATES = {
    "revolute": ["angle"], "cylindrical": ["angle", "slide"], "prismatic": ["slide"], "screw": ["angle"],
    "universal": ["angle1", "angle2"], "planar": ["angle", "slide1", "slide2"], "point_on_line": ["slide"],
    "point_in_plane": ["slide1", "slide2"]}
LINES = ["actuator", "spring", "cable", "bar"]


class Mechanism:
    """Parts of a model file. `kind` of a body: rigid, simplex or point; `active`: loads do work that is in no potential."""

    def __init__(self, seed, end):
        self.n = Numbers(seed)
        self.end = end
        self.nodes, self.materials, self.sections = {}, {}, {}
        self.elements, self.joints, self.loads = [], [], []
        self.kind, self.place, self.coordinates, self.beams = {}, {}, [], []
        self.motion = None
        self.tags, self.active = set(), False
        self._build()
        self._around(Numbers(f"around {seed}"))
        self._blow(Numbers(f"air {seed}"))

    # ---- bodies ----

    def _name(self, letter):
        return f"{letter}{len(self.nodes) + len(self.elements) + len(self.joints)}"

    def body(self):
        n = self.n
        name = self._name("B")
        base = n.one(list(self.place.values())) if self.place else np.zeros(3)
        at = base + n.unit() * n.spread(0.2, 2)
        kind = n.one(["rigid", "simplex", "point"], [6, 2, 2])
        mass = n.spread(0.02, 50)
        getattr(self, "_" + kind)(name, at, mass, n.unit() * n.spread(0.1, 10), n.unit() * n.spread(0.1, 20))
        self.kind[name], self.place[name] = kind, at
        self.tags.add(kind)
        return name

    def _rigid(self, name, at, mass, velocity, angular):
        n = self.n
        node = {"at": at}
        if n.chance(0.4):
            node["axes"] = n.axes().T
        elif n.chance(0.2):
            node["rotate"] = {"about": n.unit(), "by": n.between(-3, 3)}
        if n.chance(0.5):
            node["velocity"] = velocity
        if n.chance(0.5):
            node["angular_velocity"] = angular
        self.nodes[name] = node
        if n.chance(0.1):
            self.elements.append(("mass", {"name": "m" + name, "node": name, "mass": 0.3 * mass}))
        size = n.spread(0.05, 1)
        e = np.array([n.between(0.05, 1) for _ in range(3)]) * size * size * mass / 12
        inertia = np.array([e[1] + e[2], e[0] + e[2], e[0] + e[1]])
        if n.chance(0.4):
            q = n.axes()
            inertia = q @ np.diag(inertia) @ q.T
            inertia = (inertia + inertia.T) / 2
        body = {"name": "b" + name, "node": name, "mass": mass, "inertia": inertia}
        if n.chance(0.4):
            body["centre"] = n.unit() * size * 0.3
        self.elements.append(("rigid_body", body))

    def _simplex(self, name, at, mass, velocity, angular):
        n = self.n
        body = {"name": name, "centre": at, "mass": mass, "box": [n.between(0.05, 0.6) for _ in range(3)]}
        if n.chance(0.5):
            body["axes"] = n.axes().T
        if n.chance(0.6):
            body["velocity"], body["angular_velocity"] = velocity, angular
        way = n.r.random()
        if way < 0.25:
            body["stiffness"], body["nu"] = n.spread(1e4, 1e10), n.between(0, 0.4)
            self.tags.add("pseudo-rigid")
        elif way < 0.55:
            body["enforcement"] = "penalty" if way < 0.4 else "augmented"
            body["penalty"] = n.spread(1e3, 1e8) * mass
            self.tags.add(body["enforcement"])
        self.elements.append(("simplex_body", body))

    def _point(self, name, at, mass, velocity, _):
        self.nodes[name] = {"at": at, "kind": "point"}
        if self.n.chance(0.6):
            self.nodes[name]["velocity"] = velocity
        self.elements.append(("mass", {"name": "b" + name, "node": name, "mass": mass}))

    def fixed(self, at):
        """A place of the ground."""
        name = self._name("g")
        self.nodes[name] = {"at": at, "kind": "fixed"}
        return name

    # ---- what ties two bodies ----

    def _kinds(self, a, b, loop):
        first = "rigid" if a == "ground" else self.kind[a]
        second = self.kind[b]
        whole = [k in ("rigid", "simplex") for k in (first, second)]
        lines = [] if "simplex" in (first, second) else LINES
        if all(whole):
            kinds = ["spherical", "revolute", "revolute", "cylindrical", "prismatic", "screw", "universal", "planar", "point_on_line",
                     "point_in_plane", "distance", "weld"] + lines
            if first == second == "rigid":
                kinds += ["bushing", "beam", "beam", "beam"]
        elif whole[0]:
            kinds = ["spherical", "point_on_line", "point_in_plane", "distance"] + lines
        else:
            kinds = ["distance"] + lines
        few = LINES + ["distance", "point_in_plane", "point_on_line", "spherical", "bushing", "beam", "planar"]
        return [k for k in kinds if k in few] if loop else kinds

    def tie(self, a, b, loop=False):
        n = self.n
        kind, name = n.one(self._kinds(a, b, loop)), self._name("j")
        self.tags.add(kind)
        start = np.zeros(3) if a == "ground" else self.place[a]
        end = self.place[b]
        if a == "ground" and kind in ("spring", "cable", "bar", "bushing", "beam"):
            start = start + n.unit() * 0.05
            a = self.fixed(start)
        if hasattr(self, "_" + kind):
            getattr(self, "_" + kind)(name, a, b, start, end)
        else:
            self._joint(kind, name, a, b, start, end)

    def _joint(self, kind, name, a, b, start, end):
        n = self.n
        axis = n.unit()
        joint = {"name": name, "nodes": [a, b]}
        if kind not in ("weld", "distance"):
            if kind != "spherical":
                joint["axis"] = axis
            if self.kind[b] != "point":
                joint["at"] = end if n.chance(0.3) else start + (end - start) * n.r.random() + n.unit() * 0.1 * n.r.random()
        if kind == "distance" and (a == "ground" or self.kind[a] != "point") and n.chance(0.4):
            joint["from"] = start + n.unit() * 0.1
        if kind == "universal":
            joint["second_axis"] = n.across(axis)
        if kind == "screw":
            joint["pitch"] = n.spread(0.01, 2) * n.one([-1, 1])
        for c in COORDINATES.get(kind, []):
            along = law(n, self.tags, "angle" in c) if n.chance(0.6) else {}
            if along:
                joint[c] = along
        if kind in COORDINATES:
            self.coordinates.append((name, COORDINATES[kind]))
        self.joints.append((kind, joint))

    def _actuator(self, name, a, b, _, __):
        along = law(self.n, self.tags, False)
        self.joints.append(("actuator", {"name": name, "nodes": [a, b], **({"slide": along} if along else {})}))
        self.coordinates.append((name, ["slide"]))

    def _spring(self, name, a, b, start, end):
        n = self.n
        length = np.linalg.norm(end - start)
        d = {"name": name, "nodes": [a, b], **law(n, self.tags, False, 10.0)}
        d.pop("initial_rate", 0)
        d.pop("friction", 0)
        if "rest" in d:
            d["rest"] = length * n.between(0.3, 1.5)
        if "limits" in d:
            d["limits"] = [length * n.between(0.3, 0.9), length * n.between(1.1, 2)]
        if not set(d) & {"stiffness", "table", "damping", "limits"}:
            d["stiffness"] = n.spread(1, 1e6)
        if "stiffness" in d and not set(d) & {"rest", "clearance"}:
            choice = n.r.random()
            if choice < 0.3:
                d["preload"] = n.between(-0.2, 0.2) * length * d["stiffness"]
            elif choice < 0.5:
                d["side"] = n.one(["tension", "compression"])
                self.tags.add("side")
        self.elements.append(("spring", d))

    def _bar(self, name, a, b, start, end):
        n = self.n
        d = {"name": name, "nodes": [a, b], "stiffness": n.spread(1e2, 1e9), "mass": n.spread(0.01, 5)}
        if n.chance(0.3):
            d["length"] = np.linalg.norm(end - start) * n.between(0.8, 1.2)
        if n.chance(0.3):
            d["damping"] = n.spread(1e-5, 1e-1)
        if n.chance(0.4):
            d["measure"] = "stretch"
        if n.chance(0.2):
            d["tension"] = d["stiffness"] * n.between(-0.1, 0.1)
        self.elements.append(("bar", d))
        self.beams.append((name, "bar"))

    def _cable(self, name, a, b, start, end):
        n = self.n
        d = {"name": name, "from": a, "to": b, "stiffness": n.spread(1e2, 1e8), "mass": n.spread(0.01, 2), "elements": n.one([1, 2, 3, 5, 8])}
        if n.chance(0.6):
            d["length"] = np.linalg.norm(end - start) * n.between(0.95, 1.5)
            if n.chance(0.6):
                d["sag"] = n.unit()
        if n.chance(0.4):
            d["damping"] = n.spread(1e-5, 1e-1)
        self.elements.append(("cable", d))

    def _bushing(self, name, a, b, _, __):
        n = self.n
        k = np.array([n.spread(1e2, 1e7) for _ in range(3)] + [n.spread(1, 1e6) for _ in range(3)])
        d = {"name": name, "nodes": [a, b], "stiffness": n.coupled(k, 0.6) if n.chance(0.4) else k}
        if n.chance(0.5):
            d["damping"] = n.spread(1e-4, 0.1)
        self.elements.append(("bushing", d))

    def _section(self):
        names = []
        for _ in range(self.n.one([1, 1, 1, 2])):
            names.append(f"s{len(self.sections)}")
            self.sections[names[-1]] = section(self.n, self.tags)
        return names[0]

    def _beam(self, name, a, b, start, end):
        n = self.n
        d = {"name": name, "from": a, "to": b, "section": self._section(), "elements": n.one([1, 2, 3, 4]), "order": n.one([1, 2, 3])}
        along = end - start
        d["up"] = n.across(along)
        if n.chance(0.2):
            axis = n.across(along)
            d["arc"] = {"axis": axis, "centre": (start + end) / 2 + np.cross(axis, along) * n.between(0.1, 2)}
            self.tags.add("arc")
        elif n.chance(0.15):
            d["stations"] = [{"at": start}, {"at": start + 0.5 * along + n.across(along) * 0.1 * np.linalg.norm(along)}, {"at": end}]
            self.tags.add("stations")
        elif n.chance(0.2):
            d["twist"] = n.between(-0.5, 0.5)
        for field, share, value in (("damping", 0.3, n.spread(1e-5, 1e-1)), ("measure", 0.3, "stretch"), ("tension", 0.1, n.spread(0.1, 1e3))):
            if n.chance(share):
                d[field] = value
        self.elements.append(("beam", d))
        self.beams.append((name, "beam"))

    # ---- loads ----

    def _amplitude(self):
        return {"amplitude": function(self.n, self.tags, self.end)} if self.n.chance(0.8) else {}

    def load(self, kind):
        n = self.n
        frames = [b for b in self.kind if self.kind[b] == "rigid"]
        points = [b for b in self.kind if self.kind[b] != "simplex"]
        lines = [name for name, k in self.beams if k == "beam" or kind == "line_force"]
        with_angle = [(j, cs) for j, cs in self.coordinates if cs[0].startswith("angle")]
        d = {"name": f"l{len(self.loads)}"}
        if kind in ("force", "moment", "follower_force", "follower_moment"):
            on = points if kind == "force" else frames
            if not on:
                return
            d.update(node=n.one(on), direction=n.unit() * n.spread(0.1, 100), **self._amplitude())
        elif kind in ("line_force", "line_moment"):
            if not lines:
                return
            d.update(element=n.one(lines), direction=n.unit() * n.spread(0.1, 10), axes=n.one(["ground", "section"]), **self._amplitude())
            if kind == "line_force" and dict(self.beams)[d["element"]] == "bar":
                d["axes"] = "ground"
        elif kind == "base_acceleration":
            d.update(acceleration=n.unit() * n.spread(0.1, 20), amplitude=function(n, self.tags, self.end))
        elif kind == "torque":
            if not with_angle:
                return
            d.update(joint=n.one(with_angle)[0], value=n.spread(0.1, 100), **self._amplitude())
        else:
            if not self.coordinates:
                return
            joint, cs = n.one(self.coordinates)
            d.update(joint=joint, coordinate=n.one(cs))
            if kind == "joint_force":
                d.update(value=n.spread(0.1, 100), **self._amplitude())
            elif kind == "controller":
                d.update(reference=function(n, self.tags, self.end, True), gain=n.spread(0.1, 1e4), derivative_gain=n.spread(0.01, 1e2))
            else:
                d[n.one(["motion", "rate"])] = function(n, self.tags, self.end, True)
                self.coordinates.remove((joint, cs))
        self.loads.append((kind, d))
        self.active = True
        self.tags.add(kind)

    def _guide(self):
        n = self.n
        name, node = self._name("j"), self._name("G")
        at = n.unit() * n.spread(0.2, 2)
        self.nodes[node] = {"at": at}
        self.elements.append(("mass", {"name": "b" + node, "node": node, "mass": n.spread(0.1, 10)}))
        self.joints.append(("prescribed_motion", {"name": name, "node": node, "axis": n.unit()}))
        self.loads.append(("drive", {"name": "d" + name, "joint": name, "coordinate": n.one(["x", "y", "z", "angle"]),
                                     "motion": function(n, self.tags, self.end, True)}))
        self.kind[node], self.place[node] = "rigid", at
        self.active = True
        self.tags.add("prescribed_motion")
        return node

    # ---- water and bottom around lines ----

    def _around(self, n):
        """From numbers of its own, so that all else of a seed stays as it is."""
        lines = [d["name"] for k, d in self.elements if k in ("cable", "bar", "beam")]
        if not lines or not n.chance(0.15):
            return
        some = lines if n.chance(0.5) else n.one(lines)
        up = n.unit()
        if n.chance(0.8):
            d = {"name": "sea", "lines": some, "diameter": n.spread(0.003, 0.2), "up": up, "drag": [n.between(0, 2), n.between(0, 0.5)],
                 "added_mass": n.between(0, 1)}
            if n.chance(0.5):
                d["level"] = n.between(-1, 1)
            self.elements.append(("still_water", d))
            self.tags.add("still_water")
        if n.chance(0.6):
            self.elements.append(("sea_bed", {"name": "bottom", "lines": some, "up": up, "level": -n.spread(0.1, 3), "stiffness": n.spread(1e2, 1e6),
                                              "damping": n.spread(1, 1e4), "friction": n.between(0, 1), "friction_rate": n.spread(1e-3, 0.1)}))
            self.tags.add("sea_bed")

    def _blow(self, n):
        """Air along a beam, from numbers of its own, too."""
        beams = [d["name"] for k, d in self.elements if k == "beam"]
        if not beams or not n.chance(0.3):
            return
        d = {"name": "air", "element": n.one(beams), "wind": [n.between(-20, 20) for _ in range(3)], "chord": n.spread(0.01, 0.3), "drag": n.between(0, 0.1),
             "unsteady": n.one(["none", "wake", "all"])}
        if n.chance(0.4):
            del d["wind"]
            d["air"] = "weather"
            self._weather(n)
        self.elements.append(("strip", d))
        self.tags.add("strip")

    def _weather(self, n):
        """A wind of its own: uniform, turbulent, or on a grid."""
        kind, direction = n.one(["wind", "turbulence", "wind_box"]), [1, n.between(-1, 1), 0]
        d = {"name": "weather"}
        if kind == "wind":
            d.update(velocity=[n.between(-20, 20) for _ in range(3)], shear=n.between(0, 0.3), height=n.spread(1, 30))
        elif kind == "turbulence":
            d.update(speed=n.spread(3, 30), height=20, direction=direction, width=39, points=2, duration=16, step=2, at=[0, 0, -20],
                     seed=n.one([1, 2, 3]), model=n.one(["normal", "extreme"]), category=n.one(["A", "C"]))
        else:
            d.update(velocity=[[n.between(-15, 15) for _ in range(3)] for _ in range(12)], across=2, upwards=2, spacing=[40, 40], bottom=-20, step=0.7,
                     speed=n.spread(5, 20), periodic=True, direction=direction)
        self.elements.append((kind, d))
        self.tags.add(kind)

    # ---- what ties joints or runs through eyes ----

    def _couple(self):
        """A coupling of coordinates of joints between frames, elastic where a drive might contradict it."""
        n = self.n
        nodes = {d["name"]: d["nodes"] for _, d in self.joints if "nodes" in d and "name" in d}
        free = [(name, c) for name, c in self.coordinates
                if all(b == "ground" or self.kind.get(b) == "rigid" for b in nodes.get(name, ["?"]))]
        angles = [name for name, c in free if any("angle" in w for w in c)]
        slides = [name for name, c in free if "slide" in c]
        law = {"stiffness": n.spread(1, 1e4), "clearance": n.one([0, 0.01, 0.1]), "damping": n.one([0, 0.1])}
        driven = any(k == "drive" for k, _ in self.loads)
        more = {"mesh": law} if driven or n.chance(0.6) else {}
        name = self._name("c")
        if slides and angles and slides != angles and n.chance(0.7):
            a, b = n.one(angles), n.one(slides)
            if a != b:
                self.tags.add("coupling")
                self.joints.append(("rack_and_pinion", {"name": name, "pinion": a, "rack": b, "radius": n.spread(0.05, 1), **more}))
        elif len(angles) > 1:
            a, b = n.r.sample(angles, 2)
            kind = n.one(["gear", "belt", "coupler"])
            fields = {"gear": {"ratio": n.spread(0.3, 3) * n.one([-1, 1]), **more},
                      "belt": {"radii": [n.spread(0.1, 1), n.spread(0.1, 1)], **({"stretch": law} if more else {})},
                      "coupler": {"factors": [1, n.spread(0.3, 3), 0], **({"sum": law} if more else {})}}
            if kind == "coupler" and fields[kind]["factors"][1] > 1:  # half of them
                factor = fields[kind].pop("factors")[1]
                fields[kind]["formula"] = f"first + {factor:.4g}*second + {0.2 * factor:.4g}*sin(second)"
            self.tags.add("coupling")
            self.joints.append((kind, {"name": name, "first": a, "second": b, **fields[kind]}))

    def _axle(self):
        """Three shafts in the ground and a differential between them."""
        n = self.n
        shafts = []
        for _ in range(3):
            node, joint = self._name("s"), self._name("j")
            self.nodes[node] = {"at": n.unit() * n.spread(0.2, 2), **({"angular_velocity": n.unit() * n.spread(0.1, 20)} if n.chance(0.5) else {})}
            self.elements.append(("rigid_body", {"name": "b" + node, "node": node, "mass": n.spread(0.1, 10),
                                                 "inertia": [n.between(0.1, 0.15) for _ in range(3)]}))
            self.joints.append(("revolute", {"name": joint + "x", "nodes": ["ground", node], "axis": n.unit()}))
            shafts.append(joint + "x")
        law = {"mesh": {"stiffness": n.spread(1, 1e4), "clearance": n.one([0, 0.1])}} if n.chance(0.5) else {}
        self.joints.append(("differential", {"name": self._name("c"), "input": shafts[0], "first": shafts[1], "second": shafts[2],
                                             "ratio": n.spread(0.3, 3) * n.one([-1, 1]), **law}))
        self.tags.add("coupling")

    def _reeve(self, bodies):
        n = self.n
        a, b = n.r.sample(bodies, 2)
        start = self.fixed(n.unit() * n.spread(0.5, 3))
        cable = {"name": self._name("r"), "from": start, "over": a, "to": b, "stiffness": n.spread(10, 1e4),
                 "tension": n.one([0, 1]), "damping": n.one([0, 0.01]), "mass": n.one([0, 0.1])}
        if cable["tension"] and cable["mass"]:  # a winch reels in some of it
            cable["winch"] = "from"
            self.loads.append(("drive", {"name": "w" + cable["name"], "joint": cable["name"] + ".winch",
                                         "motion": {"smooth_step": {"to": 0.1, "start": 0, "end": self.end}}}))
            self.active = True
        self.elements.append(("reeved_cable", cable))
        self.tags.add("reeved_cable")

    # ---- all of it ----

    def _build(self):
        n = self.n
        if n.chance(0.1):
            self._guide()
        for i in range(n.one([1, 2, 3, 4, 6], [2, 3, 3, 2, 1])):
            others = list(self.place)
            body = self.body()
            parent = "ground" if i == 0 and not others else n.one(["ground"] + others)
            if n.chance(0.92):
                self.tie(parent, body)
            elif self.kind[body] == "rigid" and n.chance(0.5):
                self.joints.append(("clamp", {"name": self._name("j"), "node": body}))
                self.nodes[body].pop("velocity", 0), self.nodes[body].pop("angular_velocity", 0)
                self.tags.add("clamp")
        bodies = list(self.place)
        if len(bodies) > 1 and n.chance(0.5):
            for _ in range(n.one([1, 1, 2])):
                a, b = n.r.sample(bodies + ["ground"], 2)
                self.tie(*((b, a) if b == "ground" else (a, b)), loop=True)
                self.tags.add("loop")
        if n.chance(0.3):
            add_solid(self)
        if n.chance(0.65):
            some = {"amplitude": function(n, self.tags, self.end)} if n.chance(0.1) else {}
            self.active = self.active or bool(some)
            self.loads.append(("gravity", {"name": "g", "acceleration": n.unit() * 9.81, **some}))
            self.tags.add("gravity")
        for kind, share in (("drive", 0.15), ("force", 0.05), ("moment", 0.05), ("follower_force", 0.05), ("follower_moment", 0.05),
                            ("line_force", 0.2), ("line_moment", 0.1), ("base_acceleration", 0.04), ("torque", 0.05), ("joint_force", 0.06),
                            ("controller", 0.06)):
            if n.chance(share):
                self.load(kind)
        if n.chance(0.05):
            self.motion = {"velocity": n.unit() * n.spread(0.1, 3), "angular_velocity": n.unit() * n.spread(0.1, 3)}
            self.tags.add("motion")
        nodes = [b for b in self.place if self.kind[b] != "simplex"]
        if n.chance(0.5):
            self._couple()
        if n.chance(0.05):
            self._axle()
        if len(nodes) > 1 and n.chance(0.1):
            self._reeve(nodes)
        frames = [b for b in self.place if self.kind[b] == "rigid"]
        if frames and n.chance(0.1):  # the last to be drawn
            inertia, speed = n.spread(1e-3, 0.1), n.spread(1, 1e3)
            motor = {"torque": n.between(-1, 1) * inertia * speed / self.end} if n.chance(0.5) else {}  # at most stops it or doubles its speed
            self.active = self.active or bool(motor)
            self.elements.append(("wheel", {"name": self._name("w"), "node": n.one(frames), "axis": n.unit(), "inertia": inertia, "speed": speed, **motor}))
            self.tags.add("wheel")

    def model(self, run):
        """The model as a map, with the part `run`."""
        return {"limber": 1, "nodes": self.nodes, "materials": self.materials, "sections": self.sections, "motion": self.motion,
                "elements": [{k: d} for k, d in self.elements], "joints": [{k: d} for k, d in self.joints],
                "loads": [{k: d} for k, d in self.loads], "run": run}


def text(model):
    """A model file, with a line for every item."""
    out = ["limber: 1"]
    for part, value in model.items():
        if part == "limber" or not value:
            continue
        if part in ("run", "motion"):
            out.append(f"{part}: {flow(value)}")
        elif isinstance(value, dict):
            out += [part + ":"] + [f"  {k}: {flow(v)}" for k, v in value.items()]
        else:
            out += [part + ":"] + [f"  - {k}: {flow(v)}" for item in value for k, v in item.items()]
    return "\n".join(out) + "\n"
