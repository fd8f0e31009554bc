// SPDX-License-Identifier: Apache-2.0
// What a file may cost: all budgets of the reader of models. A text is somebody else's, so that depth, expansion and
// work are bounded, each with a message that tells the limit (docs/safety.md has the table). Honest models of a million
// elements stay far below; where a limit could be met by one, it grows with the size of the files.
#ifndef LIMBER_BASE_LIMITS_H
#define LIMBER_BASE_LIMITS_H

// ---- files ----

enum {
  LIMIT_FILES = 1000,          // that a model names, each counted once
  LIMIT_INCLUDES = 10000,      // entries of `include` of all files together
  LIMIT_INCLUDE_DEPTH = 16,    // files that include each other
  LIMIT_REFINE = 64,           // of `refine`
  LIMIT_COMPARED = 5000000,    // letters of names that are compared with a misspelt one
  LIMIT_DIAGNOSTICS = 1000,    // messages about a model that are kept; the rest is counted
  LIMIT_DIAGNOSTIC_TEXT = 2048 // bytes of one
};
#define LIMIT_FILE_BYTES  ((size_t)1 << 30) // of one file that is read
#define LIMIT_MODEL_BYTES ((size_t)2 << 30) // of all files of a model together

// ---- YAML ----

enum {
  LIMIT_DEPTH = 64,            // of lists and maps within each other; of the words of a --set path
  LIMIT_NODES = 50000000,      // words, lists and maps of all files together; each takes about 100 bytes
  LIMIT_ALIASED = 1000000,     // words, lists and maps that aliases and merge keys add ...
  LIMIT_ALIASED_PER_NODE = 20, // ... beside so many for each one that is written out
  LIMIT_FORMULA = 2000,        // characters of a formula
  LIMIT_FORMULA_DEPTH = 200,   // of parentheses, functions, powers and choices within each other in a formula
  LIMIT_KEPT_FORMULAE = 1000   // formulae that are kept while a file is read again and again
};

enum { // of parts that are used again; what they add counts as what aliases add
  LIMIT_INSTANCES = 100000,
  LIMIT_INSTANCE_DEPTH = 16, // of instances within each other
  LIMIT_SCOPED_NAME = 200    // letters of a name in an instance, with those of the instances
};

enum {
  LIMIT_VISUALS = 20000,            // each is looked for among all
  LIMIT_VISUAL_TRIANGLES = 2000000, // of shapes that nodes look like, each shape once
  LIMIT_OUTLINES = 10000            // of sections, each of 9 kB
};

// What the parser of YAML would take long for, found in the text before it sees it. No honest file has it.
enum {
  LIMIT_BRACKETS = 1000, // that are open: it looks at all of them before it tells of the first
  LIMIT_BLANKS = 2000,   // bytes of blanks and ends of lines in one piece
  LIMIT_TAG = 200        // characters of a tag, !name, and of a directive, a line that begins with %
};

// ---- what a file makes ----

// Of a model at most, which is the room of its numbers.
#ifndef LIMBER_MOST_ELEMENTS
#define LIMBER_MOST_ELEMENTS 100000000
#endif

enum {
  LIMIT_MADE = 2000000,           // elements, joints and loads of a model file, each 0.5 kB and more ...
  LIMIT_MADE_PER_BYTE = 20,       // ... beside so many for each byte of its files
  LIMIT_AIR_POINTS = 100000,      // of all blades in the air
  LIMIT_WIND_SIDE = 10000,        // points of a box of wind along a side ...
  LIMIT_WIND_POINTS = 50000000,   // ... and at all times together, each 48 bytes
  LIMIT_FUNCTION_DEPTH = 100,     // of functions that are made of each other
  LIMIT_FUNCTION_PARTS = 10000,   // functions that one is made of, counted as often as they are asked
  LIMIT_TABLE_COLUMNS = 10000,    // of a table
  LIMIT_TABLE_VALUES = 100000000, // numbers of all columns that a model reads
  LIMIT_BLOCKS = 2000,            // of control ...
  LIMIT_BLOCK_STATES = 10000000,  // ... and numbers that they remember, together
  LIMIT_PARTICIPANTS = 100,       // of a coupled run, each a process
  LIMIT_PARTICIPANT_NAME = 100,   // letters of its name
  LIMIT_CONNECTIONS = 10000,      // between them
  LIMIT_GROUPS_OF_ENTITY = 1000,  // groups of a mesh that one of its entities belongs to
  LIMIT_SETS = 10000,             // of a mesh, and surfaces ...
  LIMIT_SET_ENTRIES = 20000000,   // ... and entries of all of them together, with those that ranges pass over
  LIMIT_MESH_MATERIALS = 1000     // of a mesh
};
#define LIMIT_WIND_WORK       1e11      // multiplications to make turbulence
#define LIMIT_SECTION_ENTRIES 200000000 // of the matrix of a section's mesh, 8 bytes each
#define LIMIT_SECTION_WORK    3e11      // multiplications to factorise it; those of a model together
#define LIMIT_REDUCED_ENTRIES 400000000 // of the factor of a reduced body, 8 bytes each
#define LIMIT_REDUCED_WORK    2e12      // multiplications to make it
#define LIMIT_CACHE_BYTES     1e9       // of all reductions that are kept; one takes a quarter at most
#define LIMIT_SCANNED \
  20000000000LL // bytes of tables and cells of meshes that are looked at, each as often as it is asked for

enum {
  LIMIT_POINTS =
      1000000, // steps, points, modes and frames that a part asks for: campbell, response, stability, modes, floquet
  LIMIT_FORMULAE = 5000, // probes that are formulae: each looks for its names among all
  LIMIT_RECORDED = 50000 // numbers of all probes in a row of the history; each takes up to 12 kB of memory in a run
};
#define LIMIT_POINTS_TEXT "must be at most 1000000"

// ---- studies ----

#define LIMIT_RUNS 1e12 // of a study
enum {
  LIMIT_VARIABLES = 1000,         // fields that vary
  LIMIT_LISTED_VALUES = 20000000, // values of all of them, but for tables
  LIMIT_CHANNELS = 10000,         // whose statistics are told
  LIMIT_KEPT_RUNS = 100000        // runs whose histories are kept because they are the worst
};

// ---- fits and optimisation ----

enum {
  LIMIT_TUNED = 100,         // parameters that a fit or an optimisation changes
  LIMIT_MEASURED = 1000,     // entries of the data of a fit
  LIMIT_FIT_POINTS = 100000, // numbers of all of them
  LIMIT_CONSTRAINTS = 200    // of an optimisation
};

// ---- the program ----

#define LIMIT_STACK ((size_t)8 << 20) // bytes: the stack on which a command runs, whatever the shell allows

#endif
