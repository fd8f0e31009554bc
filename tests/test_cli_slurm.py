# SPDX-License-Identifier: Apache-2.0
"""Scripts for clusters: what they do is tried with programs that stand in for those of Slurm, and with a Slurm of one node where it
is installed (Debian: apt install slurmctld slurmd slurm-client munge). LIMBER_LONG=1 adds jobs that reach a time limit, 6 minutes."""
import getpass
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

import pytest

from support import Said, environment, limber, models, program, run, same_bytes, sanitizer, source, until, write

RUNS, JOBS = 32, 8
MODEL = """limber: 1
let: {length: 1 m, damping: 0.02}
nodes: {pivot: [0, 0, 0]}
elements:
  - rigid_body: {name: bob, node: pivot, mass: 1, inertia: [0.1, 0.1, 0.1], centre: [length, 0, 0]}
joints:
  - revolute: {name: hinge, nodes: [ground, pivot], axis: [0, 1, 0], angle: {damping: damping}}
loads:
  - gravity: {acceleration: [0, 0, -9.81]}
probes:
  - {name: hinge, joint: hinge}
run: {scheme: preserving, step: 20 ms, end: 100 s}
"""
PLAN = f"""limber: 1
study:
  model: swing.yaml
  vary: {{let.length: {{uniform: [0.5 m, 1.5 m]}}}}
  design: random
  runs: {RUNS}
  summary: [{{channel: hinge.angle}}]
"""
# Words for shells, for lines of comments and options, for the patterns of Slurm's file names, and what no shell has a word for.
FEW = PLAN.replace(f"runs: {RUNS}", "runs: 6")
HOSTILE = "it's \"a\" $(touch owned) `touch owned`; touch owned #\n#SBATCH --array=1-9\n%j &*?\\ \xfc"


@pytest.fixture(scope="module")
def whole():
    """The table that one command makes."""
    write("swing.yaml", MODEL)
    write("plan.yaml", PLAN)
    said = limber("study", "plan.yaml", "-o", "whole.h5", "-q")
    assert said.code == 0, said.err
    return os.path.abspath("whole.h5")


def script(*words, cwd=None, to="job.sh"):
    """A script that the command prints, in a file."""
    said = limber(*words, "--script", "slurm", cwd=cwd)
    assert said.code == 0, said.err
    assert subprocess.run(["bash", "-n"], input=said.out, text=True).returncode == 0
    write(os.path.join(cwd or ".", to), said.out + "\n")
    return said.out


# ---- text ----

def test_the_page_shows_what_is_printed():
    page = (source / "docs/clusters.md").read_text()
    shown = re.findall(r"^```sh\n(#!.*?)^```", page, re.M | re.S)
    for example in ("tower_loads", "rotor_5mw"):
        shutil.copytree(source / "examples" / example, "page", dirs_exist_ok=True)
    printed = [script("study", "plan.yaml", "--jobs", 100, cwd="page"), script("run", "rotor.yaml", "--ranks", 64, cwd="page")]
    assert [text.replace(os.getcwd() + "/page", "/home/you/tower") + "\n" for text in printed] == shown
    code, = re.findall(r"^```python\n(.*?)^```", page, re.M | re.S)
    module = pathlib.Path(program).resolve().parent.parent / "python"
    subprocess.run([sys.executable, "-B", "-c", code], cwd="page", env=environment(PYTHONPATH=module, **sanitizer()), check=True)
    assert [pathlib.Path("page", name).read_text().rstrip("\n") for name in ("study.sh", "rotor.sh")] == printed


def test_there_are_no_more_jobs_than_blocks(whole):
    assert f"--array=1-{RUNS} " in script("study", "plan.yaml", "--jobs", 1000)
    assert f"--array=1-{RUNS} " in script("study", "plan.yaml")


def test_options_of_the_command_are_those_of_its_jobs(whole):
    text = script("study", "plan.yaml", "-o", "t.h5", "--set", "run.step=10 ms", "--in-place", "--allow-outside", "--workers", 4, "--jobs", 2)
    assert "#SBATCH --cpus-per-task=4\n" in text
    command = "limber study plan.yaml -o t.h5 --set 'run.step=10 ms' --in-place --allow-outside --workers 4"
    assert f'part) work {command} --part "$SLURM_ARRAY_TASK_ID/2"\n' in text and f"merge) work {command} --merge\n" in text
    said = limber("run", "swing.yaml", "--set", "run.end=1 s", "--checkpoint", "5min", "--script", "slurm", "--ranks", 3, "--", "-log_view")
    assert "work $start limber run swing.yaml --set 'run.end=1 s' --checkpoint 5min -- -log_view" in said.lines
    assert '  work $start limber resume --checkpoint 5min "$results" -- -log_view' in said.lines


@pytest.mark.parametrize("words, wrong", [
    (["study", "plan.yaml", "--script", "pbs"], "limber study: --script prints scripts for `slurm`, not for 'pbs'"),
    (["study", "plan.yaml", "--script", "slurm", "--force"], "limber study: --script and --force exclude each other"),
    (["study", "plan.yaml", "--script", "slurm", "--part", "1/2"], "limber study: --script and --part exclude each other"),
    (["study", "plan.yaml", "--script", "slurm", "--jobs", "0"], "limber study: --jobs needs a whole number from 1 to 1000000, not '0'"),
    (["study", "plan.yaml", "--jobs", "4"], "limber study: --jobs is an option of --script slurm"),
    (["run", "swing.yaml", "--script", "slurm", "--ranks", "two"], "limber run: --ranks needs a whole number from 1 to 1048576, not 'two'"),
    (["run", "swing.yaml", "--ranks", "4"], "limber run: --ranks is an option of --script slurm"),
    (["run", "swing.yaml", "--script", "slurm", "--force"], "limber run: --script and --force exclude each other"),
    (["run", "-", "--script", "slurm"], "limber run: --script needs the name of a file: jobs cannot read stdin"),
    (["run", "none.yaml", "--script", "slurm"], "limber run: cannot read 'none.yaml': No such file or directory")])
def test_a_wrong_option_is_named(whole, words, wrong):
    said = limber(*words)
    assert said.code == 2 and said.err == wrong and said.out == ""


# ---- programs that stand in for those of Slurm ----

SBATCH = r"""
import os, subprocess, sys
words = [w for w in sys.argv[1:] if not w.startswith("--")]
options = dict(w[2:].partition("=")[::2] for w in sys.argv[1:] if w.startswith("--"))
first, _, last = options.get("array", "1-1").partition("-")
number = str(100 + len(os.listdir(os.environ["STAND_IN"])))
for task in range(int(first), int(last) + 1):
    env = dict(os.environ, SLURM_JOB_ID=number, **({"SLURM_ARRAY_TASK_ID": str(task)} if "array" in options else {}))
    log = os.path.join(os.environ["STAND_IN"], f"{number}_{task}.log")
    with open(log, "w") as out:
        code = subprocess.run(["bash", *words], cwd=options.get("chdir"), env=env, stdout=out, stderr=out).returncode
    if code:
        sys.exit(f"{open(log).read()}: {code}")
print(number + ";cluster")
"""
SCONTROL = r"""
import os, sys
with open(os.path.join(os.environ["STAND_IN"], "scontrol"), "a") as f:
    f.write(" ".join(sys.argv[1:]) + "\n")
"""


@pytest.fixture
def stand_in(tmp_path):
    """The environment in which sbatch does its jobs at once, and scontrol only writes down what it is asked for."""
    (tmp_path / "logs").mkdir()
    for name, text in (("sbatch", SBATCH), ("scontrol", SCONTROL)):
        (tmp_path / name).write_text(f"#!{sys.executable}{text}")
        (tmp_path / name).chmod(0o755)
    (tmp_path / "limber").symlink_to(os.path.abspath(program))
    return environment(PATH=f"{tmp_path}:{os.environ['PATH']}", STAND_IN=tmp_path / "logs")


def bash(*words, env, cwd=None):
    return Said(subprocess.run(["bash", *map(str, words)], cwd=cwd, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE))


def hostile_folder(name):
    """A folder with a study, and the table that one command makes of it."""
    folder = pathlib.Path(name + HOSTILE)
    folder.mkdir()
    (folder / "swing.yaml").write_text(MODEL)
    (folder / f"plan {HOSTILE}.yaml").write_text(FEW)
    assert limber("study", f"plan {HOSTILE}.yaml", "-o", "whole.h5", "-q", cwd=folder).code == 0
    return folder


def test_names_are_quoted(stand_in):
    folder = hostile_folder("here")
    script("study", f"plan {HOSTILE}.yaml", "-o", f"-{HOSTILE}.h5", "--jobs", 3, cwd=folder, to=f"-{HOSTILE}")
    said = bash("--", f"-{HOSTILE}", env=stand_in, cwd=folder)
    assert said.code == 0 and said.out == "job 100 does the runs, job 103 then writes the table", said.err
    assert same_bytes(folder / "whole.h5", folder / f"-{HOSTILE}.h5")
    script("run", "swing.yaml", "-o", f"-run {HOSTILE}.h5", "--set", "run.end=1 s", cwd=folder)
    said = bash("job.sh", env=stand_in, cwd=folder)
    assert said.code == 0, said.err
    run("swing.yaml", "plain.h5", "--set", "run.end=1 s", cwd=folder)
    assert same_bytes(folder / "plain.h5", folder / f"-run {HOSTILE}.h5")
    assert not list(folder.rglob("owned")) and not os.path.exists("owned")


def warned(words, env, when):
    """A job that gets the signal of a near time limit as soon as `when` is true; its exit code."""
    going = subprocess.Popen(["bash", *words], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    assert until(when, tries=3000, wait=0.01)
    going.send_signal(signal.SIGUSR1)
    return going.wait(timeout=60)


def test_a_part_that_has_little_time_left_is_requeued_and_continues(whole, stand_in):
    script("study", "plan.yaml", "-o", "late.h5", "--jobs", 2)
    env = dict(stand_in, SLURM_JOB_ID="77", SLURM_ARRAY_TASK_ID="1")
    asked = pathlib.Path(stand_in["STAND_IN"], "scontrol")
    code = warned(["job.sh", "part"], env, lambda: len(list(pathlib.Path("late.blocks").glob("*.rows"))) >= 2)
    assert code == 0 and asked.read_text() == "requeue 77\n"
    done = len(list(pathlib.Path("late.blocks").glob("*.rows")))
    assert 2 <= done < RUNS // 2
    again = bash("job.sh", "part", env=dict(env, SLURM_RESTART_COUNT="1"))
    assert again.code == 0 and f"  continues: {done} of {RUNS // 2} runs are done" in again.lines
    assert bash("job.sh", env=stand_in).code == 0  # submitted again: does the other part, and merges
    assert asked.read_text() == "requeue 77\n" and same_bytes(whole, "late.h5")
    assert bash("job.sh", env=stand_in).code == 0  # and again: there is nothing to do
    assert all("are done already" in f.read_text() for f in sorted(asked.parent.glob("*.log"))[-3:]) and same_bytes(whole, "late.h5")


def test_a_part_is_not_requeued_for_ever(whole, stand_in):
    script("study", "plan.yaml", "-o", "often.h5", "--jobs", 2)
    env = dict(stand_in, SLURM_JOB_ID="77", SLURM_ARRAY_TASK_ID="1", SLURM_RESTART_COUNT="100")
    assert warned(["job.sh", "part"], env, lambda: list(pathlib.Path("often.blocks").glob("*.rows"))) == 1
    assert not os.path.exists(os.path.join(stand_in["STAND_IN"], "scontrol"))


def test_a_run_that_has_little_time_left_is_requeued_and_continues(whole, stand_in):
    words = ["run", "swing.yaml", "--set", "run.end=2000 s", "--set", "run.every=100"]
    run("swing.yaml", "steady.h5", *words[2:])
    script(*words, "-o", "late_run.h5")
    env = dict(stand_in, SLURM_JOB_ID="78")
    assert warned(["job.sh"], env, lambda: os.path.exists("late_run.checkpoint")) == 0
    assert pathlib.Path(stand_in["STAND_IN"], "scontrol").read_text() == "requeue 78\n"
    again = bash("job.sh", env=dict(env, SLURM_RESTART_COUNT="1"))
    assert again.code == 0 and again.lines[0].startswith("late_run.h5 continues from t = "), again.err
    assert same_bytes("steady.h5", "late_run.h5")
    done = bash("job.sh", env=env)  # submitted again
    assert done.code == 2 and "give a later end" in done.err and same_bytes("steady.h5", "late_run.h5")


def test_results_without_a_checkpoint_are_not_overwritten(whole, stand_in):
    run("swing.yaml", "mine.h5", "--checkpoint", "0", "--set", "run.end=1 s")
    before = pathlib.Path("mine.h5").read_bytes()
    script("run", "swing.yaml", "-o", "mine.h5", "--set", "run.end=2 s")
    said = bash("job.sh", env=dict(stand_in, SLURM_JOB_ID="79"))
    assert said.code == 2 and said.err == "mine.h5 exists already and has no checkpoint: remove it first"
    assert pathlib.Path("mine.h5").read_bytes() == before


# ---- Slurm itself ----

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "scontrol", "squeue", "scancel")


def find(name):
    return shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/sbin")


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Cluster:
    """Slurm with one node of two cores: this machine. Its daemons are children of this process, its files are in one folder."""

    def __init__(self, folder):
        self.folder, self.daemons, host, user = pathlib.Path(folder), [], socket.gethostname().partition(".")[0], getpass.getuser()
        self.folder.chmod(0o755)
        for name in ("state", "spool"):
            (self.folder / name).mkdir()
        (self.folder / "key").write_bytes(os.urandom(128))
        (self.folder / "key").chmod(0o600)
        self.configuration = self.folder / "slurm.conf"
        self.configuration.write_text(f"""ClusterName=limber
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.sock
SlurmctldPort={free_port()}
SlurmdPort={free_port()}
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SchedulerType=sched/builtin
SchedulerParameters=batch_sched_delay=0,sched_interval=1
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
KillWait=5
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
""")
        (self.folder / "bin").mkdir()
        (self.folder / "bin/limber").symlink_to(os.path.abspath(program))
        self.environment = environment(SLURM_CONF=self.configuration, PATH=f"{folder}/bin:{os.environ['PATH']}:/usr/sbin:/sbin")

    def start(self, *words):
        log = (self.folder / f"{words[0]}.out").open("w")
        self.daemons.append(subprocess.Popen([find(words[0]), *words[1:]], env=self.environment, stdin=subprocess.DEVNULL, stdout=log,
                                             stderr=log))

    def __enter__(self):
        where = self.folder
        self.start("munged", "--foreground", "--force", f"--socket={where}/munge.sock", f"--key-file={where}/key", f"--pid-file={where}/munge.pid",
                   f"--log-file={where}/munge.log", f"--seed-file={where}/munge.seed")
        until(lambda: (where / "munge.sock").exists(), wait=0.05)
        self.start("slurmctld", "-D", "-i", "-f", self.configuration)
        self.start("slurmd", "-D", "-f", self.configuration)
        if not until(lambda: self("sinfo", "-h", "-o", "%t").out == "idle", tries=150, wait=0.1):
            said = "".join(f.read_text()[-300:] for f in sorted(where.glob("*.out")))
            self.__exit__()
            pytest.skip("Slurm cannot be started here: " + " ".join(said.split())[-600:])
        return self

    def __exit__(self, *_):
        self("scancel", f"--user={getpass.getuser()}")
        until(lambda: self("squeue", "-h").out == "", tries=50, wait=0.1)
        for daemon in reversed(self.daemons):
            daemon.terminate()
        for daemon in self.daemons:
            try:
                daemon.wait(timeout=20)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()

    def __call__(self, *words, cwd=None):
        return Said(subprocess.run(list(map(str, words)), env=self.environment, cwd=cwd, text=True, errors="replace", stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE))

    def submit(self, *words, cwd=None):
        """Submits a script of a study: the numbers of both jobs."""
        said = self("bash", *words, cwd=cwd)
        assert said.code == 0, said.err
        return re.fullmatch(r"job (\d+) does the runs, job (\d+) then writes the table", said.out).groups()

    def states(self, job):
        """How a job, or each task of an array, stands."""
        return re.findall(r"JobState=(\w+)", self("scontrol", "show", "job", job).out)

    def wait(self, *jobs, seconds=300):
        """Until none of these jobs waits or runs. A job that was requeued need not wait its two minutes."""
        def over():
            for job in re.findall(r"^(\S+) BeginTime$", self("squeue", "-h", "-r", "-t", "PD", "-o", "%i %r").out, re.M):
                self("scontrol", "update", f"JobId={job}", "StartTime=now")
            states = [s for job in jobs for s in self.states(job)]
            return states and not {"PENDING", "RUNNING", "COMPLETING", "REQUEUED"} & set(states)
        assert until(over, tries=4 * seconds, wait=0.25), self("scontrol", "show", "job", jobs[0]).out
        return {s for job in jobs for s in self.states(job)}


@pytest.fixture(scope="module")
def cluster():
    missing = [name for name in PROGRAMS if not find(name)]
    if missing:
        pytest.skip(f"Slurm is not installed: {', '.join(missing)}")
    with tempfile.TemporaryDirectory(prefix="slurm.", dir="/tmp") as folder, Cluster(folder) as started:
        yield started


def rows(table, part, parts=JOBS):
    """How many blocks of a part are done."""
    return sum(int(f.stem) % parts == part - 1 for f in pathlib.Path(table + ".blocks").glob("*.rows"))


def log(table, job, part):
    return pathlib.Path(f"{table}.logs/slurm-{job}_{part}.out").read_text()


def test_an_array_with_requeued_jobs_gives_the_same_bytes(whole, cluster, measured):
    """Two jobs are requeued from outside, one gets the signal of a near time limit and requeues itself."""
    script("study", "plan.yaml", "-o", "array.h5", "--jobs", JOBS, to="array.sh")
    began = time.monotonic()
    parts, merge = cluster.submit("array.sh")
    for part, words in ((2, ["scontrol", "requeue"]), (5, ["scontrol", "requeue"]), (8, ["scancel", "--batch", "--signal=USR1"])):
        assert until(lambda: rows("array", part) >= 1, tries=3000, wait=0.01)
        cluster(*words, f"{parts}_{part}")
    assert cluster.wait(parts, merge) == {"COMPLETED"}
    for part in (2, 5, 8):
        said = log("array", parts, part)
        assert "interrupted after" in said and "runs are done" in said, said
        assert "Restarts=1 " in cluster("scontrol", "show", "job", f"{parts}_{part}").out
    assert same_bytes(whole, "array.h5") and not os.path.exists("array.blocks")
    measured(f"{JOBS} jobs and 1, three requeued, {time.monotonic() - began:.0f} s")


def test_a_cancelled_array_does_not_merge_and_is_submitted_again(whole, cluster):
    script("study", "plan.yaml", "-o", "cancel.h5", "--jobs", JOBS, to="cancel.sh")
    parts, merge = cluster.submit("cancel.sh")
    assert until(lambda: rows("cancel", 1) >= 1, tries=3000, wait=0.01)
    assert cluster("scancel", parts).code == 0
    assert cluster.wait(parts, merge) == {"CANCELLED"}
    assert not os.path.exists("cancel.h5") and rows("cancel", 1) >= 1
    parts, merge = cluster.submit("cancel.sh")
    assert cluster.wait(parts, merge) == {"COMPLETED"}
    assert "runs are done" in log("cancel", parts, 1) and same_bytes(whole, "cancel.h5")


def test_slurm_takes_the_names_as_they_are(cluster):
    folder = hostile_folder("there")
    script("study", f"plan {HOSTILE}.yaml", "-o", f"{HOSTILE}.h5", "--jobs", 2, cwd=folder, to=HOSTILE)
    parts, merge = cluster.submit(HOSTILE, cwd=folder)
    assert cluster.wait(parts, merge) == {"COMPLETED"}
    assert same_bytes(folder / "whole.h5", folder / f"{HOSTILE}.h5")
    assert len(list(folder.glob("*.logs/*.out"))) == 3 and not list(folder.rglob("owned"))


@pytest.mark.parametrize("start", ["srun --mpi=pmix", "mpiexec -n 2"])
def test_a_run_on_two_processes_is_requeued_and_continues(whole, cluster, start):
    if os.environ.get("LIMBER_WITHOUT_MPI"):
        pytest.skip("without MPI")
    if "pmix" in start and "pmix" not in cluster("srun", "--mpi=list").err + cluster("srun", "--mpi=list").out:
        pytest.skip("this Slurm has no plugin for PMIx")
    name = start.split()[0]
    words = ["run", models / "swing.yaml", "--set", "run.end=0.2"]
    run(words[1], f"{name}_whole.h5", *words[2:], ranks=2)
    text = script(*words, "-o", f"{name}.h5", "--checkpoint", "1s", "--ranks", 2, to=f"{name}.sh")
    write(f"{name}.sh", text.replace("start=srun", f"start='{start}'") + "\n")
    said = cluster("sbatch", "--parsable", f"{name}.sh")
    assert said.code == 0, said.err
    assert until(lambda: os.path.exists(f"{name}.checkpoint"), tries=3000, wait=0.01)
    time.sleep(0.5)
    assert cluster("scontrol", "requeue", said.out).code == 0
    assert cluster.wait(said.out) == {"COMPLETED"}, pathlib.Path(f"slurm-{said.out}.out").read_text()
    assert f"{name}.h5 continues from t = " in pathlib.Path(f"slurm-{said.out}.out").read_text()
    assert same_bytes(f"{name}_whole.h5", f"{name}.h5")


@pytest.mark.skipif(not os.environ.get("LIMBER_LONG"), reason="takes 6 minutes; LIMBER_LONG=1 tries it")
def test_a_time_limit_is_survived(whole, cluster, measured):
    """Sixty runs of 3 s each. Slurm looks at time limits every 30 s; with a limit of one minute its signal comes at the first look."""
    write("long.yaml", PLAN.replace(f"runs: {RUNS}", "runs: 60"))
    began = time.monotonic()
    run("swing.yaml", "speed.h5", "--set", "run.end=1000 s", "--set", "run.every=1000")
    changes = ["--set", f"run.end={3 * 1000 / (time.monotonic() - began):.0f} s"]
    began = time.monotonic()
    assert limber("study", "long.yaml", "-o", "long_whole.h5", "-q", *changes).code == 0
    alone = time.monotonic() - began
    script("study", "long.yaml", "-o", "long.h5", "--jobs", 2, *changes, to="long.sh")
    began = time.monotonic()
    parts, merge = cluster.submit("long.sh", "--time=1")
    assert cluster.wait(parts, merge, seconds=900) == {"COMPLETED"}
    restarts = re.findall(r"Restarts=(\d+)", cluster("scontrol", "show", "job", parts).out)
    measured(f"{alone:.0f} s with one command; {time.monotonic() - began:.0f} s in 2 jobs with a limit of 1 min, requeued {restarts} times")
    assert any(map(int, restarts)) and same_bytes("long_whole.h5", "long.h5")
    # without the signal Slurm ends the job, and the file is submitted again
    script("study", "long.yaml", "-o", "hard.h5", "--jobs", 1, *changes, to="hard.sh")
    parts, merge = cluster.submit("hard.sh", "--time=1", "--signal=CONT@1")
    assert cluster.wait(parts, merge, seconds=900) == {"TIMEOUT", "CANCELLED"}
    assert "interrupted after" in log("hard", parts, 1) and not os.path.exists("hard.h5")
    parts, merge = cluster.submit("hard.sh", "--time=30")
    assert cluster.wait(parts, merge, seconds=900) == {"COMPLETED"} and same_bytes("long_whole.h5", "hard.h5")
    assert "runs are done" in log("hard", parts, 1)
