// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "console/output.h"

static const Option options[] = {
    {"interface", "i", "BIG_END", "mesh: a group that moves rigidly with a frame; may be repeated", OPTION_MANY},
    {"averaging", "a", "TIP", "mesh: a group whose mean motion a frame follows; may be repeated", OPTION_MANY},
    {"modes", "m", "10", "mesh: modes of the free body in the reduced body", OPTION_ONCE},
    {"material", NULL, "STEEL", "mesh: one of its materials, or {E: 210 GPa, nu: 0.3, density: 7850}", OPTION_ONCE},
    {"cells", NULL, "ROD", "mesh: group of the cells; default: all", OPTION_ONCE},
    {"unit", NULL, "mm", "mesh: unit of its coordinates; default: m", OPTION_ONCE},
    {"hexahedra", NULL, "enhanced", "mesh: formulation of hexahedra of 8 nodes; default: that of the file",
     OPTION_ONCE},
    {"stiffness", NULL, "rod.sti", "mesh: stiffness of the body from another program: .sti, .mtx, .pch, .op4",
     OPTION_ONCE},
    {"mass", NULL, "rod.mas", "mesh: its masses, .mas, .mtx, .pch or .op4", OPTION_ONCE},
    {"unknowns", NULL, "rod.dof", "mesh: NODE.DIRECTION of each row of these matrices", OPTION_ONCE},
    {"output", "o", "rod.yaml", "mesh: writes a model with the reduced body", OPTION_ONCE},
    {"name", "n", "rod", "model: reduced body; default: all", OPTION_ONCE},
    {"hold", NULL, "BIG_END", "interface to clamp for the second column of frequencies; may be repeated; default: all",
     OPTION_MANY},
    {"count", "c", "10", "number of frequencies", OPTION_ONCE},
    {"picture", "p", "rod.svg", "draws the mesh with its interfaces, as .svg, .png or .pdf", OPTION_ONCE},
    {"json", NULL, NULL, "prints the report as JSON", OPTION_ONCE},
    OPTION_SET,
    OPTION_FORCE,
    OPTION_OUTSIDE,
    {0},
};

const Command command_body = {
    "body",
    "Reduces a mesh to a flexible body and reports how accurate the reduced body is.",
    "body FILE [--interface BIG_END ...] [--modes 10] [-o rod.yaml] [--picture rod.svg] [--json] [options]",
    "FILE is a mesh (.inp of Abaqus and CalculiX, .msh of Gmsh), a list of nodes (.csv) for matrices of other\n"
    "programs, or a model with reduced bodies. The command prints\n"
    "mass, mass centre and inertia, the interfaces, and the frequencies of the reduced body next to those of the\n"
    "whole mesh with the same interfaces: of the free body and with interfaces clamped. The difference is the\n"
    "error of the reduction; the error of the mesh itself is not part of it.\n"
    "\n"
    "From a mesh, -o writes a model with the reduced body and a frame at the centre of each interface, to which\n"
    "joints and loads can be added (docs/model.md, reduced bodies).",
    "  limber body rod.inp\n"
    "  limber body rod.inp --interface BIG_END --interface SMALL_END --modes 8 -o rod.yaml\n"
    "  limber body bracket.msh --unit mm --material '{E: 70 GPa, nu: 0.33, density: 2700}' --picture bracket.png\n"
    "  limber body rod.inp --stiffness rod.sti --mass rod.mas --unknowns rod.dof -i BIG_END --averaging OIL_HOLE\n"
    "  limber body engine.yaml --name rod --hold big_end --json",
    options,
    1,
    1,
    "mesh or model",
    false,
    NULL,
    "limber_command_body"};
