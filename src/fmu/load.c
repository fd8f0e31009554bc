// SPDX-License-Identifier: Apache-2.0
#include "fmu/load.h"

#include "files/folder.h"
#include "fmu/exchange.h"
#include "fmu/loaded.h"
#include "fmu/read/unzip.h"

#include <dlfcn.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define MOST_STATE                    ((size_t)1 << 30) // bytes of a saved state
#define NAME(result, name, arguments) #name,
static const char *const names_2[] = {FMI2_FUNCTIONS(NAME)};
static const char *const names_3[] = {FMI3_FUNCTIONS(NAME)};

const char *fmu_message(const Fmu *f) { return f->message; }
int fmu_warnings(const Fmu *f) { return f->warnings; }
const char *fmu_warning(const Fmu *f) { return f->warning; }

// ---- what an FMU says ----

bool fmu_fail(Fmu *f, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(f->message, sizeof f->message, format, args);
  va_end(args);
  f->failed = true;
  return false;
}

// Keeps the first text of the highest severity since the last call.
static void keep_log(Fmu *f, int severity, const char *text) {
  if (!f || !text || (f->log[0] && severity <= f->severity)) return;
  f->severity = severity;
  snprintf(f->log, sizeof f->log, "%s", text);
  for (char *p = f->log; *p; p++)
    if ((unsigned char)*p < 32) *p = ' ';
  for (size_t n = strlen(f->log); n && f->log[n - 1] == ' '; n--) f->log[n - 1] = 0;
}

__attribute__((format(printf, 5, 6))) static void log_2(fmi2ComponentEnvironment self, fmi2String instance,
                                                        fmi2Status status, fmi2String category, fmi2String message,
                                                        ...) {
  char text[LOG_SIZE];
  va_list args;
  (void)instance, (void)category;
  if (!message) return;
  va_start(args, message);
  vsnprintf(text, sizeof text, message, args);
  va_end(args);
  keep_log(self, (int)status, text);
}

static void log_3(fmi3InstanceEnvironment self, fmi3Status status, fmi3String category, fmi3String message) {
  (void)category;
  keep_log(self, (int)status, message);
}

void fmu_forget_log(Fmu *f) { f->log[0] = 0, f->severity = 0; }

bool fmu_is_missing(Fmu *f, const char *function) { return fmu_fail(f, "its library has no function %s", function); }

bool fmu_is_good(Fmu *f, const char *function, int status) {
  static const char *const word[STATUSES] = {"",         "a warning",     "\"discard\"",
                                             "an error", "a fatal error", "\"pending\""};
  const char *text = f->log[0] ? f->log : "it gives no reason", *what = "no status of the interface";
  if (status == fmi2OK) return true;
  if (status > 0 && status < STATUSES) what = word[status];
  if (status == fmi2Warning) {
    if (!f->warnings++)
      snprintf(f->warning, sizeof f->warning, "%s returned a warning at t = %.8g s: %s", function, f->time, text);
    return true;
  }
  f->dead = f->dead || status == fmi2Fatal;
  return fmu_fail(f, "%s returned %s at t = %.8g s: %s", function, what, f->time, text);
}

// ---- values ----

#define SET_WHOLE(kind, type, least, most) \
  case kind: { \
    fmi3##type v = 0; \
    good = whole >= (double)(least) && whole <= (double)(most); \
    if (good) v = (fmi3##type)whole, good = CALL3(f, fmi3Set##type, &r, 1, &v, 1); \
    else fmu_fail(f, "%g is out of the range of '%s'", x, c->variable->name); \
    break; \
  }

bool fmu_set_number(Fmu *f, const FmuChannel *c, double x) {
  const fmi3ValueReference r = c->variable->reference;
  bool good = true, yes = x != 0;
  double whole = nearbyint(x);
  float single = (float)x;
  if (!isfinite(x)) return fmu_fail(f, "its input '%s' is no finite number at t = %.8g s", c->variable->name, f->time);
  if (is_second(f)) {
    const fmi2Integer flag = yes;
    if (c->variable->type == FMU_FLOAT64) return CALL2(f, fmi2SetReal, &r, 1, &x);
    if (c->variable->type == FMU_BOOLEAN) return CALL2(f, fmi2SetBoolean, &r, 1, &flag);
    if (!(fabs(whole) <= INT_MAX)) return fmu_fail(f, "%g is out of the range of '%s'", x, c->variable->name);
    const fmi2Integer v = (fmi2Integer)whole;
    return CALL2(f, fmi2SetInteger, &r, 1, &v);
  }
  switch (c->variable->type) {
  case FMU_FLOAT64: good = CALL3(f, fmi3SetFloat64, &r, 1, &x, 1); break;
  case FMU_FLOAT32: good = CALL3(f, fmi3SetFloat32, &r, 1, &single, 1); break;
  case FMU_BOOLEAN:
    good = CALL3(f, fmi3SetBoolean, &r, 1, &yes, 1);
    break;
    SET_WHOLE(FMU_INT8, Int8, INT8_MIN, INT8_MAX)
    SET_WHOLE(FMU_UINT8, UInt8, 0, UINT8_MAX)
    SET_WHOLE(FMU_INT16, Int16, INT16_MIN, INT16_MAX)
    SET_WHOLE(FMU_UINT16, UInt16, 0, UINT16_MAX)
    SET_WHOLE(FMU_INT32, Int32, INT32_MIN, INT32_MAX)
    SET_WHOLE(FMU_UINT32, UInt32, 0, UINT32_MAX)
    SET_WHOLE(FMU_INT64, Int64, -9.2e18, 9.2e18)
    SET_WHOLE(FMU_UINT64, UInt64, 0, 1.8e19)
  default: good = fmu_fail(f, "'%s' is no number", c->variable->name);
  }
  return good;
}

#define GET_NUMBER(kind, type) \
  case kind: { \
    fmi3##type v = 0; \
    good = CALL3(f, fmi3Get##type, &r, 1, &v, 1); \
    *x = (double)v; \
    break; \
  }

bool fmu_get_number(Fmu *f, const FmuVariable *of, double *x) {
  const fmi3ValueReference r = of->reference;
  bool good = true;
  *x = 0;
  if (is_second(f)) {
    fmi2Integer v = 0;
    if (of->type == FMU_FLOAT64) good = CALL2(f, fmi2GetReal, &r, 1, x);
    else if (of->type == FMU_BOOLEAN) good = CALL2(f, fmi2GetBoolean, &r, 1, &v);
    else good = CALL2(f, fmi2GetInteger, &r, 1, &v);
    if (of->type != FMU_FLOAT64) *x = v;
  } else switch (of->type) {
      GET_NUMBER(FMU_FLOAT64, Float64)
      GET_NUMBER(FMU_FLOAT32, Float32)
      GET_NUMBER(FMU_INT8, Int8)
      GET_NUMBER(FMU_UINT8, UInt8)
      GET_NUMBER(FMU_INT16, Int16)
      GET_NUMBER(FMU_UINT16, UInt16)
      GET_NUMBER(FMU_INT32, Int32)
      GET_NUMBER(FMU_UINT32, UInt32)
      GET_NUMBER(FMU_INT64, Int64)
      GET_NUMBER(FMU_UINT64, UInt64)
      GET_NUMBER(FMU_BOOLEAN, Boolean)
    default: good = fmu_fail(f, "'%s' is no number", of->name);
    }
  if (good && !isfinite(*x))
    good = fmu_fail(f, "its output '%s' is no finite number at t = %.8g s, although all its calls returned OK",
                    of->name, f->time);
  return good;
}

bool fmu_set_inputs(Fmu *f, const double *in) {
  bool good = true;
  for (int i = 0; i < f->use->inputs && good; i++) {
    const FmuChannel *c = &f->use->input[i];
    good = fmu_set_number(f, c, (in[i] - c->offset) / c->factor);
  }
  return good;
}

bool fmu_get(Fmu *f, double *out) {
  bool good = true;
  for (int i = 0; i < f->use->outputs && good; i++) {
    const FmuChannel *c = &f->use->output[i];
    good = fmu_get_number(f, c->variable, &out[i]);
    out[i] = out[i] * c->factor + c->offset;
  }
  return good;
}

bool fmu_hold(Fmu *f, const double *in) {
  return !f->failed && (f->exchange ? exchange_jump(f, in) : fmu_set_inputs(f, in));
}

bool fmu_look(Fmu *f, const double *in, double *out) { return fmu_hold(f, in) && fmu_get(f, out); }

// ---- start and steps ----

static bool initialise(Fmu *f) {
  if (is_second(f))
    return CALL2(f, fmi2SetupExperiment, 0, 0, f->time, 0, 0) && CALL2_PLAIN(f, fmi2EnterInitializationMode);
  return CALL3(f, fmi3EnterInitializationMode, false, 0, f->time, false, 0);
}

bool fmu_start(Fmu *f, double time, const double *in) {
  bool good = true;
  f->time = time;
  for (int i = 0; i < f->use->parameters && good; i++)
    good = fmu_set_number(f, &f->use->parameter[i], f->use->parameter[i].value);
  if (!good || !initialise(f) || !fmu_set_inputs(f, in)) return false;
  f->started = is_second(f) ? CALL2_PLAIN(f, fmi2ExitInitializationMode) : CALL3_PLAIN(f, fmi3ExitInitializationMode);
  return f->started && (!f->exchange || exchange_start(f, in));
}

static bool do_step_2(Fmu *f, double from, double step) {
  fmi2Boolean ended = 0;
  if (!f->two.fmi2DoStep) return fmu_is_missing(f, "fmi2DoStep");
  fmu_forget_log(f);
  fmi2Status status = f->two.fmi2DoStep(f->c, from, step, !f->interface->can_save);
  if (status == fmi2Discard && f->two.fmi2GetBooleanStatus &&
      f->two.fmi2GetBooleanStatus(f->c, fmi2Terminated, &ended) == fmi2OK && ended)
    return fmu_fail(f, "it ends the simulation at t = %.8g s%s%s", f->time, f->log[0] ? ": " : "", f->log);
  return fmu_is_good(f, "fmi2DoStep", (int)status);
}

static bool do_step_3(Fmu *f, double from, double step) {
  bool event = false, ended = false, early = false;
  double last = from + step;
  if (!CALL3(f, fmi3DoStep, from, step, !f->interface->can_save, &event, &ended, &early, &last)) return false;
  if (ended) return fmu_fail(f, "it ends the simulation at t = %.8g s%s%s", last, f->log[0] ? ": " : "", f->log);
  if (early && !(last >= from + step * (1 - 1e-9)))
    return fmu_fail(f, "fmi3DoStep returned early, at t = %.8g s, which it was not allowed to do", last);
  return true;
}

bool fmu_step(Fmu *f, double from, double step, const double *in) {
  if (f->failed) return false; // while its state was saved
  if (f->exchange) return exchange_step(f, from, step, in);
  f->time = from;
  if (!fmu_set_inputs(f, in)) return false;
  bool good = is_second(f) ? do_step_2(f, from, step) : do_step_3(f, from, step);
  if (good) f->time = from + step;
  return good;
}

// ---- its state as bytes ----

bool fmu_can_save(Fmu *f) {
  if (f->interface->can_save && f->interface->can_serialize) return true;
  snprintf(f->message, sizeof f->message, "it cannot serialise its state (%s is not true in modelDescription.xml)",
           is_second(f) ? "canSerializeFMUstate" : "canSerializeFMUState");
  return false;
}

static bool get_state(Fmu *f, void **state, size_t *size) {
  if (is_second(f)) return CALL2(f, fmi2GetFMUstate, state) && CALL2(f, fmi2SerializedFMUstateSize, *state, size);
  return CALL3(f, fmi3GetFMUState, state) && CALL3(f, fmi3SerializedFMUStateSize, *state, size);
}

static bool free_state(Fmu *f, void *state) {
  if (!state || f->dead) return true;
  return is_second(f) ? CALL2(f, fmi2FreeFMUstate, &state) : CALL3(f, fmi3FreeFMUState, &state);
}

bool fmu_follows(const Fmu *f) { return f->interface->can_save && f->interface->variable_step; }

bool fmu_mark(Fmu *f) {
  f->marked = f->time;
  if (f->exchange) exchange_mark(f);
  return is_second(f) ? CALL2(f, fmi2GetFMUstate, &f->mark) : CALL3(f, fmi3GetFMUState, &f->mark);
}

bool fmu_go_back(Fmu *f) {
  if (f->failed) return false;
  f->time = f->marked;
  bool good = is_second(f) ? CALL2(f, fmi2SetFMUstate, f->mark) : CALL3(f, fmi3SetFMUState, f->mark);
  return good && (!f->exchange || exchange_go_back(f));
}

// The bytes of the solver of model exchange come first.
Error FmuSave(Fmu *f, unsigned char **bytes, size_t *size, bool *good) {
  void *state = NULL;
  unsigned char *to = NULL;
  size_t own = exchange_record_size(f);
  *size = 0, *bytes = NULL;
  *good = get_state(f, &state, size);
  if (*good && (*size == 0 || *size > MOST_STATE))
    *good = fmu_fail(f, "its state has %zu bytes, which is none or too many", *size);
  if (*good) {
    TRY(MemoryResize(own + *size, &to));
    if (own) exchange_save(f, to);
    *good = is_second(f) ? CALL2(f, fmi2SerializeFMUstate, state, (fmi2Byte *)(to + own), *size)
                         : CALL3(f, fmi3SerializeFMUState, state, to + own, *size);
    *size += own;
  }
  *good = free_state(f, state) && *good;
  *bytes = to;
  return 0;
}

bool fmu_restore(Fmu *f, const unsigned char *bytes, size_t size) {
  void *state = NULL;
  size_t own = exchange_record_size(f);
  if (size <= own) return fmu_fail(f, "its saved state has %zu bytes", size);
  const unsigned char *from = bytes + own;
  bool good = is_second(f)
                  ? CALL2(f, fmi2DeSerializeFMUstate, (const fmi2Byte *)from, size - own, &state) &&
                        CALL2(f, fmi2SetFMUstate, state)
                  : CALL3(f, fmi3DeserializeFMUState, from, size - own, &state) && CALL3(f, fmi3SetFMUState, state);
  good = free_state(f, state) && good;
  return good && (!own || exchange_restore(f, bytes));
}

// ---- opening and closing ----

#if defined(__aarch64__)
#define MACHINE "aarch64"
#else
#define MACHINE "x86_64"
#endif
#if defined(__APPLE__)
static const char ending[] = ".dylib", *const platform[] = {"darwin64", MACHINE "-darwin"};
#else
static const char ending[] = ".so", *const platform[] = {sizeof(void *) == 4 ? "linux32" : "linux64", MACHINE "-linux"};
#endif

// The platforms for which the archive has binaries.
static void list_platforms(const Zip *z, char *text, size_t size) {
  char before[80] = "";
  text[0] = 0;
  for (int i = 0; i < z->entries; i++) {
    char name[80];
    if (sscanf(z->entry[i].name, "binaries/%79[^/]/", name) != 1 || !strcmp(name, before)) continue;
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s", used ? ", " : "", name);
    snprintf(before, sizeof before, "%s", name);
  }
}

static Error Unpack(Fmu *f, const char *identifier, char *library, size_t size, Refusal *wrong) {
  Store store = {0};
  Zip z;
  char name[600], have[300], folder[100];
  Error error = ZipRead(&store, f->use->bytes, f->use->size, &z, wrong);
  const char *here = platform[f->use->description->version - 2];
  snprintf(folder, sizeof folder, "binaries/%s/", here);
  snprintf(name, sizeof name, "%s%s%s", folder, identifier, ending);
  if (!error && !is_refused(wrong) && !zip_find(&z, name)) {
    list_platforms(&z, have, sizeof have);
    refuse(wrong, "it has no %s; it has binaries for %s", name, have[0] ? have : "no machine");
  }
  if (!error && !is_refused(wrong)) {
    if (!private_folder_make("fmu", f->folder, sizeof f->folder))
      refuse(wrong, "cannot make a temporary folder in '%s'", temporary_folder());
  }
  if (!error && !is_refused(wrong)) error = ZipExtract(&z, folder, f->folder, wrong);
  if (!error && !is_refused(wrong)) error = ZipExtract(&z, "resources/", f->folder, wrong);
  snprintf(library, size, "%s/%s", f->folder, name);
  TRY(StoreDestroy(&store));
  return error;
}

static void find_functions(Fmu *f) {
  bool second = is_second(f);
  const char *const *name = second ? names_2 : names_3;
  size_t count = second ? sizeof names_2 / sizeof names_2[0] : sizeof names_3 / sizeof names_3[0];
  char *at = second ? (char *)&f->two : (char *)&f->three;
  for (size_t i = 0; i < count; i++) {
    void *symbol = dlsym(f->library, name[i]);
    memcpy(at + i * sizeof symbol, &symbol, sizeof symbol);
  }
}

// The folder of resources as a path with a '/' at its end, or as an address.
static void name_resources(Fmu *f) {
  size_t n = 0, most = sizeof f->resources - 20;
  if (is_second(f)) n = (size_t)snprintf(f->resources, most, "file://");
  for (const char *p = f->folder; *p && n < most; p++) {
    bool plain = !is_second(f) || strchr("/-_.~", *p) || (*p >= '0' && *p <= '9') || (*p >= 'A' && *p <= 'Z') ||
                 (*p >= 'a' && *p <= 'z');
    if (plain) f->resources[n++] = *p;
    else n += (size_t)snprintf(f->resources + n, 4, "%%%02X", (unsigned char)*p);
  }
  snprintf(f->resources + n, sizeof f->resources - n, is_second(f) ? "/resources" : "/resources/");
}

static bool instantiate(Fmu *f, const char *name) {
  const FmuDescription *d = f->use->description;
  bool exchange = f->interface == &d->exchange;
  const char *function = is_second(f) ? "fmi2Instantiate"
                         : exchange   ? "fmi3InstantiateModelExchange"
                                      : "fmi3InstantiateCoSimulation";
  fmu_forget_log(f);
  if (is_second(f)) {
    f->callbacks = (fmi2CallbackFunctions){log_2, calloc, free, NULL, f};
    if (!f->two.fmi2Instantiate) return fmu_is_missing(f, function);
    f->c = f->two.fmi2Instantiate(name, exchange ? fmi2ModelExchange : fmi2CoSimulation, d->token, f->resources,
                                  &f->callbacks, 0, 1);
  } else if (exchange) {
    if (!f->three.fmi3InstantiateModelExchange) return fmu_is_missing(f, function);
    f->c = f->three.fmi3InstantiateModelExchange(name, d->token, f->resources, false, true, f, log_3);
  } else {
    if (!f->three.fmi3InstantiateCoSimulation) return fmu_is_missing(f, function);
    f->c = f->three.fmi3InstantiateCoSimulation(name, d->token, f->resources, false, true, false, false, NULL, 0, f,
                                                log_3, NULL);
  }
  return f->c || fmu_fail(f, "%s failed: %s", function, f->log[0] ? f->log : "it gives no reason");
}

Error FmuOpen(const FmuUse *use, const char *name, Fmu **out, Refusal *wrong) {
  Fmu *f;
  char path[5000];
  wrong->text[0] = 0;
  TRY(MemoryNew(sizeof *f, &f));
  *out = f;
  f->use = use, f->interface = use->interface;
  TRY(Unpack(f, f->interface->identifier, path, sizeof path, wrong));
  if (is_refused(wrong)) return 0;
  f->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!f->library) return refuse(wrong, "cannot load its library: %s", dlerror()), 0;
  find_functions(f);
  name_resources(f);
  bool good = instantiate(f, name);
  if (good && f->interface == &use->description->exchange) TRY(ExchangeCreate(f));
  if (!good || f->failed) refuse(wrong, "%s", f->message);
  return 0;
}

void fmu_close(Fmu **fmu) {
  Fmu *f = *fmu;
  if (!f) return;
  if (f->c && !f->dead) {
    free_state(f, f->mark);
    if (!f->failed && f->started) {
      if (is_second(f) && f->two.fmi2Terminate) f->two.fmi2Terminate(f->c);
      if (!is_second(f) && f->three.fmi3Terminate) f->three.fmi3Terminate(f->c);
    }
    if (is_second(f) && f->two.fmi2FreeInstance) f->two.fmi2FreeInstance(f->c);
    if (!is_second(f) && f->three.fmi3FreeInstance) f->three.fmi3FreeInstance(f->c);
  }
  exchange_destroy(f);
  if (f->library && !f->dead) dlclose(f->library);
  if (f->folder[0]) private_folder_remove(f->folder);
  memory_free(fmu);
}
