// SPDX-License-Identifier: Apache-2.0
#include "made_results.h"

#include <hdf5.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { RUN = 1, STATIC = 2, MODES = 4, CAMPBELL = 8, RESPONSE = 16, ALL = 31, KINDS = 5 };
enum { MOST_VALUES = 4096, MOST_CHANGES = 12 };

int made_number(Changes *c) {
  if (!c || !c->size) return 0;
  c->size--;
  return *c->data++;
}

int made_kind(Changes *c) { return 1 << made_number(c) % KINDS; }

static long long whole_number(Changes *c) {
  static const long long special[] = {0,    1,       2,          3,          5,         -1,       255,
                                      4097, 1 << 30, 2147483647, 2147483648, 1LL << 40, 1LL << 62};
  int n = made_number(c);
  if (n < 13) return special[n];
  return n & 1 ? n : n << 8 | made_number(c);
}

static double any_number(Changes *c) {
  static const double special[] = {0, -1, 1, NAN, INFINITY, -INFINITY, 1e308, -1e308, 5e-324, 1e-300, 1e15, 2147483648};
  int n = made_number(c);
  return n < 12 ? special[n] : (n - 128) * pow(10, made_number(c) % 40 - 20);
}

// A text in a buffer that the next call takes again.
static const char *any_text(Changes *c) {
  static const char *const special[] = {"",          "'",  "\033[2J", "a.b",       "time",
                                        "</script>", "\n", "s",       "amplitude", "phase"};
  static char text[3000];
  int n = made_number(c), i = 0;
  if (n < 10) return special[n];
  if (n == 10) return memset(text, 'a', sizeof text - 1), text[sizeof text - 1] = 0, text;
  for (n %= 20; i < n; i++) text[i] = (char)(made_number(c) ? c->data[-1] : '-');
  return text[i] = 0, text;
}

// ---- what is written ----

typedef enum { F64, F32, F64_BIG, I8, U8, I32, I64, U64, HALF, TEXT, TEXTS, PAIR, REFERENCE, OPAQUE, TYPES } Type;
typedef enum { PLAIN, CHUNKED, PACKED, OUTSIDE, VIRTUAL, UNKNOWN_FILTER, NOT_WRITTEN, LAYOUTS } Layout;
typedef enum { THERE, MISSING, SOFT, SOFT_ROUND, HARD_ROUND, EXTERNAL, GROUP, LINKS } Link;

typedef struct {
  const char *path;
  int kinds; // of analyses that have it
  int rank;
  hsize_t size[4];
  Type type;
  double start, step; // its values
  const char *columns[4], *units, *name;
} SetForm;

typedef struct {
  SetForm f;
  Layout layout;
  Link link;
  bool no_units, no_columns, columns_are_numbers;
  long long at; // where a value is another; -1: nowhere, -2: everywhere
  double value;
} Set;

static const SetForm original[] = {
    {"/history/time", ALL, 1, {3}, F64, 0, 0.1, {0}, "s", "mode"},
    {"/history/ledger/kinetic", RUN | STATIC, 1, {3}, F64, 1, 1, {0}, "J", 0},
    {"/history/ledger/strain", RUN | STATIC, 1, {3}, F64, 1, 1, {0}, "J", 0},
    {"/history/ledger/potential", RUN | STATIC, 1, {3}, F64, 1, 1, {0}, "J", 0},
    {"/history/ledger/memory", RUN | STATIC, 1, {3}, F64, 0, 0, {0}, "J", 0},
    {"/history/ledger/damping", RUN | STATIC, 1, {3}, F64, 0, 0, {0}, "J", 0},
    {"/history/ledger/dissipated", RUN | STATIC, 1, {3}, F64, 0, 1, {0}, "J", 0},
    {"/history/ledger/work", RUN | STATIC, 1, {3}, F64, 0, 1, {0}, "J", 0},
    {"/history/ledger/residual", RUN | STATIC, 1, {3}, F64, 0, 1e-9, {0}, "J", 0},
    {"/history/ledger/exchanged", RUN | STATIC, 1, {3}, F64, 1, 1, {0}, "J", 0},
    {"/history/ledger/constraint", RUN | STATIC, 1, {3}, F64, 0, 0, {0}, "1", 0},
    {"/history/ledger/load_work", RUN, 2, {3, 2}, F64, 0, 1, {"push", "pull"}, "J", 0},
    {"/history/steps/iterations", RUN | STATIC, 1, {3}, I32, 3, 0, {0}, "1", 0},
    {"/history/steps/substeps", RUN | STATIC, 1, {3}, I32, 1, 0, {0}, "1", 0},
    {"/history/steps/rejected", RUN | STATIC, 1, {3}, I32, 0, 0, {0}, "1", 0},
    {"/history/steps/step", RUN, 1, {3}, F64, 0.1, 0, {0}, "s", 0},
    {"/history/probes/tip/position", RUN | STATIC, 2, {3, 2}, F64, 0, 1, {"x", "z"}, "m", 0},
    {"/history/mode/frequency", MODES, 1, {3}, F64, 1, 1, {0}, "Hz", 0},
    {"/history/mode/damping", MODES, 1, {3}, F64, 0, 0, {0}, "1", 0},
    {"/history/mode/effective_mass", MODES, 2, {3, 3}, F64, 0, 0.1, {"x", "y", "z"}, "1", 0},
    {"/modes/names", MODES, 1, {3}, TEXTS, 0, 0, {0}, "1", 0},
    {"/history/campbell/frequency", CAMPBELL, 2, {3, 2}, F64, 1, 1, {"1", "2"}, "Hz", 0},
    {"/history/campbell/damping", CAMPBELL, 2, {3, 2}, F64, 0, 0.01, {"1", "2"}, "1", 0},
    {"/history/multiple/frequency", CAMPBELL, 2, {3, 2}, F64, 0, 3, {"1P", "3P"}, "Hz", 0},
    {"/history/push/tip.displacement", RESPONSE, 2, {3, 2}, F64, 1, 1, {"amplitude", "phase"}, "m, degrees", 0},
    {"/VTKHDF/Points", RUN | STATIC | MODES, 2, {6, 3}, F64, 0, 1, {"x", "y", "z"}, "m", 0},
    {"/VTKHDF/Types", RUN | STATIC | MODES, 1, {2}, U8, 3, 0, {0}, "1", 0},
    {"/VTKHDF/Offsets", RUN | STATIC | MODES, 1, {3}, I64, 0, 2, {0}, "1", 0},
    {"/VTKHDF/Connectivity", RUN | STATIC | MODES, 1, {4}, I64, 0, 0.4, {0}, "1", 0},
    {"/VTKHDF/NumberOfPoints", RUN | STATIC | MODES, 1, {1}, I64, 2, 0, {0}, "1", 0},
    {"/VTKHDF/NumberOfCells", RUN | STATIC | MODES, 1, {1}, I64, 2, 0, {0}, "1", 0},
    {"/VTKHDF/NumberOfConnectivityIds", RUN | STATIC | MODES, 1, {1}, I64, 4, 0, {0}, "1", 0},
    {"/VTKHDF/CellData/point", RUN | STATIC, 1, {2}, I32, -1, 1, {0}, "1", 0},
    {"/VTKHDF/CellData/force", RUN | STATIC, 2, {6, 6}, F64, 1, 1, {0}, "N", 0},
    {"/VTKHDF/CellData/strain", RUN | STATIC, 2, {6, 6}, F64, 1, 1, {0}, "1", 0},
    {"/VTKHDF/PointData/velocity", RUN | STATIC | MODES, 2, {6, 3}, F64, 0, 1, {"x", "y", "z"}, "m s-1", 0},
    {"/VTKHDF/PointData/angular_velocity", RUN | STATIC | MODES, 2, {6, 3}, F64, 0, 1, {"x", "y", "z"}, "rad s-1", 0},
    {"/VTKHDF/PointData/d1", RUN | STATIC | MODES, 2, {6, 3}, F64, 0, 0.1, {"x", "y", "z"}, "1", 0},
    {"/VTKHDF/PointData/d2", RUN | STATIC | MODES, 2, {6, 3}, F64, 0, 0.1, {"x", "y", "z"}, "1", 0},
    {"/VTKHDF/PointData/d3", RUN | STATIC | MODES, 2, {6, 3}, F64, 0, 0.1, {"x", "y", "z"}, "1", 0},
    {"/VTKHDF/Steps/Values", RUN | STATIC | MODES, 1, {3}, F64, 0, 0.1, {0}, "s", 0},
    {"/VTKHDF/Steps/PartOffsets", RUN | STATIC | MODES, 1, {3}, I64, 0, 0, {0}, "1", 0},
    {"/VTKHDF/Steps/PointOffsets", RUN | STATIC | MODES, 1, {3}, I64, 0, 2, {0}, "1", 0},
    {"/VTKHDF/Steps/CellOffsets", RUN | STATIC | MODES, 2, {3, 1}, I64, 0, 0, {0}, "1", 0},
    {"/VTKHDF/Steps/ConnectivityIdOffsets", RUN | STATIC | MODES, 2, {3, 1}, I64, 0, 0, {0}, "1", 0},
};
enum { SETS = sizeof original / sizeof original[0] };

static const struct {
  const char *name, *text;
  double value;
} attributes[] = {{"limber", "0.2.0", 0},    {"format", NULL, 1},        {"status", "finished", 0},
                  {"title", "Made", 0},      {"step", NULL, 0.1},        {"rho_inf", NULL, 0.5},
                  {"scheme", "decaying", 0}, {"remarks", "one\ntwo", 0}, {"mode_names", "bending, 1\ntorsion\n", 0},
                  {"axis", "let.speed", 0},  {"axis_units", "rad/s", 0}, {"changed_work", NULL, 1},
                  {"analysis", "", 0},       {"end", NULL, 0.2}};
enum { ATTRIBUTES = sizeof attributes / sizeof attributes[0] };

static const char *const models[] = {
    "limber: 1\nnodes: {p: {at: [-1, 0, 0], kind: point}, q: {at: [0, 0, 1], kind: fixed}}\n"
    "elements: [mass: {node: p, mass: 1}]\njoints: [distance: {name: rod, nodes: [q, p]}]\n"
    "loads: [gravity: {acceleration: [0, 0, -9.81]}]\nprobes: [{name: tip, node: p}]\n"
    "run: {scheme: decaying, step: 0.1, end: 0.2}\n",
    "limber: 1\nnodes: {p: [0, 0, 0], q: [1, 0, 0]}\n"
    "sections: {s: {E: 1e9, G: 4e8, density: 1000, rectangle: [0.1, 0.1]}}\n"
    "elements: [beam: {from: p, to: q, section: s, up: [0, 0, 1], elements: 1, order: 1}]\n"
    "run: {scheme: decaying, step: 0.1, end: 0.2}\n"};

// ---- HDF5 ----

static hid_t type_of(Type type) {
  hid_t t;
  switch (type) {
  case F64: return H5Tcopy(H5T_IEEE_F64LE);
  case F32: return H5Tcopy(H5T_IEEE_F32LE);
  case F64_BIG: return H5Tcopy(H5T_IEEE_F64BE);
  case I8: return H5Tcopy(H5T_STD_I8LE);
  case U8: return H5Tcopy(H5T_STD_U8LE);
  case I32: return H5Tcopy(H5T_STD_I32LE);
  case I64: return H5Tcopy(H5T_STD_I64LE);
  case U64: return H5Tcopy(H5T_STD_U64LE);
  case HALF: t = H5Tcopy(H5T_STD_I32LE); return H5Tset_precision(t, 9), t;
  case TEXT: t = H5Tcopy(H5T_C_S1); return H5Tset_size(t, 5), t;
  case TEXTS: t = H5Tcopy(H5T_C_S1); return H5Tset_size(t, H5T_VARIABLE), t;
  case PAIR:
    t = H5Tcreate(H5T_COMPOUND, 16);
    H5Tinsert(t, "a", 0, H5T_IEEE_F64LE), H5Tinsert(t, "b", 8, H5T_STD_I64LE);
    return t;
  case REFERENCE: return H5Tcopy(H5T_STD_REF_OBJ);
  case OPAQUE: return H5Tcreate(H5T_OPAQUE, 3);
  case TYPES: break;
  }
  return -1;
}

static void write_texts(hid_t object, const char *name, int count, const char *const *text) {
  hsize_t size = (hsize_t)count;
  hid_t type = type_of(TEXTS), space = H5Screate_simple(1, &size, NULL);
  hid_t a = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(a, type, text);
  H5Aclose(a), H5Sclose(space), H5Tclose(type);
}

static void write_real(hid_t object, const char *name, double value, int count) {
  double all[300];
  hsize_t size = (hsize_t)count;
  for (int i = 0; i < 300; i++) all[i] = value;
  hid_t space = count == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &size, NULL);
  hid_t a = H5Acreate2(object, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(a, H5T_NATIVE_DOUBLE, all);
  H5Aclose(a), H5Sclose(space);
}

static hid_t create_plist(const Set *s, hsize_t count) {
  static const char sources[] = "/proc/self/cmdline";
  hid_t create = H5Pcreate(H5P_DATASET_CREATE);
  hsize_t chunk[4];
  for (int i = 0; i < s->f.rank; i++) chunk[i] = s->f.size[i] < 16 && s->f.size[i] ? s->f.size[i] : 16;
  if (s->layout == OUTSIDE) H5Pset_external(create, sources, 0, count * 8);
  else if (s->layout == VIRTUAL) {
    hid_t space = H5Screate_simple(s->f.rank, s->f.size, NULL);
    H5Pset_virtual(create, space, "/tmp/none.h5", "/history/time", space);
    H5Sclose(space);
  } else if (s->layout != PLAIN && s->f.rank) {
    H5Pset_chunk(create, s->f.rank, chunk);
    if (s->layout == PACKED) H5Pset_deflate(create, 1);
    if (s->layout == UNKNOWN_FILTER) H5Pset_filter(create, 32017, H5Z_FLAG_OPTIONAL, 0, NULL);
  }
  return create;
}

static void write_values(hid_t set, const Set *s, hsize_t count) {
  static double value[MOST_VALUES];
  const char *text[MOST_VALUES];
  for (hsize_t i = 0; i < count; i++) {
    value[i] = s->f.start + s->f.step * (double)(s->f.rank == 2 && s->f.size[1] ? i / s->f.size[1] : i);
    if (s->at == -2 || s->at == (long long)i) value[i] = s->value;
    text[i] = "text";
  }
  hid_t type = type_of(TEXTS);
  if (s->f.type == TEXTS) H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text);
  else if (s->f.type <= HALF) H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, value);
  H5Tclose(type);
}

static void write_set(hid_t file, const Set *s, hid_t links) {
  hsize_t count = 1;
  for (int i = 0; i < s->f.rank; i++) count = s->f.size[i] > MOST_VALUES ? MOST_VALUES + 1 : count * s->f.size[i];
  Set huge = *s;
  if (count > MOST_VALUES && s->layout == PLAIN) huge.layout = CHUNKED;
  hid_t type = type_of(s->f.type),
        space = s->f.rank ? H5Screate_simple(s->f.rank, s->f.size, NULL) : H5Screate(H5S_SCALAR);
  hid_t create = create_plist(&huge, count);
  hid_t set = H5Dcreate2(file, s->f.path, type, space, links, create, H5P_DEFAULT);
  if (set >= 0) {
    int columns = 0;
    while (columns < 4 && s->f.columns[columns]) columns++;
    if (s->columns_are_numbers) write_real(set, "columns", 1, 3);
    else if (columns && !s->no_columns) write_texts(set, "columns", columns, s->f.columns);
    if (!s->no_units) write_texts(set, "units", 1, &s->f.units);
    if (s->f.name && strcmp(s->f.units, "s")) write_texts(set, "name", 1, &s->f.name);
    if (count <= MOST_VALUES && s->layout <= PACKED) write_values(set, s, count);
    H5Dclose(set);
  }
  H5Pclose(create), H5Sclose(space), H5Tclose(type);
}

static void write_link(hid_t file, const Set *s, hid_t links) {
  hid_t group;
  switch (s->link) {
  case SOFT: H5Lcreate_soft("/history/time", file, s->f.path, links, H5P_DEFAULT); break;
  case SOFT_ROUND: H5Lcreate_soft("/history", file, s->f.path, links, H5P_DEFAULT); break;
  case HARD_ROUND: H5Lcreate_hard(file, "/history", file, s->f.path, links, H5P_DEFAULT); break;
  case EXTERNAL: H5Lcreate_external("b.h5", "/history/time", file, s->f.path, links, H5P_DEFAULT); break;
  case GROUP:
    group = H5Gcreate2(file, s->f.path, links, H5P_DEFAULT, H5P_DEFAULT);
    if (group >= 0) H5Gclose(group);
    break;
  case THERE:
  case MISSING:
  case LINKS: break;
  }
}

// ---- changes ----

static void change_set(Set *s, Changes *c, char (*text)[3000], int *texts) {
  switch (made_number(c) % 11) {
  case 0: s->f.type = (Type)(made_number(c) % TYPES); break;
  case 1:
    s->f.rank = made_number(c) % 5;
    for (int i = 0; i < s->f.rank; i++) s->f.size[i] = (hsize_t)(whole_number(c) & 0x7fffffffffffffff);
    break;
  case 2: s->f.size[0] = (hsize_t)(whole_number(c) & 0x7fffffffffffffff); break;
  case 3: s->at = made_number(c) % 8, s->value = any_number(c); break;
  case 4: s->at = made_number(c) % 8, s->value = (double)whole_number(c); break;
  case 5: s->at = -2, s->value = any_number(c); break;
  case 6: s->f.start = any_number(c), s->f.step = any_number(c); break;
  case 7: s->layout = (Layout)(made_number(c) % LAYOUTS); break;
  case 8: s->link = (Link)(made_number(c) % LINKS); break;
  case 9:
    s->no_units = made_number(c) & 1, s->no_columns = made_number(c) & 1, s->columns_are_numbers = made_number(c) & 1;
    break;
  default:
    if (*texts == MOST_CHANGES) break;
    snprintf(text[*texts], sizeof text[0], "%s", any_text(c));
    switch (made_number(c) % 4) {
    case 0: s->f.units = text[(*texts)++]; break;
    case 1: s->f.name = text[(*texts)++]; break;
    default: s->f.columns[made_number(c) % 4] = text[(*texts)++]; break;
    }
  }
  for (int i = 0; i < 3; i++) // no gap
    if (!s->f.columns[i]) s->f.columns[i + 1] = NULL;
}

static void write_attributes(hid_t file, int kind, Changes *c) {
  static const char *const analysis[] = {"dynamic", "static", "modes", "campbell", "response"};
  int changed = c ? made_number(c) : 0, how = c ? made_number(c) : 0, k = 0;
  while (kind >> (k + 1)) k++;
  for (int i = 0; i < ATTRIBUTES; i++) {
    const char *text = strcmp(attributes[i].name, "analysis") ? attributes[i].text : analysis[k];
    bool other = changed > ATTRIBUTES && changed % ATTRIBUTES == i;
    if (other && how % 4 == 0) continue;
    if (other && how % 4 == 1) text = any_text(c);
    if (other && how % 4 == 2) write_real(file, attributes[i].name, any_number(c), 300);
    else if (other && how % 4 == 3) write_real(file, attributes[i].name, any_number(c), 1);
    else if (text) write_texts(file, attributes[i].name, 1, &text);
    else write_real(file, attributes[i].name, attributes[i].value, 1);
  }
}

static void write_model(hid_t file, int kind, Changes *c) {
  int how = made_number(c);
  hsize_t size = 2;
  const char *text[2] = {models[kind == CAMPBELL || kind == RESPONSE], "b"};
  char mixed[4000];
  hid_t type = type_of(TEXTS), space = how == 1 ? H5Screate_simple(1, &size, NULL) : H5Screate(H5S_SCALAR);
  if (how > 250) snprintf(mixed, sizeof mixed, "%s%s", text[0], any_text(c)), text[0] = mixed;
  if (how > 253) text[0] = any_text(c);
  hid_t set = how == 2 ? -1 : H5Dcreate2(file, "/model", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (set >= 0) H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text), H5Dclose(set);
  H5Sclose(space), H5Tclose(type);
}

void made_write(const char *path, int kind, Changes *c) {
  static char text[MOST_CHANGES][3000];
  Set set[SETS];
  int texts = 0;
  for (int i = 0; i < SETS; i++) set[i] = (Set){.f = original[i], .at = -1};
  if (kind != RUN) set[0].f.units = "1";
  hid_t links = H5Pcreate(H5P_LINK_CREATE);
  H5Pset_create_intermediate_group(links, 1);
  unlink(path);
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  write_attributes(file, kind, c);
  write_model(file, kind, c);
  for (int i = 0; c && c->size && i < MOST_CHANGES; i++) change_set(&set[made_number(c) % SETS], c, text, &texts);
  for (int i = 0; i < SETS; i++)
    if ((set[i].f.kinds & kind) && set[i].link == THERE) write_set(file, &set[i], links);
  for (int i = 0; i < SETS; i++)
    if (set[i].link != THERE) write_link(file, &set[i], links);
  H5Pclose(links);
  H5Fclose(file);
}
