# SPDX-License-Identifier: Apache-2.0
"""What happens where processes do not do the same: python_ranks.py FOLDER_OF_EXAMPLES CASE, under mpiexec -n 2. Each ends, with an
exception of one or of both."""
import os
import sys

import limber

ARM = f"{sys.argv[1]}/driven_arm/driven_arm.yaml"
rank = int(os.environ.get("OMPI_COMM_WORLD_RANK", os.environ.get("PMI_RANK", "0")))


def start(law=lambda run: 0.5):
    run = limber.Model(ARM, {"functions.push": {"signal": {}}, "run.end": "0.2 s"}).start()
    run.control("push", law)
    return run


def told(call):
    try:
        call()
    except limber.Error as error:
        print(f"rank {rank}: {error}", flush=True)


def a_law_raises_on_one():
    def law(run):
        if rank == 1 and run.time > 0.05:
            raise RuntimeError("the law of rank 1")
        return 0.5
    start(law).advance()


def one_raises_between_calls():
    run = start()
    run.step()
    if rank == 1:
        raise RuntimeError("rank 1 alone")
    run.advance()


def one_catches_what_its_law_raises():
    def law(run):
        return 1/rank
    run = start(law)
    try:
        run.step()
    except ZeroDivisionError:
        told(lambda: run.node("arm.end"))
    except limber.Error as error:
        print(f"rank {rank}: {error}", flush=True)


def ends_differ():
    told(lambda: start().advance(0.1 + 0.05*rank))


def laws_differ():
    told(lambda: start(lambda run: 0.5 + 0.1*rank).advance())


def stops_differ():
    told(lambda: start().advance(each=lambda run: rank == 1))


def nodes_differ():
    told(lambda: start().node("arm.end" if rank else "arm.start"))


def models_differ():
    told(lambda: limber.Model(ARM, {"run.end": "1 s"} if rank else {}))


def one_ends_early():
    run = start()
    if rank == 1:
        sys.exit(0)
    run.advance()


def all_is_well():
    run = start().advance()
    print(f"rank {rank}: {run.time:.6g} {run.now('pin.angle'):.6g}", flush=True)


globals()[sys.argv[2]]()
