// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"

static const Option options[] = {
    {"output", "o", "swing.html", "the page; default: the name of the run and .html", OPTION_ONCE},
    {"frames", NULL, "50", "at most so many of the snapshots; default: as many as 6 MB hold", OPTION_ONCE},
    {"video", NULL, "swing.mp4", "also a film of it, once through; needs Chromium and FFmpeg", OPTION_ONCE},
    {"seconds", NULL, "20", "how long the film takes; default: 10", OPTION_ONCE},
    {0},
};

const Command command_view = {
    "view",
    "Writes a page that shows a run: the mechanism moving, its plots, its energies.",
    "view run.h5 [-o page.html] [options]",
    "The page is one file that needs no network: open it in any browser, from the disk, or send\n"
    "it to someone. Drag to turn, right-drag or two fingers to move, wheel or pinch to zoom; a\n"
    "click in a plot goes to that time, a drag in it zooms; the space bar plays.\n\n"
    "Motion comes from the snapshots of the run, of which there are a hundred unless `snapshots`\n"
    "in the model's part `run` says otherwise. Between them positions follow the velocities that\n"
    "the snapshots hold. Long runs are thinned out; page and console tell by how much.",
    "  limber run pendulum.yaml && limber view pendulum.h5\n"
    "  limber view elbow.h5 -o elbow.html --frames 200\n"
    "  limber view swing.h5 --video swing.mp4",
    options,
    1,
    1,
    "run",
    false,
    NULL,
    "limber_command_view"};
