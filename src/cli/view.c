// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"

static const Option options[] = {
    {"output", "o", "swing.html", "the page; default: the name of the run and .html", OPTION_ONCE},
    {"frames", NULL, "50", "at most so many of the snapshots; default: as many as 6 MB hold", OPTION_ONCE},
    {"picture", NULL, "swing.png", "also a picture of the mechanism; needs Chromium", OPTION_ONCE},
    {"at", NULL, "0,0.5,1", "times of the picture [s], all but the last as shadows; default: the end", OPTION_ONCE},
    {"size", NULL, "1600x1000", "of the picture, in pixels", OPTION_ONCE},
    {"view", NULL, "iso", "of the picture: x, y or z, along that axis, iso, from aslant, or 1,-2,0.5", OPTION_ONCE},
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
    "  limber view swing.h5 --picture swing.png --at 0,0.3,0.64\n"
    "  limber view swing.h5 --video swing.mp4",
    options,
    1,
    1,
    "run",
    false,
    NULL,
    "limber_command_view"};
