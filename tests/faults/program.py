# SPDX-License-Identifier: Apache-2.0
"""A program under mpiexec in which an allocation of one process fails (sweep.py): each process reports the error that it gets."""
import os
import sys

import limber

rank = os.environ.get("OMPI_COMM_WORLD_RANK", os.environ.get("PMI_RANK", "0"))
try:
    run = limber.Model("beams.yaml").start("out.h5")
    run.advance()
    limber.modes(limber.Model("beams.yaml"))
    run.close()
except limber.Error as error:
    os.write(1, f"rank {rank} has an error: {error}\n".encode())  # in one piece
    sys.exit(1)
