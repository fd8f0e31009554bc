// SPDX-License-Identifier: Apache-2.0
// What FMUs of runs and of linear models have alike: names, tokens and the files of the archive.
#include "fmu/content.h"

#include "assembly/ranks.h"
#include "files/output_file.h"
#include "input/yaml/units.h"
#include "results/write/output.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// Folders of binaries, of version 2 and 3.
#if defined(__APPLE__)
#define ENDING ".dylib"
#else
#define ENDING ".so"
#endif
#if defined(__APPLE__) && defined(__x86_64__)
static const char *const platform[] = {"darwin64", "x86_64-darwin"};
#elif defined(__APPLE__)
static const char *const platform[] = {"aarch64-darwin", "aarch64-darwin"};
#elif defined(__x86_64__)
static const char *const platform[] = {"linux64", "x86_64-linux"};
#elif defined(__aarch64__)
static const char *const platform[] = {"aarch64-linux", "aarch64-linux"};
#elif defined(__riscv)
static const char *const platform[] = {"riscv64-linux", "riscv64-linux"};
#else
static const char *const platform[] = {"linux", "linux"};
#endif

#ifdef LIMBER_ALONE // liblimber contains all that it needs
const bool fmu_contains_limber = true;
#else
const bool fmu_contains_limber = false;
#endif

// ---- names ----

bool fmu_is_plain_name(const char *name) {
  const char *part = name;
  if (!*name || *name == '/' || strlen(name) > 1000) return false;
  for (const char *c = name; *c; c++)
    if ((unsigned char)*c < ' ' || *c == 127 || strchr("\\:", *c)) return false;
  while (part) { // no part of it is empty, `.` or `..`
    size_t n = strcspn(part, "/");
    if (!n || (n == 1 && part[0] == '.') || (n == 2 && !strncmp(part, "..", 2))) return false;
    part = part[n] ? part + n + 1 : NULL;
  }
  return true;
}

// The name of the model file in the FMU: that of the model itself, where it has one.
const char *fmu_model_name(const Input *in) {
  return fmu_is_plain_name(in->source[0].name) && !strchr(in->source[0].name, '/') && strcmp(in->source[0].name, "-")
             ? in->source[0].name
             : "model.yaml";
}

Error FmuAddVariable(FmuContent *c, int list, const FmuVariable *v) {
  FmuList *l = &c->d.list[list];
  FmuVariable *new = &l->item[l->count++];
  *new = *v;
  TRY(StoreText(&c->store, v->name, strlen(v->name), &new->name));
  if (v->description) TRY(StoreText(&c->store, v->description, strlen(v->description), &new->description));
  return StoreText(&c->store, v->unit, strlen(v->unit), &new->unit);
}

static int compare_names(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

Error FmuCheckNames(FmuContent *c, Refusal *wrong) {
  const FmuDescription *d = &c->d;
  const char **all;
  size_t most = 1;
  int count = 0;
  for (int k = 0; k < FMU_LISTS; k++) most += (size_t)d->list[k].count;
  TRY(StoreAllocate(&c->store, most * sizeof *all, &all));
  all[count++] = "time";
  for (int k = 0; k < FMU_LISTS; k++)
    for (int i = 0; i < d->list[k].count; i++) all[count++] = d->list[k].item[i].name;
  qsort(all, (size_t)count, sizeof *all, compare_names);
  for (int i = 1; i < count && !is_refused(wrong); i++) {
    if (strpbrk(all[i], "\n\r\t")) refuse(wrong, "a name that an FMU lists has several lines: '%s'", all[i]);
    if (!strcmp(all[i], all[i - 1])) refuse(wrong, "two variables of the FMU would be called '%s': rename one", all[i]);
  }
  return 0;
}

// ---- token ----

static uint64_t mix(uint64_t key, const void *data, size_t size) { // FNV-1a
  for (size_t i = 0; i < size; i++) key = (key ^ ((const unsigned char *)data)[i]) * 1099511628211u;
  return key;
}

Error FmuMakeToken(FmuContent *c, const void *bytes, size_t size) {
  const Input *in = c->d.in;
  uint64_t key[2] = {14695981039346656037u, 0x6c696d626572u};
  char text[60];
  for (int k = 0; k < 2; k++) {
    key[k] = mix(key[k], LIMBER_VERSION, sizeof LIMBER_VERSION);
    key[k] = mix(key[k], &c->d.version, sizeof c->d.version);
    for (int i = 0; i < in->sources; i++) {
      key[k] = mix(key[k], in->source[i].name, strlen(in->source[i].name) + 1);
      key[k] = mix(key[k], in->source[i].text, in->source[i].length);
    }
    for (int i = 0; i < in->changes; i++) key[k] = mix(key[k], in->change[i], strlen(in->change[i]) + 1);
    key[k] = mix(key[k], bytes, size);
  }
  snprintf(text, sizeof text, "{%08x-%04x-%04x-%04x-%012llx}", (unsigned)(key[0] >> 32),
           (unsigned)(key[0] >> 16 & 0xffff), (unsigned)(key[0] & 0xffff), (unsigned)(key[1] >> 48),
           (unsigned long long)(key[1] & 0xffffffffffffu));
  return StoreText(&c->store, text, strlen(text), &c->d.token);
}

// Letters, digits and '_' of the name of the model file.
Error FmuMakeIdentifier(FmuContent *c, const char *ending) {
  char text[100], whole[200];
  const char *name = fmu_model_name(c->d.in), *dot = strrchr(name, '.');
  size_t length = dot && dot > name ? (size_t)(dot - name) : strlen(name), n = 0;
  if (!isalpha((unsigned char)*name)) text[n++] = 'm';
  for (size_t i = 0; i < length && n + 1 < sizeof text; i++)
    text[n++] = (unsigned char)name[i] < 128 && isalnum((unsigned char)name[i]) ? name[i] : '_';
  snprintf(whole, sizeof whole, "%.*s%s", (int)n, text, ending);
  return StoreText(&c->store, whole, strlen(whole), &c->d.identifier);
}

// ---- the files ----

// A file of Limber itself.
static Error ReadOwn(const char *path, SourceText *out, Refusal *wrong) {
  TRY(SourceRead(path, &(SourceRule){NULL, 1u << 30}, out));
  if (!out->text) refuse(wrong, "cannot read '%s', which FMUs need: %s", path, source_error(out->error));
  return 0;
}

static Error AddOwn(ZipWriter *z, const char *path, const char *name, Refusal *wrong) {
  SourceText file = {0};
  TRY(ReadOwn(path, &file, wrong));
  if (!is_refused(wrong)) TRY(ZipAdd(z, name, file.text, file.length, true));
  memory_free(&file.text);
  return 0;
}

// The folder of liblimber, with its '/'.
static bool find_library(char *path, size_t size, char *folder, size_t folder_size) {
  Dl_info own;
  if (!dladdr((const void *)&platform, &own) || !own.dli_fname || !strchr(own.dli_fname, '/')) return false;
  char *real = realpath(own.dli_fname, NULL);
  snprintf(path, size, "%s", real ? real : own.dli_fname);
  snprintf(folder, folder_size, "%.*s", (int)(strrchr(own.dli_fname, '/') + 1 - own.dli_fname), own.dli_fname);
  free(real);
  return true;
}

// liblimber, if it needs the C library alone, and the database of units.
static Error AddLibrary(ZipWriter *z, const char *path, int version, Refusal *wrong) {
  static const char *const file[] = {"", "-accepted", "-base", "-common", "-derived", "-prefixes"};
  const char *database = units_database(), *end = database ? strrchr(database, '/') : NULL;
  char name[400], from[4400];
  snprintf(name, sizeof name, "binaries/%s/" LIMBER_LIBRARY, platform[version - 2]);
  TRY(AddOwn(z, path, name, wrong));
  for (size_t i = 0; end && i < sizeof file / sizeof file[0] && !is_refused(wrong); i++) {
    snprintf(from, sizeof from, "%.*s/udunits2%s.xml", (int)(end - database), database, file[i]);
    snprintf(name, sizeof name, "resources/units/udunits2%s.xml", file[i]);
    TRY(AddOwn(z, from, name, wrong));
  }
  return 0;
}

// Adds what a function prints.
typedef Error (*Printer)(const FmuContent *c, const char *library, FILE *out);

static Error PrintDescription(const FmuContent *c, const char *library, FILE *out) {
  (void)library;
  return DescribeFmu(&c->d, out);
}

static Error AddPrinted(ZipWriter *z, const char *name, const FmuContent *c, const char *library, Printer print,
                        bool packed) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  ENSURE(out, ERROR_MEMORY, "out of memory");
  Error error = print(c, library, out);
  bool good = !ferror(out);
  if (fclose(out) || !good) error = error ? error : ERROR_MEMORY;
  if (!error) error = ZipAdd(z, name, text, size, packed);
  free(text);
  return error;
}

static Error AddAll(ZipWriter *z, const FmuContent *c, const FmuKind *kind, Refusal *wrong) {
  char name[1200], library[4200], folder[4200], module[4400];
  if (!find_library(library, sizeof library, folder, sizeof folder)) {
    refuse(wrong, "the library of Limber is not found, and with it that of FMUs");
    return 0;
  }
  snprintf(module, sizeof module, "%s" LIMBER_MODULES "%s", folder, kind->module);
  TRY(AddPrinted(z, "resources/limber.txt", c, library, kind->print, false)); // first: the file is known by it
  TRY(AddPrinted(z, "modelDescription.xml", c, library, PrintDescription, true));
  TRY(kind->add(c, z));
  snprintf(name, sizeof name, "binaries/%s/%s" ENDING, platform[c->d.version - 2], c->d.identifier);
  TRY(AddOwn(z, module, name, wrong));
  if (kind->runs && fmu_contains_limber && !is_refused(wrong)) TRY(AddLibrary(z, library, c->d.version, wrong));
  return ZipEnd(z);
}

static Error WriteFile(const FmuContent *c, const FmuKind *kind, const char *path, Refusal *wrong) {
  const Input *in = c->d.in;
  OutputFile f;
  OutputRules rules = {.kind = FILE_FMU, .force = output_force(), .input = &in->file, .inputs = 1};
  if (!output_open(path, &rules, &f, wrong)) return 0;
  ZipWriter z = {.out = f.out};
  Error error = AddAll(&z, c, kind, wrong);
  zip_free(&z);
  if (error || is_refused(wrong)) return output_discard(&f), error;
  output_finish(&f, wrong);
  return 0;
}

PetscErrorCode FmuFinish(MPI_Comm comm, FmuContent *c, const FmuKind *kind, const char *path, PetscErrorCode error,
                         Refusal *wrong) {
  PetscMPIInt rank;
  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  if (!error && !is_refused(wrong)) PetscCall(FileObstacle(comm, path, FILE_FMU, c->d.in, wrong));
  if (!error && !is_refused(wrong) && rank == 0) error = WriteFile(c, kind, path, wrong);
  StoreDestroy(&c->store);
  PetscCall(error);
  PetscCall(CheckOtherRanks(comm));
  PetscCallMPI(MPI_Bcast(wrong->text, REFUSAL_SIZE, MPI_CHAR, 0, comm));
  PetscFunctionReturn(0);
}
