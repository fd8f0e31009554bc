#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# The swing of examples/swing at a few of its snapshots, drawn with VTK:
#
#   limber run examples/swing/swing.yaml -o swing.h5
#   xvfb-run -a /usr/bin/python3 docs/figures/render_swing.py swing.h5 docs/figures/swing.png
#
# Beams are solid strips with the orientation of their sections, coloured by a section force. Needs h5py and VTK, and an
# X server (xvfb will do) where VTK has no other way to draw off screen.
import sys

import h5py
import numpy as np
import vtk
from vtk.util.numpy_support import numpy_to_vtk

LABELS = {0: (-0.02, -0.03), 0.4: (-0.03, 0.0), 0.6: (-0.03, -0.015), 0.7: (-0.03, -0.02), 1: (0.02, 0.03)}
TIMES = list(LABELS)  # s, with the place of the label from the end of the beam
SECTION = np.array([5e-3, 1e-3])  # m, along e2 and e3
EXAGGERATE = 10                   # the strip is thin: drawn as 50 mm x 10 mm
CUBE = 0.057                      # m: aluminium of 0.5 kg
MOMENT, RANGE = 4, 0.1            # M2 in N m
INK = (0.13, 0.15, 0.19)


class Results:
    """Snapshots as arrays over time, points or cells, components; names of points and items."""

    def __init__(self, path):
        f = h5py.File(path, "r")
        v = f["VTKHDF"]
        points, cells = v["NumberOfPoints"][0], v["NumberOfCells"][0]
        self.time = v["Steps/Values"][()]
        self.points = v["Points"][()].reshape(-1, points, 3)
        self.axes = np.stack([v["PointData/d%d" % j][()].reshape(-1, points, 3) for j in (1, 2, 3)], axis=2)
        self.section = np.stack([v["CellData/e%d" % j][()].reshape(-1, cells, 3) for j in (1, 2, 3)], axis=2)
        self.force = v["CellData/force"][()].reshape(-1, cells, 6)
        offsets, ids = v["Offsets"][()], v["Connectivity"][()]
        self.cells = [ids[a:b] for a, b in zip(offsets, offsets[1:])]
        self.item = f["names/items"].asstr()[()][v["CellData/item"][()]]
        self.kind = f["names/kinds"].asstr()[()][v["CellData/kind"][()]]

    def at(self, time):
        return int(np.argmin(abs(self.time - time)))

    def of_kind(self, kind):
        return [i for i, k in enumerate(self.kind) if k == kind]


def spline(at, values, where):
    """Cubic splines through values given at rising places."""
    out = np.empty((len(where), values.shape[1]))
    for c in range(values.shape[1]):
        s = vtk.vtkCardinalSpline()
        for x, y in zip(at, values[:, c]):
            s.AddPoint(x, y)
        out[:, c] = [s.Evaluate(x) for x in where]
    return out


def strip(r, k, item):
    """A beam as a solid: its line through the nodes, its section and its moment at the integration points."""
    cells = [i for i in r.of_kind("beam") if r.item[i] == item]
    nodes = [r.cells[cells[0]][0]] + [r.cells[i][1] for i in cells]
    x = r.points[k][nodes]
    s = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(x, axis=0), axis=1))])
    middle, fine = (s[1:] + s[:-1]) / 2, np.linspace(0, s[-1], 161)
    line = spline(s, x, fine)
    axis = [spline(middle, r.section[k][cells, j], fine) for j in (1, 2)]
    moment = spline(middle, r.force[k][cells][:, MOMENT : MOMENT + 1], fine)[:, 0]
    half = SECTION * EXAGGERATE / 2
    corner = [(1, 1), (-1, 1), (-1, -1), (1, -1)]
    rings = np.stack([line + a * half[0] * axis[0] + b * half[1] * axis[1] for a, b in corner], axis=1)
    n, faces = len(fine), vtk.vtkCellArray()
    quads = [[4 * i + c, 4 * i + (c + 1) % 4, 4 * i + 4 + (c + 1) % 4, 4 * i + 4 + c] for i in range(n - 1) for c in range(4)]
    for q in quads + [[0, 1, 2, 3], [4 * n - 1, 4 * n - 2, 4 * n - 3, 4 * n - 4]]:
        faces.InsertNextCell(4, q)
    points, data = vtk.vtkPoints(), vtk.vtkPolyData()
    points.SetData(numpy_to_vtk(rings.reshape(-1, 3), deep=True))
    data.SetPoints(points)
    data.SetPolys(faces)
    data.GetPointData().SetScalars(numpy_to_vtk(np.repeat(moment, 4), deep=True))
    normals = vtk.vtkPolyDataNormals()
    normals.SetInputData(data)
    normals.SetFeatureAngle(40)
    normals.SplittingOn(), normals.ConsistencyOn(), normals.AutoOrientNormalsOn()
    return normals


def tube(points, radius):
    line, source = vtk.vtkPoints(), vtk.vtkPolyLineSource()
    for p in points:
        line.InsertNextPoint(p)
    source.SetPoints(line)
    out = vtk.vtkTubeFilter()
    out.SetInputConnection(source.GetOutputPort())
    out.SetRadius(radius)
    out.SetNumberOfSides(20)
    out.CappingOn()
    return out


def sphere(centre, radius):
    out = vtk.vtkSphereSource()
    out.SetCenter(centre)
    out.SetRadius(radius)
    out.SetThetaResolution(32)
    out.SetPhiResolution(32)
    return out


def cube(centre, axes):
    source, place, out = vtk.vtkCubeSource(), vtk.vtkTransform(), vtk.vtkTransformPolyDataFilter()
    source.SetXLength(CUBE), source.SetYLength(CUBE), source.SetZLength(CUBE)
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = axes.T, centre
    place.SetMatrix(matrix.ravel())
    out.SetInputConnection(source.GetOutputPort())
    out.SetTransform(place)
    return out


def add(renderer, source, colour=None, opacity=1.0, table=None):
    mapper, actor = vtk.vtkPolyDataMapper(), vtk.vtkActor()
    mapper.SetInputConnection(source.GetOutputPort())
    if table:
        mapper.SetLookupTable(table)
        mapper.SetScalarRange(-RANGE, RANGE)
    else:
        mapper.ScalarVisibilityOff()
    actor.SetMapper(mapper)
    look = actor.GetProperty()
    if colour:
        look.SetColor(colour)
    look.SetOpacity(opacity)
    look.SetAmbient(0.25), look.SetDiffuse(0.75), look.SetSpecular(0.2), look.SetSpecularPower(30)
    renderer.AddActor(actor)


def label(renderer, text, at, left=False):
    actor = vtk.vtkBillboardTextActor3D()
    actor.SetInput(text)
    actor.SetPosition(at)
    p = actor.GetTextProperty()
    p.SetFontSize(34), p.SetColor(INK), p.SetVerticalJustificationToCentered()
    p.SetJustificationToLeft() if left else p.SetJustificationToRight()
    renderer.AddActor(actor)


def colours():
    function, table = vtk.vtkColorTransferFunction(), vtk.vtkLookupTable()
    function.SetColorSpaceToDiverging()
    function.AddRGBPoint(0, 0.12, 0.35, 0.75), function.AddRGBPoint(0.5, 0.86, 0.86, 0.86)
    function.AddRGBPoint(1, 0.78, 0.16, 0.12)
    table.SetNumberOfTableValues(256)
    for i in range(256):
        table.SetTableValue(i, *function.GetColor(i / 255), 1)
    table.SetTableRange(-RANGE, RANGE)
    return table


def bar(renderer, table):
    actor = vtk.vtkScalarBarActor()
    actor.SetLookupTable(table)
    actor.SetTitle("bending moment M2 [N m]; sections drawn %d times as large\n" % EXAGGERATE)
    actor.SetOrientationToHorizontal()
    actor.SetNumberOfLabels(5)
    actor.SetLabelFormat("%.3g")
    actor.UnconstrainedFontSizeOn()
    actor.SetPosition(0.1, 0.05), actor.SetWidth(0.3), actor.SetHeight(0.1)
    for p in (actor.GetTitleTextProperty(), actor.GetLabelTextProperty()):
        p.SetColor(INK), p.SetFontSize(26), p.ItalicOff(), p.BoldOff(), p.ShadowOff()
    renderer.AddActor2D(actor)


def scene(r, renderer, front):
    table = colours()
    mass = r.cells[r.of_kind("rigid_body")[0]][0]
    for i, time in enumerate(TIMES):
        k = r.at(time)
        last = i == len(TIMES) - 1
        strength = 1.0 if last else 0.35 + 0.14 * i
        add(renderer, strip(r, k, "beam"), opacity=strength, table=table)
        for c in r.of_kind("distance"):
            a, b = r.points[k][r.cells[c]]
            add(renderer, tube([a, b], 0.0035), (0.35, 0.38, 0.42), strength)
            add(renderer, sphere(b, 0.009), (0.35, 0.38, 0.42), strength)
        add(renderer, cube(r.points[k][mass], r.axes[k][mass]), (0.93, 0.62, 0.16), strength)
    for c in r.of_kind("distance"):
        add(renderer, sphere(r.points[0][r.cells[c][0]], 0.016), INK)
    trace = spline(r.time, r.points[:, mass], np.linspace(0, r.time[-1], 401))
    add(front, tube(trace, 0.0022), (0.62, 0.27, 0.0))
    add(front, sphere(trace[-1], 0.006), (0.62, 0.27, 0.0))
    first = r.cells[r.of_kind("beam")[0]][0]
    for time, shift in LABELS.items():
        x = r.points[r.at(time)][first]
        label(front, "%g s" % time, (x[0] + shift[0], x[1], x[2] + shift[1]), shift[0] > 0)
    for c, name, shift in zip(r.of_kind("distance"), ("O1", "O2"), (-0.025, 0.025)):
        label(front, name, r.points[0][r.cells[c][0]] + [shift, 0, 0.02], shift > 0)
    bar(front, table)


def main(path, picture):
    renderer, front = vtk.vtkRenderer(), vtk.vtkRenderer()  # the front is drawn over all else
    renderer.SetBackground(1, 1, 1)
    scene(Results(path), renderer, front)
    camera = renderer.GetActiveCamera()
    camera.SetFocalPoint(0.53, 0, 0.115)
    camera.SetPosition(0.12, -2.3, 1.15)
    camera.SetViewUp(0, 0, 1)
    camera.SetViewAngle(16)
    renderer.ResetCameraClippingRange()
    front.SetActiveCamera(camera)
    light = vtk.vtkLight()
    light.SetPosition(1.6, -2, 3), light.SetFocalPoint(0.5, 0, 0), light.SetIntensity(0.75)
    head = vtk.vtkLight()
    head.SetLightTypeToHeadlight(), head.SetIntensity(0.4)
    renderer.AddLight(light), renderer.AddLight(head)
    window = vtk.vtkRenderWindow()
    window.SetOffScreenRendering(1), window.SetSize(1600, 860), window.SetMultiSamples(0)
    window.SetAlphaBitPlanes(1)
    renderer.SetUseDepthPeeling(1), renderer.SetMaximumNumberOfPeels(50), renderer.SetUseFXAA(1)
    window.SetNumberOfLayers(2), front.SetLayer(1)
    window.AddRenderer(renderer), window.AddRenderer(front)
    window.Render()
    image, writer = vtk.vtkWindowToImageFilter(), vtk.vtkPNGWriter()
    image.SetInput(window), image.ReadFrontBufferOff()
    writer.SetInputConnection(image.GetOutputPort())
    writer.SetFileName(picture)
    writer.Write()


if __name__ == "__main__":
    main(*sys.argv[1:3])
