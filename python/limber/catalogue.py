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
    def beam(*, section: str, from_: Optional[str] = None, to: Optional[str] = None,
             elements: Optional[Union[int, str]] = None, order: Optional[Union[int, str]] = None,
             start: Optional[Numbers] = None, end: Optional[Numbers] = None, up: Optional[Numbers] = None,
             twist: Optional[Quantity] = None, curvature: Optional[Numbers] = None,
             length: Optional[Quantity] = None, arc: Optional[Mapping[str, Any]] = None,
             helix: Optional[Mapping[str, Any]] = None, stations: Optional[Any] = None,
             damping: Optional[Quantity] = None, tension: Optional[Quantity] = None,
             measure: Optional[Literal['green', 'stretch']] = None, name: Optional[str] = None) -> Entry:
        """A geometrically exact beam: large rotation, shear, coupling, curvature.

        section (name of a section): stiffness and inertia per length.
        from_ (name of a node): frame at the start; none: made.
        to (name of a node): frame at the end; none: made.
        elements: finite elements along the beam. Default: 4.
        order: degree of the elements: 1, 2 or 3. Default: 3.
        start [m]: where it starts if `from` is none.
        end [m]: where it ends if `to` is none; of a curved beam: a point ahead on its first tangent, or 0: along
            the first axis of `from`.
        up: section axis e2 lies in the plane of e1 and up.
        twist [rad]: pre-twist from start to end, growing evenly.
        curvature [m-1]: constant curvature of the unloaded beam in section axes (twist rate, about e2, about e3).
        length [m]: arc length where curvature is given.
        arc: an arc of a circle about an axis.
        helix: a helix about an axis.
        stations: a smooth line through these places, the ends among them.
        damping [s]: Kelvin-Voigt damping: stress of the rate of strain over stress of the strain.
        tension [N]: axial force that it carries as it is written.
        measure: axial strain at the stretch s: (s^2 - 1)/2, or s - 1; default: green.
        name: by which others refer to it."""
        return _entry("beam", {"name": name, "from": from_, "to": to, "section": section, "elements": elements,
                               "order": order, "start": start, "end": end, "up": up, "twist": twist,
                               "curvature": curvature, "length": length, "arc": arc, "helix": helix,
                               "stations": stations, "damping": damping, "tension": tension, "measure": measure})

    @staticmethod
    def rigid_body(*, node: str, mass: Quantity, centre: Optional[Numbers] = None,
                   inertia: Optional[Numbers] = None, name: Optional[str] = None) -> Entry:
        """A rigid body carried by one frame.

        node (name of a node): the frame that carries the body.
        mass [kg]: total mass.
        centre [m]: mass centre, in the node's axes.
        inertia [kg m2]: about the mass centre in the node's axes: 11 22 33 12 13 23.
        name: by which others refer to it."""
        return _entry("rigid_body", {"name": name, "node": node, "mass": mass, "centre": centre, "inertia": inertia})

    @staticmethod
    def mass(*, node: str, mass: Quantity, name: Optional[str] = None) -> Entry:
        """A mass without extension.

        node (name of a node): point or frame.
        mass [kg]: the mass.
        name: by which others refer to it."""
        return _entry("mass", {"name": name, "node": node, "mass": mass})

    @staticmethod
    def bar(*, nodes: Sequence[str], stiffness: Quantity, mass: Optional[Quantity] = None,
            length: Optional[Quantity] = None, damping: Optional[Quantity] = None,
            tension: Optional[Quantity] = None, measure: Optional[Literal['green', 'stretch']] = None,
            name: Optional[str] = None) -> Entry:
        """A straight bar that carries axial force only.

        nodes (names of nodes): the two ends, points or frames.
        stiffness [N]: EA.
        mass [kg/m]: per length.
        length [m]: natural length; 0: the distance of the nodes.
        damping [s]: Kelvin-Voigt damping: stress of the rate of strain over stress of the strain.
        tension [N]: that it carries at its `length`.
        measure: axial strain at the stretch s: (s^2 - 1)/2, or s - 1; default: green.
        name: by which others refer to it."""
        return _entry("bar", {"name": name, "nodes": nodes, "stiffness": stiffness, "mass": mass, "length": length,
                              "damping": damping, "tension": tension, "measure": measure})

    @staticmethod
    def bushing(*, nodes: Sequence[str], stiffness: Numbers, damping: Optional[Quantity] = None,
                name: Optional[str] = None) -> Entry:
        """A soft mount between two frames, with a stiffness in every direction.

        nodes (names of nodes): two frames; it sits where the second stands.
        stiffness [N m-1, N m-1, N m-1, N m rad-1, N m rad-1, N m rad-1]: over displacement and rotation along and
            about the first node's axes.
        damping [s]: Kelvin-Voigt damping: stress of the rate of strain over stress of the strain.
        name: by which others refer to it."""
        return _entry("bushing", {"name": name, "nodes": nodes, "stiffness": stiffness, "damping": damping})

    @staticmethod
    def spring(*, nodes: Sequence[str], from_: Optional[Numbers] = None, to: Optional[Numbers] = None,
               stiffness: Optional[Quantity] = None, rest: Optional[Quantity] = None,
               preload: Optional[Quantity] = None, clearance: Optional[Quantity] = None,
               side: Optional[Literal['tension', 'compression']] = None, table: Optional[Numbers] = None,
               damping: Optional[Quantity] = None, friction: Optional[Quantity] = None,
               friction_rate: Optional[Quantity] = None, limits: Optional[Numbers] = None,
               limit_stiffness: Optional[Quantity] = None, name: Optional[str] = None) -> Entry:
        """A spring and damper along the distance of two places.

        nodes (names of nodes): the two nodes.
        from_ [m]: end that the first node carries along, in ground axes at the start; default: the node.
        to [m]: the same of the second node.
        stiffness [N m-1]: force over elongation.
        rest [m]: length at rest; 0: the distance of the ends at the start.
        preload [N]: force at the start, positive where it pulls: gives the rest.
        clearance [m]: the spring acts only farther than this from its rest.
        side: where spring and damper act: longer than at rest, or shorter; default: on both sides.
        table [m, N]: in place of a stiffness: rows of way from the rest and force, straight between them and on
            beyond the ends.
        damping [N s m-1]: force over rate of length, of a damper.
        friction [N]: of dry friction while it moves.
        friction_rate [m s-1]: rate below which friction sticks, viscously. Default: 0.001.
        limits [m]: least and largest length.
        limit_stiffness [N m-1]: of both limits.
        name: by which others refer to it."""
        return _entry("spring", {"name": name, "nodes": nodes, "from": from_, "to": to, "stiffness": stiffness,
                                 "rest": rest, "preload": preload, "clearance": clearance, "side": side,
                                 "table": table, "damping": damping, "friction": friction,
                                 "friction_rate": friction_rate, "limits": limits,
                                 "limit_stiffness": limit_stiffness})

    @staticmethod
    def cable(*, from_: str, to: str, stiffness: Quantity, mass: Optional[Quantity] = None,
              length: Optional[Quantity] = None, elements: Optional[Union[int, str]] = None,
              sag: Optional[Numbers] = None, damping: Optional[Quantity] = None,
              name: Optional[str] = None) -> Entry:
        """A line of bars that go slack: they carry no compression.

        from_ (name of a node): point or frame at the start.
        to (name of a node): point or frame at the end.
        stiffness [N]: EA.
        mass [kg/m]: per natural length.
        length [m]: natural length, below which it is slack; 0: the distance of its ends.
        elements: bars along the cable, with points between them. Default: 1.
        sag: direction in which a slack cable hangs at the start, as an arc; 0: a straight line.
        damping [s]: Kelvin-Voigt damping: stress of the rate of strain over stress of the strain; only while
            taut.
        name: by which others refer to it."""
        return _entry("cable", {"name": name, "from": from_, "to": to, "stiffness": stiffness, "mass": mass,
                                "length": length, "elements": elements, "sag": sag, "damping": damping})

    @staticmethod
    def simplex_body(*, centre: Optional[Numbers] = None, mesh: Optional[Any] = None,
                     axes: Optional[Numbers] = None, mass: Optional[Quantity] = None,
                     density: Optional[Quantity] = None, box: Optional[Numbers] = None,
                     inertia: Optional[Numbers] = None, stiffness: Optional[Quantity] = None,
                     nu: Optional[Quantity] = None, volume: Optional[Quantity] = None,
                     velocity: Optional[Numbers] = None, angular: Optional[Numbers] = None,
                     enforcement: Optional[Literal['multipliers', 'penalty', 'augmented']] = None,
                     penalty: Optional[Quantity] = None, tolerance: Optional[Quantity] = None,
                     name: Optional[str] = None) -> Entry:
        """A body of points without rotations, rigid or deformed as a whole; joints name it in place of a node.

        centre [m]: mass centre, in ground axes; default: the origin, or that of a `mesh`.
        mesh: whose cells of three dimensions give centre, volume and inertia, MESH or MESH.GROUP; nothing else is
            made of them.
        axes: of `box` and `inertia`: three axes in ground axes; default: the ground's.
        mass [kg]: total mass.
        density [kg m-3]: in place of the mass.
        box [m]: lengths along the axes; one that is 0 makes a plate without thickness, two a rod.
        inertia [kg m2]: in place of a box: about the mass centre, 11 22 33 12 13 23.
        stiffness [Pa]: Young's modulus of a body that deforms as a whole; 0: rigid.
        nu: Poisson's ratio.
        volume [m3]: default: that of the box.
        velocity [m s-1]: of the mass centre at the start, in ground axes.
        angular [rad s-1]: angular velocity at the start; without both: as `motion` has it.
        enforcement: what keeps a rigid body rigid: multipliers, springs along its edges (penalty), or springs and
            multipliers found step by step (augmented); default: multipliers.
        penalty [N m-1]: stiffness of those springs.
        tolerance: largest strain that `augmented` leaves; 0: 1e-12.
        name: by which others refer to it."""
        return _entry("simplex_body", {"name": name, "centre": centre, "mesh": mesh, "axes": axes, "mass": mass,
                                       "density": density, "box": box, "inertia": inertia, "stiffness": stiffness,
                                       "nu": nu, "volume": volume, "velocity": velocity, "angular": angular,
                                       "enforcement": enforcement, "penalty": penalty, "tolerance": tolerance})

    @staticmethod
    def solid(*, mesh: Any, material: Union[str, Mapping[str, Any]], damping: Optional[Quantity] = None,
              name: Optional[str] = None) -> Entry:
        """A body of tetrahedra and hexahedra, from a mesh.

        mesh: cells of three dimensions: a mesh, or a group of it, MESH.GROUP.
        material (name of a material): one of the file's materials.
        damping [s]: Kelvin-Voigt damping: stress of the rate of strain over stress of the strain.
        name: by which others refer to it."""
        return _entry("solid", {"name": name, "mesh": mesh, "material": material, "damping": damping})

    @staticmethod
    def membrane(*, mesh: Any, material: Union[str, Mapping[str, Any]], thickness: Quantity,
                 plane: Optional[Literal['stress', 'strain']] = None, damping: Optional[Quantity] = None,
                 name: Optional[str] = None) -> Entry:
        """A thin sheet of triangles and quadrilaterals that does not resist bending, or a slice of a long body, from a mesh.

        mesh: cells of two dimensions: a mesh, or a group of it, MESH.GROUP.
        material (name of a material): one of the file's materials.
        thickness [m]: of the unloaded sheet.
        plane: stress: free to grow thinner; strain: of constant thickness; default: stress.
        damping [s]: Kelvin-Voigt damping: stress of the rate of strain over stress of the strain.
        name: by which others refer to it."""
        return _entry("membrane", {"name": name, "mesh": mesh, "material": material, "thickness": thickness,
                                   "plane": plane, "damping": damping})

    @staticmethod
    def plane_beam(*, start: Numbers, end: Numbers, depth: Quantity, width: Quantity,
                   material: Union[str, Mapping[str, Any]], across: Optional[Numbers] = None,
                   elements: Optional[Union[int, str]] = None, damping: Optional[Quantity] = None,
                   inertia: Optional[Literal['lumped', 'consistent']] = None,
                   name: Optional[str] = None) -> Entry:
        """A beam of points without rotations, for motion in one plane.

        start [m]: where its middle line begins.
        end [m]: where it ends.
        depth [m]: of its section, in the plane.
        width [m]: normal to the plane.
        material (name of a material): one of the file's materials; its nu gives the shear modulus alone.
        across: direction of its depth, from the lower face to the upper; default: the ground's y, or x of a beam
            along y.
        elements: along the beam. Default: 10.
        damping [s]: Kelvin-Voigt damping: stress of the rate of strain over stress of the strain.
        inertia: lumped: masses at its points; consistent: as of the consistent mass matrix; default: lumped.
        name: by which others refer to it."""
        return _entry("plane_beam", {"name": name, "start": start, "end": end, "across": across, "depth": depth,
                                     "width": width, "elements": elements, "material": material, "damping": damping,
                                     "inertia": inertia})

    @staticmethod
    def solid_shell(*, mesh: Any, material: Union[str, Mapping[str, Any]], across: Optional[Numbers] = None,
                    damping: Optional[Quantity] = None, name: Optional[str] = None) -> Entry:
        """A thin body that bends as a shell, of hexahedra with points on its two faces, from a mesh.

        mesh: hexahedra, one through the thickness: a mesh, or a group of it, MESH.GROUP.
        material (name of a material): one of the file's materials.
        across: near the direction of the thickness; default: that of the shortest edges of each cell.
        damping [s]: Kelvin-Voigt damping: stress of the rate of strain over stress of the strain.
        name: by which others refer to it."""
        return _entry("solid_shell", {"name": name, "mesh": mesh, "material": material, "across": across,
                                      "damping": damping})


class joints:
    """Kinds of joints."""

    @staticmethod
    def clamp(*, node: str, name: Optional[str] = None) -> Entry:
        """Holds a frame where it stands.

        node (name of a node): the frame to hold.
        name: by which others refer to it."""
        return _entry("clamp", {"name": name, "node": node})

    @staticmethod
    def weld(*, nodes: Sequence[str], name: Optional[str] = None) -> Entry:
        """Two frames move as one body.

        nodes (names of nodes): the two frames.
        name: by which others refer to it."""
        return _entry("weld", {"name": name, "nodes": nodes})

    @staticmethod
    def spherical(*, nodes: Sequence[str], at: Optional[Numbers] = None, second_at: Optional[Numbers] = None,
                  name: Optional[str] = None) -> Entry:
        """Two nodes share a point and turn freely.

        nodes (names of nodes): the two nodes.
        at [m]: point that both carry along, in ground axes at the start; default: where the second stands.
        second_at [m]: point that the second carries, where it does not stand at the first's yet: the model is
            assembled.
        name: by which others refer to it."""
        return _entry("spherical", {"name": name, "nodes": nodes, "at": at, "second_at": second_at})

    @staticmethod
    def revolute(*, nodes: Sequence[str], axis: Numbers, at: Optional[Numbers] = None,
                 second_at: Optional[Numbers] = None, angle: Optional[Mapping[str, Any]] = None,
                 name: Optional[str] = None) -> Entry:
        """A hinge, with its angle.

        nodes (names of nodes): the two frames.
        axis: the axis, in ground axes at the start.
        at [m]: point that both carry along, in ground axes at the start; default: where the second stands.
        second_at [m]: point that the second carries, where it does not stand at the first's yet: the model is
            assembled.
        angle: what acts about the axis.
        name: by which others refer to it."""
        return _entry("revolute", {"name": name, "nodes": nodes, "axis": axis, "at": at, "second_at": second_at,
                                   "angle": angle})

    @staticmethod
    def cylindrical(*, nodes: Sequence[str], axis: Numbers, at: Optional[Numbers] = None,
                    second_at: Optional[Numbers] = None, angle: Optional[Mapping[str, Any]] = None,
                    slide: Optional[Mapping[str, Any]] = None, name: Optional[str] = None) -> Entry:
        """Turns about an axis and slides along it, with its angle and slide.

        nodes (names of nodes): the two frames.
        axis: the axis, in ground axes at the start.
        at [m]: point that both carry along, in ground axes at the start; default: where the second stands.
        second_at [m]: point that the second carries, where it does not stand at the first's yet: the model is
            assembled.
        angle: what acts about the axis.
        slide: what acts along the axis.
        name: by which others refer to it."""
        return _entry("cylindrical", {"name": name, "nodes": nodes, "axis": axis, "at": at, "second_at": second_at,
                                      "angle": angle, "slide": slide})

    @staticmethod
    def prismatic(*, nodes: Sequence[str], axis: Numbers, at: Optional[Numbers] = None,
                  second_at: Optional[Numbers] = None, slide: Optional[Mapping[str, Any]] = None,
                  name: Optional[str] = None) -> Entry:
        """Slides along an axis without turning, with its slide.

        nodes (names of nodes): the two frames.
        axis: the axis, in ground axes at the start.
        at [m]: point that both carry along, in ground axes at the start; default: where the second stands.
        second_at [m]: point that the second carries, where it does not stand at the first's yet: the model is
            assembled.
        slide: what acts along the axis.
        name: by which others refer to it."""
        return _entry("prismatic", {"name": name, "nodes": nodes, "axis": axis, "at": at, "second_at": second_at,
                                    "slide": slide})

    @staticmethod
    def planar(*, nodes: Sequence[str], axis: Numbers, at: Optional[Numbers] = None,
               second_at: Optional[Numbers] = None, angle: Optional[Mapping[str, Any]] = None,
               slide1: Optional[Mapping[str, Any]] = None, slide2: Optional[Mapping[str, Any]] = None,
               name: Optional[str] = None) -> Entry:
        """Slides in a plane and turns about its normal, with both slides and the angle.

        nodes (names of nodes): the two frames.
        axis: normal of the plane, in ground axes at the start.
        at [m]: point that both carry along, in ground axes at the start; default: where the second stands.
        second_at [m]: point that the second carries, where it does not stand at the first's yet: the model is
            assembled.
        angle: what acts about the normal.
        slide1: what acts along the first direction of the plane.
        slide2: what acts along the second.
        name: by which others refer to it."""
        return _entry("planar", {"name": name, "nodes": nodes, "axis": axis, "at": at, "second_at": second_at,
                                 "angle": angle, "slide1": slide1, "slide2": slide2})

    @staticmethod
    def universal(*, nodes: Sequence[str], axis: Numbers, second: Numbers, at: Optional[Numbers] = None,
                  second_at: Optional[Numbers] = None, angle1: Optional[Mapping[str, Any]] = None,
                  angle2: Optional[Mapping[str, Any]] = None, name: Optional[str] = None) -> Entry:
        """Two shafts joined by a cross, with the two angles of the cross.

        nodes (names of nodes): the two frames.
        axis: arm of the cross that the first carries, in ground axes at the start.
        second: arm that the second carries, normal to the first.
        at [m]: point that both carry along, in ground axes at the start; default: where the second stands.
        second_at [m]: point that the second carries, where it does not stand at the first's yet: the model is
            assembled.
        angle1: what acts about the first arm.
        angle2: what acts about the second.
        name: by which others refer to it."""
        return _entry("universal", {"name": name, "nodes": nodes, "axis": axis, "second": second, "at": at,
                                    "second_at": second_at, "angle1": angle1, "angle2": angle2})

    @staticmethod
    def screw(*, nodes: Sequence[str], axis: Numbers, pitch: Quantity, at: Optional[Numbers] = None,
              second_at: Optional[Numbers] = None, angle: Optional[Mapping[str, Any]] = None,
              name: Optional[str] = None) -> Entry:
        """Turns about an axis and slides along it in proportion, with its angle.

        nodes (names of nodes): the two frames.
        axis: the axis, in ground axes at the start.
        pitch [m]: slide along the axis in a full turn; negative: a left-handed thread.
        at [m]: point that both carry along, in ground axes at the start; default: where the second stands.
        second_at [m]: point that the second carries, where it does not stand at the first's yet: the model is
            assembled.
        angle: what acts about the axis.
        name: by which others refer to it."""
        return _entry("screw", {"name": name, "nodes": nodes, "axis": axis, "pitch": pitch, "at": at,
                                "second_at": second_at, "angle": angle})

    @staticmethod
    def point_on_line(*, nodes: Sequence[str], axis: Numbers, at: Optional[Numbers] = None,
                      second_at: Optional[Numbers] = None, slide: Optional[Mapping[str, Any]] = None,
                      name: Optional[str] = None) -> Entry:
        """A node slides along a line of a frame, with its slide.

        nodes (names of nodes): a frame, and what it guides.
        axis: the axis, in ground axes at the start.
        at [m]: point that both carry along, in ground axes at the start; default: where the second stands.
        second_at [m]: point that the second carries, where it does not stand at the first's yet: the model is
            assembled.
        slide: what acts along the line.
        name: by which others refer to it."""
        return _entry("point_on_line", {"name": name, "nodes": nodes, "axis": axis, "at": at, "second_at": second_at,
                                        "slide": slide})

    @staticmethod
    def point_in_plane(*, nodes: Sequence[str], axis: Numbers, at: Optional[Numbers] = None,
                       second_at: Optional[Numbers] = None, slide1: Optional[Mapping[str, Any]] = None,
                       slide2: Optional[Mapping[str, Any]] = None, name: Optional[str] = None) -> Entry:
        """A node slides in a plane of a frame, with both slides.

        nodes (names of nodes): a frame, and what it guides.
        axis: normal of the plane, in ground axes at the start.
        at [m]: point that both carry along, in ground axes at the start; default: where the second stands.
        second_at [m]: point that the second carries, where it does not stand at the first's yet: the model is
            assembled.
        slide1: what acts along the first direction of the plane.
        slide2: what acts along the second.
        name: by which others refer to it."""
        return _entry("point_in_plane", {"name": name, "nodes": nodes, "axis": axis, "at": at, "second_at": second_at,
                                         "slide1": slide1, "slide2": slide2})

    @staticmethod
    def distance(*, nodes: Sequence[str], length: Optional[Quantity] = None, from_: Optional[Numbers] = None,
                 to: Optional[Numbers] = None, name: Optional[str] = None) -> Entry:
        """A rigid massless link between two nodes.

        nodes (names of nodes): the two nodes.
        length [m]: default: the distance of the ends; with: the model is assembled.
        from_ [m]: end that the first node carries along, in ground axes at the start; default: the node.
        to [m]: the same of the second node.
        name: by which others refer to it."""
        return _entry("distance", {"name": name, "nodes": nodes, "length": length, "from": from_, "to": to})

    @staticmethod
    def prescribed_motion(*, node: str, axis: Optional[Numbers] = None, name: Optional[str] = None) -> Entry:
        """Leads a node: drives prescribe its displacement x, y, z and its angle; what none drives is held.

        node (name of a node): the frame or point to lead.
        axis: that a frame is turned about, in ground axes; default: z.
        name: by which others refer to it."""
        return _entry("prescribed_motion", {"name": name, "node": node, "axis": axis})

    @staticmethod
    def actuator(*, nodes: Sequence[str], from_: Optional[Numbers] = None, to: Optional[Numbers] = None,
                 slide: Optional[Mapping[str, Any]] = None, name: Optional[str] = None) -> Entry:
        """The distance of two places as a coordinate, for actuators: it holds nothing by itself.

        nodes (names of nodes): the two nodes.
        from_ [m]: end that the first node carries along, in ground axes at the start; default: the node.
        to [m]: the same of the second node.
        slide: what acts along its length, over the change of it since the start.
        name: by which others refer to it."""
        return _entry("actuator", {"name": name, "nodes": nodes, "from": from_, "to": to, "slide": slide})

    @staticmethod
    def rigid_points(*, nodes: Sequence[str], third: Optional[str] = None, fourth: Optional[str] = None,
                     name: Optional[str] = None) -> Entry:
        """Two, three or four points keep their distances, as points of one rigid body.

        nodes (names of nodes): two of the points.
        third (name of a node): one more.
        fourth (name of a node): one more.
        name: by which others refer to it."""
        return _entry("rigid_points", {"name": name, "nodes": nodes, "third": third, "fourth": fourth})

    @staticmethod
    def rigid_tie(*, body: str, node: str, name: Optional[str] = None) -> Entry:
        """A frame or body of points carries points of a mesh along, all of a group.

        body (name of a node): a frame or a body of points.
        node (name of a node): a point that it carries along, or all of a group: MESH.GROUP, BEAM.start.
        name: by which others refer to it."""
        return _entry("rigid_tie", {"name": name, "body": body, "node": node})

    @staticmethod
    def multipoint_constraint(*, node: str, by: Sequence[str], third: Optional[str] = None,
                              fourth: Optional[str] = None, name: Optional[str] = None) -> Entry:
        """A point moves with two, three or four others as a place of the line, plane or space between them.

        node (name of a node): the point.
        by (names of nodes): two points that carry it.
        third (name of a node): one more.
        fourth (name of a node): one more.
        name: by which others refer to it."""
        return _entry("multipoint_constraint", {"name": name, "node": node, "by": by, "third": third,
                                                "fourth": fourth})


class loads:
    """Kinds of loads."""

    @staticmethod
    def force(*, node: str, direction: Numbers, amplitude: Optional[str] = None,
              name: Optional[str] = None) -> Entry:
        """A force that keeps its direction.

        node (name of a node): where it acts.
        direction [N]: in ground axes, times the amplitude.
        amplitude (name of a function): function of time; none: 1.
        name: by which others refer to it."""
        return _entry("force", {"name": name, "node": node, "direction": direction, "amplitude": amplitude})

    @staticmethod
    def moment(*, node: str, direction: Numbers, amplitude: Optional[str] = None,
               name: Optional[str] = None) -> Entry:
        """A moment that keeps its direction.

        node (name of a node): the frame on which it acts.
        direction [N m]: in ground axes, times the amplitude.
        amplitude (name of a function): function of time; none: 1.
        name: by which others refer to it."""
        return _entry("moment", {"name": name, "node": node, "direction": direction, "amplitude": amplitude})

    @staticmethod
    def follower_force(*, node: str, direction: Numbers, amplitude: Optional[str] = None,
                       name: Optional[str] = None) -> Entry:
        """A force that turns with its node.

        node (name of a node): the frame on which it acts.
        direction [N]: in the axes of the node, times the amplitude.
        amplitude (name of a function): function of time; none: 1.
        name: by which others refer to it."""
        return _entry("follower_force", {"name": name, "node": node, "direction": direction, "amplitude": amplitude})

    @staticmethod
    def follower_moment(*, node: str, direction: Numbers, amplitude: Optional[str] = None,
                        name: Optional[str] = None) -> Entry:
        """A moment that turns with its node.

        node (name of a node): the frame on which it acts.
        direction [N m]: in the axes of the node, times the amplitude.
        amplitude (name of a function): function of time; none: 1.
        name: by which others refer to it."""
        return _entry("follower_moment", {"name": name, "node": node, "direction": direction, "amplitude": amplitude})

    @staticmethod
    def line_force(*, element: str, direction: Numbers, axes: Optional[Literal['ground', 'section']] = None,
                   amplitude: Optional[str] = None, name: Optional[str] = None) -> Entry:
        """A force per length along a beam or bar.

        element (name of a element): along which it acts, a beam or a bar.
        direction [N/m]: per unloaded length, times the amplitude.
        axes: of the direction; those of the section turn with it.
        amplitude (name of a function): function of time; none: 1.
        name: by which others refer to it."""
        return _entry("line_force", {"name": name, "element": element, "direction": direction, "axes": axes,
                                     "amplitude": amplitude})

    @staticmethod
    def line_moment(*, element: str, direction: Numbers, axes: Optional[Literal['ground', 'section']] = None,
                    amplitude: Optional[str] = None, name: Optional[str] = None) -> Entry:
        """A moment per length along a beam.

        element (name of a element): along which it acts, a beam.
        direction [N m/m]: per unloaded length, times the amplitude.
        axes: of the direction; those of the section turn with it.
        amplitude (name of a function): function of time; none: 1.
        name: by which others refer to it."""
        return _entry("line_moment", {"name": name, "element": element, "direction": direction, "axes": axes,
                                      "amplitude": amplitude})

    @staticmethod
    def gravity(*, acceleration: Numbers, elements: Optional[Sequence[str]] = None,
                amplitude: Optional[str] = None, name: Optional[str] = None) -> Entry:
        """The same acceleration on every mass.

        acceleration [m s-2]: in ground axes.
        elements (names of elements): on whose mass it acts; none: on all.
        amplitude (name of a function): function of time; none: 1.
        name: by which others refer to it."""
        return _entry("gravity", {"name": name, "acceleration": acceleration, "elements": elements,
                                  "amplitude": amplitude})

    @staticmethod
    def base_acceleration(*, acceleration: Numbers, amplitude: Optional[str] = None,
                          name: Optional[str] = None) -> Entry:
        """The ground is shaken; positions are relative to it.

        acceleration [m s-2]: of the ground, times the amplitude.
        amplitude (name of a function): function of time; none: 1.
        name: by which others refer to it."""
        return _entry("base_acceleration", {"name": name, "acceleration": acceleration, "amplitude": amplitude})

    @staticmethod
    def torque(*, joint: str, value: Optional[Quantity] = None, amplitude: Optional[str] = None,
               name: Optional[str] = None) -> Entry:
        """A torque between the two sides of a joint.

        joint (name of a joint): a joint with an angle.
        value [N m]: times the amplitude. Default: 1.
        amplitude (name of a function): function of time; none: 1.
        name: by which others refer to it."""
        return _entry("torque", {"name": name, "joint": joint, "value": value, "amplitude": amplitude})

    @staticmethod
    def joint_force(*, joint: str, coordinate: Optional[Quantity] = None, value: Optional[Quantity] = None,
                    amplitude: Optional[str] = None, name: Optional[str] = None) -> Entry:
        """A force or torque along a coordinate of a joint.

        joint (name of a joint): a joint with a coordinate.
        coordinate: angle or slide of the joint, as limber describe names them; default: the first that it has.
        value: N or N m, times the amplitude. Default: 1.
        amplitude (name of a function): function of time; none: 1.
        name: by which others refer to it."""
        return _entry("joint_force", {"name": name, "joint": joint, "coordinate": coordinate, "value": value,
                                      "amplitude": amplitude})

    @staticmethod
    def controller(*, joint: str, reference: str, gain: Quantity, coordinate: Optional[Quantity] = None,
                   derivative_gain: Optional[Quantity] = None, name: Optional[str] = None) -> Entry:
        """An actuator of a joint that follows a reference, by error and rate.

        joint (name of a joint): a joint with a coordinate.
        reference (name of a function): function of time that the coordinate is to follow, in rad or m.
        gain: force over error: N m rad-1 or N m-1.
        coordinate: angle or slide of the joint, as limber describe names them; default: the first that it has.
        derivative_gain: force over error of the rate: N m s rad-1 or N s m-1.
        name: by which others refer to it."""
        return _entry("controller", {"name": name, "joint": joint, "coordinate": coordinate, "reference": reference,
                                     "gain": gain, "derivative_gain": derivative_gain})

    @staticmethod
    def drive(*, joint: str, coordinate: Optional[Quantity] = None, motion: Optional[str] = None,
              rate: Optional[str] = None, name: Optional[str] = None) -> Entry:
        """Prescribes the motion of a joint's angle or slide, or its rate.

        joint (name of a joint): a joint with a coordinate.
        coordinate: angle or slide of the joint, as limber describe names them; default: the first that it has.
        motion (name of a function): function of time, in rad or m; the coordinate is its change since the start.
        rate (name of a function): instead: function of time that is the rate of the coordinate, in rad/s or m/s.
        name: by which others refer to it."""
        return _entry("drive", {"name": name, "joint": joint, "coordinate": coordinate, "motion": motion,
                                "rate": rate})


class functions:
    """Kinds of functions."""

    @staticmethod
    def constant(*, value: Quantity) -> Entry:
        """The same value at all times.

        value: the value at all times. Default: 1."""
        return _entry("constant", {"value": value})

    @staticmethod
    def triangle(*, peak: Quantity, at: Quantity, end: Quantity, start: Optional[Quantity] = None) -> Entry:
        """A pulse: zero, straight up to a peak, straight down to zero.

        peak: the largest value.
        at [s]: when it peaks.
        end [s]: when it is zero again.
        start [s]: when it leaves zero."""
        return _entry("triangle", {"peak": peak, "start": start, "at": at, "end": end})

    @staticmethod
    def table(*, time: Numbers, value: Numbers) -> Entry:
        """Straight lines between given points.

        time [s]: times, growing.
        value: the value at each time."""
        return _entry("table", {"time": time, "value": value})

    @staticmethod
    def sine(*, frequency: Quantity, amplitude: Optional[Quantity] = None, phase: Optional[Quantity] = None,
             mean: Optional[Quantity] = None) -> Entry:
        """A sine about a mean.

        frequency [Hz]: cycles a second.
        amplitude: half the distance of the extremes. Default: 1.
        phase [rad]: angle at t = 0.
        mean: added to the sine."""
        return _entry("sine", {"amplitude": amplitude, "frequency": frequency, "phase": phase, "mean": mean})

    @staticmethod
    def ramp(*, end: Quantity, from_: Optional[Quantity] = None, to: Optional[Quantity] = None,
             start: Optional[Quantity] = None) -> Entry:
        """A straight change from one value to another.

        end [s]: when it ends.
        from_: value before it starts.
        to: value from its end on. Default: 1.
        start [s]: when it starts."""
        return _entry("ramp", {"from": from_, "to": to, "start": start, "end": end})

    @staticmethod
    def smooth_step(*, end: Quantity, from_: Optional[Quantity] = None, to: Optional[Quantity] = None,
                    start: Optional[Quantity] = None) -> Entry:
        """A change from one value to another without corners: rate and curvature vanish at both ends.

        end [s]: when it ends.
        from_: value before it starts.
        to: value from its end on. Default: 1.
        start [s]: when it starts."""
        return _entry("smooth_step", {"from": from_, "to": to, "start": start, "end": end})

    @staticmethod
    def chirp(*, from_: Quantity, to: Quantity, end: Quantity, amplitude: Optional[Quantity] = None,
              start: Optional[Quantity] = None) -> Entry:
        """A sine whose frequency grows evenly from one value to another.

        from_ [Hz]: frequency at the start.
        to [Hz]: frequency at the end.
        end [s]: when it ends.
        amplitude: half the distance of the extremes. Default: 1.
        start [s]: when it starts."""
        return _entry("chirp", {"amplitude": amplitude, "from": from_, "to": to, "start": start, "end": end})

    @staticmethod
    def sum(*, of: Sequence[str]) -> Entry:
        """Other functions added up.

        of (names of functions): functions that are added up."""
        return _entry("sum", {"of": of})

    @staticmethod
    def product(*, of: Sequence[str]) -> Entry:
        """Other functions multiplied by each other.

        of (names of functions): functions that are multiplied."""
        return _entry("product", {"of": of})

    @staticmethod
    def expression(*, value: Quantity, rate: Optional[Quantity] = None) -> Entry:
        """A formula of the time t.

        value: formula of the time t (s) and of parameters (SI).
        rate: its derivative by t, as a formula; default: by differences."""
        return _entry("expression", {"value": value, "rate": rate})

    @staticmethod
    def signal(*, value: Optional[Quantity] = None) -> Entry:
        """A value that a program sets between steps.

        value: until a program sets another."""
        return _entry("signal", {"value": value})
