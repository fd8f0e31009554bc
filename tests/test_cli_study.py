# SPDX-License-Identifier: Apache-2.0
"""Studies: the table has the same bytes whoever did the runs, and whatever interrupted them."""
import os
import pathlib
import shutil
import signal
import subprocess
import time

import numpy as np
import pytest

from support import command, environment, h5, limber, program, run, same_bytes, write

RUNS = 200
MODEL = """limber: 1
let: {length: 1 m, damping: 0.02, step: 20 ms}
nodes: {pivot: [0, 0, 0]}
elements:
  - rigid_body: {name: bob, node: pivot, mass: 1, inertia: [0.1, 0.1, 0.1], centre: [length, 0, 0]}
joints:
  - revolute: {name: hinge, nodes: [ground, pivot], axis: [0, 1, 0], angle: {damping: damping}}
loads:
  - gravity: {acceleration: [0, 0, -9.81]}
probes:
  - {name: hinge, joint: hinge}
run: {scheme: preserving, step: step, end: 1 s}
"""
# The damping is negative in about two of a hundred runs: the model refuses that.
PLAN = f"""limber: 1
title: Many pendulums
study:
  model: swing.yaml
  vary:
    let.length: {{uniform: [0.5 m, 1.5 m]}}
    let.damping: {{normal: [0.02, 0.01]}}
  design: random
  runs: {RUNS}
  seed: 1
  summary:
    - {{channel: hinge.angle, statistics: [extremes, mean, deviation]}}
    - {{channel: ledger.kinetic, statistics: [extremes]}}
"""


def study(plan, output, *words, **options):
    said = limber("study", plan, "-o", output, *words, **options)
    assert said.code == 0, said.err
    return said


@pytest.fixture(scope="module")
def whole():
    """The table that two workers make, undisturbed."""
    write("swing.yaml", MODEL)
    write("plan.yaml", PLAN)
    said = study("plan.yaml", "whole.h5", "--workers", 2)
    assert not os.path.exists("whole.blocks")
    return said


def test_a_row_has_the_statistics_of_its_run(whole):
    with h5("whole.h5") as f:
        assert f["status"].shape == (RUNS,)
        row, names = f["statistics"][7], [str(n) for n in f["statistics"].attrs["columns"]]
        units = dict(zip(names, (str(u) for u in f["statistics"].attrs["units"])))
        assert units["hinge.angle max"] == "rad" and units["ledger.kinetic max"] == "J" and units["ledger.kinetic max time"] == "s"
        concurrent, beside = f["concurrent"][7], [str(n) for n in f["concurrent"].attrs["columns"]]
        length, damping = f["parameters"][7]
        assert f["steps"][7] == 50 and f["time"][7] == pytest.approx(1)
    run("swing.yaml", "seven.h5", "--set", f"let.length={length:.17g} m", "--set", f"let.damping={damping:.17g}")
    with h5("seven.h5") as f:
        angle, kinetic = f["history/probes/hinge/angle"][:].ravel(), f["history/ledger/kinetic"][:]
        t = f["history/time"][:]
    assert row[names.index("hinge.angle max")] == angle.max()
    assert row[names.index("hinge.angle max time")] == t[angle.argmax()]
    assert row[names.index("hinge.angle min")] == angle.min()
    assert concurrent[beside.index("ledger.kinetic at max of hinge.angle")] == kinetic[angle.argmax()]
    assert concurrent[beside.index("hinge.angle at max of ledger.kinetic")] == angle[kinetic.argmax()]


def test_runs_that_fail_are_rows_and_the_others_finish(whole):
    with h5("whole.h5") as f:
        status, names = f["status"][:], [str(n) for n in f["status"].attrs["names"]]
        failed = np.flatnonzero(status)
        assert 0 < len(failed) < 10
        assert {names[s] for s in status[failed]} == {"not_started"}
        assert b"damping" in f["cause"][failed[0]] and f["cause"][0] == b""
        assert np.all(f["parameters"][failed][:, 1] < 0)
        assert np.all(np.isnan(f["statistics"][failed]))
        assert np.all(np.isfinite(f["statistics"][status == 0]))
    said = limber("study", "plan.yaml", "-o", "whole.h5", "--show", "failed")
    assert said.code == 0 and len(said.lines) == 2 * len(failed) + 1
    assert said.lines[0].startswith(f"run {failed[0]}: not_started") and said.lines[-1] == f"{len(failed)} of {RUNS} runs failed"
    again = subprocess.run(said.lines[1].strip().replace("limber ", f"{program} ", 1), shell=True, text=True, stderr=subprocess.PIPE)
    assert again.returncode == 2 and "negative `damping`" in again.stderr


@pytest.mark.parametrize("workers", [1, 3])
def test_any_number_of_workers_gives_the_same_bytes(whole, workers):
    study("plan.yaml", f"workers{workers}.h5", "--workers", workers)
    assert same_bytes("whole.h5", f"workers{workers}.h5")


def test_ranks_of_mpi_give_the_same_bytes(whole):
    study("plan.yaml", "ranks.h5", ranks=2)
    assert same_bytes("whole.h5", "ranks.h5")


def test_two_ranks_that_do_a_run_together_give_the_same_bytes(whole):
    study("plan.yaml", "pair.h5", "--ranks-per-run", 2, ranks=2)
    assert same_bytes("whole.h5", "pair.h5")


def test_parts_give_the_same_bytes_and_a_missing_one_is_named(whole):
    for part in (3, 1):
        said = study("plan.yaml", "parts.h5", "--part", f"{part}/3")
        assert said.lines[-1] == f"parts.h5: part {part}/3 is done; when all are: limber study plan.yaml -o parts.h5 --merge"
    said = limber("study", "plan.yaml", "-o", "parts.h5", "--merge")
    assert said.code == 1 and said.complaints[0] == f"limber study: 67 of {RUNS} blocks are missing: 1, 4, 7, 10, 13, 16, 19, 22 ..."
    assert not os.path.exists("parts.h5")
    study("plan.yaml", "parts.h5", "--part", "2/3")
    study("plan.yaml", "parts.h5", "--merge")
    assert same_bytes("whole.h5", "parts.h5")


def blocks_of(output):
    folder = pathlib.Path(output).with_suffix(".blocks")
    return sum(1 for _ in folder.glob("*.rows")) if folder.is_dir() else 0


@pytest.mark.parametrize("ranks", [1, 2])
def test_killed_again_and_again_it_gives_the_same_bytes(whole, ranks):
    # each time as soon as some blocks more are there: how fast the machine is does not matter
    name, kills = f"killed{ranks}.h5", 0
    for i in range(8):
        words = command("study", "plan.yaml", "-o", name, "-q", ranks=ranks)
        enough = blocks_of(name) + 1 + 5 * i
        going = subprocess.Popen(words, env=environment(), start_new_session=True, stderr=subprocess.DEVNULL)
        while going.poll() is None and blocks_of(name) < enough:
            time.sleep(0.002)
        if going.poll() is None:
            os.killpg(going.pid, signal.SIGKILL) if ranks > 1 else going.kill()
            kills += 1
        going.wait()
        time.sleep(0.1)
    assert kills
    study("plan.yaml", name, ranks=ranks)
    assert same_bytes("whole.h5", name)


def test_an_interrupt_ends_it_in_order_and_the_same_command_goes_on(whole):
    write("long.yaml", PLAN.replace("runs: 200", "runs: 2000"))
    going = subprocess.Popen(command("study", "long.yaml"), env=environment(), text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    going.stdout.readline()
    time.sleep(0.5)
    going.send_signal(signal.SIGINT)
    out, err = going.communicate(timeout=60)
    assert going.returncode == 1
    assert err.startswith("limber study: interrupted after ") and "run the same command again to continue" in err
    assert not os.path.exists("long.h5") and os.listdir("long.blocks")
    assert not [n for n in os.listdir("long.blocks") if n.endswith(".tmp") or n.startswith("lock")]
    shutil.rmtree("long.blocks")


def test_two_commands_do_not_write_one_study(whole):
    write("slow.yaml", PLAN.replace("runs: 200", "runs: 20000"))
    going = subprocess.Popen(command("study", "slow.yaml", "-q"), env=environment())
    while not os.path.exists("slow.blocks/lock"):
        time.sleep(0.02)
    time.sleep(0.1)
    said = limber("study", "slow.yaml")
    going.terminate()
    assert going.wait() == 1
    assert said.code == 2 and said.err.startswith(f"limber study: the study is already being run by process {going.pid}")
    shutil.rmtree("slow.blocks")


def test_another_plan_or_model_is_refused_until_it_is_forced(whole):
    shutil.copy("whole.h5", "other.h5")
    write("other.yaml", PLAN.replace("seed: 1", "seed: 2"))
    said = limber("study", "other.yaml", "-o", "other.h5")
    assert said.code == 2 and "is a study with another study file" in said.err and "--force" in said.err
    assert same_bytes("whole.h5", "other.h5")
    study("other.yaml", "other.h5", "--force")
    assert not same_bytes("whole.h5", "other.h5")
    # runs that are done, of a model that was changed since
    study("plan.yaml", "half.h5", "--part", "1/2")
    before = pathlib.Path("swing.yaml").read_text()
    write("swing.yaml", before.replace("mass: 1,", "mass: 2,"))
    said = limber("study", "plan.yaml", "-o", "half.h5", "--part", "2/2")
    write("swing.yaml", before)
    assert said.code == 2 and "study file, model or version" in said.err
    study("plan.yaml", "half.h5")
    assert same_bytes("whole.h5", "half.h5")


def test_a_study_that_is_done_is_not_done_again(whole):
    before = os.stat("whole.h5").st_mtime_ns
    said = study("plan.yaml", "whole.h5")
    assert said.out == f"whole.h5: all {RUNS} runs of this study are done already"
    assert os.stat("whole.h5").st_mtime_ns == before


def test_results_of_a_run_are_not_overwritten(whole):
    run("swing.yaml", "single.h5")
    said = limber("study", "plan.yaml", "-o", "single.h5")
    assert said.code == 2 and "is not the table of a study" in said.err


def test_one_run_of_a_study_has_the_bits_of_limber_run(whole):
    assert limber("study", "plan.yaml", "--run", 7, "-o", "run7.h5", "-q").code == 0
    with h5("whole.h5") as f:
        length, damping = f["parameters"][7]
    run("swing.yaml", "set7.h5", "--set", f"let.length={length:.17g} m", "--set", f"let.damping={damping:.17g}")
    with h5("run7.h5") as a, h5("set7.h5") as b:
        assert np.array_equal(a["history/probes/hinge/angle"][:], b["history/probes/hinge/angle"][:])
    said = limber("study", "plan.yaml", "--run", RUNS, "-o", "none.h5")
    assert said.code == 2 and said.err == f"limber study: --run needs the number of a run, 0 to {RUNS - 1}, not '{RUNS}'"


def test_the_worst_runs_are_kept_with_their_histories(whole):
    write("worst.yaml", PLAN + "  keep: {histories: worst 3, channel: hinge.angle}\n")
    study("worst.yaml", "worst.h5")
    with h5("worst.h5") as f:
        names = [str(n) for n in f["statistics"].attrs["columns"]]
        largest = np.max(np.abs(f["statistics"][:][:, [names.index("hinge.angle max"), names.index("hinge.angle min")]]), axis=1)
        largest[np.isnan(largest)] = 0
    expected = sorted(np.argsort(-largest, kind="stable")[:3])
    assert sorted(n for n in os.listdir("worst.runs") if n.endswith(".h5")) == [f"{i:06d}.h5" for i in expected]
    with h5(f"worst.runs/{expected[0]:06d}.h5") as f:
        assert np.abs(f["history/probes/hinge/angle"][:]).max() == largest[expected[0]]


def test_check_tells_what_would_be_done_and_does_nothing(whole):
    before = sorted(os.listdir())
    said = limber("study", "plan.yaml", "--check")
    assert said.code == 0 and said.err == "" and sorted(os.listdir()) == before
    lines = said.out.split("\n")
    assert lines[0].startswith("plan.yaml: no errors") and f"  runs        {RUNS}, design " in said.out
    write("wrong.yaml", PLAN.replace("let.length", "let.lenght"))
    said = limber("study", "wrong.yaml", "--check")
    assert said.code == 2 and "wrong.yaml:" in said.err and "length" in said.err


def test_runs_of_another_study_are_replaced_only_by_force(whole):
    write("again.yaml", PLAN + "  keep: {histories: worst 2, channel: hinge.angle}\n")
    os.mkdir("again.runs")
    for name in ("999999.h5", "999999.xdmf", "notes.txt"):
        pathlib.Path("again.runs", name).touch()
    said = limber("study", "again.yaml", "-o", "again.h5")
    assert said.code == 2 and "'again.runs' has the results of runs of another study" in said.err and "--force" in said.err
    assert os.path.exists("again.runs/999999.h5") and not os.path.exists("again.h5")
    study("again.yaml", "again.h5", "--force")
    kept = sorted(n for n in os.listdir("again.runs") if not n.endswith(".xdmf"))
    assert len(kept) == 3 and "999999.h5" not in kept and "notes.txt" in kept


def test_files_with_names_of_blocks_are_not_removed(whole):
    os.mkdir("mine.blocks")
    pathlib.Path("mine.blocks/000001.h5").touch()
    said = limber("study", "plan.yaml", "-o", "mine.h5")
    assert said.code == 2 and "'mine.blocks' has files with names of blocks" in said.err
    assert os.path.exists("mine.blocks/000001.h5")
    study("plan.yaml", "mine.h5", "--force")
    assert not os.path.exists("mine.blocks") and same_bytes("whole.h5", "mine.h5")


def test_failed_runs_are_kept_up_to_where_they_failed(whole):
    plan = PLAN[:PLAN.index("  vary:")] + """  vary:
    let.length: [1 m, 2 m, 3 m]
    let.step: [20 ms, 5 ms]
  limits: {steps: 60}
  keep: {histories: failed}
""" + PLAN[PLAN.index("  summary:"):]
    write("limited.yaml", plan)
    study("limited.yaml", "limited.h5")
    with h5("limited.h5") as f:
        names = [str(n) for n in f["status"].attrs["names"]]
        assert [names[s] for s in f["status"][:]] == ["finished", "timeout"] * 3
        assert list(f["steps"][:]) == [50, 60] * 3 and f["cause"][1] == b"limit of 60 steps"
    assert sorted(n for n in os.listdir("limited.runs") if n.endswith(".h5")) == ["000001.h5", "000003.h5", "000005.h5"]
    with h5("limited.runs/000001.h5") as f:
        assert f["history/time"][-1] == pytest.approx(0.3)


def test_a_table_in_place_reads_as_one_that_is_copied(whole):
    study("plan.yaml", "place.h5", "--in-place")
    with h5("whole.h5") as a, h5("place.h5") as b:
        for name in ("parameters", "status", "steps", "statistics", "concurrent", "cause"):
            assert np.array_equal(a[name][:], b[name][:], equal_nan=a[name].dtype.kind == "f"), name
    assert limber("export", "whole.h5").out == limber("export", "place.h5").out


def test_the_table_is_exported_with_all_digits(whole):
    said = limber("export", "whole.h5", "let.length", "hinge.angle max", "status")
    assert said.lines[0] == "run [1],let.length [m],hinge.angle max [rad],status [1]"
    with h5("whole.h5") as f:
        length = f["parameters"][:, 0]
    assert [float(line.split(",")[1]) for line in said.lines[1:]] == list(length)
    assert said.lines[1].startswith("0,") and said.lines[1].endswith(",finished")
    assert limber("export", "whole.h5", "-o", "whole.csv").out == f"whole.csv: {RUNS} runs"
    assert limber("export", "whole.h5", "-o", "whole.csv").code == 0  # its own file
    said = limber("export", "whole.h5", "hinge.angel")
    assert said.code == 2 and "no column 'hinge.angel'" in said.err


def test_a_failure_stops_the_study_where_the_plan_asks_for_it(whole):
    write("stop.yaml", PLAN + "  on_failure: stop\n")
    said = limber("study", "stop.yaml", "--workers", 1)
    assert said.code == 1 and "a run failed, and the study file says `on_failure: stop`" in said.err and not os.path.exists("stop.h5")
    shutil.rmtree("stop.blocks")


@pytest.mark.parametrize("words, wrong", [
    (["--part", "4/3"], "--part needs two numbers, such as 3/100, not '4/3'"),
    (["--workers", "none"], "--workers needs a whole number from 1 to 65536, not 'none'"),
    (["--part", "1/2", "--merge"], "--part and --merge exclude each other: --merge is given when all parts are done"),
    (["--show", "good"], "--show lists `failed` or `all` runs, not 'good'")])
def test_a_wrong_option_is_told(whole, words, wrong):
    said = limber("study", "plan.yaml", *words)
    assert (said.code, said.err) == (2, "limber study: " + wrong)


# ---- folders that somebody else has filled ----
KEEPING = PLAN.replace(f"runs: {RUNS}", "runs: 3") + "  keep: {histories: all}\n"
NAMES = ["plan.blocks", "plan.blocks/identity", "plan.blocks/lock", "plan.blocks/000000.part", "plan.blocks/000000.rows",
         "plan.blocks/000000.tmp", "plan.blocks/000000.h5", "plan.h5.draft", "plan.h5", "plan.runs", "plan.runs/000000.h5"]


@pytest.mark.parametrize("name", NAMES)
def test_a_study_writes_through_no_link_and_waits_for_no_pipe(whole, name):
    for target in "victim", "none", "folder", None:
        shutil.rmtree("given", ignore_errors=True)
        os.makedirs("given/outside/folder")
        for victim in "victim", "folder/000000.part", "folder/identity":
            write(f"given/outside/{victim}", "mine\n")
        write("given/swing.yaml", MODEL)
        write("given/plan.yaml", KEEPING)
        os.makedirs(os.path.dirname(f"given/{name}"), exist_ok=True)
        if target:
            os.symlink(("../" if "/" in name else "") + f"outside/{target}", f"given/{name}")
        else:
            os.mkfifo(f"given/{name}")
        for words in [], ["--force"]:
            said = limber("study", "plan.yaml", "--workers", 1, "-q", *words, cwd="given")
            assert said.code in (0, 1, 2), (name, target, said.code, said.err)
            for path, folders, files in os.walk("given/outside"):
                assert all(pathlib.Path(path, file).read_text() == "mine\n" for file in files), (name, target, files)
            assert sorted(os.listdir("given/outside")) == ["folder", "victim"], (name, target)
            assert sorted(os.listdir("given/outside/folder")) == ["000000.part", "identity"], (name, target)
