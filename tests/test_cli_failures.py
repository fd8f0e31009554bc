# SPDX-License-Identifier: Apache-2.0
"""Failures that users meet: each says what happened and where, what grew, what to do, and the line of the model file
that holds the thing to blame (docs/failures.md)."""
import os
import pathlib
import re
import shutil
import signal
import subprocess

import h5py
import numpy
import pytest

from support import Going, count, edited, environment, limber, models, program, run, same_bytes, settings, until, write


@pytest.fixture(scope="module", autouse=True)
def files(folder):
    for model in [*(models / "failing").glob("*.yaml"), models / "swing.yaml"]:
        shutil.copy(model, ".")


def assert_failure(code, patterns, *words, ranks=1):
    """The exit code, and every pattern is found in a line of the message."""
    said = limber(*words, ranks=ranks)
    assert said.code == code, said.err
    missing = [p for p in patterns if not count(p, said.err)]
    assert missing == [], said.err
    return said


# ---- steps that fail ----
@pytest.fixture(scope="module")
def locked(files):
    return limber("run", "lock.yaml", "-q")


def test_a_mechanism_that_locks_is_named_with_its_line(locked):
    assert_failure(1, [
        r"^limber run: the step from t = 0.5235[0-9]* s did not converge, at revolute 'pin'$",
        r"the last residual was [0-9.e+]+ J, of [0-9.e+]+ J exchanged so far",
        r"work of the loads grew most, from [0-9.]+ J to [0-9.e+]+ J", "it has locked;",
        r"^limber run: lock.h5 contains the history up to that time$", "^lock.yaml:11:22: revolute 'pin'$"], "run", "lock.yaml", "-q")


def test_a_failure_ends_in_the_line_to_look_at(locked):
    assert locked.complaints[-3:] == [
        "lock.yaml:11:22: revolute 'pin'",
        "   11 |   - revolute: {name: pin, nodes: [crank, rod], axis: [0, 1, 0], at: [1, 0, 0]}",
        "      |                      ^~~"]


def test_a_load_that_jumps_is_found_at_the_joint_it_turns():
    assert_failure(1, ["did not converge, at revolute 'pin'$", "no energy grew", "^jump.yaml:7:22: revolute 'pin'$", "smooth_step"],
                   "run", "jump.yaml", "-q")


def test_what_floats_is_named_with_its_line():
    assert_failure(2, ["node 'bob' has no mass, no stiffness and no joint in some direction", "^float.yaml:3:9: node 'bob'$"],
                   "run", "float.yaml", "-q")


def test_a_run_that_cannot_start_is_told_with_its_line():
    write("flies.yaml", """limber: 1
nodes: {a: [0, 0, 0]}
elements: [rigid_body: {node: a, mass: 1, inertia: [1, 1, 1]}]
motion: {velocity: [1, 0, 0]}
run: {start: equilibrium, step: 1 ms, end: 1 s}
""")
    assert_failure(2, ["^limber run: run: a model that `motion` sets in translation has no equilibrium",
                       "^flies.yaml:5:1: the run is given here$"], "run", "flies.yaml", "-q")


def test_what_would_fly_away_is_a_warning_before_the_run():
    assert_failure(0, [r"^away.yaml:5:24: warning: nothing connects 'stone' to the ground, .* is a joint missing\?"], "run", "away.yaml", "-q")


def test_joints_that_come_to_contradict_each_other_are_named():
    assert_failure(1, [
        "^limber run: joints contradict each other from t = 0.11 s on, at revolute 'two'$", "Its constraint violation is 0.01",
        "Remove the redundant joint", "^two_motors.yaml:10:22: revolute 'two'$"], "run", "two_motors.yaml", "-q")


def test_a_linkage_that_starts_in_a_change_point_is_named():
    said = assert_failure(1, ["^limber run: ", "At the start, revolute 'a', .* are in a singular position .a change point or dead centre",
                              "^change_point.yaml:9:22: revolute 'a'$"], "run", "change_point.yaml", "-q")
    assert "error in Limber" not in said.err


@pytest.mark.parametrize("ranks", [1, 2])
def test_a_linkage_is_in_a_singular_position_there_alone(ranks):
    """A parallelogram with links of 0.2 m: in one line it is singular, and not where its crank is turned by an angle."""
    text = open("change_point.yaml").read()
    for angle, found in ((0, True), (0.02, False), (1, False)):
        c, s = 0.2 * numpy.cos(angle), 0.2 * numpy.sin(angle)
        places = {"[0.1, 0, 0]": [c / 2, 0, s / 2], "[0.4, 0, 0], k": [c + 0.2, 0, s], "[0.7, 0, 0]": [0.4 + c / 2, 0, s / 2]}
        turned = text.replace("at: [0.2, 0, 0]", f"at: [{c}, 0, {s}]").replace("at: [0.6, 0, 0]", f"at: [{c + 0.4}, 0, {s}]")
        for old, new in places.items():
            turned = turned.replace(old, str(new) + (", k" if old.endswith("k") else ""))
        write("turned.yaml", turned.replace("end: 2 s", "end: 2 ms").replace("step: 2 ms", "step: 1e-5"))
        said = limber("run", "turned.yaml", ranks=ranks)
        assert ("singular position" in said.out + said.err) == found
        assert f"have {4 if found else 3} redundant constraints" in said.out


def test_drives_that_contradict_each_other_at_the_start_are_named():
    edited("two_motors.yaml", r"value: \[0, 0.1", "value: [0, 0.2", "drives.yaml")
    assert_failure(2, ["^limber run: drives contradict each other", "^drives.yaml:9:22: revolute 'one'$",
                       "^drives.yaml:10:22: revolute 'two'$"], "run", "drives.yaml", "-q")


@pytest.mark.parametrize("ranks", [1, 2])
@pytest.mark.parametrize("enforcement", ["multipliers", "augmented, penalty: 1e6"])
def test_a_drive_against_the_joints_of_a_body_of_points_is_refused_at_the_start(enforcement, ranks):
    write("held.yaml", f"""limber: 1
nodes: {{m: [0, 0, 1]}}
elements:
  - simplex_body: {{name: box, mass: 1 kg, box: [0.1, 0.2, 0.3], enforcement: {enforcement}}}
  - mass: {{node: m, mass: 1 kg}}
joints:
  - prismatic: {{name: rail, nodes: [ground, box], axis: [0, 1, 0], at: [0.1, 0, 0]}}
  - planar: {{name: table, nodes: [ground, box], axis: [1, 0, 0], at: [0, 0, 0.1]}}
loads:
  - drive: {{name: turn, joint: table, coordinate: angle, motion: {{sine: {{amplitude: 0.1, frequency: 1}}}}}}
run: {{step: 10 ms, end: 1 s}}
""")
    assert_failure(2, ["^limber run: drives contradict each other.*prismatic 'rail', planar 'table' cannot all move as prescribed",
                       "^held.yaml:8:20: planar 'table'$"], "run", "held.yaml", "-q", ranks=ranks)


def test_a_steady_rotation_that_contradicts_a_drive_is_refused():
    assert_failure(2, [
        r"the rotation under .motion., 10 rad/s about \[0, 0, 1\] through \[0, 0, 0\], contradicts drive 'motor', which moves "
        r"revolute 'shaft' at the rate 20", "^turning.yaml:11:19: drive 'motor'$"], "run", "turning.yaml", "-q")


def test_a_steady_rotation_under_gravity_across_its_axis_is_refused():
    assert_failure(2, ["gravity 'weight' has a component normal to the axis of the rotation", "^turning.yaml:12:21: gravity 'weight'$"],
                   "run", "turning.yaml", "-q", *settings("motion.angular_velocity=[0, 0, 20]", "loads.weight.acceleration=[0, -9.81, 0]"))


def test_a_steady_rotation_that_fits_runs():
    assert_failure(0, [], "run", "turning.yaml", "-q", *settings("motion.angular_velocity=[0, 0, 20]"))


def test_an_open_account_says_by_how_much_and_what_grew():
    assert_failure(1, [
        "the energy balance of the step to t = 0.002 s is not satisfied", "The energy balance error is 3.6 J, 1.1 of the energy exchanged",
        "kinetic energy grew most, from 0.5 J to 3.38 J", "distance .left., distance .right. are in a singular position", "^stretched.yaml:11:1: the step and the scheme are given here$"],
        "run", "stretched.yaml", "-q")


def test_a_cell_turned_inside_out_is_named_with_its_line():
    assert_failure(1, ["gives an inverted element, at solid 'pad'", "strain energy grew most", "a modulus has the wrong unit",
                       "^inside.yaml:15:19: solid 'pad'$"], "run", "inside.yaml", "-q")


@pytest.mark.parametrize("shortest", ["halvings: -1", "control: {loss: 1 GW, smallest: 1 ms, largest: 1 ms}"])
def test_half_a_turn_in_the_shortest_step_is_named_with_its_angle_and_no_failure_of_newton(shortest):
    edited("fast.yaml", "halvings: -1", shortest, to="spun.yaml")
    said = assert_failure(1, [
        r"^limber run: node 'rotor' turns too far in the step from t = [0-9.]+ s: by 3.1[0-9]* rad \(1(79|80)[.0-9]* degrees\) in 0.001 s$",
        "Newton converged, but a step cannot contain half a turn", "Use a shorter 'step'", "with the element 'wheel'",
        "^spun.yaml:3:9: node 'rotor'$"], "run", "spun.yaml", "-q")
    assert "did not converge" not in said.err and "residual" not in said.err
    with h5py.File("spun.h5") as f:
        assert f.attrs["status"] == "large_rotation"


def test_a_loss_that_cannot_be_kept_points_at_the_part_run():
    assert_failure(1, [
        "loses more energy than is tolerated, although it was reduced to 0.0003 s; most of it in", "Tolerate a larger 'loss'",
        "^swing.yaml:[0-9]+:[0-9]+: ", "^swing.yaml:[0-9]+:1: the step and the scheme are given here$"],
        "run", "swing.yaml", "-q", *settings("run.control={loss: 1e-16, smallest: 0.3 ms}"))


def test_two_processes_name_the_line_once():
    assert count("^lock.yaml:11:22: revolute 'pin'$", limber("run", "lock.yaml", "-q", "-o", "two.h5", ranks=2).err) == 1


# ---- where results go ----
def test_a_folder_that_is_not_there_can_be_made():
    assert_failure(2, ["cannot write 'nowhere/x.h5': No such file or directory", "mkdir -p nowhere"], "run", "swing.yaml", "-o", "nowhere/x.h5")


def test_a_folder_that_may_not_be_written_says_so():
    assert_failure(2, ["cannot write '/sys/x.h5': Permission denied", "choose another folder"], "run", "swing.yaml", "-o", "/sys/x.h5")


def test_a_table_that_finds_no_room_says_so():
    limber("run", "two_motors.yaml", "-q", "-o", "motors.h5")
    assert_failure(3, ["cannot write '/dev/full': No space left on device"], "export", "motors.h5", "-o", "/dev/full")


# A disk of 1.5 MB in a name space of its own fills up; then it grows, and the run goes on. A checkpoint may be the first to
# find no room, and says so beside.
FULL = """
mkdir -p small && mount -t tmpfs -o size=1500k none small || exit 77
"$1" run swing.yaml -q --set run.end=0.5 --set run.snapshots=1ms -o small/run.h5 --checkpoint 0.1s 2>err.txt
echo $? >code.txt
ls -A small >left.txt
mount -o remount,size=100m small && "$1" resume small/run.h5 -q 2>>err.txt && cp small/run.h5 resumed.h5
"""


@pytest.fixture(scope="module")
def full(files):
    write("full.sh", FULL)
    for space in "-m", "-rm":
        if subprocess.run(["unshare", space, "bash", "full.sh", program], env=environment(), stderr=subprocess.DEVNULL).returncode == 0:
            break
    if not os.path.exists("code.txt"):
        pytest.skip("a small disk cannot be mounted here")


def test_a_full_disk_ends_the_run_in_three_lines(full):
    assert pathlib.Path("code.txt").read_text() == "3\n"
    lines = [line for line in pathlib.Path("err.txt").read_text().splitlines() if not re.search("run.checkpoint'.*will try again$", line)]
    lines = [re.sub("run.(h5|xdmf)'", "X", line) for line in lines]
    assert lines == [
        "limber: cannot write 'small/X: No space left on device", "limber run: the run cannot continue without its results",
        "  Free some disk space (df -h shows the disks), then continue from the last checkpoint: limber resume small/run.h5"]


def test_it_leaves_no_halves_behind(full):
    assert set(pathlib.Path("left.txt").read_text().split()) <= {"run.h5", "run.xdmf", "run.checkpoint"}


def test_with_room_again_it_goes_on_to_the_same_bytes(full):
    run("swing.yaml", "whole.h5", *settings("run.end=0.5", "run.snapshots=1ms"))
    assert same_bytes("whole.h5", "resumed.h5")


# ---- files that are not what they should be ----
@pytest.fixture(scope="module")
def good(files):
    run("swing.yaml", "run.h5", *settings("run.end=0.02"))


def test_a_model_is_no_results_file():
    assert_failure(2, ["'swing.yaml' is not an HDF5 file"], "export", "swing.yaml", "time")


def test_results_that_are_cut_off_are_damaged(good):
    pathlib.Path("cut.h5").write_bytes(pathlib.Path("run.h5").read_bytes()[:3000])
    assert_failure(2, ["'cut.h5' is damaged: HDF5 cannot read it"], "export", "cut.h5", "time")


def test_another_hdf5_file_is_no_result():
    with h5py.File("other.h5", "w") as f:
        f.create_dataset("x", data=[1.0])
    assert_failure(2, ["'other.h5' is not a result of .limber run."], "export", "other.h5", "time")


def test_results_of_a_newer_version_name_it(good):
    shutil.copy("run.h5", "newer.h5")
    with h5py.File("newer.h5", "a") as f:
        f.attrs["format"], f.attrs["limber"] = 2, "9.0.0"
    assert_failure(2, ["'newer.h5' has format 2, of Limber 9.0.0; .* read it with the version that wrote it"], "plot", "newer.h5")


def test_a_model_of_a_newer_version_is_noted_at_its_line():
    edited("swing.yaml", "^limber: 1", "limber: 2", "newer.yaml")
    assert_failure(2, ["^newer.yaml:[0-9]+:9: error: this file is of format 2; this program reads format 1: use a newer Limber"],
                   "run", "newer.yaml")


def test_a_checkpoint_that_is_cut_off_says_what_to_do(good):
    shutil.copy("run.h5", "short.h5")
    pathlib.Path("short.checkpoint").write_bytes(pathlib.Path("run.checkpoint").read_bytes()[:4000])
    assert_failure(2, ["'short.checkpoint' is truncated .* started again: limber run"], "resume", "short.h5", "--end", "1")


def test_results_without_checkpoint_say_what_to_do(good):
    shutil.copy("run.h5", "lone.h5")
    assert_failure(2, ["there is no checkpoint 'lone.checkpoint' .* Start it again with limber run"], "resume", "lone.h5", "--end", "1")


# ---- a run that was killed ----
@pytest.fixture(scope="module")
def killed(files):
    with Going("run", "swing.yaml", "-q", *settings("run.end=100"), "-o", "killed.h5", "--", "-limber_flush", "0.05") as going:
        until(lambda: os.path.exists("killed.checkpoint") and len(limber("export", "killed.h5", "time").lines) > 10, wait=0.1)
        going.stop(signal.SIGKILL)
    return limber("export", "killed.h5", "time", "B.x", "-o", "killed.csv")


def test_a_killed_run_can_be_read(killed):
    assert killed.code == 0, killed.err


def test_it_has_the_rows_it_had(killed):
    assert len(pathlib.Path("killed.csv").read_text().splitlines()) > 10


def test_it_goes_on(killed):
    said = limber("resume", "killed.h5", "-q", "-o", "goes_on.h5", "--end", "0.01")
    assert said.out + said.err == ""
