// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "console/output.h"

static const Option options[] = {
    {"name", "n", "spar", "section of a model; default: all", OPTION_ONCE},
    {"format", NULL, "beamdyn", "format of the file; default: detected", OPTION_ONCE},
    {"part", NULL, "tower", "part of a file with several: a WindIO component, a HAWC2 main body", OPTION_ONCE},
    {"sections", NULL, "blade.st", "HAWC2: section file instead of the one that the .htc names", OPTION_ONCE},
    {"gyration", NULL, "mass_centre", "HAWC2: reference point of the radii of gyration; default: elastic_centre",
     OPTION_ONCE},
    {"picture", "p", "blade.svg", "draws the values along the span, or the mesh of a section with one station",
     OPTION_ONCE},
    {"mesh", NULL, NULL, "the picture shows the mesh of each station, with plies, regions and webs", OPTION_ONCE},
    {"json", NULL, NULL, "prints the report as JSON", OPTION_ONCE},
    OPTION_SET,
    OPTION_FORCE,
    OPTION_OUTSIDE,
    {0},
};

const Command command_section = {
    "section",
    "Reports centres, principal axes and stiffnesses of sections, and likely mistakes.",
    "section FILE [--name spar] [--part tower] [--picture blade.svg] [--json] [options]",
    "FILE is a model, or a blade file of another program: BeamDyn (primary or blade file), WindIO,\n"
    "HAWC2 (.htc, .st) or VABS (.K). For each station the command prints mass and stiffnesses,\n"
    "tension centre, shear centre and mass centre, and the principal axes of bending and inertia, in the axes\n"
    "of the file. Below the table it lists likely mistakes, with their stations and what to do: wrong order or\n"
    "sign, swapped axes, other reference points, units, twist (docs/sections.md). They do not change the\n"
    "exit code. limber check gives the same warnings about sections of models.\n"
    "\n"
    "The picture is a .png, .svg or .pdf file. For a section that is solved on a mesh (a layup, a mesh, a solved\n"
    "shape) it shows the cells in the colours of their materials and fibres, and the names of regions and webs\n"
    "of a layup, before any run.",
    "  limber section IEA-15-240-RWT_BeamDyn.dat\n"
    "  limber section turbine.yaml --part tower\n"
    "  limber section blade.htc --gyration mass_centre --picture blade.svg\n"
    "  limber section rotor.yaml --name spar --picture spar.png --mesh\n"
    "  limber section rotor.yaml --name spar --json",
    options,
    1,
    1,
    "blade file or model",
    false,
    NULL,
    "limber_command_section"};
