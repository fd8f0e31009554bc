// SPDX-License-Identifier: Apache-2.0
// Calls the C interface of AeroDyn and InflowWind, of OpenFAST 5 (aerodyn.h). Every argument is passed by its address;
// texts have fixed lengths; a status of 4 or more is fatal.
#include "control/aerodyn.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { FATAL = 4 };

// The functions of the library, by name.
typedef struct {
  void (*PreInit)(int *turbines, int *transpose, int *point_loads, float *gravity, float *density, float *viscosity,
                  float *sound, float *pressure, float *vapour, float *depth, float *sea_level, int *marine,
                  int *external_flow, char *folder, int *vtk, int *vtk_type, double *vtk_step, float *nacelle,
                  float *hub_radius, int *debug, int *status, char *message);
  void (*SetupRotor)(int *turbine, int *horizontal, float *origin, float *hub, double *hub_axes, float *nacelle,
                     double *nacelle_axes, int *blades, float *roots, double *root_axes, int *points, float *position,
                     double *axes, int *blade, int *status, char *message);
  void (*Init)(int *passed, char **file, int *length, int *inflow_passed, char **inflow, int *inflow_length, char *root,
               int *order, double *step, double *end, int *keep_wind, int *write, double *write_step, int *channels,
               char *names, char *units, int *status, char *message);
  void (*SetRotorMotion)(int *turbine, float *hub, double *hub_axes, float *hub_velocity, float *hub_acceleration,
                         float *nacelle, double *nacelle_axes, float *nacelle_velocity, float *nacelle_acceleration,
                         float *roots, double *root_axes, float *root_velocity, float *root_acceleration, int *points,
                         float *position, double *axes, float *velocity, float *acceleration, int *status,
                         char *message);
  void (*GetRotorLoads)(int *turbine, int *points, float *load, float *wind, int *status, char *message);
  void (*CalcOutput)(double *time, float *channels, int *status, char *message);
  void (*UpdateStates)(double *from, double *to, int *status, char *message);
  void (*End)(int *status, char *message);
} AdiFunctions;

struct AdiLibrary {
  void *handle;
  AdiFunctions call;
  bool begun;
  int status;
  char message[2 * ADI_MESSAGE];
  char file[ADI_TEXT], inflow[ADI_TEXT], root[2 * ADI_TEXT], folder[2 * ADI_TEXT];
  char names[20 * ADI_CHANNELS + 1], units[20 * ADI_CHANNELS + 1];
  float channel[ADI_CHANNELS];
};

static bool adi_open_now; // the library has one set of turbines per process

// Finds a function of the library; a pointer to a function is copied as its bytes.
static bool find_function(AdiLibrary *l, const char *name, void *function, Refusal *wrong) {
  void *symbol = dlsym(l->handle, name);
  if (!symbol) return refuse(wrong, "its library has no function %s, which that of OpenFAST 5 has", name), false;
  memcpy(function, &symbol, sizeof symbol);
  return true;
}

static bool find_functions(AdiLibrary *l, Refusal *wrong) {
  AdiFunctions *c = &l->call;
  return find_function(l, "ADI_C_PreInit", &c->PreInit, wrong) &&
         find_function(l, "ADI_C_SetupRotor", &c->SetupRotor, wrong) &&
         find_function(l, "ADI_C_Init", &c->Init, wrong) &&
         find_function(l, "ADI_C_SetRotorMotion", &c->SetRotorMotion, wrong) &&
         find_function(l, "ADI_C_GetRotorLoads", &c->GetRotorLoads, wrong) &&
         find_function(l, "ADI_C_CalcOutput", &c->CalcOutput, wrong) &&
         find_function(l, "ADI_C_UpdateStates", &c->UpdateStates, wrong) &&
         find_function(l, "ADI_C_End", &c->End, wrong);
}

// The first 600 printable characters of a message: it is somebody else's text.
static bool check_status(AdiLibrary *l, const char *what, Refusal *wrong) {
  char text[601];
  size_t n = 0;
  if (l->status < FATAL && l->status >= 0) return true;
  l->message[sizeof l->message - 1] = 0;
  for (const char *p = l->message; *p && n < sizeof text - 1; p++)
    if ((unsigned char)*p > ' ' && *p != 0x7f) text[n++] = *p;
    else if (n && text[n - 1] != ' ') text[n++] = ' ';
  while (n && text[n - 1] == ' ') n--;
  text[n] = 0;
  refuse(wrong, "%s: %s (status %d)", what, n ? text : "no message", l->status);
  return false;
}

// A file of the model, from its folder, as the library gets it.
static bool place_file(char *out, size_t size, const char *folder, const char *name, Refusal *wrong) {
  struct stat file;
  int length = snprintf(out, size, "%s%s", name[0] == '/' ? "" : folder, name);
  if (length < 0 || (size_t)length >= size)
    return refuse(wrong, "the path of '%.60s' has more than %zu characters", name, size - 1), false;
  if (stat(out, &file)) return refuse(wrong, "there is no file '%.200s'", name), false;
  return S_ISREG(file.st_mode) ? true : (refuse(wrong, "'%.200s' is not a regular file", name), false);
}

// The C interface of OpenFAST 5.0 projects forces as for `BEM_Mod` 1. With 2 it gives twice the power, without a message.
static bool check_momentum_theory(const char *path, const char *name, Refusal *wrong) {
  char line[256], value[16], key[16];
  FILE *file = fopen(path, "r");
  int number = 0;
  bool begins = true, good = true;
  if (!file) return refuse(wrong, "cannot read '%.200s'", name), false;
  while (good && number < 100 && fgets(line, sizeof line, file)) {
    number += begins;
    good = !begins || sscanf(line, "%15s %15s", value, key) != 2 || strcmp(key, "BEM_Mod") || strcmp(value, "2");
    begins = strchr(line, '\n');
  }
  fclose(file);
  if (!good)
    refuse(wrong, "line %d of '%.200s': BEM_Mod 2 gives wrong forces in the C interface of OpenFAST 5.0; use BEM_Mod 1",
           number, name);
  return good;
}

static bool start(AdiLibrary *l, const Aerodyn *a, double end, const AdiRotor *r, Refusal *wrong) {
  int one = 1, none = 0, order = 2, channels = 0, blades = r->roots.count, points = r->points.count;
  float zero = 0, gravity = 9.80665f, density = (float)a->text.density, viscosity = (float)a->text.viscosity,
        sound = (float)a->text.sound_speed, pressure = 103500, vapour = 1700, size[6] = {0}, radius = 1.5f,
        origin[3] = {(float)a->text.origin[0], (float)a->text.origin[1], (float)a->text.origin[2]};
  double step = a->text.step, no_step = 0;
  char *file = l->file, *inflow = l->inflow;
  int length = (int)strlen(file), inflow_length = (int)strlen(inflow);
  l->call.PreInit(&one, &one, &one, &gravity, &density, &viscosity, &sound, &pressure, &vapour, &zero, &zero, &none,
                  &none, l->folder, &none, &one, &no_step, size, &radius, &none, &l->status, l->message);
  l->begun = true;
  if (!check_status(l, "ADI_C_PreInit", wrong)) return false;
  int *blade = NULL, bad = MemoryResize((size_t)points * sizeof *blade, &blade);
  if (bad) return refuse(wrong, "there is not enough memory"), false;
  for (int p = 0; p < points; p++) blade[p] = a->blade[p] + 1;
  l->call.SetupRotor(&one, &one, origin, r->hub.position, r->hub.axes, r->nacelle.position, r->nacelle.axes, &blades,
                     r->roots.position, r->roots.axes, &points, r->points.position, r->points.axes, blade, &l->status,
                     l->message);
  memory_free(&blade);
  if (!check_status(l, "ADI_C_SetupRotor", wrong)) return false;
  l->call.Init(&none, &file, &length, &none, &inflow, &inflow_length, l->root, &order, &step, &end, &none, &none, &step,
               &channels, l->names, l->units, &l->status, l->message);
  if (!check_status(l, "ADI_C_Init", wrong)) return false;
  if (channels < 0 || channels > ADI_CHANNELS)
    return refuse(wrong, "its library has %d channels, more than %d", channels, (int)ADI_CHANNELS), false;
  return true;
}

AdiLibrary *adi_open(const Aerodyn *a, const char *folder, double end, const AdiRotor *reference, Refusal *wrong) {
  AdiLibrary *l = NULL;
  char path[4400];
  struct stat file;
  const char *name = a->text.library;
  if (adi_open_now)
    return refuse(wrong, "another run of this process uses AeroDyn, whose library has one set of turbines per process"),
           NULL;
  if (MemoryResize(sizeof *l, &l)) return refuse(wrong, "there is not enough memory"), NULL;
  memset(l, 0, sizeof *l);
  snprintf(path, sizeof path, "%s%s", name[0] == '/' ? "" : *folder ? folder : "./", name);
  bool good = place_file(l->file, sizeof l->file, folder, a->text.aerodyn, wrong) &&
              check_momentum_theory(l->file, a->text.aerodyn, wrong) &&
              place_file(l->inflow, sizeof l->inflow, folder, a->text.inflow, wrong);
  snprintf(l->root, sizeof l->root, "%.1000s", a->text.output ? a->text.output : "aerodyn");
  snprintf(l->folder, sizeof l->folder, "vtk");
  if (good) {
    bool other = !stat(path, &file) && !S_ISREG(file.st_mode); // a pipe would wait for its writer
    l->handle = other ? NULL : dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!l->handle) refuse(wrong, "cannot load its library: %s", other ? "it is not a regular file" : dlerror());
    good = l->handle && find_functions(l, wrong);
  }
  if (good) adi_open_now = true, good = start(l, a, end, reference, wrong);
  if (!good) adi_close(&l);
  return l;
}

void adi_close(AdiLibrary **library) {
  AdiLibrary *l = *library;
  if (!l) return;
  if (l->begun) l->call.End(&l->status, l->message), adi_open_now = false;
  if (l->handle) dlclose(l->handle);
  memory_free(library);
}

static bool set_motion(AdiLibrary *l, const AdiRotor *r, Refusal *wrong) {
  int one = 1, points = r->points.count;
  const AdiMotion *h = &r->hub, *n = &r->nacelle, *b = &r->roots, *p = &r->points;
  l->call.SetRotorMotion(&one, h->position, h->axes, h->velocity, h->acceleration, n->position, n->axes, n->velocity,
                         n->acceleration, b->position, b->axes, b->velocity, b->acceleration, &points, p->position,
                         p->axes, p->velocity, p->acceleration, &l->status, l->message);
  return check_status(l, "ADI_C_SetRotorMotion", wrong);
}

bool adi_loads(AdiLibrary *l, const AdiRotor *rotor, double time, float *load, Refusal *wrong) {
  int one = 1, points = rotor->points.count;
  float wind[3];
  if (!set_motion(l, rotor, wrong)) return false;
  l->call.CalcOutput(&time, l->channel, &l->status, l->message);
  if (!check_status(l, "ADI_C_CalcOutput", wrong)) return false;
  l->call.GetRotorLoads(&one, &points, load, wind, &l->status, l->message);
  return check_status(l, "ADI_C_GetRotorLoads", wrong);
}

bool adi_update(AdiLibrary *l, const AdiRotor *rotor, double from, double to, Refusal *wrong) {
  if (!set_motion(l, rotor, wrong)) return false;
  l->call.UpdateStates(&from, &to, &l->status, l->message);
  return check_status(l, "ADI_C_UpdateStates", wrong);
}
