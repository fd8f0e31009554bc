# SPDX-License-Identifier: Apache-2.0
"""A run that goes back to a saved state takes the same steps again, bit for bit: every example whose first steps take less than 2 s
of a processor, on one process and on two. As a program, test_state.py MODEL... prints a line on each model."""
import os
import pathlib
import subprocess
import sys
import time

BEFORE, AFTER = 5, 10  # steps
SECONDS = 2            # of a processor


def take_steps(run, count):
    for _ in range(count):
        run.step()


def go_back(limber, path, limit=SECONDS):
    """What became of a model: `same`, or what differs; `none`: no run goes so far; `slow`: its first step takes more than `limit`
    seconds of a processor."""
    began = time.process_time()
    try:
        run = limber.Model(path).start()
        if run.ports:
            return "none: a side of a coupled run (test_ports.py, test_couple.py)"
        take_steps(run, 1)
        used = time.process_time() - began
        if used > limit:
            return "slow"
        take_steps(run, BEFORE - 1)
        state = run.save()
        take_steps(run, AFTER)
    except (limber.ModelError, limber.StepError) as error:
        return f"none: {str(error).splitlines()[0]}"
    later, rows = run.save(), run.history.copy()
    run.restore(state)
    if run.save() != state or len(run.history) != BEFORE + 1:
        return "differs at once"
    take_steps(run, AFTER)
    other = [run.columns[i] for i in range(rows.shape[1]) if run.history[:, i].tobytes() != rows[:, i].tobytes()]
    if other:
        return f"differs in {', '.join(other[:4])}"
    if run.save() != later:
        return "differs in the state"
    run.restore(later).restore(state)
    return f"same {time.process_time() - began:.2f}" if run.save() == state else "differs after both"


def print_lines(paths):
    import limber
    rank = int(os.environ.get("OMPI_COMM_WORLD_RANK") or os.environ.get("PMI_RANK") or 0)
    ranks = int(os.environ.get("OMPI_COMM_WORLD_SIZE") or os.environ.get("PMI_SIZE") or 1)
    limit = SECONDS if ranks == 1 else float("inf")  # processes that measured different times would do different things
    for path in paths:
        os.chdir(pathlib.Path(path).parent)
        line = go_back(limber, pathlib.Path(path).name, limit)
        if rank == 0:
            print(f"{path}: {line}", flush=True)
        elif line.startswith("differs"):
            raise SystemExit(f"rank {rank}: {path}: {line}")


if __name__ == "__main__":
    print_lines(sys.argv[1:])
    sys.exit()

import pytest  # noqa: E402
from support import mpiexec, program, source  # noqa: E402

sys.path.insert(0, str(pathlib.Path(program).resolve().parent.parent / "python"))
limber = pytest.importorskip("limber")
examples = source / "examples"


def lines_of(paths, ranks=1):
    mpi = [mpiexec, "-n", str(ranks)] if ranks > 1 else []
    environment = {**os.environ, "PYTHONPATH": sys.path[0], "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([*mpi, sys.executable, __file__, *map(str, paths)], env=environment, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    assert done.returncode == 0, done.stderr[-2000:]
    return dict(line.split(": ", 1) for line in done.stdout.splitlines())


@pytest.fixture(scope="module")
def alone():
    return lines_of(p for p in sorted(examples.glob("*/*.yaml")) if p.name != "expected.yaml")


def wrong(lines):
    return {path: line for path, line in lines.items() if not line.startswith(("same", "none", "slow"))}


def test_every_example_goes_back_to_the_bit(alone, measured):
    same = [path for path, line in alone.items() if line.startswith("same")]
    measured(f"{len(same)} of {len(alone)} examples")
    assert wrong(alone) == {}
    assert len(same) >= 80
    for path in ("stamp_mill/stamp_mill", "contacts/skid", "solar_array/rigid", "robot_arm/arm"):  # contact, control, events
        assert str(examples / f"{path}.yaml") in same


def test_small_examples_do_so_on_two_processes(alone, measured):
    if os.environ.get("LIMBER_WITHOUT_MPI"):
        pytest.skip("without MPI")
    small = [path for path, line in alone.items() if line.startswith("same") and float(line.split()[1]) < 0.3]
    two = lines_of(small, ranks=2)
    measured(f"{len(two)} examples")
    assert wrong(two) == {} and len(two) == len(small)


# ---- what may be done with states ----

SWING = {
    "limber": 1, "nodes": {"p": {"at": [1, 0, 0], "kind": "point"}}, "elements": [{"mass": {"node": "p", "mass": 1}}],
    "joints": [{"distance": {"nodes": ["ground", "p"]}}], "functions": {"push": {"signal": {}}},
    "loads": [{"gravity": {"acceleration": [0, 0, -9.81]}},
              {"force": {"node": "p", "direction": [1, 0, 0], "amplitude": "push"}}],
    "probes": [{"name": "p", "node": "p"}], "run": {"step": "1 ms", "end": 1}}


def test_a_run_takes_two_ways_from_a_state():
    run = limber.Model(SWING).start()
    take_steps(run, 10)
    fork = run.save()
    run.set_signal("push", 5)
    take_steps(run, 10)
    pushed = run.save(), run.history.copy()
    run.restore(fork)
    take_steps(run, 10)  # the signal is again as it was
    assert run.now("p.x") != pushed[1][-1, run.columns.index("p.position.x")]
    run.restore(pushed[0])
    assert run.history.tobytes() == pushed[1].tobytes()
    assert run.time == pytest.approx(0.02)


def test_another_run_of_the_same_model_continues_from_a_state():
    model = limber.Model(SWING)
    run, other = model.start(), model.start()
    take_steps(run, 10)
    other.restore(run.save())
    take_steps(run, 5)
    take_steps(other, 5)
    assert other.history.tobytes() == run.history.tobytes()


def test_a_state_of_another_model_is_refused():
    run, other = limber.Model(SWING).start(), limber.Model(SWING, {"run.scheme": "preserving"}).start()
    before = other.save()
    with pytest.raises(limber.Error, match="does not fit the run: it is of another model, other options"):
        other.restore(run.save())
    assert other.save() == before


def test_results_in_a_file_are_not_taken_back():
    run = limber.Model(SWING).start("run.h5")
    with pytest.raises(limber.Error, match="results in a file cannot be taken back"):
        run.restore(run.save())


def test_a_static_path_is_not_saved():
    path = limber.StaticPath(limber.Model(examples / "static_elastica/elastica.yaml"))
    with pytest.raises(limber.Error, match="a static analysis cannot be saved"):
        path.save()
