# SPDX-License-Identifier: Apache-2.0
"""Pictures of results, through the command."""
import csv
import os
import pathlib
import re
import shutil
import subprocess
import xml.etree.ElementTree
import zlib

import h5py
import numpy as np
import pytest

from support import count, edited, left_in, limber, models, run, same_bytes, source, with_column, write


@pytest.fixture(scope="module", autouse=True)
def files(folder):
    """Two runs, and snapshots of a strip that bends, with a weight on it, as docs/results.md describes them. Programs keep
    what they leave behind in a folder of their own."""
    os.mkdir("tmp")
    os.environ["TMPDIR"] = folder + "/tmp"
    run(models / "swing.yaml", "swing.h5")
    run(edited(models / "swing.yaml", "^(run:.*)decaying_c", r"\1preserving", "other.yaml"), "other.h5")
    shutil.copy("swing.h5", "shapes.h5")
    with h5py.File("shapes.h5", "a") as f:
        if "VTKHDF" in f:
            del f["VTKHDF"]
        g, s, steps = f.create_group("VTKHDF"), np.linspace(0, 1, 11), np.arange(5)
        g["Points"] = np.concatenate([np.stack([s, 0 * s, 0.1 * k * s**2], 1) for k in steps])
        g["NumberOfPoints"], g["NumberOfCells"], g["NumberOfConnectivityIds"] = [11], [11], [21]
        g["Connectivity"] = [i for k in range(10) for i in (k, k + 1)] + [5]
        g["Offsets"], g["Types"] = list(range(0, 21, 2)) + [21], [3] * 10 + [1]
        g["Steps/Values"], g["Steps/PointOffsets"] = 0.01 * steps, 11 * steps
        for name in "PartOffsets", "CellOffsets", "ConnectivityIdOffsets":
            g["Steps/" + name] = 0 * steps
    yield
    del os.environ["TMPDIR"]


def drawn(*words):
    """The pictures that a command names; it must not fail or complain."""
    said = limber("plot", *words)
    assert (said.code, said.err) == (0, "")
    return said.out


def refused(*words, **env):
    """What is said by a command that finds a mistake of its user."""
    said = limber("plot", *words, **env)
    assert said.code == 2
    return said.err


KINDS = {
    "history": ["swing.h5", "B.x", "B.z", "mid.N"],
    "runs": ["swing.h5", "other.h5", "B.x", "mid.N", "--log", "x"],
    "over": ["swing.h5", "mid.N", "--over", "B.z"],
    "spectrum": ["swing.h5", "other.h5", "mid.N", "--spectrum"],
    "path": ["swing.h5", "other.h5", "--path", "B.x", "B.z"],
    "shape": ["shapes.h5", "--shape"],
    "ledger": ["swing.h5", "--ledger"],
}


# ---- every kind of picture ----
def test_histories_are_drawn():
    assert drawn("swing.h5", "B.x", "B.z", "mid.N", "-o", "b.png") == "b.png"


def test_spectra_are_drawn():
    assert drawn("swing.h5", "other.h5", "mid.N", "--spectrum", "-o", "spectrum.png") == "spectrum.png"


def test_loci_are_drawn():
    assert drawn("swing.h5", "--path", "B.x", "B.z", "-o", "path.png") == "path.png"


def test_shapes_are_drawn():
    assert drawn("shapes.h5", "--shape", "-o", "shape.png") == "shape.png"


def test_energies_are_drawn():
    assert drawn("swing.h5", "--ledger") == "swing_ledger.png"


def test_pictures_have_names_of_their_own():
    assert drawn("swing.h5", "B.x") == "swing_B.x.png"
    assert drawn("swing.h5", "B.x", "--spectrum") == "swing_B.x_spectrum.png"


def test_pictures_show_something():
    import vtk
    from vtk.util.numpy_support import vtk_to_numpy

    drawn("swing.h5", "B.x", "B.z", "mid.N", "-o", "b.png")
    drawn("swing.h5", "other.h5", "mid.N", "--spectrum", "-o", "spectrum.png")
    drawn("swing.h5", "--path", "B.x", "B.z", "-o", "path.png")
    drawn("shapes.h5", "--shape", "-o", "shape.png")
    drawn("swing.h5", "--ledger", "-o", "ledger.png")
    drawn("swing.h5", "B.x", "-o", "x.png")
    for name in "b", "spectrum", "path", "shape", "ledger", "x":
        r = vtk.vtkPNGReader()
        r.SetFileName(name + ".png")
        r.Update()
        width, height, _ = r.GetOutput().GetDimensions()
        rgb = vtk_to_numpy(r.GetOutput().GetPointData().GetScalars())[:, :3].astype(int)
        assert (width, height >= 450) == (1200, True), name
        assert (rgb.sum(1) < 600).mean() > 0.008, name  # dark pixels
        assert (rgb.max(1) - rgb.min(1) > 80).mean() > 0.0003, name  # coloured ones


def test_the_ending_tells_the_format():
    for name in "format.svg", "format.pdf", "format.png":
        drawn("swing.h5", "B.x", "-o", name)
    assert pathlib.Path("format.svg").read_text().count("<svg") == 1
    assert pathlib.Path("format.pdf").read_bytes()[:4] == b"%PDF"
    assert pathlib.Path("format.png").read_bytes()[1:4] == b"PNG"


# ---- what the pictures show ----
def script(*words):
    return limber("plot", *words, "--script").out


def block(name, text):
    """The numbers of a block of the script."""
    found = re.search(r"^\$%s <<.*\n((?:.*\n)*?)EOD" % name, text, re.M).group(1)
    return np.array([[float(x) for x in line.split()] for line in found.splitlines() if line.strip()])


def titles(text):
    return re.findall("title '.*'", text)


def test_the_script_holds_the_numbers():
    table = np.array([line.split(",") for line in limber("export", "swing.h5", "B.z").lines[1:]], float)
    found = block("data0", script("swing.h5", "B.z"))
    assert [["%.7g" % x for x in row] for row in found] == [["%.7g" % x for x in row] for row in table]


def test_units_have_panels_of_their_own():
    found = [line for line in script("swing.h5", "B.x", "B.z", "mid.N").split("\n") if re.search("set ylabel|title", line)]
    assert "\n".join(found) == """\
set ylabel 'B.position [m]'
plot $data0 with lines lc rgb '#0072b2' dt 1 lw 2 title 'x', \\
     $data1 with lines lc rgb '#d55e00' dt 1 lw 2 title 'z'
set ylabel 'mid.N [N]'
plot $data2 with lines lc rgb '#0072b2' dt 1 lw 2 notitle"""


def test_runs_are_told_apart_by_what_differs():
    assert titles(script("swing.h5", "other.h5", "B.x")) == [r"title 'decaying\_c'", "title 'preserving'"]


def test_runs_that_do_not_differ_are_called_by_their_files():
    shutil.copy("swing.h5", "copy.h5")
    assert titles(script("swing.h5", "copy.h5", "B.x")) == ["title 'swing'", "title 'copy'"]


def test_the_user_may_name_runs_and_picture():
    text = script("swing.h5", "other.h5", "B.x", "--label", "it's", "--label", "a_{b}", "--title", "T")
    assert re.findall("title '.*'|label 99 'T'", text) == ["label 99 'T'", "title 'it''s'", r"title 'a\_\{b\}'"]


def test_ranges_are_obeyed():
    text = script("swing.h5", "B.x", "--xrange", "0.01:0.03", "--yrange", "-1:")
    lines = [re.sub(r"(range \[-1:).*", r"\1", line) for line in text.split("\n") if "range" in line]
    assert lines == ["set xrange [0.01:0.03]", "set yrange [-1:"]


@pytest.mark.skipif(not shutil.which("gnuplot"), reason="no gnuplot here")
@pytest.mark.parametrize("kind", KINDS)
def test_gnuplot_draws_the_script(kind):
    write("again.gp", script(*KINDS[kind], "-o", "again.png") + "\n")
    done = subprocess.run(["gnuplot", "again.gp"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert pathlib.Path("again.png").read_bytes()[1:4] == b"PNG"


def test_shapes_come_at_the_times_asked_for():
    assert titles(script("shapes.h5", "--shape", "--times", "0,0.029")) == ["title '0 s'", "title '0.03 s'"]
    assert count("^.*LINES.* title", script("shapes.h5", "--shape", "--times", "3")) == 3


def test_a_low_picture_tells_many_times_by_a_scale():
    found = [re.findall(".*set colorbox", script("swing.h5", "--shape", "--times", "12", "--xrange", x)) for x in ("0:1", "-3:3")]
    assert found == [["unset colorbox"], ["set colorbox"]]


def test_the_ledger_adds_up():
    text = script("swing.h5", "--ledger")
    stacked, work = block("area5", text), block("work0", text)
    assert len(stacked) == len(work) == 101
    assert np.abs(stacked[:, 2] - work[:, 1]).max() <= 1e-9


# Fig. 9 and 11 of Bauchau & Theron 1996: 128 rows in 0.128 s, as in examples/hinged_beam
def test_spectra_are_those_of_the_study():
    run(source / "examples/hinged_beam/hinged_beam.yaml", "hinged.h5")
    text = script("hinged.h5", "root.V2", "root.M1", "--spectrum", "--from", "0.122", "--to", "0.25")
    table = list(csv.DictReader(open(source / "examples/hinged_beam/results/spectra.csv")))
    for name, key in ("data0", "V2_decaying_a_250"), ("data1", "M1_decaying_a_250"):
        f, a = block(name, text).T
        assert len(f) == 64
        g, b = np.array([(float(r["frequency"]), float(r[key])) for r in table if r[key]][:64]).T
        b[-1] /= 2  # at the fastest alternation the study counts twice
        assert np.abs(f - g).max() < 1e-4
        assert np.abs(a / b - 1).max() < 1e-3


# ---- files ----
@pytest.mark.parametrize("kind,ending", [*[(kind, ".svg") for kind in KINDS], *[(kind, e) for kind in ("runs", "shape", "ledger") for e in (".png", ".pdf")]])
def test_no_other_program_is_needed_and_bytes_are_the_same(kind, ending, folder):
    os.makedirs("empty", exist_ok=True)
    said = limber("plot", *KINDS[kind], "-o", "alone" + ending, PATH=folder + "/empty")
    assert (said.code, said.err) == (0, "")
    drawn(*KINDS[kind], "-o", "beside" + ending)
    assert same_bytes("alone" + ending, "beside" + ending)


def svg(*words):
    drawn(*words, "-o", "read.svg")
    return xml.etree.ElementTree.parse("read.svg").getroot()


def texts(root):
    return [e.text for e in root.iter("{http://www.w3.org/2000/svg}text")]


def curves(root):
    """Lines within frames, as lists of points."""
    out = []
    for group in root.iter("{http://www.w3.org/2000/svg}g"):
        for path in group.iter("{http://www.w3.org/2000/svg}path"):
            out.append(np.array([[float(v) for v in p.split()] for p in re.split("[ML]", path.get("d").replace("h0", ""))[1:]]))
    return out


def test_svg_holds_every_row_where_it_belongs():
    table = np.array([line.split(",") for line in limber("export", "swing.h5", "B.z").lines[1:]], float)
    found, = curves(svg("swing.h5", "B.z"))
    assert len(found) == len(table) == 101
    for k in range(2):  # pixels are linear in values, to the digits that are written
        slope, offset = np.polyfit(table[:, k], found[:, k], 1)
        assert np.abs(slope * table[:, k] + offset - found[:, k]).max() < 0.011
        assert (slope > 0) == (k == 0)


def test_texts_of_users_are_texts_in_svg():
    assert texts(svg("swing.h5", "B.x", "--title", "<b> & \"c\" \\ ü"))[0] == "<b> & \"c\" \\ ü"
    assert "it's" in texts(svg("swing.h5", "other.h5", "B.x", "--label", "it's"))


@pytest.mark.parametrize("columns", [["B.x", "B.z", "mid.N"], ["ledger"], ["B.velocity"], ["B"]])
def test_legends_hide_no_curve(columns):
    root = svg("swing.h5", *columns)
    boxes = [p.get("d") for p in root.iter("{http://www.w3.org/2000/svg}path") if p.get("fill") == "#ffffff"]
    points = np.concatenate(curves(root))
    for box in boxes:
        corner = np.array([[float(v) for v in p.split()] for p in re.split("[MLZ]", box)[1:-1]])
        inside = ((points > corner.min(0)) & (points < corner.max(0))).all(1)
        assert not inside.any()


def test_long_names_stay_in_the_picture():
    glyphs = re.findall(r"^GLYPH\(0x(\w+), (\d+)", (source / "third_party/dejavu/glyphs.def").read_text(), re.M)
    advance = {chr(int(code, 16)): int(a) / 2048 for code, a in glyphs}
    name = "a name that is far too long for any legend, " * 6
    root = svg("swing.h5", "other.h5", "B.x", "--label", name, "--title", name)
    assert sum("…" in t for t in texts(root)) == 2
    for e in root.iter("{http://www.w3.org/2000/svg}text"):
        wide = float(e.get("font-size")) * sum(advance[c] for c in e.text)
        at = float(e.get("x")) - {"middle": 0.5, "end": 1}.get(e.get("text-anchor"), 0) * wide
        assert e.get("transform") or 0 < at and at + wide < 1200, e.text


def test_round_off_is_called_so():
    with_column("swing.h5", "noise.h5", "B/position", 1, 1e-32)
    root = svg("noise.h5", "B.y")
    found = texts(root)
    assert "0 within round-off: at most 1.0e-32 m" in found
    assert not [t for t in found if "10⁻" in t]  # the axis is that of the other components
    curve, = curves(root)
    assert len(set(curve[:, 1])) == 1
    assert not [t for t in texts(svg("noise.h5", "B.x")) if "round-off" in t]


def test_round_off_among_others_is_called_so_in_the_legend():
    with_column("swing.h5", "noise.h5", "B/position", 1, 1e-32)
    found = texts(svg("noise.h5", "B.position"))
    assert [t for t in found if t in ("x", "z")] == ["x", "z"] and "y: 0 within round-off" in found
    assert "B.position [m]" in found and not [t for t in found if t.startswith("0 within")]


def test_all_of_a_vector_may_be_round_off_on_the_scale_of_the_run():
    for k in range(3):
        with_column("swing.h5" if k == 0 else "noise.h5", "noise.h5", "O1/velocity", k, 1e-18)
    assert "0 within round-off: at most 1.0e-18 m/s" in texts(svg("noise.h5", "O1.velocity"))


@pytest.mark.parametrize("part, size, still", [(0, 1e-9, False), (0, 3e-11, False), (0, 3e-14, True), (1, 3e-11, False), (1, 3e-14, True)])
def test_small_motions_are_no_round_off(part, size, still):
    """B.x reaches 0.18 m; a small motion about its mean, or one across, is drawn unless it is below 1e-12 of that."""
    with_column("swing.h5", "noise.h5", "B/position", part, size, 0 if part else 0.5)
    curve, = curves(svg("noise.h5", "B." + "xy"[part]))
    assert (len(set(curve[:, 1])) == 1) == still


def test_a_formula_alone_is_drawn_as_it_is():
    """Its own size is all that is known of it: a drift may be what a user looks for."""
    root = svg("swing.h5", "ledger.residual")
    assert not [t for t in texts(root) if "round-off" in t] and len(set(curves(root)[0][:, 1])) > 3


def test_a_legend_says_no_word_of_the_axis():
    with_column("swing.h5", "noise.h5", "O1/position", 0, 0.1)
    assert {"B.x", "O1.x", "position [m]"} <= set(texts(svg("noise.h5", "O1.x", "B.x")))
    found = texts(svg("swing.h5", "B.x", "B.velocity.x"))
    assert "B.x [m]" in found and "B.velocity.x [m/s]" in found
    assert {"position.x", "displacement.x", "B [m]"} <= set(texts(svg("swing.h5", "B.position.x", "B.displacement.x")))
    for name in ["O1.x", "B.x"]:
        assert texts(svg("swing.h5", name)).count(name) == 0  # the axis has it, with its unit


def test_a_spectrum_of_round_off_is_zero():
    with_column("swing.h5", "noise.h5", "B/position", 1, 1e-32)
    found = texts(svg("noise.h5", "B.position", "--spectrum"))
    assert "y: 0 within round-off" in found and not [t for t in found if "positive" in t]


def test_a_panel_of_round_off_says_it_once():
    for k in range(3):
        with_column("swing.h5" if k == 0 else "noise.h5", "noise.h5", "O1/velocity", k, 1e-18)
    found = texts(svg("noise.h5", "O1.velocity"))
    assert "x, y, z" in found and sum("round-off" in t for t in found) == 1


def test_a_legend_without_an_empty_corner_stands_above_the_frame():
    """And the range stays that of the curves: here all but 1/11 of the frame."""
    with_column("swing.h5", "noise.h5", "B/position", 0, 1)
    with_column("noise.h5", "noise.h5", "B/position", 2, 1, 0.1)
    root = svg("noise.h5", "B.x", "B.z")
    assert not [p for p in root.iter("{http://www.w3.org/2000/svg}path") if p.get("fill") == "#ffffff"]
    points = np.concatenate(curves(root))[:, 1]
    assert np.ptp(points) > 0.9 * 580


def test_what_a_logarithmic_axis_cannot_show_is_named():
    found = texts(svg("swing.h5", "B.x", "B.z", "--log", "y"))
    assert "B.z is nowhere positive" in found


def test_small_and_large_numbers_have_a_power_in_the_name_of_the_axis():
    found = texts(svg("swing.h5", "ledger.residual"))
    assert [t for t in found if re.fullmatch("ledger.residual \\[10⁻[⁰¹²³⁴⁵⁶⁷⁸⁹]+ J\\]", t)]


def test_pdf_knows_where_its_objects_are():
    drawn("swing.h5", "B.x", "-o", "b.pdf")
    data = pathlib.Path("b.pdf").read_bytes()
    table = int(re.search(rb"startxref\n(\d+)\n%%EOF\n$", data).group(1))
    assert data[table:table + 5] == b"xref\n"
    places = [int(x) for x in re.findall(rb"(\d{10}) 00000 n ", data[table:])]
    assert [data[p:p + 8] for p in places] == [b"%d 0 obj\n" % (i + 1) for i in range(4)]
    length = int(re.search(rb"/Length (\d+)", data).group(1))
    stream = data.index(b"stream\n") + 7
    assert zlib.decompress(data[stream:stream + length]).startswith(b"0.48 0 0 -0.48 0 ")


# ---- mistakes ----
def test_a_wrong_column_gets_a_suggestion():
    assert refused("swing.h5", "B.velocty.x") == "limber plot: swing.h5 has no column 'B.velocty.x'; did you mean 'B.velocity.x'?"


def test_columns_are_needed():
    assert refused("swing.h5") == ("limber plot: nothing to plot: name columns of swing.h5, --ledger or --shape; "
                                   "limber export swing.h5 --list lists the columns")


def test_a_run_is_needed():
    assert refused("B.x") == "limber plot: no run is given: a file of `limber run` whose name ends in .h5"


def test_formats_are_few():
    assert refused("swing.h5", "B.x", "-o", "b.jpg") == "limber plot: a picture ends in .png, .svg or .pdf, not as 'b.jpg'"


def test_one_picture_at_a_time():
    assert refused("swing.h5", "--ledger", "--shape") == "limber plot: --shape and --ledger cannot be in one picture"


def test_loci_need_pairs():
    assert refused("swing.h5", "--path", "B.x") == "limber plot: --path needs columns in pairs, such as tip.x tip.z; here are 1"


def test_ranges_are_ranges():
    needs = "limber plot: {} needs a range such as 0:0.5, 0: or :0.5, not '{}'"
    assert refused("swing.h5", "B.x", "--xrange", "3") == needs.format("--xrange", "3")
    assert refused("swing.h5", "B.x", "--yrange", "2:1") == needs.format("--yrange", "2:1")


def test_a_missing_run_is_a_mistake():
    assert refused("none.h5", "B.x") == "limber plot: cannot read 'none.h5': No such file or directory"


def test_a_picture_that_cannot_be_written_is_a_mistake():
    assert refused("swing.h5", "B.x", "-o", "nowhere/b.png") == (
        "limber plot: cannot write 'nowhere/b.png': No such file or directory\n"
        "  There is no folder 'nowhere': make it (mkdir -p nowhere), or give another with -o")


def test_nothing_is_left_behind():
    assert left_in("tmp") == []
