// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "console/output.h"

static const Option options[] = {
    {"output", "o", "swing.html", "output file; default: the name of the run with .html", OPTION_ONCE},
    {"frames", NULL, "50", "largest number of snapshots; default: as many as fit in 6 MB", OPTION_ONCE},
    {"picture", NULL, "swing.png", "also writes a picture of the mechanism; needs Chromium", OPTION_ONCE},
    {"at", NULL, "0,0.5,1", "times of the picture [s], all but the last as shadows; default: the end", OPTION_ONCE},
    {"size", NULL, "1600x1000", "size of the picture in pixels", OPTION_ONCE},
    {"view", NULL, "iso",
     "direction of view of the picture: x, y or z (along that axis), iso (isometric), or a vector such as 1,-2,0.5",
     OPTION_ONCE},
    {"video", NULL, "swing.mp4", "also writes a video of the motion; needs Chromium and FFmpeg", OPTION_ONCE},
    {"seconds", NULL, "20", "length of the video [s]; default: 10", OPTION_ONCE},
    OPTION_FORCE,
    {0},
};

const Command command_view = {
    "view",
    "Writes a page that animates a run, with plots and energies.",
    "view run.h5 [-o page.html] [options]",
    "The page is one file that needs no network: open it in any browser, or send it to someone.\n"
    "Drag to rotate, right-drag or use two fingers to move, use the wheel or pinch to zoom. Click in\n"
    "a plot to go to that time, drag in it to zoom; the space bar starts and stops the animation.\n"
    "\n"
    "The motion comes from the snapshots of the run: one hundred, unless `snapshots` in the part `run`\n"
    "of the model gives another number. Positions between snapshots are interpolated with the\n"
    "velocities of the snapshots. For long runs some snapshots are left out; the page and the\n"
    "command print how many.",
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
