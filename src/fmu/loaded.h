// SPDX-License-Identifier: Apache-2.0
// The inside of an FMU that is loaded, for the files of this folder that call its functions.
#ifndef LIMBER_FMU_LOADED_H
#define LIMBER_FMU_LOADED_H

#include "fmu/load.h"
#include "fmu/standard.h"

typedef struct FmuExchange FmuExchange; // exchange.h

enum { LOG_SIZE = 400, MESSAGE_SIZE = 1000, STATUSES = 6 };

#define MEMBER(result, name, arguments) result(*name) arguments;
typedef struct {
  FMI2_FUNCTIONS(MEMBER)
} Functions2;
typedef struct {
  FMI3_FUNCTIONS(MEMBER)
} Functions3;

struct Fmu {
  const FmuUse *use;
  const FmuInterface *interface;
  bool started, failed, dead; // failed: it must not go on; dead: it must not be called at all
  char folder[4200], resources[4400];
  void *library, *c;
  Functions2 two;
  Functions3 three;
  fmi2CallbackFunctions callbacks;
  double time;           // s: where it is
  void *mark;            // a state to which it goes back ...
  double marked;         // s: ... and its time
  FmuExchange *exchange; // NULL: it is used for co-simulation
  int severity, warnings;
  char log[LOG_SIZE], message[MESSAGE_SIZE], warning[MESSAGE_SIZE];
};

static inline bool is_second(const Fmu *f) { return f->use->description->version == 2; }

// Notes why it must not go on; false.
PRINTF_LIKE(2, 3) bool fmu_fail(Fmu *f, const char *format, ...);
bool fmu_is_missing(Fmu *f, const char *function);
// Whether a call went well, by its status.
bool fmu_is_good(Fmu *f, const char *function, int status);
void fmu_forget_log(Fmu *f);

#define CALL2(f, function, ...) \
  ((f)->two.function ? (fmu_forget_log(f), fmu_is_good(f, #function, (int)(f)->two.function((f)->c, __VA_ARGS__))) \
                     : fmu_is_missing(f, #function))
#define CALL3(f, function, ...) \
  ((f)->three.function ? (fmu_forget_log(f), fmu_is_good(f, #function, (int)(f)->three.function((f)->c, __VA_ARGS__))) \
                       : fmu_is_missing(f, #function))
#define CALL2_PLAIN(f, function) \
  ((f)->two.function ? (fmu_forget_log(f), fmu_is_good(f, #function, (int)(f)->two.function((f)->c))) \
                     : fmu_is_missing(f, #function))
#define CALL3_PLAIN(f, function) \
  ((f)->three.function ? (fmu_forget_log(f), fmu_is_good(f, #function, (int)(f)->three.function((f)->c))) \
                       : fmu_is_missing(f, #function))

// Sets a variable, in the FMU's unit. Whole numbers are rounded.
bool fmu_set_number(Fmu *f, const FmuChannel *c, double x);
bool fmu_set_inputs(Fmu *f, const double *in);

#endif
