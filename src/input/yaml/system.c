// SPDX-License-Identifier: Apache-2.0
// The parts of a system of models that `limber couple` runs together:
//   participants: {crane: crane.yaml, cylinder: {model: cylinder.yaml}, valve: {fmu: valve.fmu, parameters: {k: 900}}}
//   connections:
//     - wave: {from: crane.foot, to: cylinder.rod}
//     - signal: {from: crane.boom.angle, to: cylinder.angle}
#include "input/yaml/files.h"
#include "input/yaml/fmu_participant.h"
#include "input/yaml/form.h"
#include "input/yaml/part.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "input/yaml/scope.h"

#include <string.h>

// ---- participants ----

typedef struct {
  const char *model, *fmu;
  const Tree *inputs, *outputs, *parameters;
} ParticipantText;

static const Field participant_fields[] = {
    {"model", FIELD_TEXT, 1, offsetof(ParticipantText, model), "", false, 0,
     "model file, from the folder of this file; you can write it instead of the map", NULL},
    {"fmu", FIELD_TEXT, 1, offsetof(ParticipantText, fmu), "", false, 0,
     "in place of a model: an FMU of version 2.0 or 3.0; a run needs --allow-library. Connections name its inputs and "
     "outputs",
     NULL},
    {"inputs", FIELD_ANY, 1, offsetof(ParticipantText, inputs), "", false, 0,
     "of an FMU: a map of inputs without a connection to numbers, with units", NULL},
    {"outputs", FIELD_ANY, 1, offsetof(ParticipantText, outputs), "", false, 0,
     "of an FMU: a list of variables to record, beside those that connections name", NULL},
    {"parameters", FIELD_ANY, 1, offsetof(ParticipantText, parameters), "", false, 0,
     "of an FMU: a map of its parameters and start values to numbers, with units", NULL},
};
static const FieldTable participant_table = FIELDS(participant_fields, ParticipantText);
static const Kind kind_participant = {
    "participant",
    "A model of a system, or an FMU. Its steps, their number and its rows are those of the part `run` here.",
    &participant_table};
ONE_KIND(participant_kind, kind_participant)

// It is a model or an FMU.
static Error CheckParticipantMap(Reader *r, const Tree *key, const Tree *map, bool *good) {
  static const char *const of_fmu[] = {"inputs", "outputs", "parameters"};
  const Tree *model = tree_find(map, "model"), *fmu = tree_find(map, "fmu");
  *good = !model != !fmu;
  if (!*good)
    return ReportError(r, model ? fmu->at : key->at,
                       model ? "a participant is a `model` or an `fmu`, not both"
                             : "a participant needs a `model`, such as {model: crane.yaml}, or an `fmu`");
  for (int i = 0; i < 3 && model; i++) {
    if (!tree_find(map, of_fmu[i])) continue;
    *good = false;
    TRY(ReportError(r, tree_find(map, of_fmu[i])->at, "'%s' is for an `fmu`", of_fmu[i]));
  }
  return 0;
}

static Error ReadParticipant(Reader *r, const Tree *key, const Tree *entry) {
  Input *in = r->in;
  Participant *p = &in->participant[in->participants];
  ParticipantText t;
  Form form = {&participant_table, &t, 0, 0, 0};
  static const char *const taken[] = {"run", "let", "participants", "connections", "title"};
  const Tree *word = entry;
  char *name;
  bool good, fresh;
  TRY(CheckName(r, "participant", part_names(r, &part_participants), key->text, key->at, &good));
  if (good && strlen(key->text) > LIMIT_PARTICIPANT_NAME) { // it becomes part of the names of files
    TRY(ReportError(r, key->at, "the name '%.40s...' has more than %d letters", key->text, LIMIT_PARTICIPANT_NAME));
    good = false;
  }
  for (size_t i = 0; i < sizeof taken / sizeof taken[0] && good; i++)
    if (!strcmp(key->text, taken[i])) {
      TRY(ReportError(r, key->at, "'%s' is a part of this file, and no name of a participant", taken[i]));
      good = false;
    }
  if (good && entry->kind != TREE_WORD) {
    TRY(FormsRead(r, "a participant", key->at, entry, 1, &form, &good));
    if (good) TRY(CheckParticipantMap(r, key, entry, &good));
    word = good ? tree_find(entry, "model") : NULL;
  }
  TRY(ModelAllocate(r->model, strlen(key->text) + 1, &name));
  *p = (Participant){.name = strcpy(name, key->text), .source = -1, .at = key->at};
  if (good && !word) TRY(ReadFmuParticipant(r, p, entry));
  if (good && word) {
    const char *path;
    char *kept;
    TRY(FindSource(r, word, &path, &p->source, &fresh));
    TRY(ModelAllocate(r->model, strlen(path) + 1, &kept));
    p->path = strcpy(kept, path);
  }
  TRY(NamesAdd(part_names(r, &part_participants), p->name, in->participants++, key->at));
  return 0;
}

static Error ReadParticipants(Reader *r, const Tree *map, SourceLocation at) {
  char name[200];
  (void)at;
  if (map->kind == TREE_MAP && map->count > LIMIT_PARTICIPANTS)
    return ReportError(r, map->at, "'participants' has %d names; at most %d can run together", map->count,
                       LIMIT_PARTICIPANTS);
  if (map->kind != TREE_MAP)
    return ReportError(r, map->at, "'participants' must be a map of at most %d names to model files, not %s",
                       LIMIT_PARTICIPANTS, tree_name(map, name, sizeof name));
  TRY(ModelAllocate(r->model, ((size_t)map->count + 1) * sizeof *r->in->participant, &r->in->participant));
  for (int i = 0; i < map->count; i++) TRY(ReadParticipant(r, map->key[i], map->entry[i]));
  return 0;
}

// Who runs other models has no mechanics of its own.
static Error CheckParticipants(Reader *r) {
  const Input *in = r->in;
  LimberModel m = r->model;
  if (!in->participants) return 0;
  if (m->elements.count || m->joints.count || m->loads.count || in->network.blocks || m->ports.count ||
      m->functions.count || m->events.count || in->probes)
    return ReportError(r, in->participant[0].at,
                       "a file with participants has no elements, joints, loads, functions, control, ports, events or "
                       "probes of its own: write them in the file of a participant");
  return 0;
}

const Part part_participants = {.key = "participants",
                                .one = "participant",
                                .form = PART_NAMED,
                                .kind = participant_kind,
                                .brief = "model",
                                .read = ReadParticipants,
                                .check = CheckParticipants,
                                .finish = FinishFmuParticipants};

// ---- connections ----

typedef struct {
  const char *from, *to;
  bool opposite;
} ConnectionText;

static const Field wave_fields[] = {
    {"from", FIELD_TEXT, 1, offsetof(ConnectionText, from), "", true, 0, "a port of a participant: PARTICIPANT.PORT",
     NULL},
    {"to", FIELD_TEXT, 1, offsetof(ConnectionText, to), "", true, 0, "a port of another participant", NULL},
    {"opposite", FIELD_FLAG, 1, offsetof(ConnectionText, opposite), "", false, 0,
     "whether the ports move in opposite directions", NULL},
};
static const FieldTable wave_table = FIELDS(wave_fields, ConnectionText);

static const Field signal_fields[] = {
    {"from", FIELD_TEXT, 1, offsetof(ConnectionText, from), "", true, 0,
     "what a participant puts out, PARTICIPANT.NAME: a column of a probe, such as crane.tip.position.x, or a signal of "
     "its control blocks",
     NULL},
    {"to", FIELD_TEXT, 1, offsetof(ConnectionText, to), "", true, 0,
     "function of the kind `signal` of a participant, PARTICIPANT.FUNCTION: it gets this value after each step", NULL},
};
static const FieldTable signal_table = FIELDS(signal_fields, ConnectionText);

static bool connection_kind(int i, Kind *out) {
  static const Kind kinds[] = {
      {"wave", "A line between wave ports of two participants, which never gains energy.", &wave_table},
      {"signal", "A value that goes from one participant to another after each step.", &signal_table},
  };
  if (i >= 2) return false;
  *out = kinds[i];
  return true;
}

static Error ReportWrongEnd(Reader *r, const Tree *word, int e) {
  return ReportError(r, word->at, "'%s' must be PARTICIPANT.NAME, not '%s'", e ? "to" : "from", word->text);
}

// PARTICIPANT.NAME; a name of a variable of an FMU has any letters.
static Error FindEnd(Reader *r, const Tree *word, Connection *c, int e, bool *good) {
  const char *dot = strchr(word->text, '.');
  char *copy;
  c->end[e].at = word->at;
  *good = dot && dot > word->text && dot[1];
  if (!*good) return ReportWrongEnd(r, word, e);
  TRY(ModelAllocate(r->model, strlen(word->text) + 1, &copy));
  strcpy(copy, word->text)[dot - word->text] = 0;
  c->end[e].name = copy + (dot - word->text) + 1;
  Tree participant = *word;
  participant.text = copy;
  TRY(FindName(r, "participant", part_names(r, &part_participants), &participant, &c->end[e].participant));
  *good = c->end[e].participant != BROKEN;
  if (!*good) return 0;
  Participant *p = &r->in->participant[c->end[e].participant];
  if (p->fmu) return ConnectFmu(r, p, word, c->wave, e == 1, &c->end[e].name, good);
  *good = strspn(dot + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                          "0123456789_-.#") == strlen(dot + 1);
  return *good ? 0 : ReportWrongEnd(r, word, e);
}

static Error CompleteConnection(Reader *r, const Kind *kind, const char *name, SourceLocation at, const Tree *fields,
                                Form *form, bool *good) {
  const ConnectionText *t = form->out;
  Connection *bigger, *c;
  Input *in = r->in;
  bool fine[2];
  (void)name;
  if (!*good) return 0;
  if (in->connections == LIMIT_CONNECTIONS)
    return *good = false, ReportError(r, at, "a system has at most %d connections", LIMIT_CONNECTIONS);
  if (!(in->connections & (in->connections - 1))) { // room for 1, 2, 4 ...
    TRY(ModelAllocate(r->model, (size_t)(2 * in->connections + 1) * sizeof *bigger, &bigger));
    if (in->connections) memcpy(bigger, in->connection, (size_t)in->connections * sizeof *bigger);
    in->connection = bigger;
  }
  c = &in->connection[in->connections];
  *c = (Connection){.wave = !strcmp(kind->name, "wave"), .opposite = t->opposite};
  for (int e = 0; e < 2; e++) TRY(FindEnd(r, tree_find(fields, e ? "to" : "from"), c, e, &fine[e]));
  *good = fine[0] && fine[1];
  if (*good && c->wave && c->end[0].participant == c->end[1].participant)
    return *good = false, ReportError(r, c->end[1].at, "a line connects ports of two participants");
  in->connections += *good;
  return 0;
}

static int AddNothing(LimberModel m, const char *kind, const char *name, const void *params, int *id) {
  (void)m, (void)kind, (void)name, (void)params;
  *id = 0;
  return 0;
}

const Part part_connections = {.key = "connections",
                               .one = "connection",
                               .form = PART_LIST,
                               .kind = connection_kind,
                               .add = AddNothing,
                               .complete = CompleteConnection};
