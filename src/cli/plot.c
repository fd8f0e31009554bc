// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"

static const Option options[] = {
    {"output", "o", "tip.svg", "the picture: .png, .svg or .pdf; default: the name of the run and .png", OPTION_ONCE},
    {"spectrum", NULL, NULL, "amplitudes over frequency in Hz", OPTION_ONCE},
    {"straighten", NULL, NULL, "for the spectrum, take the straight line of least squares out first", OPTION_ONCE},
    {"path", NULL, NULL, "loci: columns in pairs, the second over the first, axes of equal scale", OPTION_ONCE},
    {"shape", NULL, NULL, "the system at several times, from the snapshots of a run", OPTION_ONCE},
    {"times", NULL, "0,0.1,0.2", "of the shapes [s]; or a whole number: so many, equally spaced", OPTION_ONCE},
    {"plane", NULL, "xz", "of the shapes; default: the one in which most happens", OPTION_ONCE},
    {"ledger", NULL, NULL, "the account of energy, and by what it is open", OPTION_ONCE},
    {"from", NULL, "0.1", "leave out rows before this time [s]", OPTION_ONCE},
    {"to", NULL, "0.2", "leave out rows after this time [s]", OPTION_ONCE},
    {"every", NULL, "10", "take every 10th of these rows", OPTION_ONCE},
    {"log", NULL, "y", "which axes are logarithmic: x, y, xy or none", OPTION_ONCE},
    {"xrange", NULL, "0:0.5", "what the axis shows; either end may be left out", OPTION_ONCE},
    {"yrange", NULL, "-1:1", "the same, of all panels", OPTION_ONCE},
    {"title", NULL, "'A title'", "in place of the model's; '' for none", OPTION_ONCE},
    {"label", NULL, "'A name'", "of the first run in the legend; once more for the second, ...", OPTION_MANY},
    {"script", NULL, NULL, "print the script for gnuplot, with all data, and draw nothing", OPTION_ONCE},
    {0},
};

const Command command_plot = {
    "plot",
    "Draws columns, spectra, loci, shapes or energies of runs.",
    "plot run.h5 ... [column ...] [-o picture.png] [options]",
    "Words that end in .h5 are runs, all others columns, which limber export --help explains;\n"
    "limber export run.h5 --list names all. Columns of different units come in panels of their\n"
    "own. Runs may go on still, or have been interrupted. gnuplot draws.\n\n"
    "A spectrum shows amplitudes: a sine of amplitude a has a peak of height a, |X| 2/N of the\n"
    "N rows after --from up to --to. There is no window, so a frequency between two of the\n"
    "multiples of 1/(to - from) is shown on both, down to 0.64 of its height, with wide feet.\n"
    "The mean, at 0 Hz, is not shown. Amplitudes are on a logarithmic axis, unless --log none.",
    "  limber plot pendulum.h5 tip.x tip.z hinge.angle -o tip.svg\n"
    "  limber plot coarse.h5 fine.h5 tip.z --label '250 steps' --label '1000 steps' -o both.pdf\n"
    "  limber plot beam.h5 root.V2 --spectrum --from 0.122 --to 0.25 --xrange 0:500\n"
    "  limber plot pendulum.h5 --path tip.x tip.z\n"
    "  limber plot pendulum.h5 --shape --times 0,0.1,0.2,0.3 --plane xz\n"
    "  limber plot pendulum.h5 --ledger\n"
    "  limber plot pendulum.h5 tip.x --script > tip.gp   # to adapt, and draw with gnuplot tip.gp",
    options,
    1,
    MAX_WORDS,
    "run or column",
    false,
    NULL,
    "limber_command_plot"};
