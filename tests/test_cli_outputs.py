# SPDX-License-Identifier: Apache-2.0
"""Files that commands write: none destroys a file of the user, another run's results or its own input; none is left half
written; what cannot be written is said; and no pipe, terminal or folder for temporary files that goes away ends a run."""
import os
import pathlib
import pty
import resource
import shutil
import signal
import stat
import struct
import subprocess
import time
import zlib

import pytest
from support import (Going, command, count, environment, h5, limber, run, same_bytes, settings, source, until, write)

SHORT = settings("run.end=0.02")
LONG = settings("run.end=1e4")


@pytest.fixture(scope="module", autouse=True)
def files(folder):
    assert limber("new", "pendulum").code == 0
    run("pendulum.yaml", "pendulum.h5", *SHORT)
    return folder


def kept(path, *words, code=2, **options):
    """What is said where a file must stay as it is."""
    before = pathlib.Path(path).read_bytes()
    said = limber(*words, **options)
    assert said.code == code, said.out + said.err
    assert pathlib.Path(path).read_bytes() == before
    return said.err


def left(folder="."):
    """Temporary files."""
    return [name for name in os.listdir(folder) if "limber-" in name]


def going(results, *words, ranks=1):
    return Going("run", "pendulum.yaml", "-q", "-o", results, *LONG, *words, ranks=ranks)


def has_begun(results):
    return until(lambda: h5(results)["history/time"].shape[0] > 0)


# ---- inputs ----
INPUT = "is an input of this command, so it is not overwritten"


def test_no_command_overwrites_its_model():
    for words in (["run", "pendulum.yaml", "-o", "pendulum.yaml"], ["check", "pendulum.yaml", "--picture", "pendulum.yaml"],
                  ["modes", "pendulum.yaml", "-o", "pendulum.yaml"], ["linearize", "pendulum.yaml", "--mat", "pendulum.yaml"],
                  ["run", "pendulum.yaml", "-o", "pendulum.yaml", "--force"]):
        assert count(INPUT, kept("pendulum.yaml", *words)) == 1


def test_nor_through_a_link():
    os.symlink("pendulum.yaml", "soft.svg")
    os.link("pendulum.yaml", "hard.svg")
    for name in "soft.svg", "hard.svg":
        assert count(INPUT, kept("pendulum.yaml", "check", "pendulum.yaml", "--picture", name, "--force")) == 1
        assert count(INPUT, kept("pendulum.yaml", "run", "pendulum.yaml", "-o", name, "--force")) == 1
    os.remove("soft.svg"), os.remove("hard.svg")


def test_nor_a_file_that_the_model_includes():
    os.makedirs("parts", exist_ok=True)
    write("parts/run.yaml", "limber: 1\nrun: {step: 4 ms, end: 20 ms}\n")
    text = pathlib.Path("pendulum.yaml").read_text()
    write("parts/whole.yaml", text[:text.index("\nrun:")] + "\ninclude: [run.yaml]\n")
    assert limber("check", "parts/whole.yaml").code == 0
    for words in ["run", "parts/whole.yaml", "-o"], ["check", "parts/whole.yaml", "--picture"]:
        assert count(INPUT, kept("parts/run.yaml", *words, "parts/run.yaml", "--force")) == 1


def test_nor_the_results_that_it_reads():
    os.symlink("pendulum.h5", "again.csv")
    for name in "pendulum.h5", "again.csv":
        assert count(INPUT, kept("pendulum.h5", "export", "pendulum.h5", "-o", name)) == 1
    os.remove("again.csv")


# ---- files of others ----
def test_no_command_overwrites_a_file_that_limber_did_not_write():
    words = {"table.csv": ["export", "pendulum.h5", "-o"], "table.outb": ["export", "pendulum.h5", "-o"], "page.html": ["view", "pendulum.h5", "-o"],
             "report.html": ["report", "pendulum.h5", "-o"], "both.html": ["compare", "pendulum.h5", "pendulum.h5", "--html"],
             "curve.svg": ["plot", "pendulum.h5", "tip.x", "-o"], "curve.png": ["plot", "pendulum.h5", "tip.x", "-o"],
             "model.svg": ["check", "pendulum.yaml", "--picture"], "linear.mat": ["linearize", "pendulum.yaml", "--mat"],
             "run.h5": ["run", "pendulum.yaml", *SHORT, "-o"], "modes.h5": ["modes", "pendulum.yaml", "-o"]}
    for name, command_ in words.items():
        write(name, "mine\n")
        assert count(f"'{name}' is not .* that Limber wrote, so it is not overwritten; --force overwrites it", kept(name, *command_, name)) == 1
        said = limber(*command_, name, "--force")
        assert said.code == 0, said.err
        assert pathlib.Path(name).read_bytes() != b"mine\n"
        assert limber(*command_, name).code == 0, name  # its own it may
        os.remove(name)
    assert not left()


def test_a_model_is_no_table():
    assert count("is not a table", kept("pendulum.yaml", "export", "pendulum.h5", "-o", "pendulum.yaml")) == 1


def test_a_table_of_measurements_is_not_taken_for_an_exported_one():
    write("measured.csv", "time [s],force [N]\n0.1,3.25\n0.2,3.5\n")
    kept("measured.csv", "export", "pendulum.h5", "-o", "measured.csv")
    assert limber("export", "pendulum.h5", "-o", "own.csv").code == limber("export", "pendulum.h5", "tip.x", "-o", "own.csv").code == 0


def test_hdf5_of_others_is_not_overwritten():
    import h5py
    with h5py.File("other.h5", "w") as f:
        f["data"] = [1.0, 2.0]
    assert count("is not a results file", kept("other.h5", "run", "pendulum.yaml", "-o", "other.h5", *SHORT)) == 1
    assert limber("run", "pendulum.yaml", "-q", "-o", "other.h5", *SHORT, "--force").code == 0


def test_results_of_limber_are_overwritten_also_damaged_or_branched_ones():
    run("pendulum.yaml", "old.h5", *SHORT, "--checkpoint", "0.001s")
    assert limber("resume", "old.h5", "-q", "-o", "branch.h5", *settings("run.end=0.04")).code == 0
    with open("old.h5", "r+b") as f:
        f.truncate(5000)
    for name in "old.h5", "branch.h5":
        run("pendulum.yaml", name, *SHORT)
        assert same_bytes(name, "pendulum.h5")


def test_files_beside_the_results_are_kept():
    for ending in "checkpoint", "xdmf":
        write(f"beside.{ending}", "mine\n")
        assert count(f"'beside.{ending}' is not", kept(f"beside.{ending}", "run", "pendulum.yaml", "-o", "beside.h5", *SHORT)) == 1
        assert not os.path.exists("beside.h5")
        os.remove(f"beside.{ending}")


def test_a_picture_is_still_one_with_its_sign():
    assert limber("plot", "pendulum.h5", "tip.x", "-o", "signed.png").code == 0
    data, at, names = pathlib.Path("signed.png").read_bytes(), 8, []
    while at < len(data):
        (size,), name = struct.unpack(">I", data[at:at + 4]), data[at + 4:at + 8]
        assert struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0] == zlib.crc32(data[at + 4:at + 8 + size])
        names.append(name)
        at += 12 + size
    assert names[0] == b"IHDR" and names[-1] == b"IEND" and b"tEXt" in names


# ---- whole or not at all ----
WRITERS = {"run.h5": ["run", "pendulum.yaml", "-q", *SHORT, "-o", "run.h5"], "run.checkpoint": ["run", "pendulum.yaml", "-q", *SHORT, "-o", "run.h5"],
           "run.xdmf": ["run", "pendulum.yaml", "-q", *SHORT, "-o", "run.h5"], "modes.h5": ["modes", "pendulum.yaml", "-o", "modes.h5"],
           "resumed_elsewhere.h5": ["resume", "pendulum.h5", "--end", "0.1", "-o", "resumed_elsewhere.h5"], "table.csv": ["export", "pendulum.h5", "-o", "table.csv"],
           "table.outb": ["export", "pendulum.h5", "-o", "table.outb"], "page.html": ["view", "pendulum.h5", "-o", "page.html"],
           "report.html": ["report", "pendulum.h5", "-o", "report.html"], "both.html": ["compare", "pendulum.h5", "pendulum.h5", "--html", "both.html"],
           "curve.svg": ["plot", "pendulum.h5", "tip.x", "-o", "curve.svg"], "curve.png": ["plot", "pendulum.h5", "tip.x", "-o", "curve.png"],
           "model.svg": ["check", "pendulum.yaml", "--picture", "model.svg"], "linear.mat": ["linearize", "pendulum.yaml", "--mat", "linear.mat"],
           "fresh.yaml": ["new", "pendulum", "-o", "fresh.yaml"]}


@pytest.mark.parametrize("name", WRITERS)
def test_no_command_writes_through_a_link_or_waits_for_a_pipe(name):
    """Whoever gave the folder put a link or a pipe where a file will be written."""
    os.makedirs("outside", exist_ok=True)
    write("outside/victim", "mine\n")
    for target in "outside/victim", "outside/none", None:  # a file, a file that is not there, a pipe
        if target:
            os.symlink(target, name)
        else:
            os.mkfifo(name)
        for force in [], ["--force"]:
            said = limber(*WRITERS[name], *force)
            assert said.code in (0, 2, 3) and (said.code or os.path.isfile(name)), (said.code, said.err)
            assert target is None or said.code == 2 and "is a symbolic link, and Limber does not write through links" in said.err
        assert pathlib.Path("outside/victim").read_text() == "mine\n" and os.listdir("outside") == ["victim"]
        os.remove(name)
    for made in "run.h5", "run.xdmf", "run.checkpoint":
        pathlib.Path(made).unlink(missing_ok=True)
    assert not left() and not left("outside")


def test_results_with_another_name_are_not_overwritten_in_place():
    run("pendulum.yaml", "first.h5", *SHORT)
    os.link("first.h5", "backup.h5")
    assert count("it is a hard link", kept("backup.h5", "run", "pendulum.yaml", *SHORT, "-o", "first.h5")) == 1
    os.remove("backup.h5")


def test_the_permissions_of_a_file_stay():
    assert limber("export", "pendulum.h5", "-o", "private.csv").code == 0
    os.chmod("private.csv", 0o640)
    assert limber("export", "pendulum.h5", "tip.x", "-o", "private.csv").code == 0
    assert stat.S_IMODE(os.stat("private.csv").st_mode) == 0o640


def test_a_table_that_may_not_grow_leaves_the_old_one():
    assert limber("export", "pendulum.h5", "tip.x", "-o", "small.csv").code == 0
    before = pathlib.Path("small.csv").read_bytes()
    done = subprocess.run(command("export", "pendulum.h5", "-o", "small.csv"), env=environment(), text=True, capture_output=True,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)))
    assert (done.returncode, done.stderr) == (3, "limber export: cannot write 'small.csv': File too large\n")
    assert pathlib.Path("small.csv").read_bytes() == before and not left()


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP", "SIGPIPE"])
def test_a_signal_leaves_no_temporary_file(name):
    if not os.path.exists("big.h5"):
        with going("big.h5") as long:
            assert until(lambda: h5("big.h5")["history/time"].shape[0] > 3000)
            long.stop()
    process = subprocess.Popen(command("export", "big.h5", "-o", "never.csv"), env=environment())
    assert until(left, 2000, 0.005)
    os.kill(process.pid, getattr(signal, name))
    assert process.wait() == -getattr(signal, name)
    assert not left() and not os.path.exists("never.csv")


# ---- two at once ----
def test_a_second_run_on_the_same_results_is_refused():
    with going("one.h5") as first:
        assert has_begun("one.h5")
        for words in ["run", "pendulum.yaml"], ["static", "pendulum.yaml"], ["modes", "pendulum.yaml"]:
            said = limber(*words, "-o", "one.h5", "--force")
            assert (said.code, said.complaints) == (2, [
                f"limber {words[0]}: 'one.h5' is being written by process {first.process.pid}, so it is not touched",
                "  Wait for its end, or write to another file with -o"])
        assert count(f"being written by process {first.process.pid}", limber("resume", "one.h5", "--end", "1e5").err) == 1
        os.symlink("one.h5", "two.h5")
        assert count("being written by", limber("run", "pendulum.yaml", "-o", "two.h5").err) == 1
        assert first.stop().code == 1
    assert limber("resume", "one.h5", "-q", "--end", "0.02").code in (0, 2)
    with h5("one.h5") as f:
        assert f.attrs["status"] in ("finished", "interrupted")


def test_nor_is_one_whose_checkpoint_would_be_the_same():
    with going("pair.h5") as first:
        assert has_begun("pair.h5")
        said = limber("run", "pendulum.yaml", "-o", "pair.hdf5")
        assert said.code == 2 and count("'pair.h5' is being written by process", said.err) == 1
        assert not os.path.exists("pair.hdf5")
        first.stop()


def test_of_runs_that_start_together_one_writes():
    processes = [subprocess.Popen(command("run", "pendulum.yaml", "-q", "-o", "race.h5", *settings("run.end=0.4")), env=environment(),
                                  stderr=subprocess.PIPE, text=True) for _ in range(4)]
    said = [(p.communicate()[1], p.returncode) for p in processes]
    assert {code for _, code in said} <= {0, 2} and 0 in {code for _, code in said}
    assert all("being written by" in text for text, code in said if code)
    run("pendulum.yaml", "calm.h5", *settings("run.end=0.4"))
    assert same_bytes("race.h5", "calm.h5")


def test_tables_that_are_written_together_are_whole():
    processes = [subprocess.Popen(command("export", "pendulum.h5", *words, "-o", "both.csv"), env=environment(), stdout=subprocess.DEVNULL)
                 for words in ([], ["tip.x"], [], ["tip.x"])]
    assert [p.wait() for p in processes] == [0] * 4
    assert pathlib.Path("both.csv").read_text().rstrip("\n") in (limber("export", "pendulum.h5").out, limber("export", "pendulum.h5", "tip.x").out)
    assert not left()


def test_a_run_that_is_killed_before_it_has_written_anything_can_be_started_again():
    """HDF5 keeps what it has not written yet in memory: the head of its file is there, the root is not."""
    whole = pathlib.Path("pendulum.h5").read_bytes()
    root = struct.unpack_from("<Q", whole, 64)[0]
    pathlib.Path("begun.h5").write_bytes(whole[:root] + bytes(60000))
    run("pendulum.yaml", "begun.h5", *SHORT)
    assert same_bytes("begun.h5", "pendulum.h5")


def test_a_killed_run_leaves_no_lock():
    with going("killed.h5") as first:
        assert has_begun("killed.h5")
        first.stop(signal.SIGKILL)
    run("pendulum.yaml", "killed.h5", *SHORT)
    assert same_bytes("killed.h5", "pendulum.h5")


def test_a_run_under_way_is_read_and_branched():
    with going("read.h5", "--checkpoint", "0.1s") as first:
        assert has_begun("read.h5")
        for words in (["export", "read.h5", "-o", "read.csv"], ["report", "read.h5"], ["view", "read.h5"],
                      ["compare", "read.h5", "read.h5"]):
            assert limber(*words).code in (0, 1), words
        done = subprocess.run(["/usr/bin/python3", "-c", "import h5py; h5py.File('read.h5', 'r')['history/time'][0]"],
                              env=environment())  # with HDF5's own locks
        assert done.returncode == 0
        first.stop()


def test_two_processes_learn_that_the_results_are_taken():
    with going("ranks.h5", ranks=2) as first:
        assert has_begun("ranks.h5")
        said = limber("run", "pendulum.yaml", "-o", "ranks.h5", ranks=2)
        assert said.code == 2 and count("'ranks.h5' is being written by process", said.err) == 1
        first.stop()


def test_results_that_are_replaced_during_a_run_are_not_touched_again():
    with going("moved.h5") as first:
        assert has_begun("moved.h5")
        os.remove("moved.h5")
        run("pendulum.yaml", "moved.h5", *SHORT)
        said = first.stop()
    assert said.code == 3 and count("somebody moved, removed or replaced it during the run", said.err) == 1
    assert same_bytes("moved.h5", "pendulum.h5")


def test_a_run_that_does_not_start_leaves_no_file():
    text = pathlib.Path("pendulum.yaml").read_text()
    write("without.yaml", text[:text.index("\nrun:")] + "\n")
    limber("run", "without.yaml", "-o", "none.h5")
    assert not os.path.exists("none.h5")


# ---- where results cannot go ----
def test_results_need_a_file():
    os.mkfifo("pipe.h5")
    for name in "pipe.h5", "/dev/full", "/dev/zero":
        said = limber("run", "pendulum.yaml", "-o", name)
        assert said.code == 2 and count("is a device or a pipe: results need a file", said.err) == 1
    done = subprocess.run(command("run", "pendulum.yaml", "-o", "/dev/stdout"), env=environment(), stdout=open("printed.txt", "wb"),
                          stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2 and "is what this command prints to" in done.stderr
    said = limber("run", "pendulum.yaml", "-o", "-")
    assert said.code == 2 and count("'-' is what this command prints to", said.err) == 1 and not os.path.exists("-")
    said = limber("run", "pendulum.yaml", "-o", "parts")
    assert said.code == 2 and count("Is a directory", said.err) == 1


def test_the_null_device_keeps_nothing():
    before = set(os.listdir("/dev"))
    for words in (["run", "pendulum.yaml", "-q", *SHORT], ["static", "pendulum.yaml"], ["modes", "pendulum.yaml"], ["export", "pendulum.h5"],
                  ["view", "pendulum.h5"], ["report", "pendulum.h5"], ["plot", "pendulum.h5", "tip.x"], ["new", "pendulum"]):
        said = limber(*words, "-o", "/dev/null")
        assert said.code == 0, (words, said.err)
    assert limber("check", "pendulum.yaml", "--picture", "/dev/null").code == 0
    assert limber("run", "pendulum.yaml", "-q", "-o", "/dev/null", *SHORT, ranks=2).code == 0
    assert set(os.listdir("/dev")) == before and stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_texts_go_to_stdout_by_its_name():
    plain = limber("export", "pendulum.h5", "tip.x").out
    for name in "/dev/stdout", "-":
        assert limber("export", "pendulum.h5", "tip.x", "-o", name).out == plain
    assert "<svg" in limber("check", "pendulum.yaml", "--picture", "-").out
    with open("redirected.csv", "w") as f:
        f.write("above\n"), f.flush()
        subprocess.run(command("export", "pendulum.h5", "tip.x", "-o", "/dev/stdout"), env=environment(), stdout=f)
    assert pathlib.Path("redirected.csv").read_text().rstrip("\n") == "above\n" + plain


def test_a_folder_that_takes_no_file_is_named():
    for words in ["export", "pendulum.h5", "-o", "/sys/x.csv"], ["check", "pendulum.yaml", "--picture", "/sys/x.svg"]:
        said = limber(*words)
        assert said.code == 2 and count("cannot write '/sys/x", said.err) == 1 and count("choose another folder", said.err) == 1


# ---- signals, pipes, stdout ----
@pytest.mark.parametrize("ranks", [1, 2])
def test_a_closed_terminal_ends_a_run_in_order(ranks):
    with going(f"hung{ranks}.h5", ranks=ranks) as first:
        assert has_begun(f"hung{ranks}.h5")
        said = first.stop(signal.SIGHUP)
    assert said.code == 1 and count("interrupted at t = ", said.err) == 1
    with h5(f"hung{ranks}.h5") as f:
        assert f.attrs["status"] == "interrupted"


def test_nohup_is_respected():
    with Going("run", "pendulum.yaml", "-q", "-o", "nohup.h5", *LONG) as plain:  # a fresh one shows that the signal would end it
        assert has_begun("nohup.h5")
        assert plain.stop(signal.SIGHUP).code == 1
    process = subprocess.Popen(command("run", "pendulum.yaml", "-q", "-o", "nohup.h5", *LONG), env=environment(), stderr=subprocess.DEVNULL,
                               preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    time.sleep(0.3)
    assert until(lambda: h5("nohup.h5").attrs["status"] == "running")
    os.kill(process.pid, signal.SIGHUP)
    time.sleep(0.5)
    assert process.poll() is None
    process.terminate()
    assert process.wait() == 1


def test_equilibria_end_in_order_too():
    with Going("static", source / "examples/static_bend_45/bend.yaml", "-o", "still.h5",
               *settings("static.steps=1000000", "static.step=1e-6", "static.largest=1e-6")) as first:
        assert has_begun("still.h5")
        said = first.stop(signal.SIGTERM)
    assert said.code == 1 and count("interrupted at a load factor of", said.err) == 1
    with h5("still.h5") as f:
        assert f.attrs["status"] == "interrupted"


def through(head, *words, **options):
    """Codes of a command and what its reader, who leaves after a line, saw."""
    done = subprocess.run(["bash", "-c", f'"$@" 2>errors.txt | {head}; echo "${{PIPESTATUS[0]}}"', "bash", *command(*words)], env=environment(**options),
                          text=True, stdout=subprocess.PIPE)
    return done.stdout.rstrip("\n").split("\n")[-1], pathlib.Path("errors.txt").read_text()


def test_a_run_goes_on_when_nobody_reads_what_it_prints():
    assert through("head -1 >/dev/null", "run", "pendulum.yaml", "-o", "head.h5") == ("0", "")
    run("pendulum.yaml", "alone.h5")
    assert same_bytes("head.h5", "alone.h5")


def test_a_table_that_nobody_reads_ends_without_a_word():
    assert through("head -1 >/dev/null", "export", "alone.h5") == ("141", "")
    assert through("head -1 >/dev/null", "schema") == ("141", "")


@pytest.mark.parametrize("words", [["describe"], ["schema"], ["export", "pendulum.h5"], ["export", "pendulum.h5", "--list"], ["check", "pendulum.yaml"],
                                   ["compare", "pendulum.h5", "pendulum.h5"], ["new", "--list"], ["man"], ["completions", "bash"],
                                   ["run", "--help"], ["--version"], ["--help"], ["plot", "pendulum.h5", "tip.x", "--script"]],
                         ids=lambda words: "_".join(words[:1]).strip("-"))
def test_what_cannot_be_printed_is_an_error(words):
    with open("/dev/full", "w") as full:
        done = subprocess.run(command(*words), env=environment(), stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 3
    assert count("cannot write to stdout: (No space left on device|the disk may be full)$", done.stderr.rstrip("\n")) == 1


def test_a_run_that_cannot_print_has_its_results():
    with open("/dev/full", "w") as full:
        done = subprocess.run(command("run", "pendulum.yaml", "-o", "mute.h5", *SHORT), env=environment(), stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 3 and done.stderr.endswith("the results are complete\n")
    assert same_bytes("mute.h5", "pendulum.h5")


def test_streams_that_are_closed_do_not_get_into_the_results():
    done = subprocess.run(["bash", "-c", '"$@" <&- >&- 2>&-', "bash", *command("run", "pendulum.yaml", "-o", "closed.h5", *SHORT)], env=environment())
    assert done.returncode == 0
    assert same_bytes("closed.h5", "pendulum.h5")


def on_terminal(*words):
    """What a command sends to a terminal."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(command(*words), env=environment(), stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs)
    os.close(theirs)
    seen = b""
    try:
        while part := os.read(ours, 4096):
            seen += part
    except OSError:  # the terminal has no process any more
        pass
    os.close(ours)
    process.wait()
    return seen.decode()


def test_escape_sequences_in_what_is_printed_do_not_reach_the_terminal():
    shutil.copy("pendulum.yaml", "\x1b]0;owned\x07 Größe \x9b31m.yaml")
    assert "?]0;owned? Größe ?31m.yaml: no errors" in on_terminal("check", "\x1b]0;owned\x07 Größe \x9b31m.yaml")
    assert "\r\x1b[K" in on_terminal("run", "pendulum.yaml", "-o", "drawn.h5", *SHORT)  # its own line is drawn anew


def test_escape_sequences_in_names_do_not_reach_the_terminal():
    said = limber("run", "\x1b]0;owned\x07.yaml")
    assert said.code == 2 and "\x1b" not in said.err and "\x07" not in said.err and "\\x1b]0;owned\\x07.yaml" in said.err


# ---- temporary files ----
def test_one_process_needs_no_folder_for_temporary_files():
    for folder in "/proc/none", "/sys", "x" * 3000, str(pathlib.Path("pendulum.yaml").resolve()):
        said = limber("run", "pendulum.yaml", "-q", "-o", "homeless.h5", *SHORT, TMPDIR=folder)
        assert (said.code, said.err) == (0, ""), folder[:20]
        assert same_bytes("homeless.h5", "pendulum.h5")
        assert limber("plot", "pendulum.h5", "tip.x", "-o", "homeless.svg", TMPDIR=folder).code == 0
    assert limber("run", "pendulum.yaml", "-q", "-o", "homeless.h5", *SHORT).code == 0
