// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "console/output.h"

static const Option options[] = {
    {"output", "o", "tip.svg", "output file: .png, .svg or .pdf; default: the name of the run with .png", OPTION_ONCE},
    {"spectrum", NULL, NULL, "draws amplitudes over frequency (Hz)", OPTION_ONCE},
    {"straighten", NULL, NULL, "for the spectrum, subtracts the least-squares line first", OPTION_ONCE},
    {"over", NULL, "tip.z", "draws over this column instead of time", OPTION_ONCE},
    {"path", NULL, NULL, "draws paths: columns in pairs, the second over the first, with equal scales", OPTION_ONCE},
    {"shape", NULL, NULL, "draws the system at several times, from the snapshots of a run", OPTION_ONCE},
    {"times", NULL, "0,0.1,0.2", "times of the shapes [s], or a whole number of equally spaced shapes", OPTION_ONCE},
    {"plane", NULL, "xz", "plane of the shapes; default: the plane with the largest motion", OPTION_ONCE},
    {"ledger", NULL, NULL, "draws the energy ledger (energy balance) and the energy balance error", OPTION_ONCE},
    {"campbell", NULL, NULL, "draws the diagram of limber campbell", OPTION_ONCE},
    {"bode", NULL, NULL, "draws amplitude and phase of transfer functions (limber response), all or those named",
     OPTION_ONCE},
    {"stress", NULL, NULL, "draws stresses over the section of a probe `stress`, where and when they are largest",
     OPTION_ONCE},
    {"from", NULL, "0.1", "leaves out rows before this time [s]", OPTION_ONCE},
    {"to", NULL, "0.2", "leaves out rows after this time [s]", OPTION_ONCE},
    {"every", NULL, "10", "keeps every 10th of these rows", OPTION_ONCE},
    {"log", NULL, "y", "which axes are logarithmic: x, y, xy or none", OPTION_ONCE},
    {"xrange", NULL, "0:0.5", "range of the x axis; either end may be left out", OPTION_ONCE},
    {"yrange", NULL, "-1:1", "range of the y axis of all panels; either end may be left out", OPTION_ONCE},
    {"title", NULL, "'A title'", "title instead of the model's; '' for none", OPTION_ONCE},
    {"label", NULL, "'A name'", "name of the first run in the legend; repeat it for the second, ...", OPTION_MANY},
    {"script", NULL, NULL, "prints a script for gnuplot, with all data, and draws nothing", OPTION_ONCE},
    OPTION_FORCE,
    {0},
};

const Command command_plot = {
    "plot",
    "Draws columns, spectra, paths, shapes, energies, stresses or transfer functions of runs.",
    "plot run.h5 ... [column ...] [-o picture.png] [options]",
    "Arguments that end in .h5 are runs, all others are columns, which limber export --help explains;\n"
    "limber export run.h5 --list lists them. Columns with different units are drawn in separate\n"
    "panels. Runs may still be running, or may have been interrupted. A run that chose its step has a\n"
    "band of the error about each line (docs/error_bars.md).\n"
    "\n"
    "A spectrum shows amplitudes: a sine of amplitude a has a peak of height a, |X| 2/N of the\n"
    "N rows after --from up to --to. There is no window function: a frequency between two\n"
    "multiples of 1/(to - from) leaks to both, with a height down to 0.64 of the amplitude.\n"
    "The mean, at 0 Hz, is not shown. The axis of amplitudes is logarithmic, unless --log none.\n"
    "\n"
    "Columns of a study (limber study) are drawn as histograms over all runs that finished, or with\n"
    "--over as points, one per run.",
    "  limber plot pendulum.h5 tip.x tip.z hinge.angle -o tip.svg\n"
    "  limber plot coarse.h5 fine.h5 tip.z --label '250 steps' --label '1000 steps' -o both.pdf\n"
    "  limber plot beam.h5 root.V2 --spectrum --from 0.122 --to 0.25 --xrange 0:500\n"
    "  limber plot pendulum.h5 --path tip.x tip.z\n"
    "  limber plot arch.static.h5 ledger.load_factor --over crown.z\n"
    "  limber plot pendulum.h5 --shape --times 0,0.1,0.2,0.3 --plane xz\n"
    "  limber plot pendulum.h5 --ledger\n"
    "  limber plot rotor.campbell.h5 --campbell -o rotor.svg\n"
    "  limber plot beam.response.h5 --bode push.tip.displacement.y\n"
    "  limber plot blade.h5 --stress strength.tsai_wu\n"
    "  limber plot study.h5 tip.z.max --over let.E\n"
    "  limber plot pendulum.h5 tip.x --script > tip.gp   # to adapt, and draw with gnuplot tip.gp",
    options,
    1,
    MAX_WORDS,
    "run or column",
    false,
    NULL,
    "limber_command_plot"};
