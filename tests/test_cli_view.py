# SPDX-License-Identifier: Apache-2.0
"""Pages of runs, through the command and a browser."""
import os
import pathlib
import re
import shutil
import subprocess

import pytest

import view as page_view
from support import h5, left_in, limber, models, needs, run, settings, source, tool, with_column, write


@pytest.fixture(scope="module", autouse=True)
def files(folder):
    os.mkdir("tmp")
    os.environ["TMPDIR"] = folder + "/tmp"
    run(models / "swing.yaml", "swing.h5")
    write("long.yaml", """limber: 1
title: A weight </script> on a spring
nodes: {O: {at: [0, 0, 1], kind: fixed}, w: {at: [0, 0, 0], kind: point, velocity: [0, 0, 1]}}
elements:
  - mass: {name: weight, node: w, mass: 1}
  - spring: {name: coil, nodes: [O, w], stiffness: 1e4}
loads:
  - gravity: {acceleration: [0, 0, -9.81]}
probes:
  - {name: w, node: w}
run: {scheme: preserving, step: 0.3 ms, end: 3 s}
""")
    run("long.yaml", "long.h5")
    run("long.yaml", "still.h5", *settings("run.snapshots=0", "run.end=0.3 s"))
    for name in "bar.yaml", "tetrahedra.msh":
        shutil.copy(source / "examples/bending_block" / name, ".")
    run("bar.yaml", "bar.h5")
    os.remove("tetrahedra.msh")  # the results hold it
    yield
    del os.environ["TMPDIR"]


def view(*words):
    """What is told of a page, without its size and resolution."""
    said = limber("view", *words)
    assert said.code == 0, said.err
    return re.sub("[0-9.e-]* m,", "X m,", re.sub(": [0-9.]* MB", ": MB", said.out + said.err), count=1)


@pytest.fixture(scope="module")
def pages(files):
    """What is told of each page."""
    return {"swing": view("swing.h5"), "long": view("long.h5", "--frames", "50"), "still": view("still.h5"),
            "bar": view("bar.h5", "-o", "sub.html")}


def refused(*words):
    said = limber("view", *words)
    assert said.code == 2
    return said.err


@pytest.fixture(scope="module")
def browser(files):
    """One for all pages."""
    needs("chromium")
    from browser import Page
    with Page("about:blank", wait="true") as page:
        yield page


def show(browser, page, width=900, height=700):
    """A page that does not move by itself."""
    address = f"file://{os.path.abspath(page)}#pause"
    browser.errors.clear()
    browser.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
    browser.open(address, f"location.href == {address!r} && window.limber && limber.ready")
    return browser


def look(browser, page):
    """What the browser finds, see view.py."""
    return page_view.look(show(browser, page, 560, 420))


# ---- pages ----
def test_page_is_written_and_told(pages):
    with h5("swing.h5") as f:
        n, rows = len(f["VTKHDF/Steps/Values"]), len(f["history/time"])
    assert pages["swing"] == f"swing.html: MB, {n} of {n} snapshots, positions to X m, {rows} rows; open it in a browser"


def test_long_run_is_thinned_out_and_told(pages):
    assert pages["long"] == ("long.html: MB, 50 of 101 snapshots, positions to X m, 10001 rows, reduced to minimum and maximum per bin of 5; "
                             "open it in a browser")


def test_run_without_snapshots_tells_how_to_get_some(pages):
    assert len(re.findall("leave out .snapshots. for a hundred", pages["still"])) == 1


def test_model_is_read_from_the_results_alone(pages):
    assert pathlib.Path("sub.html").read_text().count('id="bytes"') == 1


def test_page_names_the_licences(pages):
    lines = pathlib.Path("swing.html").read_text().split("\n")
    assert sum("MIT License" in line for line in lines) == 2
    assert sum("Leon Sorokin" in line for line in lines) == 1


def test_numbers_of_the_page_are_those_of_the_run(pages):
    found = tool("view.py", "swing.h5", "swing.html", "long.h5", "long.html", "bar.h5", "sub.html")
    assert found.split("\n") == [f"{name}: places as stated, extremes kept" for name in ("swing", "long", "bar")]


# ---- in a browser ----
def test_joints_at_one_place_do_not_shrink_the_bodies(browser):
    """Six joints, some at one place, which rounding moves apart: the distance to the next joint is 1 m, not 0.1 mm."""
    run(source / "examples/blade_in_runaway/blade.yaml", "blade.h5", "--set", "run.end=20 ms")
    view("blade.h5")
    p = show(browser, "blade.html")
    p.value("limber.setTime(0.02), limber.draw(), 1")
    assert p.value("limber.stage.jointSpacing()") == pytest.approx(1, abs=1e-3)


def test_events_are_marks_on_the_bar_of_time_and_in_plots(browser):
    write("marks.yaml", """limber: 1
nodes: {w: {at: [0, 0, 0], velocity: [1, 0, 0]}}
elements: [rigid_body: {node: w, mass: 1, inertia: [1, 1, 1]}]
joints: [prismatic: {name: rail, nodes: [ground, w], axis: [1, 0, 0]}]
events:
  - position: {name: half, node: w, along: [1, 0, 0], value: 0.5, do: {lock: rail}}
  - time: {name: end, at: 0.75, do: {unlock: rail}}
probes: [node: w]
run: {scheme: preserving, step: 10 ms, end: 1 s}
""")
    run("marks.yaml", "marks.h5")
    view("marks.h5")
    p = show(browser, "marks.html")
    marks = p.value("[...document.querySelectorAll('#ticks span')].map(s => s.dataset.name + ' ' + Number(s.style.getPropertyValue('--at')).toFixed(3)).join('|')")
    assert marks == "half at 0.5 s, 0.5 J 0.500|end at 0.75 s 0.750"
    p.value("document.querySelectorAll('#ticks span')[1].click()")
    assert abs(p.value("Number(document.getElementById('time').value)") - 0.75) < 1e-9
    x = p.value("(o => { const r = o.getBoundingClientRect(); return [r.left + 0.75*r.width + 1, r.top + 30]; })(document.querySelector('#charts .u-over'))")
    p.call("Input.dispatchMouseEvent", type="mouseMoved", x=x[0], y=x[1])
    p.value("new Promise(r => setTimeout(r, 300))")
    assert p.value("[...document.querySelectorAll('.event')].filter(e => !e.hidden).map(e => e.textContent).join()") == "end at 0.75 s"
    assert p.errors == []


MOVES = ["no errors", "canvas shows something", "slider moves the model"]


def test_round_off_is_shown_as_zero_and_told(browser):
    with_column("swing.h5", "noise.h5", "B/velocity", 1, 1e-32)
    view("noise.h5")
    p = show(browser, "noise.html", height=900)
    chips = p.value("[...document.querySelectorAll('#choices b, #choices button')].map(b => b.textContent).join(', ')")
    p.value("[...document.querySelectorAll('#choices button')].filter(b => b.textContent === 'velocity').forEach(b => b.click())")
    keys = p.value("""[...document.querySelectorAll('figure')].map(f => f.querySelector('figcaption').firstChild.textContent + ': ' +
      [...f.querySelectorAll('.keys span')].map(s => s.textContent).join(', ')).join('\\n')""").split("\n")
    assert [k for k in keys if re.fullmatch("B velocity: x [0-9−e.]+, y 0 within round-off, z [0-9−e.]+", k)]
    zero = "0( within round-off)?"
    assert [k for k in keys if re.fullmatch(f"O1 velocity: x {zero}, y {zero}, z {zero}", k)]  # it is fixed
    assert "end, force [N], force [N m], strain, strain [m⁻¹]" in chips.replace("\u202f", " ")  # no name twice


def test_modes_are_points_and_states_between_rows_have_values(browser):
    text = "document.querySelector('figure .keys').textContent"
    for command, model in ("modes", "modes_beams/tapered.yaml"), ("static", "static_frames/right_angle.yaml"):
        assert limber(command, f"{source}/examples/{model}", "-q", "-o", f"{command}.h5").code == 0
        view(f"{command}.h5")
    p = show(browser, "modes.html")
    assert p.value(f"limber.setTime(1.9), {text}") == p.value(f"limber.setTime(1), {text}") == " 0.6868"  # mode 1 in the middle of its period
    assert p.value("[...document.querySelectorAll('[role=tab]')].filter(b => !b.hidden).map(b => b.textContent).join()") == "Plots,Run"
    p = show(browser, "static.html")
    first, half, second = (p.value(f"limber.setTime({t}), {text}").split()[1].rstrip("y") for t in (0, 0.15, 0.3))
    assert first == "0" and abs(float(half) - 0.5 * float(second)) < 2e-3 * float(second), (first, half, second)  # rows at 0 and 0.3
    assert not p.errors


# A blade that stands up in a sheared wind, on a shaft that turns by 450 degrees per second.
BLADE = """limber: 1
nodes: {hub: [0, 0, 50], tip: [0, 0, 90]}
sections: {s: {stiffness: [1e9, 1e9, 1e9, 1e9, 1e9, 1e9], mass: 100, inertia: [20, 10, 10]}}
elements:
  - wind: {name: breeze, velocity: [10, 0, 0], shear: 0.2, height: 80}
  - beam: {name: blade, from: hub, to: tip, elements: 2, section: s, up: [0, -1, 0]}
  - strip: {name: air, element: blade, air: breeze, chord: 3, unsteady: wake}
joints: [{revolute: {name: shaft, nodes: [ground, hub], axis: [1, 0, 0], angle: {initial_rate: 450 deg/s}}}]
probes: [{name: rotor, joint: shaft}]
run: {end: 1 s, step: 10 ms, snapshots: 50 ms}
"""


def test_blades_have_airfoils_the_wind_arrows_and_the_azimuth_a_number(browser):
    write("blade.yaml", BLADE)
    run("blade.yaml", "blade.h5")
    view("blade.h5")
    p = show(browser, "blade.html")
    assert p.value("[...document.querySelectorAll('#toggles button')].some(b => b.textContent === 'Wind')")
    for time in 0, 0.4, 1:
        rows = p.value(f"limber.setTime({time}), [...document.querySelectorAll('#readings dd')].map(d => parseFloat(d.textContent))")
        winds = p.value("(w => w.at.map((at, i) => [w.motion.values[3 * at + 2], ...w.velocity(i).toArray()]))(limber.stage.winds)")
        assert len(winds) == 6 and len(rows) == 2
        for height, *v in winds:
            assert abs(v[0] - 10 * (height / 80)**0.2) < 2e-3 and v[1] == v[2] == 0, (height, v)  # 16 bits; measured 1e-4
        assert abs(rows[1] - sum(w[1] for w in winds) / 6) < 0.06
        if time == 0:
            assert rows[0] == 0 and min(w[0] for w in winds) > 50
    assert 0 <= rows[0] < 360
    section = p.value("limber.stage.run.items.find(i => i.name === 'blade').section.map(s => s.lines[0])")
    assert len(section) == 17
    for line in section:  # the quarter point is on the axis
        assert abs(max(line[::2]) - 0.75) < 1e-6 and abs(min(line[::2]) + 2.25) < 1e-6 and abs(max(line[1::2]) - 0.3) < 5e-3
    assert not p.errors


def test_long_names_stay_beside_the_mechanism(browser):
    name = 12 * "the_weight_"
    write("named.yaml", pathlib.Path("long.yaml").read_text().replace("name: w, node: w}", f"name: {name}, node: w}}"))
    run("named.yaml", "named.h5", *settings("run.end=30 ms"))
    view("named.h5")
    p = show(browser, "named.html")
    assert p.value("document.querySelector('figcaption').textContent").startswith(name)
    assert p.value("Math.max(...[...document.querySelectorAll('figcaption button')].map(b => b.getBoundingClientRect().right))") <= 900
    assert p.value("(s => s.scrollWidth <= s.clientWidth)(document.querySelector('#side section'))")


def test_page_shows_a_mechanism_that_the_slider_moves(pages, browser):
    assert look(browser, "swing.html") == [*MOVES, "click in a plot sets the time", "colours change the picture", "energies are drawn",
                                           "dark follows the system"]


def test_solid_is_shown(pages, browser):
    assert look(browser, "sub.html")[:3] == MOVES


def test_spring_is_shown(pages, browser):
    assert look(browser, "long.html")[:3] == MOVES


def test_run_without_snapshots_is_shown(pages, browser):
    assert look(browser, "still.html")[:3] == [*MOVES[:2], "slider does not move the model"]


# The farthest corner of a body from the middle of the page, over half of its width and height, of all times.
FARTHEST = """(() => { const s = limber.stage; let worst = 0;
  for (let i = 0; i <= 20; i++) {
    limber.setTime(limber.first + i/20*(limber.last - limber.first)), limber.draw();
    for (const {mesh} of s.bodies) {
      mesh.geometry.computeBoundingBox();
      const ends = [mesh.geometry.boundingBox.min, mesh.geometry.boundingBox.max];
      for (let c = 0; c < 8; c++) {
        const v = ends[0].clone().set(ends[c & 1].x, ends[c >> 1 & 1].y, ends[c >> 2].z).applyMatrix4(mesh.matrix).project(s.camera);
        worst = Math.max(worst, Math.abs(v.x), Math.abs(v.y));
      }
    }
  }
  return worst; })()"""


BARE = """limber: 1
title: Bodies without visuals
nodes:
  a: {at: [0, 0, 0], angular_velocity: [0, 0, 1]}
  b: {at: [3, 0, 0], angular_velocity: [0, 1, 0]}
  c: {at: [0, 0.5, 0.2], velocity: [0.2, 0, 0]}
elements:
  - rigid_body: {name: a, node: a, mass: 10, inertia: [0.2, 40, 40]}
  - rigid_body: {name: b, node: b, mass: 100, inertia: [300, 300, 300]}
  - rigid_body: {name: c, node: c, mass: 0.1, inertia: [1e-4, 1e-4, 1e-4]}
run: {step: 10 ms, end: 1 s}
"""


def test_bodies_of_different_sizes_are_all_in_the_frame(browser):
    write("bare.yaml", BARE)
    run("bare.yaml", "bare.h5")
    view("bare.h5")
    assert show(browser, "bare.html").value(FARTHEST) <= 1
    write("held.yaml", BARE.replace("run:", "joints:\n  - revolute: {name: h, nodes: [ground, b], axis: [0, 1, 0]}\nrun:"))
    run("held.yaml", "held.h5")
    view("held.h5")
    assert show(browser, "held.html").value(FARTHEST) <= 1


def test_surfaces_are_shown_where_their_nodes_have_no_visuals(browser):
    text = (source / "examples/contacts/incline.yaml").read_text()
    write("slope.yaml", text)
    run("slope.yaml", "slope.h5", *settings("run.end=0.2 s"))
    view("slope.h5")
    shown = "limber.stage.bodies.map(b => b.visual && b.visual.surface ? (b.visual.plane ? 'plane' : 'shape') : 'body').join(' ')"
    p = show(browser, "slope.html")
    assert p.value(shown) == "shape plane"  # and no box of its inertia
    assert p.value(FARTHEST) <= 1.1  # corners of the plane may be cut
    write("visuals.yaml", text + "visuals:\n  - {node: block, sphere: 0.1}\n")
    run("visuals.yaml", "visuals.h5", *settings("run.end=0.02 s"))
    view("visuals.h5")
    assert show(browser, "visuals.html").value(shown) == "body plane"


# ---- films ----
@pytest.fixture(scope="module")
def film(files):
    needs("chromium", "ffmpeg", "ffprobe")
    shutil.rmtree("tmp")
    os.mkdir("tmp")
    return limber("view", "swing.h5", "-o", "film.html", "--video", "film.mp4", "--seconds", "0.1")


def test_film_is_made(film):
    assert (film.out + film.err).split("\n")[-1] == "film.mp4: 3 pictures, 0.1 s"


def test_film_holds_its_pictures(film):
    found = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-show_entries", "stream=width,height,nb_read_frames", "-of",
                            "csv=p=0", "film.mp4"], stdout=subprocess.PIPE, text=True)
    assert found.stdout.strip() == "1280,720,3"


def test_film_without_its_programs_tells_what_to_install(folder):
    os.mkdir("bare")
    said = limber("view", "swing.h5", "--video", "film.mp4", PATH=folder + "/bare")
    assert said.out + said.err == "limber view: a video needs Chromium and FFmpeg, which are not installed: apt-get install chromium ffmpeg"


def test_nothing_is_left_behind(film):
    assert left_in("tmp") == []


# ---- mistakes ----
def test_run_that_is_not_there_is_a_mistake():
    assert refused("none.h5").startswith("limber view: cannot read")


def test_page_must_end_in_html():
    assert refused("swing.h5", "-o", "swing.txt") == "limber view: a page ends in .html, not as 'swing.txt'"


def test_frames_must_be_a_number():
    assert refused("swing.h5", "--frames", "many") == "limber view: --frames needs a whole number from 2 on, not 'many'"


def test_film_must_have_an_ending():
    assert refused("swing.h5", "--video", "film.avi") == "limber view: a video ends in .mp4 or .webm, not as 'film.avi'"


def test_film_must_take_some_time():
    needs("chromium", "ffmpeg")
    assert refused("swing.h5", "--video", "film.mp4", "--seconds", "0") == "limber view: --seconds needs a time from 0 to 600 s, not '0'"


# ---- pictures ----

def draw(path, *words, run="swing.h5"):
    needs("chromium", "ffmpeg", "ffprobe")
    said = limber("view", run, "--picture", path, "--size", "320x200", *words)
    assert said.code == 0, said.err
    return said.lines[-1]


def shows(path):
    """Its size, if more than one pixel in 500 is not white."""
    raw = subprocess.run(["ffmpeg", "-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"],
                         stdout=subprocess.PIPE, check=True).stdout
    drawn = sum(min(raw[i:i + 3]) < 250 for i in range(0, len(raw), 3))
    assert drawn > len(raw) / 3 / 500
    return subprocess.run(["ffprobe", "-v", "error", "-show_entries", "stream=codec_name,width,height", "-of", "csv=p=0", path],
                          stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def test_picture_is_made_and_told():
    with h5("swing.h5") as f:
        end = f["VTKHDF/Steps/Values"][-1]
    assert draw("end.png") == f"end.png: 320 x 200, at {end:g} s"


@pytest.fixture(scope="module")
def first_picture(files):
    draw("small.png", "--at", "0")
    return "small.png"


def test_picture_has_the_size_that_was_asked_for_and_shows_something(first_picture):
    assert shows(first_picture) == "png,320,200"


def test_times_shadows_and_views_make_pictures_of_their_own(first_picture):
    words = [["--at", "0"], ["--at", "50ms"], ["--at", "0, 50 ms"], ["--at", "0", "--view", "y"], ["--at", "0", "--view", "1,-2,0.5"]]
    bytes_of = []
    for i, w in enumerate(words):
        draw(f"view{i}.png", *w)
        bytes_of.append(pathlib.Path(f"view{i}.png").read_bytes())
    assert len(set(bytes_of)) == 5
    assert pathlib.Path(first_picture).read_bytes() == bytes_of[0]  # the same picture twice is the same


def test_solid_is_drawn():
    draw("bar.png", run="bar.h5")
    assert shows("bar.png") == "png,320,200"


def test_run_without_snapshots_is_drawn_as_it_starts():
    assert draw("still.png", run="still.h5") == "still.png: 320 x 200, at 0 s"


def test_picture_without_its_program_tells_what_to_install(folder):
    os.makedirs("bare", exist_ok=True)
    said = limber("view", "swing.h5", "--picture", "a.png", PATH=folder + "/bare")
    assert "a picture needs Chromium" in said.err and "apt-get install chromium" in said.err


@pytest.mark.parametrize("words, why", [
    (["--picture", "swing.jpg"], "a picture ends in .png, not as 'swing.jpg'"),
    (["--picture", "a.png", "--size", "large"], "--size needs pixels from 16 to 8192 such as 1600x1000, not 'large'"),
    (["--picture", "a.png", "--at", "soon"], "--at needs a time such as 1.2, or several such as 0,0.5,1, not 'soon'"),
    (["--picture", "a.png", "--view", "above"], "--view is x, y, z, iso or a direction such as 1,-2,0.5, not 'above'"),
    (["--at", "1"], "--at needs --picture mechanism.png"),
])
def test_options_of_a_picture_are_checked(words, why):
    needs("chromium", "ffmpeg")
    assert refused("swing.h5", *words) == "limber view: " + why


def test_picture_needs_a_time_of_the_run():
    needs("chromium", "ffmpeg")
    assert re.search("the snapshots reach from 0 to .* s, not to 99 s", refused("swing.h5", "--picture", "a.png", "--at", "0,99"))
