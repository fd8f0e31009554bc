#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the pictures of docs/gallery.md: each example is run, shortened where it is long, and drawn by `limber view --picture`.

    LIMBER=build/dev/bin/limber python3 docs/figures/gallery.py [NAME ...]                # docs/figures/gallery/NAME.png
    LIMBER=build/dev/bin/limber python3 docs/figures/gallery.py --pages FOLDER [NAME ...] # FOLDER/NAME.html, as of `limber view`
    ... --quick                                                                           # all that run in a few seconds
    LIMBER=build/dev/bin/limber python3 docs/figures/gallery.py --moves                   # docs/figures/moves.gif, of the first page

Pictures need Chromium and FFmpeg, pages need neither; a page that is younger than the program and its model is kept."""
import glob
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

here = os.path.dirname(os.path.abspath(__file__))
source = os.path.normpath(os.path.join(here, "..", ".."))
sys.path.insert(0, os.path.join(source, "tests"))
from browser import Page  # noqa: E402

limber = os.path.abspath(os.environ.get("LIMBER", os.path.join(source, "build/dev/bin/limber")))
SIZE = "640x400"
# films of the first page, side by side: example, times of its first and last picture, from where it is seen
FILMS = (("rotor_5mw", 40.6, 45.5, "[-1,-0.7,0.3]"), ("stamp_mill", 0.2, 1.6, "[1,-0.6,0.5]"), ("solar_array", 0, 40, "[0.5,-0.9,0.9]"))
FILM_SIZE, FILM_PICTURES = (400, 320), 60
PALETTE = "split[a][b];[a]palettegen=max_colors=200[p];[b][p]paletteuse=dither=none"

# example: model, changes of it, times of the picture, from where it is seen
examples = {
    "quarter_car": ("whole.yaml", [], "0,0.05,0.25", "iso"),
    "coupled_arm": ("whole.yaml", [], "0,0.5,1", "iso"),
    "coupled_fmu": ("pendulum.yaml", ["motion={angular_velocity: [0, 4, 0]}"], "0,0.2,0.4", "iso"),
    "oscillator": ("oscillator.yaml", [], "0,0.2,0.4", "0.5,-1,0.5"),
    "spun_beam": ("beam.yaml", [], "0,0.1,0.2", "iso"),
    "hinged_beam": ("hinged_beam.yaml", [], "0,0.1,0.2", "iso"),
    "swing": ("swing.yaml", [], "0,0.3,0.64", "iso"),
    "elbow_rigid": ("elbow_rigid.yaml", ["run.end=6 s", "run.snapshots=0.1 s", "let.h=1 ms"], "0,1.5,3", "iso"),
    "elbow_revolute": ("elbow_revolute.yaml", ["run.end=6 s", "run.snapshots=0.1 s", "let.h=1 ms"], "0,1.5,3", "iso"),
    "pendulum_constraint": ("pendulum.yaml", ["let.duration=2 s"], "0,0.3,0.45", "iso"),
    "cantilever_response": ("cantilever.yaml", ["functions.none={constant: {value: 0.8}}"], "0,0.5,1", "iso"),
    "linear_model": ("cart.yaml", ["let.tilt=8 deg", "run.end=2 s"], "0,0.4,0.55", "iso"),
    "heavy_top": ("heavy_top.yaml", [], "0,0.2,0.4", "iso"),
    "falling_rods": ("ten_rods.yaml", [], "0,0.6,1.2", "iso"),
    "free_top": ("free_top.yaml", [], "0", "iso"),
    "flat_spin": ("flat_spin.yaml", ["run.snapshots=1 s"], "0,300", "0.6,-1,0.5"),
    "pendulum": ("double_pendulum.yaml", [], "0,0.2,0.4", "iso"),
    "spinning_top": ("spinning_top.yaml", [], "0,1,2", "iso"),
    "stamp_mill": ("stamp_mill.yaml", ["run.end=1.6 s"], "0.85", "1,-0.6,0.5"),
    "hinge_and_ball": ("hinge_and_ball.yaml", ["run.end=4 s", "run.snapshots=50 ms"], "0,0.6,1.2", "iso"),
    "slider_crank_3d": ("slider_crank_3d.yaml", [], "1", "iso"),
    "bricard": ("bricard.yaml", [], "0,0.7", "iso"),
    "cam": ("cam.yaml", ["run.end=0.6 s"], "0.34", "0.4,-1,0.35"),
    "gear_train": ("gear_train.yaml", ["run.end=0.2 s"], "0.1", "iso"),
    "crane": ("crane.yaml", [], "0,6,12", "iso"),
    "rope_pulley": ("belt.yaml", ["run.end=0.8 s", "run.snapshots=20 ms"], "0.7", "0.3,-1,0.2"),
    "slider_crank": ("slider_crank.yaml", [], "1", "iso"),
    "governor": ("governor.yaml", ["run.end=4 s"], "2.5", "iso"),
    "car_over_bump": ("car_over_bump.yaml", [], "0.56", "iso"),
    "robot_forearm": ("robot_forearm.yaml", [], "0,0.68,0.32", "0.2,-1,0.4"),
    "gearbox_housing": ("gearbox_housing.yaml", ["run.end=60 ms"], "0.05", "0.6,-1,0.8"),
    "robot_arm": ("arm_flexible.yaml", ["run.scheme=preserving"], "0,0.4,0.56", "iso"),
    "andrews": ("andrews.yaml", [], "0.015", "iso"),
    "four_bar_chain": ("chain_2.yaml", [], "0,0.5", "iso"),
    "flying_beam": ("flying_beam.yaml", [], "0,4,8", "iso"),
    "flying_beam_3d": ("flying_beam_3d.yaml", [], "0,2.5,4.5", "iso"),
    "right_angle_cantilever": ("right_angle_cantilever.yaml", [], "0,3,6", "iso"),
    "driven_arm": ("driven_arm.yaml", [], "0,3,6", "iso"),
    "spin_up": ("spin_up.yaml", [], "0,4,8", "iso"),
    "four_bar_misaligned": ("four_bar.yaml", ["run.step=10 ms"], "0,3,5.6", "iso"),
    "lateral_buckling": ("lateral_buckling.yaml", [], "0,0.2,0.3", "iso"),
    "truss": ("truss.yaml", [], "0.5", "iso"),
    "boom": ("boom.yaml", [], "0.5", "iso"),
    "slewing_beam": ("slewing_beam.yaml", [], "0,0.1,0.2", "iso"),
    "square_block": ("square_block.yaml", ["run.end=10 s"], "5", "iso"),
    "solar_array": ("solar_array.yaml", ["run.end=40 s"], "0,3,12,22,40", "0.5,-0.9,0.9"),
    "contacts": ("rubber_block.yaml", [], "0,0.12,0.25", "iso"),
    "two_blocks": ("two_blocks.yaml", ["run.end=20 s"], "5", "iso"),
    "disk_with_beam": ("disk_with_beam.yaml", [], "0,6,12", "iso"),
    "bolted_beam": ("thrown.yaml", [], "0,0.1,0.2", "iso"),
    "plane_pendulum": ("points.yaml", [], "0,0.3,0.6", "iso"),
    "shared_hinge": ("shared.yaml", [], "0,0.5,1", "iso"),
    "four_bar_points": ("four_bar.yaml", [], "0,0.5,1", "iso"),
    "tolerances": ("four_bar.yaml", [], "0,0.34,0.66", "z"),
    "robot": ("robot.yaml", [], "0,0.7,1.3", "-0.3,-1,0.35"),
    "tower_loads": ("tower.yaml", [], "0", "0.3,-1,0.1"),
    "free_box": ("free_box.yaml", [], "0", "iso"),
    "mooring": ("mooring.yaml", ["run.end=40 s"], "0,33,39", "0.2,-1,0.2"),
    "cable_swing": ("cable_swing.yaml", [], "0,0.5,1", "iso"),
    "bending_block": ("tumble.yaml", ["run.snapshots=4 ms"], "0,0.08,0.16", "iso"),
    "rubber_block": ("strip.yaml", [], "0,0.7,1.4", "iso"),
    "rotating_cantilever": ("cantilever.yaml", ["let.omega=12"], "0,0.05,0.1", "iso"),
    "nrel_5mw_blade": ("blade.yaml", ["modes.amplitude=0.1"], "1,1.25,1.5", "iso"),
    "iea_15mw_blade": ("blade.yaml", ["let.g=40 m/s2"], "0,1", "iso"),
    "iea_22mw_blade": ("blade.yaml", ["modes.amplitude=0.1"], "3,3.25,3.5", "iso"),
    "rotor_5mw": ("rotor.yaml", ["run.step=40 ms", "run.end=46 s", "run.snapshots=0.4 s"], "45.2", "-1,-0.7,0.3"),
    "campbell_blade_60m": ("blade.yaml", ["run.snapshots=0.1 s", "run.end=3 s"], "0,0.8,1.6", "iso"),
    "rotor_on_tower": ("rotor.yaml", [], "0,0.5", "iso"),
    "static_truss": ("truss.yaml", [], "0,20,60", "0.3,-1,0.3"),
    "static_toggle": ("toggle.yaml", ["let.h=2", "static.displacement=-1"], "0,12", "0.3,-1,0.3"),
    "static_star_dome": ("dome.yaml", [], "0,47", "iso"),
    "static_lee_frame": ("lee.yaml", [], "0,30,100", "0.3,-1,0.3"),
    "static_deep_arch": ("arch.yaml", [], "0,10,23", "0.3,-1,0.3"),
    "static_elastica": ("follower.yaml", [], "0,10,30,70", "0.3,-1,0.3"),
    "static_roll_up": ("helix.yaml", ["let.n=60", "static.to=0.2", "static.at=[0.5]"], "0,0.1", "iso"),
    "static_bend_45": ("bend.yaml", [], "0,300,3000", "iso"),
    "static_princeton": ("princeton.yaml", [], "0,1", "iso"),
    "static_frames": ("z.yaml", [], "0,104.5,4000", "0.3,-1,0.3"),
    "static_beamdyn": ("curved.yaml", [], "0,1", "iso"),
    "composite_box": ("spar.yaml", ["modes.frames=20", "modes.amplitude=0.1"], "5,5.25,5.5", "iso"),
    "modes_beams": ("cantilever.yaml", ["modes.amplitude=0.1"], "4,4.25,4.5", "y"),
    "modes_shaft": ("shaft.yaml", ["let.omega=50 rad/s", "modes.amplitude=0.1"], "1,1.25,1.5", "iso"),
    "modes_cable": ("cable.yaml", ["let.s=0.8", "let.n=40"], "2,2.25,2.5", "y"),
    "modes_swept_tip": ("swept_tip.yaml", [], "3,3.25,3.5", "iso"),
    "modes_plate": ("plate.yaml", ["meshes.plate.fixed=edge"], "2", "iso"),
    "modes_mechanisms": ("four_bar.yaml", [], "1,1.25,1.5", "y"),
    "follower_column": ("column.yaml", [], "0,0.25,0.5", "y"),
    "ziegler": ("ziegler.yaml", [], "0,0.25,0.5", "y"),
    "typical_section": ("section.yaml", [], "0,0.25,0.5", "0.5,-1,0.3"),
    "blade_in_runaway": ("blade.yaml", [], "0,0.1,0.2", "iso"),
    "goland_wing": ("goland.yaml", ["stability.points=3", "stability.from=125", "stability.to=140"], "0,0.25,0.5", "-0.6,-1,0.4"),
    "frame_buckling": ("frame.yaml", [], "0,0.25", "iso"),
    "whirling_shaft": ("shaft.yaml", [], "0,0.3,0.6", "iso"),
    "shaken_pendulum": ("pendulum.yaml", ["run={step: 5 ms, end: 3 s}"], "0,1.5,2.5", "y"),
    "asymmetric_shaft": ("shaft.yaml", [], "0,0.3,0.6", "iso"),
    "c": ("../../src/cli/templates/pendulum.yaml", [], "0,0.16,0.32", "iso"),
}
COMMANDS = dict.fromkeys(("follower_column", "ziegler", "typical_section", "blade_in_runaway", "goland_wing", "frame_buckling", "whirling_shaft", "asymmetric_shaft"), "stability")
COMMANDS |= {"composite_box": "modes", "nrel_5mw_blade": "modes", "iea_15mw_blade": "static", "iea_22mw_blade": "modes"}
# take more than a few seconds
SLOW = ("falling_rods", "four_bar_misaligned", "truss", "square_block", "two_blocks", "plane_pendulum",
        "shared_hinge", "four_bar_points", "free_box", "rubber_block", "robot_forearm")


def run(name, folder):
    """The results of an example."""
    model, changes = examples[name][:2]
    results = os.path.join(folder, name + ".h5")
    sets = [word for change in changes for word in ("--set", change)]
    command = COMMANDS.get(name) or next((word for word in ("static", "modes") if name.startswith(word + "_")), "run")
    subprocess.run([limber, command, os.path.join(source, "examples", name, model), "-q", "-o", results, *sets], check=True)
    return results


def draw(name, folder):
    at, view = examples[name][2:]
    raw, page = os.path.join(folder, name + ".png"), os.path.join(folder, name + ".html")
    picture = os.path.join(here, "gallery", name + ".png")
    subprocess.run([limber, "view", run(name, folder), "-o", page, "--picture", raw, "--size", SIZE, "--at", at, "--view", view],
                   check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["ffmpeg", "-y", "-loglevel", "error", "-i", raw, "-vf", PALETTE, picture], check=True)
    return f"{name}.png: {os.path.getsize(picture) / 1000:.0f} kB"


def page(name, folder, target):
    path = os.path.join(target, name + ".html")
    parts = glob.glob(os.path.join(os.path.dirname(os.path.join(source, "examples", name, examples[name][0])), "*.yaml"))
    if os.path.exists(path) and os.path.getmtime(path) > max(map(os.path.getmtime, [limber, __file__, *parts])):
        return f"{name}.html is kept"
    subprocess.run([limber, "view", run(name, folder), "-o", path, "--frames", "100"], check=True, stdout=subprocess.DEVNULL)
    return f"{name}.html: {os.path.getsize(path) / 1e6:.1f} MB"


def film(name, first, last, view, folder):
    """Pictures of one film, drawn by the page of `limber view`."""
    page = os.path.join(folder, name + ".html")
    subprocess.run([limber, "view", run(name, folder), "-o", page], check=True)
    with Page(f"file://{page}#picture", *FILM_SIZE) as p:
        p.value(f"limber.stage.frame({[first + (last - first) * k / 8 for k in range(9)]}), limber.stage.ghosts([]), limber.stage.look({view}), 1")
        for i in range(FILM_PICTURES):
            p.value(f"limber.setTime({first + (last - first) * i / (FILM_PICTURES - 1)}), limber.draw(), 1")
            p.picture(os.path.join(folder, f"{name}_{i:03d}.png"))
        if p.errors:
            raise SystemExit(p.errors)
    return os.path.join(folder, name + "_%03d.png")


def moves():
    """The moving picture of the first page: three films side by side, which FFmpeg joins to a GIF."""
    with tempfile.TemporaryDirectory() as folder:
        films = [word for one in FILMS for word in ("-framerate", "12", "-i", film(*one, folder))]
        steps = f"hstack=inputs={len(FILMS)},split[a][b];[a]palettegen=max_colors=64[p];[b][p]paletteuse=dither=none:diff_mode=rectangle"
        subprocess.run(["ffmpeg", "-y", "-loglevel", "error", *films, "-filter_complex", steps, os.path.join(here, "moves.gif")], check=True)


def main(words):
    if "--moves" in words:
        return moves()
    target = words.pop(words.index("--pages") + 1) if "--pages" in words else None
    names = [word for word in words if not word.startswith("--")] or [n for n in examples if "--quick" not in words or n not in SLOW]
    os.makedirs(target or os.path.join(here, "gallery"), exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as two:
        for line in two.map(lambda name: page(name, folder, target) if target else draw(name, folder), names):
            print(line, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
