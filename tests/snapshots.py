# SPDX-License-Identifier: Apache-2.0
# Reads the snapshots of a results file as other programs do: /VTKHDF by its offsets and by VTK, the sidecar by its
# references, in both of its dialects.
import xml.etree.ElementTree as xml

import h5py
import numpy as np
import vtk
from vtk.util.numpy_support import numpy_to_vtk, vtk_to_numpy

vtk.vtkObject.GlobalWarningDisplayOff()


class Grid:
    """One snapshot: time, points, cells as lists of points, arrays of points and cells."""


def cells_of(connectivity, offsets):
    return [connectivity[a:b].tolist() for a, b in zip(offsets, offsets[1:])]


def from_vtkhdf(path):
    """All snapshots, by the offsets of group Steps."""
    f = h5py.File(path, "r")
    v, steps, grids = f["VTKHDF"], f["VTKHDF/Steps"], []
    for k in range(steps.attrs["NSteps"]):
        g = Grid()
        part = steps["PartOffsets"][k]
        points, cells = v["NumberOfPoints"][part], v["NumberOfCells"][part]
        first, cell, ids = steps["PointOffsets"][k], steps["CellOffsets"][k, 0], steps["ConnectivityIdOffsets"][k, 0]
        g.time, g.points = steps["Values"][k], v["Points"][first : first + points]
        g.cells = cells_of(v["Connectivity"][ids : ids + v["NumberOfConnectivityIds"][part]],
                           v["Offsets"][cell : cell + cells + 1])
        g.types = v["Types"][cell : cell + cells].tolist()
        g.point, g.cell = {}, {}
        for name, array in v["PointData"].items():
            at = steps["PointDataOffsets"][name][k]
            g.point[name] = array[at : at + points]
        for name, array in v["CellData"].items():
            at = steps["CellDataOffsets"][name][k]
            g.cell[name] = array[at : at + cells]
        grids.append(g)
    return grids


def dimensions(item):
    return tuple(int(n) for n in item.get("Dimensions").split())


def block(folder, opened, parent):
    """The values of a Geometry, an Attribute or a Topology: both dialects must name the same block."""
    def dataset(text):
        name, path = text.strip().split(":", 1)
        if name not in opened:
            opened[name] = h5py.File(folder + "/" + name, "r")
        return opened[name][path]

    subset, slab = parent.find("Subset"), parent.find("DataItem[@ItemType='HyperSlab']")
    if slab is None:
        values = dataset(parent.find("DataItem").text)[()]
        assert values.shape == dimensions(parent.find("DataItem"))
        return values
    select, whole = slab.findall("DataItem")
    start, stride, count = np.array(select.text.split(), int).reshape(3, 2)
    assert (stride == 1).all() and dimensions(slab) == tuple(count)
    values = dataset(whole.text)
    assert dimensions(whole)[0] <= values.shape[0] and dimensions(whole)[1] == values.shape[1]
    small = subset.findall("DataItem")[1]
    name, selection = small.text.split("|")
    told = [[int(n) for n in part.split()] for part in selection.split(":")]
    assert name == whole.text and told == [list(start), list(stride), list(count), list(dimensions(whole))]
    assert dimensions(subset) == dimensions(small) == tuple(count)
    return values[start[0] : start[0] + count[0], start[1] : start[1] + count[1]]


# Cells with a shape: XDMF's number to that of VTK and the number of points.
shapes = {4: (5, 3), 5: (9, 4), 6: (10, 4), 9: (12, 8), 38: (24, 10), 48: (25, 20)}


def from_sidecar(path):
    folder = path.rpartition("/")[0] or "."
    collection = xml.parse(path).getroot().find("Domain/Grid")
    assert collection.get("CollectionType") == "Temporal"
    grids, opened = [], {}
    for grid in collection.findall("Grid"):
        g = Grid()
        g.time, g.points = float(grid.find("Time").get("Value")), block(folder, opened, grid.find("Geometry"))
        mixed, g.cells, g.types, at = block(folder, opened, grid.find("Topology")), [], [], 0
        while at < len(mixed):  # kind, number of points where it has no shape, points
            if mixed[at] in shapes:
                kind, n = shapes[mixed[at]]
                g.cells.append(mixed[at + 1 : at + 1 + n].tolist())
                g.types.append(kind)
                at += 1 + n
                continue
            n = mixed[at + 1]
            g.cells.append(mixed[at + 2 : at + 2 + n].tolist())
            g.types.append({(1, 1): 1, (2, 2): 3}.get((mixed[at], n), 4))
            at += 2 + n
        assert len(g.cells) == int(grid.find("Topology").get("NumberOfElements"))
        of = {"Node": {}, "Cell": {}}
        for a in grid.findall("Attribute"):
            of[a.get("Center")][a.get("Name")] = block(folder, opened, a)
        g.point, g.cell = of["Node"], of["Cell"]
        grids.append(g)
    return grids


def to_vtk(g):
    out, points = vtk.vtkUnstructuredGrid(), vtk.vtkPoints()
    points.SetData(numpy_to_vtk(g.points, deep=True))
    out.SetPoints(points)
    for kind, cell in zip(g.types, g.cells):
        out.InsertNextCell(kind, len(cell), cell)
    for data, arrays in ((out.GetPointData(), g.point), (out.GetCellData(), g.cell)):
        for name, values in arrays.items():
            array = numpy_to_vtk(np.ascontiguousarray(values), deep=True)
            array.SetName(name)
            data.AddArray(array)
    return out


def by_vtk(path):
    """What VTK's own reader makes of the file: the first snapshot, or more with a newer VTK."""
    reader = vtk.vtkHDFReader()
    reader.SetFileName(path)
    reader.Update()
    return reader.GetOutput()


def differ(a, b):
    """Names of what differs in any bit between two VTK grids."""
    wrong = []
    if not np.array_equal(vtk_to_numpy(a.GetPoints().GetData()), vtk_to_numpy(b.GetPoints().GetData())):
        wrong.append("points")
    if a.GetNumberOfCells() != b.GetNumberOfCells() or any(
        a.GetCellType(i) != b.GetCellType(i) or a.GetCell(i).GetPointIds().GetNumberOfIds()
        != b.GetCell(i).GetPointIds().GetNumberOfIds()
        or any(a.GetCell(i).GetPointId(k) != b.GetCell(i).GetPointId(k) for k in range(a.GetCell(i).GetNumberOfPoints()))
        for i in range(a.GetNumberOfCells())
    ):
        wrong.append("cells")
    for p, q in ((a.GetPointData(), b.GetPointData()), (a.GetCellData(), b.GetCellData())):
        names = sorted(p.GetArrayName(i) for i in range(p.GetNumberOfArrays()))
        if names != sorted(q.GetArrayName(i) for i in range(q.GetNumberOfArrays())):
            wrong.append("names")
            continue
        wrong += [n for n in names if not np.array_equal(vtk_to_numpy(p.GetArray(n)), vtk_to_numpy(q.GetArray(n)))]
    return wrong


def same(path, sidecar):
    """What differs between the ways to read a results file."""
    direct, told, wrong = from_vtkhdf(path), from_sidecar(sidecar), []
    if len(direct) != len(told) or not direct:
        return ["%d snapshots, %d in the sidecar" % (len(direct), len(told))]
    for a, b in zip(direct, told):
        if a.time != b.time:
            wrong.append("time %g" % a.time)
        wrong += differ(to_vtk(a), to_vtk(b))
    return wrong + differ(by_vtk(path), to_vtk(direct[0]))
