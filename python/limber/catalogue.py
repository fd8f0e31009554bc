# SPDX-License-Identifier: Apache-2.0
"""A function for each kind of the catalogue, which gives its entry of a model as a dict. Made by python/generate.py.

    elements.beam(name="strip", from_="a", to="b", section="steel")     # {"beam": {"name": "strip", "from": "a", ...}}

What is left out has its default. A number may be a text with a unit, "5 mm", or a formula of `let`."""
from typing import Any, Literal, Mapping, Optional, Sequence, Union

Quantity = Union[float, str]
Numbers = Union[str, Sequence[Any]]
Entry = dict


def _entry(kind: str, fields: dict) -> Entry:
    """The entry of a kind, without the fields that are left out."""
    return {kind: {name: value for name, value in fields.items() if value is not None}}


class elements:
    """Kinds of elements."""

    @staticmethod
    def beam(*, from_: Optional[str] = None, to: Optional[str] = None, section: Optional[str] = None,
             elements: Optional[Union[int, str]] = None, order: Optional[Union[int, str]] = None,
             start: Optional[Numbers] = None, end: Optional[Numbers] = None, up: Optional[Numbers] = None,
             twist: Optional[Quantity] = None, curvature: Optional[Numbers] = None,
             length: Optional[Quantity] = None, arc: Optional[Mapping[str, Any]] = None,
             helix: Optional[Mapping[str, Any]] = None, stations: Optional[Any] = None,
             damping: Optional[Union[Quantity, Mapping[str, Any]]] = None,
             strain_damping: Optional[Numbers] = None, tension: Optional[Quantity] = None,
             measure: Optional[Literal['green', 'stretch']] = None, from_file: Optional[Mapping[str, Any]] = None,
             name: Optional[str] = None) -> Entry:
        """A geometrically exact beam: large rotation, shear, coupling, curvature.

        from_ (name of a node): frame at the start; default: a new one.
        to (name of a node): frame at the end; default: a new one.
        section (name of a section): stiffness and inertia per length.
        elements: finite elements along the beam. Default: 4.
        order: degree of the elements: 1, 2 or 3. Default: 3.
        start [m]: position of the start, without `from`.
        end [m]: position of the end, without `to`; for a curved beam: a point on its first tangent, or 0: along
            the first axis of `from`.
        up: section axis e2 lies in the plane of e1 and up.
        twist [rad]: pre-twist from start to end, linear along the beam.
        curvature [m-1]: constant curvature of the unloaded beam in section axes (twist rate, about e2, about e3).
        length [m]: arc length, if `curvature` is given.
        arc: an arc of a circle about an axis.
        helix: a helix about an axis.
        stations: a smooth line through these points, including both ends.
        damping [s]: Kelvin-Voigt damping: ratio of the viscous to the elastic modulus; or a map.
        strain_damping [s]: in place of `damping`: a time for each strain, axial, shear along e2, e3, torsion,
            bending about e2, e3.
        tension [N]: axial force in the reference configuration.
        measure: axial strain at the stretch s: green: (s^2 - 1)/2, stretch: s - 1; default: green.
        from_file: axis, twist and sections from a file of another program.
        name: name by which other components refer to it."""
        return _entry("beam", {"name": name, "from": from_, "to": to, "section": section, "elements": elements,
                               "order": order, "start": start, "end": end, "up": up, "twist": twist,
                               "curvature": curvature, "length": length, "arc": arc, "helix": helix,
                               "stations": stations, "damping": damping, "strain_damping": strain_damping,
                               "tension": tension, "measure": measure, "from_file": from_file})

    @staticmethod
    def rigid_body(*, node: str, mass: Quantity, centre: Optional[Numbers] = None,
                   inertia: Optional[Numbers] = None, name: Optional[str] = None) -> Entry:
        """A rigid body at one frame.

        node (name of a node): frame of the body.
        mass [kg]: total mass.
        centre [m]: centre of mass, in the node's axes.
        inertia [kg m2]: about the centre of mass in the node's axes: 11 22 33 12 13 23.
        name: name by which other components refer to it."""
        return _entry("rigid_body", {"name": name, "node": node, "mass": mass, "centre": centre, "inertia": inertia})

    @staticmethod
    def mass(*, node: str, mass: Quantity, name: Optional[str] = None) -> Entry:
        """A point mass.

        node (name of a node): point or frame.
        mass [kg]: the mass.
        name: name by which other components refer to it."""
        return _entry("mass", {"name": name, "node": node, "mass": mass})

    @staticmethod
    def wheel(*, node: str, axis: Numbers, inertia: Quantity, speed: Optional[Quantity] = None,
              torque: Optional[str] = None, drive: Optional[str] = None, name: Optional[str] = None) -> Entry:
        """A rotor that spins about an axis of a node: flywheel, reaction wheel, gyroscope, motor or generator.

        node (name of a node): frame that carries it.
        axis: axis of the spin, in ground axes at the start.
        inertia [kg m2]: moment of inertia about the axis; mass and transverse inertia belong to the body of the
            node.
        speed [rad s-1]: initial speed, relative to the node.
        torque [N m] (name of a function): motor torque between node and wheel, as a function of time; default: it
            turns freely.
        drive [rad s-1] (name of a function): instead of `speed` and `torque`: speed relative to the node as a
            function of time.
        name: name by which other components refer to it."""
        return _entry("wheel", {"name": name, "node": node, "axis": axis, "inertia": inertia, "speed": speed,
                                "torque": torque, "drive": drive})

    @staticmethod
    def bar(*, nodes: Sequence[str], stiffness: Quantity, mass: Optional[Quantity] = None,
            length: Optional[Quantity] = None, damping: Optional[Union[Quantity, Mapping[str, Any]]] = None,
            tension: Optional[Quantity] = None, measure: Optional[Literal['green', 'stretch']] = None,
            name: Optional[str] = None) -> Entry:
        """A straight bar that carries axial force only.

        nodes (names of nodes): the two ends, points or frames.
        stiffness [N]: EA.
        mass [kg/m]: per length.
        length [m]: natural length; 0: distance of the nodes.
        damping [s]: Kelvin-Voigt damping: ratio of the viscous to the elastic modulus; or a map.
        tension [N]: axial force at its `length`.
        measure: axial strain at the stretch s: green: (s^2 - 1)/2, stretch: s - 1; default: green.
        name: name by which other components refer to it."""
        return _entry("bar", {"name": name, "nodes": nodes, "stiffness": stiffness, "mass": mass, "length": length,
                              "damping": damping, "tension": tension, "measure": measure})

    @staticmethod
    def bushing(*, nodes: Sequence[str], stiffness: Numbers,
                damping: Optional[Union[Quantity, Mapping[str, Any]]] = None,
                name: Optional[str] = None) -> Entry:
        """A bushing between two frames, with a stiffness in every direction.

        nodes (names of nodes): two frames; the bushing is at the position of the second.
        stiffness [N m-1, N m-1, N m-1, N m rad-1, N m rad-1, N m rad-1]: stiffness for displacement and rotation
            along and about the first node's axes.
        damping [s]: Kelvin-Voigt damping: ratio of the viscous to the elastic modulus; or a map.
        name: name by which other components refer to it."""
        return _entry("bushing", {"name": name, "nodes": nodes, "stiffness": stiffness, "damping": damping})

    @staticmethod
    def spring(*, nodes: Sequence[str], from_: Optional[Numbers] = None, to: Optional[Numbers] = None,
               stiffness: Optional[Quantity] = None, rest: Optional[Quantity] = None,
               preload: Optional[Quantity] = None, clearance: Optional[Quantity] = None,
               side: Optional[Literal['both', 'tension', 'compression']] = None, table: Optional[Numbers] = None,
               damping: Optional[Quantity] = None, limits: Optional[Numbers] = None,
               limit_stiffness: Optional[Quantity] = None, name: Optional[str] = None) -> Entry:
        """A spring and damper between two points.

        nodes (names of nodes): the two nodes.
        from_ [m]: end of the spring, fixed to the first node, in ground axes at the start; default: the node.
        to [m]: the same for the second node.
        stiffness [N m-1]: force per elongation.
        rest [m]: length at rest; 0: distance of the ends at the start.
        preload [N]: force at the start, positive in tension; instead of `rest`.
        clearance [m]: deflection from the rest length without force.
        side: spring and damper act in tension only or in compression only; default: both.
        table [m, N]: instead of a stiffness: rows of deflection and force, interpolated linearly and extrapolated
            beyond the ends.
        damping [N s m-1]: force of a damper per rate of the length.
        limits [m]: smallest and largest length.
        limit_stiffness [N m-1]: stiffness of both limits.
        name: name by which other components refer to it."""
        return _entry("spring", {"name": name, "nodes": nodes, "from": from_, "to": to, "stiffness": stiffness,
                                 "rest": rest, "preload": preload, "clearance": clearance, "side": side,
                                 "table": table, "damping": damping, "limits": limits,
                                 "limit_stiffness": limit_stiffness})

    @staticmethod
    def cable(*, from_: str, to: str, stiffness: Quantity, mass: Optional[Quantity] = None,
              length: Optional[Quantity] = None, elements: Optional[Union[int, str]] = None,
              sag: Optional[Numbers] = None, damping: Optional[Union[Quantity, Mapping[str, Any]]] = None,
              name: Optional[str] = None) -> Entry:
        """A chain of bars without compression: it can be slack.

        from_ (name of a node): point or frame at the start.
        to (name of a node): point or frame at the end.
        stiffness [N]: EA.
        mass [kg/m]: per natural length.
        length [m]: natural length, below which it is slack; 0: distance of its ends.
        elements: number of bars along the cable, with points between them. Default: 1.
        sag: direction in which a slack cable hangs at the start, as an arc; 0: straight line.
        damping [s]: Kelvin-Voigt damping: ratio of the viscous to the elastic modulus; or a map; active only
            while taut.
        name: name by which other components refer to it."""
        return _entry("cable", {"name": name, "from": from_, "to": to, "stiffness": stiffness, "mass": mass,
                                "length": length, "elements": elements, "sag": sag, "damping": damping})

    @staticmethod
    def simplex_body(*, centre: Optional[Numbers] = None, mesh: Optional[Any] = None,
                     axes: Optional[Numbers] = None, mass: Optional[Quantity] = None,
                     density: Optional[Quantity] = None, box: Optional[Numbers] = None,
                     inertia: Optional[Numbers] = None, stiffness: Optional[Quantity] = None,
                     nu: Optional[Quantity] = None, volume: Optional[Quantity] = None,
                     velocity: Optional[Numbers] = None, angular_velocity: Optional[Numbers] = None,
                     enforcement: Optional[Literal['multipliers', 'penalty', 'augmented']] = None,
                     penalty: Optional[Quantity] = None, tolerance: Optional[Quantity] = None,
                     name: Optional[str] = None) -> Entry:
        """A body of points without rotations, rigid or with uniform strain; joints take it as a node.

        centre [m]: centre of mass, in ground axes; default: the origin, or that of a `mesh`.
        mesh: mesh whose solid cells give centre, volume and inertia, MESH or MESH.GROUP; they are used for
            nothing else.
        axes: axes of `box` and `inertia`, in ground axes; default: those of the ground.
        mass [kg]: total mass.
        density [kg m-3]: density, instead of the mass.
        box [m]: lengths along the axes; one zero length gives a plate without thickness, two give a rod.
        inertia [kg m2]: instead of a box: moments of inertia about the centre of mass, 11 22 33 12 13 23.
        stiffness [Pa]: Young's modulus of a body that deforms as a whole; 0: rigid.
        nu: Poisson's ratio.
        volume [m3]: volume; default: that of the box.
        velocity [m s-1]: initial velocity of the centre of mass, in ground axes.
        angular_velocity [rad s-1]: initial angular velocity; default of both: from `motion`.
        enforcement: how a rigid body is kept rigid: Lagrange multipliers, penalty springs along its edges, or
            augmented Lagrangian; default: multipliers.
        penalty [N m-1]: stiffness of the penalty springs.
        tolerance: largest strain of the edges with `augmented`; 0: 1e-12.
        name: name by which other components refer to it."""
        return _entry("simplex_body", {"name": name, "centre": centre, "mesh": mesh, "axes": axes, "mass": mass,
                                       "density": density, "box": box, "inertia": inertia, "stiffness": stiffness,
                                       "nu": nu, "volume": volume, "velocity": velocity,
                                       "angular_velocity": angular_velocity, "enforcement": enforcement,
                                       "penalty": penalty, "tolerance": tolerance})

    @staticmethod
    def solid(*, mesh: Any, material: Union[str, Mapping[str, Any]],
              hexahedra: Optional[Literal['as_meshed', 'full', 'enhanced']] = None,
              damping: Optional[Union[Quantity, Mapping[str, Any]]] = None, name: Optional[str] = None) -> Entry:
        """A body of tetrahedra and hexahedra, from a mesh.

        mesh: cells of three dimensions: a mesh, or a group of it, MESH.GROUP.
        material (name of a material): one of the file's materials.
        hexahedra: how hexahedra of 8 nodes deform; full: strains of the displacements, too stiff in bending;
            enhanced: they bend without shear, with a linear material; as_meshed: enhanced of type C3D8I in a mesh
            of Abaqus, else full; default: as_meshed.
        damping [s]: Kelvin-Voigt damping: ratio of the viscous to the elastic modulus; or a map.
        name: name by which other components refer to it."""
        return _entry("solid", {"name": name, "mesh": mesh, "material": material, "hexahedra": hexahedra,
                                "damping": damping})

    @staticmethod
    def reduced_body(*, mesh: Any, material: Optional[Union[str, Mapping[str, Any]]] = None,
                     hexahedra: Optional[Literal['as_meshed', 'full', 'enhanced']] = None,
                     interfaces: Optional[Any] = None, modes: Optional[Union[int, str]] = None,
                     damping: Optional[Quantity] = None, name: Optional[str] = None) -> Entry:
        """A body of solid cells from a mesh, reduced to few points: for small strains and large motions.

        mesh: cells of three dimensions: a mesh, or a group of it, MESH.GROUP; or a mesh with matrices, with or
            without cells. No nodes are made of it.
        material (name of a material): one of the file's materials; a mesh with matrices needs it for stresses
            alone.
        hexahedra: how hexahedra of 8 nodes deform; full: strains of the displacements, too stiff in bending;
            enhanced: they bend without shear, with a linear material; as_meshed: enhanced of type C3D8I in a mesh
            of Abaqus, else full; default: as_meshed.
        interfaces: where the body is held and loaded.
        modes: modes of the free body besides the deflections by loads at the interfaces.
        damping: fraction of critical damping of every mode of the reduced body.
        name: name by which other components refer to it."""
        return _entry("reduced_body", {"name": name, "mesh": mesh, "material": material, "hexahedra": hexahedra,
                                       "interfaces": interfaces, "modes": modes, "damping": damping})

    @staticmethod
    def membrane(*, mesh: Any, material: Union[str, Mapping[str, Any]], thickness: Quantity,
                 plane: Optional[Literal['stress', 'strain']] = None,
                 damping: Optional[Union[Quantity, Mapping[str, Any]]] = None,
                 name: Optional[str] = None) -> Entry:
        """A thin sheet without bending stiffness, or a slice of a long body, of triangles and quadrilaterals from a mesh.

        mesh: cells of two dimensions: a mesh, or a group of it, MESH.GROUP.
        material (name of a material): one of the file's materials.
        thickness [m]: thickness of the unloaded sheet.
        plane: stress: plane stress, thickness changes; strain: plane strain, constant thickness; default: stress.
        damping [s]: Kelvin-Voigt damping: ratio of the viscous to the elastic modulus; or a map.
        name: name by which other components refer to it."""
        return _entry("membrane", {"name": name, "mesh": mesh, "material": material, "thickness": thickness,
                                   "plane": plane, "damping": damping})

    @staticmethod
    def plane_beam(*, start: Numbers, end: Numbers, depth: Quantity, width: Quantity,
                   material: Union[str, Mapping[str, Any]], across: Optional[Numbers] = None,
                   elements: Optional[Union[int, str]] = None,
                   damping: Optional[Union[Quantity, Mapping[str, Any]]] = None,
                   inertia: Optional[Literal['lumped', 'consistent']] = None,
                   name: Optional[str] = None) -> Entry:
        """A beam of points without rotations, for motion in one plane.

        start [m]: start of its centre line.
        end [m]: end of its centre line.
        depth [m]: depth of the section, in the plane.
        width [m]: width, normal to the plane.
        material (name of a material): one of the file's materials; its nu is used for the shear modulus only.
        across: direction of its depth, from the lower face to the upper; default: y of the ground, or x for a
            beam along y.
        elements: number of elements along the beam. Default: 10.
        damping [s]: Kelvin-Voigt damping: ratio of the viscous to the elastic modulus; or a map.
        inertia: lumped or consistent mass matrix; default: lumped.
        name: name by which other components refer to it."""
        return _entry("plane_beam", {"name": name, "start": start, "end": end, "across": across, "depth": depth,
                                     "width": width, "elements": elements, "material": material, "damping": damping,
                                     "inertia": inertia})

    @staticmethod
    def solid_shell(*, mesh: Any, material: Union[str, Mapping[str, Any]], across: Optional[Numbers] = None,
                    damping: Optional[Union[Quantity, Mapping[str, Any]]] = None,
                    name: Optional[str] = None) -> Entry:
        """A shell of hexahedra with points on both faces, from a mesh.

        mesh: hexahedra, one through the thickness: a mesh, or a group of it, MESH.GROUP.
        material (name of a material): one of the file's materials.
        across: approximate direction of the thickness; default: the shortest edges of each cell.
        damping [s]: Kelvin-Voigt damping: ratio of the viscous to the elastic modulus; or a map.
        name: name by which other components refer to it."""
        return _entry("solid_shell", {"name": name, "mesh": mesh, "material": material, "across": across,
                                      "damping": damping})

    @staticmethod
    def still_water(*, lines: Sequence[str], diameter: Quantity, area: Optional[Quantity] = None,
                    density: Optional[Quantity] = None, gravity: Optional[Quantity] = None,
                    level: Optional[Numbers] = None, up: Optional[Numbers] = None, drag: Optional[Numbers] = None,
                    added_mass: Optional[Quantity] = None, name: Optional[str] = None) -> Entry:
        """Still water around lines: buoyancy, drag and added mass.

        lines (names of elements): cables, bars and beams on whose nodes it acts.
        diameter [m]: diameter of the line, for the drag.
        area [m2]: displaced volume per length; 0: that of a circle of the diameter.
        density [kg m-3]: density of the water. Default: 1025.
        gravity [m s-2]: gravitational acceleration that gives the water its weight; lines get theirs from a load.
            Default: 9.81.
        level [m]: height of the surface above the origin, along `up`; default: everything is under water.
        up: direction upwards, in ground axes; 0: the z axis.
        drag: drag coefficients across the line (of its diameter) and along it (of its surface).
        added_mass: added mass over the mass of the displaced water, the same in all directions.
        name: name by which other components refer to it."""
        return _entry("still_water", {"name": name, "lines": lines, "diameter": diameter, "area": area,
                                      "density": density, "gravity": gravity, "level": level, "up": up, "drag": drag,
                                      "added_mass": added_mass})

    @staticmethod
    def sea_bed(*, lines: Sequence[str], level: Quantity, stiffness: Quantity, up: Optional[Numbers] = None,
                damping: Optional[Quantity] = None, friction: Optional[Quantity] = None,
                friction_rate: Optional[Quantity] = None, name: Optional[str] = None) -> Entry:
        """A flat bottom on which lines lie: a one-sided spring and damper, and friction.

        lines (names of elements): cables, bars and beams on whose nodes it acts.
        level [m]: height of the bottom above the origin, along `up`: negative below it.
        stiffness [N m-2]: force per length of line per depth of penetration.
        up: direction upwards, in ground axes; 0: the z axis.
        damping [N s m-2]: force per length of line per rate of penetration, while it touches the bottom.
        friction: coefficient of friction along the bottom.
        friction_rate [m s-1]: rate below which friction is viscous (sticking). Default: 0.01.
        name: name by which other components refer to it."""
        return _entry("sea_bed", {"name": name, "lines": lines, "level": level, "up": up, "stiffness": stiffness,
                                  "damping": damping, "friction": friction, "friction_rate": friction_rate})

    @staticmethod
    def wind(*, velocity: Numbers, amplitude: Optional[str] = None, shear: Optional[Quantity] = None,
             height: Optional[Quantity] = None, up: Optional[Numbers] = None,
             name: Optional[str] = None) -> Entry:
        """Wind that several strips share: uniform, growing with height, times a function of time.

        velocity [m s-1]: velocity of the air, in ground axes.
        amplitude (name of a function): factor of the wind, a function of time such as a gust; default: 1.
        shear: exponent of the growth of the wind with height; 0: uniform.
        height [m]: height above the origin, along `up`, at which the wind is `velocity`. Default: 1.
        up: direction upwards, in ground axes; 0: the z axis.
        name: name by which other components refer to it."""
        return _entry("wind", {"name": name, "velocity": velocity, "amplitude": amplitude, "shear": shear,
                               "height": height, "up": up})

    @staticmethod
    def wind_box(*, velocity: Numbers, direction: Numbers, across: Optional[Union[int, str]] = None,
                 upwards: Optional[Union[int, str]] = None, spacing: Optional[Numbers] = None,
                 bottom: Optional[Quantity] = None, step: Optional[Quantity] = None,
                 speed: Optional[Quantity] = None,
                 periodic: Optional[Union[bool, Literal["true", "false"]]] = None, up: Optional[Numbers] = None,
                 at: Optional[Numbers] = None, lead: Optional[Numbers] = None,
                 name: Optional[str] = None) -> Entry:
        """Wind that several strips share: turbulence on a grid, from a file of TurbSim or from numbers.

        velocity [m s-1]: velocities along, across and up, row by row: points across, then upwards, then in time;
            or a file with them, which gives all fields down to `periodic`.
        direction: direction of the mean wind, in ground axes; its part along `up` does not count.
        across: number of points across the wind; across is to the left of who looks along the wind. Default: 1.
        upwards: number of points upwards. Default: 1.
        spacing [m]: distances of the points across and upwards.
        bottom [m]: height of the lowest points above `at`.
        step [s]: time between two rows of all points.
        speed [m s-1]: mean speed, with which the box moves along the wind.
        periodic: whether the box repeats; else a run must end before it.
        up: direction upwards, in ground axes; 0: the z axis.
        at [m]: place on the ground below the middle of the grid; default: the origin.
        lead [s]: time of the box that has passed `at` when the run starts; default: half of the width over the
            speed.
        name: name by which other components refer to it."""
        return _entry("wind_box", {"name": name, "velocity": velocity, "across": across, "upwards": upwards,
                                   "spacing": spacing, "bottom": bottom, "step": step, "speed": speed,
                                   "periodic": periodic, "direction": direction, "up": up, "at": at, "lead": lead})

    @staticmethod
    def turbulence(*, speed: Quantity, height: Quantity, direction: Numbers, width: Quantity,
                   points: Optional[Union[int, str]] = None,
                   category: Optional[Literal['A+', 'A', 'B', 'C']] = None,
                   model: Optional[Literal['normal', 'extreme']] = None, average: Optional[Quantity] = None,
                   intensity: Optional[Numbers] = None, shear: Optional[Quantity] = None,
                   seed: Optional[Union[int, str]] = None, duration: Optional[Quantity] = None,
                   step: Optional[Quantity] = None, up: Optional[Numbers] = None, at: Optional[Numbers] = None,
                   name: Optional[str] = None) -> Entry:
        """Wind that several strips share: turbulence of IEC 61400-1, made at the start.

        speed [m s-1]: mean speed at the height of the hub.
        height [m]: height of the hub above `at`, in the middle of the grid.
        direction: direction of the mean wind, in ground axes; its part along `up` does not count.
        width [m]: width and height of the grid.
        points: points of the grid on each side. Default: 9.
        category: category of the turbulence: intensity of 18 % (A+), 16 % (A), 14 % (B) or 12 % (C) at 15 m/s.
        model: how the deviation follows from category and speed: normal (NTM) or extreme turbulence (ETM).
        average [m s-1]: average speed of the year, for extreme turbulence: 10 m/s in class I, 8.5 in II, 7.5 in
            III. Default: 10.
        intensity: instead of `category`: deviation of the speed over the mean speed.
        shear: exponent of the growth of the mean with height. Default: 0.2.
        seed: another number gives another record.
        duration [s]: time after which it repeats. Default: 600.
        step [s]: longest time between two grids; the duration is divided by a power of two. Default: 0.1.
        up: direction upwards, in ground axes; 0: the z axis.
        at [m]: place on the ground below the middle of the grid; default: the origin.
        name: name by which other components refer to it."""
        return _entry("turbulence", {"name": name, "speed": speed, "height": height, "direction": direction,
                                     "width": width, "points": points, "category": category, "model": model,
                                     "average": average, "intensity": intensity, "shear": shear, "seed": seed,
                                     "duration": duration, "step": step, "up": up, "at": at})

    @staticmethod
    def strip(*, element: str, air: Optional[str] = None, wind: Optional[Numbers] = None,
              amplitude: Optional[str] = None, shear: Optional[Quantity] = None,
              height: Optional[Quantity] = None, up: Optional[Numbers] = None, density: Optional[Quantity] = None,
              chord: Optional[Quantity] = None, twist: Optional[Quantity] = None,
              quarter: Optional[Numbers] = None, stations: Optional[Numbers] = None, polars: Optional[Any] = None,
              lift_slope: Optional[Quantity] = None, zero_lift: Optional[Quantity] = None,
              drag: Optional[Quantity] = None, moment: Optional[Quantity] = None,
              unsteady: Optional[Literal['none', 'wake', 'all']] = None, blades: Optional[Union[int, str]] = None,
              hub: Optional[str] = None, axis: Optional[Numbers] = None, radii: Optional[Numbers] = None,
              name: Optional[str] = None) -> Entry:
        """Air along a beam that is a wing or blade: lift, drag and moment of its sections.

        element (name of a element): beam in the air.
        air (name of a element): wind that several strips share: the name of a `wind`, `wind_box` or `turbulence`,
            in place of the next five fields.
        wind [m s-1]: velocity of the air, in ground axes.
        amplitude (name of a function): factor of the wind, a function of time such as a gust; default: 1.
        shear: exponent of the growth of the wind with height; 0: uniform.
        height [m]: height above the origin, along `up`, at which the wind is `wind`. Default: 1.
        up: direction upwards, in ground axes; 0: the z axis.
        density [kg m-3]: density of the air. Default: 1.225.
        chord [m]: chord of a uniform wing.
        twist [rad]: angle of the leading edge about e1, from e2 of the section.
        quarter [m]: place of the quarter point of the chord, along e2 and e3 of the section.
        stations [1, m, rad, m, m]: instead: rows of the place, 0 to 1 of the beam's length, chord, twist, and
            place of the quarter point.
        polars: coefficients over the angle of attack; between two places they are mixed.
        lift_slope [rad-1]: without polars: slope of the lift at zero lift. Default: 6.28319.
        zero_lift [rad]: without polars: angle of attack without lift.
        drag: without polars: coefficient of drag.
        moment: without polars: coefficient of the moment about the quarter point.
        unsteady: none: polars alone; wake: with the lag of the lift behind the angle of attack; all: also with
            the mass of the air.
        blades: blades of the rotor, for the velocities that it induces; 0: no rotor.
        hub (name of a node): with `blades`: frame or ground at the centre of the rotor.
        axis: with `blades`: axis of the rotor, in ground axes, of either sense.
        radii [m]: with `blades`: radii of hub and tip, for their losses; 0: of the ends of the beam.
        name: name by which other components refer to it."""
        return _entry("strip", {"name": name, "element": element, "air": air, "wind": wind, "amplitude": amplitude,
                                "shear": shear, "height": height, "up": up, "density": density, "chord": chord,
                                "twist": twist, "quarter": quarter, "stations": stations, "polars": polars,
                                "lift_slope": lift_slope, "zero_lift": zero_lift, "drag": drag, "moment": moment,
                                "unsteady": unsteady, "blades": blades, "hub": hub, "axis": axis, "radii": radii})

    @staticmethod
    def reeved_cable(*, from_: str, over: str, to: str, stiffness: Quantity, second: Optional[str] = None,
                     third: Optional[str] = None, fourth: Optional[str] = None, mass: Optional[Quantity] = None,
                     length: Optional[Quantity] = None, tension: Optional[Quantity] = None,
                     damping: Optional[Union[Quantity, Mapping[str, Any]]] = None,
                     friction: Optional[Numbers] = None, friction_rate: Optional[Quantity] = None,
                     winch: Optional[Literal['none', 'from', 'to']] = None, name: Optional[str] = None) -> Entry:
        """A cable that runs through eyes or over small pulleys, with friction, reeled by a winch: it can be slack.

        from_ (name of a node): point or frame at an end.
        over (name of a node): point or frame: an eye or a small pulley over which it runs.
        to (name of a node): point or frame at the other end.
        stiffness [N]: EA.
        second (name of a node): one more eye.
        third (name of a node): one more.
        fourth (name of a node): one more.
        mass [kg/m]: per natural length; lumped at the nodes, so that it does not run with the cable.
        length [m]: natural length, below which it is slack; 0: length of its path at the start.
        tension [N]: tension at the start, instead of `length`.
        damping [s]: Kelvin-Voigt damping: ratio of the viscous to the elastic modulus; or a map; active only
            while taut.
        friction: coefficient of the eyes, one for all or one for each.
        friction_rate [m/s]: rate of slip below which friction is viscous (sticking). Default: 0.001.
        winch: end at which it is reeled: gives it the joint CABLE.winch, whose coordinate `slide` is the length
            reeled in.
        name: name by which other components refer to it."""
        return _entry("reeved_cable", {"name": name, "from": from_, "over": over, "second": second, "third": third,
                                       "fourth": fourth, "to": to, "stiffness": stiffness, "mass": mass,
                                       "length": length, "tension": tension, "damping": damping, "friction": friction,
                                       "friction_rate": friction_rate, "winch": winch})


class joints:
    """Kinds of joints."""

    @staticmethod
    def clamp(*, node: str, name: Optional[str] = None) -> Entry:
        """Fixes a frame to the ground.

        node (name of a node): frame to fix.
        name: name by which other components refer to it."""
        return _entry("clamp", {"name": name, "node": node})

    @staticmethod
    def weld(*, nodes: Sequence[str], name: Optional[str] = None) -> Entry:
        """A rigid connection of two frames.

        nodes (names of nodes): the two frames.
        name: name by which other components refer to it."""
        return _entry("weld", {"name": name, "nodes": nodes})

    @staticmethod
    def spherical(*, nodes: Sequence[str], at: Optional[Numbers] = None, second_at: Optional[Numbers] = None,
                  name: Optional[str] = None) -> Entry:
        """A spherical joint: two nodes share a point and rotate freely.

        nodes (names of nodes): the two nodes.
        at [m]: location of the joint, fixed to both nodes, in ground axes at the start; default: position of the
            second node.
        second_at [m]: location of the joint on the second node, if it differs from `at`: the model is then
            assembled.
        name: name by which other components refer to it."""
        return _entry("spherical", {"name": name, "nodes": nodes, "at": at, "second_at": second_at})

    @staticmethod
    def revolute(*, nodes: Sequence[str], axis: Numbers, at: Optional[Numbers] = None,
                 second_at: Optional[Numbers] = None, angle: Optional[Mapping[str, Any]] = None,
                 name: Optional[str] = None) -> Entry:
        """A revolute joint (hinge): rotation about an axis.

        nodes (names of nodes): the two frames.
        axis: the axis, in ground axes at the start.
        at [m]: location of the joint, fixed to both nodes, in ground axes at the start; default: position of the
            second node.
        second_at [m]: location of the joint on the second node, if it differs from `at`: the model is then
            assembled.
        angle: spring, damper, friction and limits about the axis.
        name: name by which other components refer to it."""
        return _entry("revolute", {"name": name, "nodes": nodes, "axis": axis, "at": at, "second_at": second_at,
                                   "angle": angle})

    @staticmethod
    def cylindrical(*, nodes: Sequence[str], axis: Numbers, at: Optional[Numbers] = None,
                    second_at: Optional[Numbers] = None, angle: Optional[Mapping[str, Any]] = None,
                    slide: Optional[Mapping[str, Any]] = None, name: Optional[str] = None) -> Entry:
        """A cylindrical joint: rotation about an axis and displacement along it.

        nodes (names of nodes): the two frames.
        axis: the axis, in ground axes at the start.
        at [m]: location of the joint, fixed to both nodes, in ground axes at the start; default: position of the
            second node.
        second_at [m]: location of the joint on the second node, if it differs from `at`: the model is then
            assembled.
        angle: spring, damper, friction and limits about the axis.
        slide: spring, damper, friction and limits along the axis.
        name: name by which other components refer to it."""
        return _entry("cylindrical", {"name": name, "nodes": nodes, "axis": axis, "at": at, "second_at": second_at,
                                      "angle": angle, "slide": slide})

    @staticmethod
    def prismatic(*, nodes: Sequence[str], axis: Numbers, at: Optional[Numbers] = None,
                  second_at: Optional[Numbers] = None, slide: Optional[Mapping[str, Any]] = None,
                  name: Optional[str] = None) -> Entry:
        """A prismatic joint: displacement along an axis, no rotation.

        nodes (names of nodes): the two frames.
        axis: the axis, in ground axes at the start.
        at [m]: location of the joint, fixed to both nodes, in ground axes at the start; default: position of the
            second node.
        second_at [m]: location of the joint on the second node, if it differs from `at`: the model is then
            assembled.
        slide: spring, damper, friction and limits along the axis.
        name: name by which other components refer to it."""
        return _entry("prismatic", {"name": name, "nodes": nodes, "axis": axis, "at": at, "second_at": second_at,
                                    "slide": slide})

    @staticmethod
    def planar(*, nodes: Sequence[str], axis: Numbers, along: Optional[Numbers] = None,
               at: Optional[Numbers] = None, second_at: Optional[Numbers] = None,
               angle: Optional[Mapping[str, Any]] = None, slide1: Optional[Mapping[str, Any]] = None,
               slide2: Optional[Mapping[str, Any]] = None, name: Optional[str] = None) -> Entry:
        """A planar joint: two displacements in a plane and rotation about its normal.

        nodes (names of nodes): the two frames.
        axis: normal of the plane, in ground axes at the start.
        along: direction of `slide1` in ground axes at the start, as far as it is in the plane; `slide2` is along
            axis x slide1; default: the ground axis that follows the one nearest to `axis`, in the order x, y, z,
            x, made normal to it.
        at [m]: location of the joint, fixed to both nodes, in ground axes at the start; default: position of the
            second node.
        second_at [m]: location of the joint on the second node, if it differs from `at`: the model is then
            assembled.
        angle: spring, damper, friction and limits about the normal.
        slide1: spring, damper, friction and limits along the first direction of the plane, `along`.
        slide2: spring, damper, friction and limits along the second direction of the plane, axis x slide1.
        name: name by which other components refer to it."""
        return _entry("planar", {"name": name, "nodes": nodes, "axis": axis, "along": along, "at": at,
                                 "second_at": second_at, "angle": angle, "slide1": slide1, "slide2": slide2})

    @staticmethod
    def universal(*, nodes: Sequence[str], axis: Numbers, second_axis: Numbers, at: Optional[Numbers] = None,
                  second_at: Optional[Numbers] = None, angle1: Optional[Mapping[str, Any]] = None,
                  angle2: Optional[Mapping[str, Any]] = None, name: Optional[str] = None) -> Entry:
        """A universal joint: two shafts joined by a cross, with two angles.

        nodes (names of nodes): the two frames.
        axis: axis of the cross fixed to the first frame, in ground axes at the start.
        second_axis: axis of the cross fixed to the second frame, normal to the first.
        at [m]: location of the joint, fixed to both nodes, in ground axes at the start; default: position of the
            second node.
        second_at [m]: location of the joint on the second node, if it differs from `at`: the model is then
            assembled.
        angle1: spring, damper, friction and limits about the first axis.
        angle2: spring, damper, friction and limits about the second axis.
        name: name by which other components refer to it."""
        return _entry("universal", {"name": name, "nodes": nodes, "axis": axis, "second_axis": second_axis, "at": at,
                                    "second_at": second_at, "angle1": angle1, "angle2": angle2})

    @staticmethod
    def screw(*, nodes: Sequence[str], axis: Numbers, pitch: Quantity, at: Optional[Numbers] = None,
              second_at: Optional[Numbers] = None, angle: Optional[Mapping[str, Any]] = None,
              name: Optional[str] = None) -> Entry:
        """A screw joint: rotation about an axis and proportional displacement along it.

        nodes (names of nodes): the two frames.
        axis: the axis, in ground axes at the start.
        pitch [m]: displacement along the axis per turn; negative: left-handed thread.
        at [m]: location of the joint, fixed to both nodes, in ground axes at the start; default: position of the
            second node.
        second_at [m]: location of the joint on the second node, if it differs from `at`: the model is then
            assembled.
        angle: spring, damper, friction and limits about the axis.
        name: name by which other components refer to it."""
        return _entry("screw", {"name": name, "nodes": nodes, "axis": axis, "pitch": pitch, "at": at,
                                "second_at": second_at, "angle": angle})

    @staticmethod
    def point_on_line(*, nodes: Sequence[str], axis: Numbers, at: Optional[Numbers] = None,
                      second_at: Optional[Numbers] = None, slide: Optional[Mapping[str, Any]] = None,
                      name: Optional[str] = None) -> Entry:
        """A node moves along a line of a frame, with one displacement.

        nodes (names of nodes): a frame with the line, and the node that moves along it.
        axis: the axis, in ground axes at the start.
        at [m]: location of the joint, fixed to both nodes, in ground axes at the start; default: position of the
            second node.
        second_at [m]: location of the joint on the second node, if it differs from `at`: the model is then
            assembled.
        slide: spring, damper, friction and limits along the line.
        name: name by which other components refer to it."""
        return _entry("point_on_line", {"name": name, "nodes": nodes, "axis": axis, "at": at, "second_at": second_at,
                                        "slide": slide})

    @staticmethod
    def point_in_plane(*, nodes: Sequence[str], axis: Numbers, along: Optional[Numbers] = None,
                       at: Optional[Numbers] = None, second_at: Optional[Numbers] = None,
                       slide1: Optional[Mapping[str, Any]] = None, slide2: Optional[Mapping[str, Any]] = None,
                       name: Optional[str] = None) -> Entry:
        """A node moves in a plane of a frame, with two displacements.

        nodes (names of nodes): a frame with the plane, and the node that moves in it.
        axis: normal of the plane, in ground axes at the start.
        along: direction of `slide1` in ground axes at the start, as far as it is in the plane; `slide2` is along
            axis x slide1; default: the ground axis that follows the one nearest to `axis`, in the order x, y, z,
            x, made normal to it.
        at [m]: location of the joint, fixed to both nodes, in ground axes at the start; default: position of the
            second node.
        second_at [m]: location of the joint on the second node, if it differs from `at`: the model is then
            assembled.
        slide1: spring, damper, friction and limits along the first direction of the plane, `along`.
        slide2: spring, damper, friction and limits along the second direction of the plane, axis x slide1.
        name: name by which other components refer to it."""
        return _entry("point_in_plane", {"name": name, "nodes": nodes, "axis": axis, "along": along, "at": at,
                                         "second_at": second_at, "slide1": slide1, "slide2": slide2})

    @staticmethod
    def distance(*, nodes: Sequence[str], length: Optional[Quantity] = None, from_: Optional[Numbers] = None,
                 to: Optional[Numbers] = None, name: Optional[str] = None) -> Entry:
        """A rigid massless link between two nodes.

        nodes (names of nodes): the two nodes.
        length [m]: length; default: distance of the ends; a given length may require the model to be assembled.
        from_ [m]: end of the link, fixed to the first node, in ground axes at the start; default: the node.
        to [m]: the same for the second node.
        name: name by which other components refer to it."""
        return _entry("distance", {"name": name, "nodes": nodes, "length": length, "from": from_, "to": to})

    @staticmethod
    def prescribed_motion(*, node: str, axis: Optional[Numbers] = None, name: Optional[str] = None) -> Entry:
        """Prescribed motion of a node: drives prescribe its displacement x, y, z and its angle; the others are fixed.

        node (name of a node): frame or point to move.
        axis: axis of rotation of a frame, in ground axes; default: z.
        name: name by which other components refer to it."""
        return _entry("prescribed_motion", {"name": name, "node": node, "axis": axis})

    @staticmethod
    def actuator(*, nodes: Sequence[str], from_: Optional[Numbers] = None, to: Optional[Numbers] = None,
                 slide: Optional[Mapping[str, Any]] = None, name: Optional[str] = None) -> Entry:
        """The distance between two points as a coordinate, for actuators; it adds no constraint.

        nodes (names of nodes): the two nodes.
        from_ [m]: end of the actuator, fixed to the first node, in ground axes at the start; default: the node.
        to [m]: the same for the second node.
        slide: spring, damper, friction and limits along its change of length since the start.
        name: name by which other components refer to it."""
        return _entry("actuator", {"name": name, "nodes": nodes, "from": from_, "to": to, "slide": slide})

    @staticmethod
    def rigid_points(*, nodes: Sequence[str], third: Optional[str] = None, fourth: Optional[str] = None,
                     name: Optional[str] = None) -> Entry:
        """Two, three or four points keep their distances, like points of one rigid body.

        nodes (names of nodes): two of the points.
        third (name of a node): one more.
        fourth (name of a node): one more.
        name: name by which other components refer to it."""
        return _entry("rigid_points", {"name": name, "nodes": nodes, "third": third, "fourth": fourth})

    @staticmethod
    def rigid_tie(*, body: str, node: str, name: Optional[str] = None) -> Entry:
        """Fixes a point, or all points of a group, to a frame or to a body of points.

        body (name of a node): a frame or a body of points.
        node (name of a node): a point fixed to it, or all points of a group: MESH.GROUP, BEAM.start.
        name: name by which other components refer to it."""
        return _entry("rigid_tie", {"name": name, "body": body, "node": node})

    @staticmethod
    def multipoint_constraint(*, node: str, reference: Sequence[str], third: Optional[str] = None,
                              fourth: Optional[str] = None, name: Optional[str] = None) -> Entry:
        """A point keeps its position relative to two, three or four other points, by linear interpolation.

        node (name of a node): the point.
        reference (names of nodes): two reference points.
        third (name of a node): one more.
        fourth (name of a node): one more.
        name: name by which other components refer to it."""
        return _entry("multipoint_constraint", {"name": name, "node": node, "reference": reference, "third": third,
                                                "fourth": fourth})

    @staticmethod
    def gear(*, first: str, second: str, ratio: Quantity, mesh: Optional[Mapping[str, Any]] = None,
             name: Optional[str] = None) -> Entry:
        """A pair of gears: couples the angles of two joints in a ratio, rigid or with mesh stiffness and clearance.

        first (name of a joint): joint with an angle.
        second (name of a joint): another joint with an angle.
        ratio: angle of the first joint over that of the second; negative: they turn in opposite directions, as
            two external gears with parallel axes do.
        mesh: instead of a rigid coupling: spring, clearance, damper, friction and limits along first - ratio
            second, an angle of the first joint.
        name: name by which other components refer to it."""
        return _entry("gear", {"name": name, "first": first, "second": second, "ratio": ratio, "mesh": mesh})

    @staticmethod
    def rack_and_pinion(*, pinion: str, rack: str, radius: Quantity, mesh: Optional[Mapping[str, Any]] = None,
                        name: Optional[str] = None) -> Entry:
        """A rack and its pinion: couples an angle of one joint and a slide of another.

        pinion (name of a joint): joint with an angle.
        rack (name of a joint): joint with a slide.
        radius [m]: radius of the pinion: slide per angle; negative: the other way.
        mesh: instead of a rigid coupling: spring, clearance, damper, friction and limits along slide - radius
            angle.
        name: name by which other components refer to it."""
        return _entry("rack_and_pinion", {"name": name, "pinion": pinion, "rack": rack, "radius": radius,
                                          "mesh": mesh})

    @staticmethod
    def belt(*, first: str, second: str, radii: Numbers, stretch: Optional[Mapping[str, Any]] = None,
             name: Optional[str] = None) -> Entry:
        """A belt or chain between two pulleys: couples the angles of two joints, rigid or elastic.

        first (name of a joint): joint of a pulley.
        second (name of a joint): joint of the other pulley.
        radii [m]: radii of the two pulleys; one of them negative: a crossed belt.
        stretch: instead of a rigid coupling: spring, clearance, damper, friction and limits along radius first -
            radius second.
        name: name by which other components refer to it."""
        return _entry("belt", {"name": name, "first": first, "second": second, "radii": radii, "stretch": stretch})

    @staticmethod
    def differential(*, input: str, first: str, second: str, ratio: Optional[Quantity] = None,
                     mesh: Optional[Mapping[str, Any]] = None, name: Optional[str] = None) -> Entry:
        """A differential gear: an input turns with the mean of two outputs.

        input (name of a joint): joint of the shaft that drives, against the housing.
        first (name of a joint): joint of an output, against the housing.
        second (name of a joint): joint of the other output.
        ratio: angle of the input over the mean of the outputs. Default: 1.
        mesh: instead of a rigid coupling: spring, clearance, damper, friction and limits along input - ratio
            (first + second)/2.
        name: name by which other components refer to it."""
        return _entry("differential", {"name": name, "input": input, "first": first, "second": second, "ratio": ratio,
                                       "mesh": mesh})

    @staticmethod
    def coupler(*, first: str, second: str, first_coordinate: Optional[Quantity] = None,
                second_coordinate: Optional[Quantity] = None, third: Optional[str] = None,
                third_coordinate: Optional[Quantity] = None, factors: Optional[Numbers] = None,
                formula: Optional[Quantity] = None, sum: Optional[Mapping[str, Any]] = None,
                name: Optional[str] = None) -> Entry:
        """Couples coordinates of two or three joints: a sum of them with constant factors, or a formula, stays zero.

        first (name of a joint): joint with a coordinate.
        second (name of a joint): another.
        first_coordinate: coordinate of that joint, named as in limber describe; default: its first.
        second_coordinate: coordinate of that joint, named as in limber describe; default: its first.
        third (name of a joint): one more.
        third_coordinate: coordinate of that joint, named as in limber describe; default: its first.
        factors: factors of the coordinates, whose weighted sum stays zero; for two joints the third is 0.
        formula: instead of factors: a formula of `first`, `second`, `third` in SI units and of parameters, which
            stays zero, as it is at the start.
        sum: instead of a rigid coupling: spring, clearance, damper, friction and limits along the sum or the
            formula; its unit is taken as m.
        name: name by which other components refer to it."""
        return _entry("coupler", {"name": name, "first": first, "first_coordinate": first_coordinate,
                                  "second": second, "second_coordinate": second_coordinate, "third": third,
                                  "third_coordinate": third_coordinate, "factors": factors, "formula": formula,
                                  "sum": sum})


class loads:
    """Kinds of loads."""

    @staticmethod
    def force(*, node: str, direction: Numbers, amplitude: Optional[str] = None,
              name: Optional[str] = None) -> Entry:
        """A force that keeps its direction.

        node (name of a node): node on which it acts.
        direction [N]: in ground axes, times the amplitude.
        amplitude (name of a function): function of time; default: 1.
        name: name by which other components refer to it."""
        return _entry("force", {"name": name, "node": node, "direction": direction, "amplitude": amplitude})

    @staticmethod
    def moment(*, node: str, direction: Numbers, amplitude: Optional[str] = None,
               name: Optional[str] = None) -> Entry:
        """A moment that keeps its direction.

        node (name of a node): frame on which it acts.
        direction [N m]: in ground axes, times the amplitude.
        amplitude (name of a function): function of time; default: 1.
        name: name by which other components refer to it."""
        return _entry("moment", {"name": name, "node": node, "direction": direction, "amplitude": amplitude})

    @staticmethod
    def follower_force(*, node: str, direction: Numbers, amplitude: Optional[str] = None,
                       name: Optional[str] = None) -> Entry:
        """A force that turns with its node.

        node (name of a node): frame on which it acts.
        direction [N]: in the axes of the node, times the amplitude.
        amplitude (name of a function): function of time; default: 1.
        name: name by which other components refer to it."""
        return _entry("follower_force", {"name": name, "node": node, "direction": direction, "amplitude": amplitude})

    @staticmethod
    def follower_moment(*, node: str, direction: Numbers, amplitude: Optional[str] = None,
                        name: Optional[str] = None) -> Entry:
        """A moment that turns with its node.

        node (name of a node): frame on which it acts.
        direction [N m]: in the axes of the node, times the amplitude.
        amplitude (name of a function): function of time; default: 1.
        name: name by which other components refer to it."""
        return _entry("follower_moment", {"name": name, "node": node, "direction": direction, "amplitude": amplitude})

    @staticmethod
    def line_force(*, element: str, direction: Numbers, axes: Optional[Literal['ground', 'section']] = None,
                   amplitude: Optional[str] = None, name: Optional[str] = None) -> Entry:
        """A force per length along a beam or bar.

        element (name of a element): beam or bar along which it acts.
        direction [N/m]: per unloaded length, times the amplitude.
        axes: axes of the components: ground, or section, which turn with it.
        amplitude (name of a function): function of time; default: 1.
        name: name by which other components refer to it."""
        return _entry("line_force", {"name": name, "element": element, "direction": direction, "axes": axes,
                                     "amplitude": amplitude})

    @staticmethod
    def line_moment(*, element: str, direction: Numbers, axes: Optional[Literal['ground', 'section']] = None,
                    amplitude: Optional[str] = None, name: Optional[str] = None) -> Entry:
        """A moment per length along a beam.

        element (name of a element): beam along which it acts.
        direction [N m/m]: per unloaded length, times the amplitude.
        axes: axes of the components: ground, or section, which turn with it.
        amplitude (name of a function): function of time; default: 1.
        name: name by which other components refer to it."""
        return _entry("line_moment", {"name": name, "element": element, "direction": direction, "axes": axes,
                                      "amplitude": amplitude})

    @staticmethod
    def gravity(*, acceleration: Numbers, elements: Optional[Sequence[str]] = None,
                amplitude: Optional[str] = None, name: Optional[str] = None) -> Entry:
        """Gravity: the same acceleration on every mass.

        acceleration [m s-2]: in ground axes.
        elements (names of elements): elements on which it acts; default: all.
        amplitude (name of a function): function of time; default: 1.
        name: name by which other components refer to it."""
        return _entry("gravity", {"name": name, "acceleration": acceleration, "elements": elements,
                                  "amplitude": amplitude})

    @staticmethod
    def base_acceleration(*, acceleration: Numbers, amplitude: Optional[str] = None,
                          name: Optional[str] = None) -> Entry:
        """Acceleration of the ground; positions are relative to the ground.

        acceleration [m s-2]: acceleration of the ground, times the amplitude.
        amplitude (name of a function): function of time; default: 1.
        name: name by which other components refer to it."""
        return _entry("base_acceleration", {"name": name, "acceleration": acceleration, "amplitude": amplitude})

    @staticmethod
    def torque(*, joint: str, value: Optional[Quantity] = None, amplitude: Optional[str] = None,
               name: Optional[str] = None) -> Entry:
        """A torque about the axis of a joint, between its two nodes.

        joint (name of a joint): a joint with an angle.
        value [N m]: times the amplitude. Default: 1.
        amplitude (name of a function): function of time; default: 1.
        name: name by which other components refer to it."""
        return _entry("torque", {"name": name, "joint": joint, "value": value, "amplitude": amplitude})

    @staticmethod
    def joint_force(*, joint: str, coordinate: Optional[Quantity] = None, value: Optional[Quantity] = None,
                    amplitude: Optional[str] = None, name: Optional[str] = None) -> Entry:
        """A force or torque along a coordinate of a joint.

        joint (name of a joint): a joint with a coordinate.
        coordinate: coordinate of the joint, named as in limber describe; default: its first.
        value: N or N m, times the amplitude. Default: 1.
        amplitude (name of a function): function of time; default: 1.
        name: name by which other components refer to it."""
        return _entry("joint_force", {"name": name, "joint": joint, "coordinate": coordinate, "value": value,
                                      "amplitude": amplitude})

    @staticmethod
    def controller(*, joint: str, reference: str, gain: Quantity, coordinate: Optional[Quantity] = None,
                   derivative_gain: Optional[Quantity] = None, name: Optional[str] = None) -> Entry:
        """A PD controller: an actuator force of a joint that follows a reference.

        joint (name of a joint): a joint with a coordinate.
        reference [rad, m] (name of a function): reference of the coordinate, a function of time in rad or m.
        gain [any]: force per error: N m rad-1 or N m-1.
        coordinate: coordinate of the joint, named as in limber describe; default: its first.
        derivative_gain [any]: force per error of the rate: N m s rad-1 or N s m-1.
        name: name by which other components refer to it."""
        return _entry("controller", {"name": name, "joint": joint, "coordinate": coordinate, "reference": reference,
                                     "gain": gain, "derivative_gain": derivative_gain})

    @staticmethod
    def drive(*, joint: str, coordinate: Optional[Quantity] = None, motion: Optional[str] = None,
              rate: Optional[str] = None, name: Optional[str] = None) -> Entry:
        """Prescribes the motion or the rate of a coordinate of a joint.

        joint (name of a joint): a joint with a coordinate.
        coordinate: coordinate of the joint, named as in limber describe; default: its first.
        motion [rad, m] (name of a function): motion as a function of time, in rad or m; the coordinate is its
            change since the start.
        rate [rad s-1, m s-1] (name of a function): instead of `motion`: rate of the coordinate as a function of
            time, in rad/s or m/s.
        name: name by which other components refer to it."""
        return _entry("drive", {"name": name, "joint": joint, "coordinate": coordinate, "motion": motion,
                                "rate": rate})


class functions:
    """Kinds of functions."""

    @staticmethod
    def constant(*, value: Quantity) -> Entry:
        """The same value at all times.

        value [any]: value at all times. Default: 1."""
        return _entry("constant", {"value": value})

    @staticmethod
    def triangle(*, peak: Quantity, at: Quantity, end: Quantity, start: Optional[Quantity] = None) -> Entry:
        """A triangular pulse: zero, linear rise to a peak, linear fall to zero.

        peak [any]: the largest value.
        at [s]: time of the peak.
        end [s]: end of the pulse.
        start [s]: start of the pulse."""
        return _entry("triangle", {"peak": peak, "start": start, "at": at, "end": end})

    @staticmethod
    def table(*, time: Numbers, value: Numbers) -> Entry:
        """Linear interpolation between given points.

        time [s]: increasing times.
        value [any]: value at each time."""
        return _entry("table", {"time": time, "value": value})

    @staticmethod
    def sine(*, frequency: Quantity, amplitude: Optional[Quantity] = None, phase: Optional[Quantity] = None,
             mean: Optional[Quantity] = None) -> Entry:
        """A sine about a mean.

        frequency [Hz]: cycles per second.
        amplitude [any]: half the difference of the extremes. Default: 1.
        phase [rad]: angle at t = 0.
        mean [any]: mean value."""
        return _entry("sine", {"amplitude": amplitude, "frequency": frequency, "phase": phase, "mean": mean})

    @staticmethod
    def ramp(*, end: Quantity, from_: Optional[Quantity] = None, to: Optional[Quantity] = None,
             start: Optional[Quantity] = None) -> Entry:
        """A linear change from one value to another.

        end [s]: end time.
        from_ [any]: value before the start.
        to [any]: value after the end. Default: 1.
        start [s]: start time."""
        return _entry("ramp", {"from": from_, "to": to, "start": start, "end": end})

    @staticmethod
    def smooth_step(*, end: Quantity, from_: Optional[Quantity] = None, to: Optional[Quantity] = None,
                    start: Optional[Quantity] = None) -> Entry:
        """A smooth change from one value to another: first and second derivatives are zero at both ends.

        end [s]: end time.
        from_ [any]: value before the start.
        to [any]: value after the end. Default: 1.
        start [s]: start time."""
        return _entry("smooth_step", {"from": from_, "to": to, "start": start, "end": end})

    @staticmethod
    def chirp(*, from_: Quantity, to: Quantity, end: Quantity, amplitude: Optional[Quantity] = None,
              start: Optional[Quantity] = None) -> Entry:
        """A sine whose frequency changes linearly from one value to another.

        from_ [Hz]: frequency at the start.
        to [Hz]: frequency at the end.
        end [s]: end time.
        amplitude [any]: half the difference of the extremes. Default: 1.
        start [s]: start time."""
        return _entry("chirp", {"amplitude": amplitude, "from": from_, "to": to, "start": start, "end": end})

    @staticmethod
    def sum(*, of: Sequence[str]) -> Entry:
        """The sum of other functions.

        of [any] (names of functions): functions to add."""
        return _entry("sum", {"of": of})

    @staticmethod
    def product(*, of: Sequence[str]) -> Entry:
        """The product of other functions.

        of [any] (names of functions): functions to multiply."""
        return _entry("product", {"of": of})

    @staticmethod
    def expression(*, value: Quantity, rate: Optional[Quantity] = None) -> Entry:
        """A formula of the time t.

        value: formula of the time t (s) and of parameters (SI).
        rate: its derivative with respect to t, as a formula; default: by finite differences."""
        return _entry("expression", {"value": value, "rate": rate})

    @staticmethod
    def signal(*, value: Optional[Quantity] = None) -> Entry:
        """A value that a program sets between steps.

        value [any]: initial value, until a program sets another."""
        return _entry("signal", {"value": value})


class events:
    """Kinds of events."""

    @staticmethod
    def time(*, at: Quantity, do: Any, repeat: Optional[Union[bool, Literal["true", "false"]]] = None,
             name: Optional[str] = None) -> Entry:
        """Happens at a given time.

        at [s]: time.
        do: actions: a list of {lock: joint}, {unlock: joint}, {release: joint}, {engage: joint}, {begin: load},
            {end: load}.
        repeat: true: it may happen again; default: it happens once.
        name: name by which other components refer to it."""
        return _entry("time", {"name": name, "at": at, "do": do, "repeat": repeat})

    @staticmethod
    def after(*, event: str, do: Any, delay: Optional[Quantity] = None,
              repeat: Optional[Union[bool, Literal["true", "false"]]] = None,
              name: Optional[str] = None) -> Entry:
        """Happens together with another event, or some time after it.

        event (name of a event): an event listed above.
        do: actions: a list of {lock: joint}, {unlock: joint}, {release: joint}, {engage: joint}, {begin: load},
            {end: load}.
        delay [s]: time after that event.
        repeat: true: it may happen again; default: it happens once.
        name: name by which other components refer to it."""
        return _entry("after", {"name": name, "event": event, "delay": delay, "do": do, "repeat": repeat})

    @staticmethod
    def coordinate(*, joint: str, do: Any, coordinate: Optional[Quantity] = None, angle: Optional[Numbers] = None,
                   slide: Optional[Numbers] = None,
                   direction: Optional[Literal['either', 'rising', 'falling']] = None,
                   tolerance: Optional[Quantity] = None,
                   repeat: Optional[Union[bool, Literal["true", "false"]]] = None,
                   name: Optional[str] = None) -> Entry:
        """Happens when a coordinate of a joint, an angle or a slide, reaches a value.

        joint (name of a joint): a joint with a coordinate.
        do: actions: a list of {lock: joint}, {unlock: joint}, {release: joint}, {engage: joint}, {begin: load},
            {end: load}.
        coordinate: coordinate of the joint, named as in limber describe; default: its first.
        angle [rad]: value that an angle reaches.
        slide [m]: value that a slide reaches.
        direction: rising or falling: from which side the value is reached; default: from either.
        tolerance: largest distance from the value at the end of the step, relative to the value, or to 1 if that
            is larger. Default: 1e-12.
        repeat: true: it may happen again; default: it happens once.
        name: name by which other components refer to it."""
        return _entry("coordinate", {"name": name, "joint": joint, "coordinate": coordinate, "angle": angle,
                                     "slide": slide, "direction": direction, "tolerance": tolerance, "do": do,
                                     "repeat": repeat})

    @staticmethod
    def rate(*, joint: str, do: Any, coordinate: Optional[Quantity] = None,
             angular_velocity: Optional[Numbers] = None, velocity: Optional[Numbers] = None,
             direction: Optional[Literal['either', 'rising', 'falling']] = None,
             tolerance: Optional[Quantity] = None, repeat: Optional[Union[bool, Literal["true", "false"]]] = None,
             name: Optional[str] = None) -> Entry:
        """Happens when the rate of a coordinate of a joint reaches a value.

        joint (name of a joint): a joint with a coordinate.
        do: actions: a list of {lock: joint}, {unlock: joint}, {release: joint}, {engage: joint}, {begin: load},
            {end: load}.
        coordinate: coordinate of the joint, named as in limber describe; default: its first.
        angular_velocity [rad s-1]: value that the rate of an angle reaches.
        velocity [m s-1]: value that the rate of a slide reaches.
        direction: rising or falling: from which side the value is reached; default: from either.
        tolerance: largest distance from the value at the end of the step, relative to the value, or to 1 if that
            is larger. Default: 1e-12.
        repeat: true: it may happen again; default: it happens once.
        name: name by which other components refer to it."""
        return _entry("rate", {"name": name, "joint": joint, "coordinate": coordinate,
                               "angular_velocity": angular_velocity, "velocity": velocity, "direction": direction,
                               "tolerance": tolerance, "do": do, "repeat": repeat})

    @staticmethod
    def joint_force(*, joint: str, do: Any, force: Optional[Numbers] = None, moment: Optional[Numbers] = None,
                    repeat: Optional[Union[bool, Literal["true", "false"]]] = None,
                    name: Optional[str] = None) -> Entry:
        """Happens when the force or the moment of a joint reaches a value.

        joint (name of a joint): joint whose force is monitored.
        do: actions: a list of {lock: joint}, {unlock: joint}, {release: joint}, {engage: joint}, {begin: load},
            {end: load}.
        force [N]: magnitude of the joint force at which it happens.
        moment [N m]: magnitude of the joint moment at which it happens.
        repeat: true: it may happen again; default: it happens once.
        name: name by which other components refer to it."""
        return _entry("joint_force", {"name": name, "joint": joint, "force": force, "moment": moment, "do": do,
                                      "repeat": repeat})

    @staticmethod
    def section_force(*, element: str, value: Quantity, do: Any, at: Optional[Quantity] = None,
                      component: Optional[Quantity] = None,
                      repeat: Optional[Union[bool, Literal["true", "false"]]] = None,
                      name: Optional[str] = None) -> Entry:
        """Happens when a force in an element, such as N of a beam, reaches a value.

        element (name of a element): element with section forces.
        value [any]: magnitude of that force at which it happens.
        do: actions: a list of {lock: joint}, {unlock: joint}, {release: joint}, {engage: joint}, {begin: load},
            {end: load}.
        at: position along the element, 0 to 1 of its length.
        component: which of its forces, named as in the results; default: the first.
        repeat: true: it may happen again; default: it happens once.
        name: name by which other components refer to it."""
        return _entry("section_force", {"name": name, "element": element, "at": at, "component": component,
                                        "value": value, "do": do, "repeat": repeat})

    @staticmethod
    def position(*, node: str, along: Numbers, value: Quantity, do: Any,
                 direction: Optional[Literal['either', 'rising', 'falling']] = None,
                 tolerance: Optional[Quantity] = None,
                 repeat: Optional[Union[bool, Literal["true", "false"]]] = None,
                 name: Optional[str] = None) -> Entry:
        """Happens when the position of a node along a direction reaches a value.

        node (name of a node): node that moves.
        along: direction, in ground axes.
        value [m]: position along this direction.
        do: actions: a list of {lock: joint}, {unlock: joint}, {release: joint}, {engage: joint}, {begin: load},
            {end: load}.
        direction: rising or falling: from which side the value is reached; default: from either.
        tolerance: largest distance from the value at the end of the step, relative to the value, or to 1 if that
            is larger. Default: 1e-12.
        repeat: true: it may happen again; default: it happens once.
        name: name by which other components refer to it."""
        return _entry("position", {"name": name, "node": node, "along": along, "value": value, "direction": direction,
                                   "tolerance": tolerance, "do": do, "repeat": repeat})

    @staticmethod
    def velocity(*, node: str, along: Numbers, value: Quantity, do: Any,
                 direction: Optional[Literal['either', 'rising', 'falling']] = None,
                 tolerance: Optional[Quantity] = None,
                 repeat: Optional[Union[bool, Literal["true", "false"]]] = None,
                 name: Optional[str] = None) -> Entry:
        """Happens when the velocity of a node along a direction reaches a value.

        node (name of a node): node that moves.
        along: direction, in ground axes.
        value [m s-1]: velocity along this direction.
        do: actions: a list of {lock: joint}, {unlock: joint}, {release: joint}, {engage: joint}, {begin: load},
            {end: load}.
        direction: rising or falling: from which side the value is reached; default: from either.
        tolerance: largest distance from the value at the end of the step, relative to the value, or to 1 if that
            is larger. Default: 1e-12.
        repeat: true: it may happen again; default: it happens once.
        name: name by which other components refer to it."""
        return _entry("velocity", {"name": name, "node": node, "along": along, "value": value, "direction": direction,
                                   "tolerance": tolerance, "do": do, "repeat": repeat})

    @staticmethod
    def probe(*, probe: Quantity, value: Quantity, do: Any,
              direction: Optional[Literal['either', 'rising', 'falling']] = None,
              tolerance: Optional[Quantity] = None,
              repeat: Optional[Union[bool, Literal["true", "false"]]] = None,
              name: Optional[str] = None) -> Entry:
        """Happens when a quantity of a probe, or a formula of them, reaches a value.

        probe: a column of a probe, such as tip.velocity.x, or a formula of columns.
        value [any]: value that it reaches, in the unit of the column.
        do: actions: a list of {lock: joint}, {unlock: joint}, {release: joint}, {engage: joint}, {begin: load},
            {end: load}.
        direction: rising or falling: from which side the value is reached; default: from either.
        tolerance: largest distance from the value at the end of the step, relative to the value, or to 1 if that
            is larger. Default: 1e-12.
        repeat: true: it may happen again; default: it happens once.
        name: name by which other components refer to it."""
        return _entry("probe", {"name": name, "probe": probe, "value": value, "direction": direction,
                                "tolerance": tolerance, "do": do, "repeat": repeat})
