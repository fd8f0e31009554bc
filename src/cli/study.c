// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "console/output.h"

static const Option options[] = {
    {"output", "o", "study.h5", "table of the runs; default: the study file's name with .h5, in this folder",
     OPTION_ONCE},
    {"workers", "w", "8", "number of worker processes; default: the number of cores", OPTION_ONCE},
    {"ranks-per-run", NULL, "4", "under mpiexec: processes per run; default: 1", OPTION_ONCE},
    {"part", NULL, "3/100", "does the third of a hundred parts, for job arrays", OPTION_ONCE},
    {"merge", NULL, NULL, "writes the table when all parts are done", OPTION_ONCE},
    {"in-place", NULL, NULL, "the table refers to the files of the blocks, which are kept; default from 1 GB on",
     OPTION_ONCE},
    {"readable-blocks", NULL, NULL, "runs that are done can be read in PLAN.blocks/*.h5 before the study ends",
     OPTION_ONCE},
    {"check", NULL, NULL, "reads study file and model, prints what the study would do, and does no run", OPTION_ONCE},
    {"show", NULL, "failed", "lists the failed runs, or `all`, each with the command that repeats it", OPTION_ONCE},
    {"run", NULL, "123", "repeats one run and writes its full results to the file of -o", OPTION_ONCE},
    {"quiet", "q", NULL, "prints errors only", OPTION_ONCE},
    OPTION_SET,
    {"force", NULL, NULL, "starts again, and removes runs of another study file or model", OPTION_ONCE},
    OPTION_OUTSIDE,
    OPTION_LIBRARY,
    OPTION_SCRIPT,
    {"jobs", NULL, "100", "of a script: number of jobs, at most one per block; default: 100", OPTION_ONCE},
    {0},
};

const Command command_study = {
    "study",
    "Runs a model many times with varied values and writes a table of the runs.",
    "study study.yaml [-o study.h5] [--workers 8] [--part 3/100 | --merge | --script slurm] [--check] [--show failed] "
    "[--run 123]",
    "The study file (docs/studies.md) names the model, the fields that vary from run to run, and the\n"
    "statistics to keep. The table has one row per run. A run that fails does not stop the others: its\n"
    "row reports its status, the time reached, and the joint or element that caused the failure.\n"
    "With `gradients` in the study file the table also has derivatives of each run. If the model has an\n"
    "`accuracy` or no `step`, each run chooses its step.\n"
    "\n"
    "Runs are distributed over the processes of one machine, or over all processes of mpiexec. If the\n"
    "command is interrupted or killed, run it again to continue. The table is byte-for-byte identical\n"
    "for any number of processes and any number of interruptions.\n"
    "\n"
    "--part 3/100 does one of a hundred parts, in a folder that all parts share; --merge writes the\n"
    "table when all are done. --script slurm prints jobs that do this on a cluster: an array of parts,\n"
    "which continue after their time limit and after a requeue, then one that merges them\n"
    "(docs/clusters.md).",
    "  limber study study.yaml --check\n"
    "  limber study study.yaml\n"
    "  limber study study.yaml -o study.h5 --workers 4\n"
    "  limber study study.yaml --show failed\n"
    "  limber study study.yaml --run 123 -o run.h5\n"
    "  mpiexec -n 256 limber study study.yaml\n"
    "  limber study study.yaml --script slurm --jobs 100 >study.sh && bash study.sh",
    options,
    1,
    1,
    "plan",
    true,
    NULL,
    "limber_command_study"};
