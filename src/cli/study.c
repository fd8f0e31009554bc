// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "console/output.h"

static const Option options[] = {
    {"output", "o", "study.h5", "table of the runs; default: the plan's name with .h5, in this folder", OPTION_ONCE},
    {"workers", "w", "8", "processes that do runs; default: as many as the machine has cores", OPTION_ONCE},
    {"ranks-per-run", NULL, "4", "under mpiexec: processes that do a run together; default: 1", OPTION_ONCE},
    {"part", NULL, "3/100", "does the third of a hundred parts, for job arrays", OPTION_ONCE},
    {"merge", NULL, NULL, "makes the table when all parts are done", OPTION_ONCE},
    {"in-place", NULL, NULL, "the table refers to the files of the blocks, which stay; default from 1 GB on",
     OPTION_ONCE},
    {"check", NULL, NULL, "reads plan and model, tells what the study would do, and does no run", OPTION_ONCE},
    {"show", NULL, "failed", "lists the runs that failed, or `all`, each with the command that repeats it",
     OPTION_ONCE},
    {"run", NULL, "123", "repeats one run and writes its full results to the file of -o", OPTION_ONCE},
    {"quiet", "q", NULL, "prints errors only", OPTION_ONCE},
    OPTION_SET,
    {"force", NULL, NULL, "begins anew where there are runs of another plan or model", OPTION_ONCE},
    OPTION_OUTSIDE,
    OPTION_LIBRARY,
    {0},
};

const Command command_study = {
    "study",
    "Runs a model many times, as a plan tells, and writes a table of the runs.",
    "study plan.yaml [-o study.h5] [--workers 8] [--part 3/100 | --merge] [--check] [--show failed] [--run 123]",
    "The plan (docs/studies.md) names the model, what varies from run to run, and which statistics\n"
    "of which columns are kept. The table has one row for each run. A run that fails does not stop\n"
    "the others: its row tells its status, the time and the joint or element to blame.\n"
    "\n"
    "Runs are done by several processes of one machine, or by all processes of mpiexec. Interrupted\n"
    "or killed at any time, the same command goes on where it was. The table has the same bytes for\n"
    "any number of processes and any number of interruptions.\n"
    "\n"
    "--part 3/100 does one of a hundred parts, in a folder that all parts see; --merge makes the\n"
    "table when all are done.",
    "  limber study plan.yaml --check\n"
    "  limber study plan.yaml\n"
    "  limber study plan.yaml -o study.h5 --workers 4\n"
    "  limber study plan.yaml --show failed\n"
    "  limber study plan.yaml --run 123 -o run.h5\n"
    "  mpiexec -n 256 limber study plan.yaml\n"
    "  limber study plan.yaml --part $SLURM_ARRAY_TASK_ID/100",
    options,
    1,
    1,
    "plan",
    true,
    NULL,
    "limber_command_study"};
