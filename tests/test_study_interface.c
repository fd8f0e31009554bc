// SPDX-License-Identifier: Apache-2.0
// limber/study.h: a plan is run, and its table is read. limber/converge.h: error bars.
#define _GNU_SOURCE // mkdtemp
#include "check.h"
#include "limber/limber.h"

#include <stdlib.h>
#include <unistd.h>

enum { RUNS = 6 };

static const char model[] = "limber: 1\n"
                            "let: {stiffness: 100, damping: 0}\n"
                            "nodes:\n"
                            "  O: {at: [0, 0, 0], kind: fixed}\n"
                            "  w: {at: [1, 0, 0], kind: point, velocity: [1, 0, 0]}\n"
                            "elements:\n"
                            "  - mass: {name: weight, node: w, mass: 1}\n"
                            "  - spring: {name: coil, nodes: [O, w], stiffness: stiffness, damping: damping}\n"
                            "probes: [{name: w, node: w, record: position}]\n"
                            "run: {step: 5 ms, end: 0.5 s}\n";
// Of a negative damping a run cannot start.
static const char plan[] = "limber: 1\n"
                           "study:\n"
                           "  model: model.yaml\n"
                           "  vary: {let.stiffness: [100, 200, 400], let.damping: [0, -1]}\n"
                           "  summary: [{channel: w.position.x}]\n";

static void write_file(const char *path, const char *text) {
  FILE *f = fopen(path, "w");
  CHECK(f && fputs(text, f) >= 0 && !fclose(f));
}

static void enter_folder(void) {
  static char folder[] = "/tmp/test_study_interface.XXXXXX";
  CHECK(mkdtemp(folder) && !chdir(folder));
  write_file("model.yaml", model), write_file("plan.yaml", plan);
}

TEST(a_plan_is_run_and_its_table_is_read) {
  LimberStudyEnd end = LIMBER_STUDY_INCOMPLETE;
  LimberStudy study = NULL;
  double stiffness[RUNS], most[RUNS], status[RUNS];
  char text[200];
  limber_error_print(0);
  enter_folder();
  CHECK_INT(LimberStudyRun("plan.yaml", "study.h5", 2, 0, NULL, &end), 0);
  CHECK_INT(end, LIMBER_STUDY_COMPLETE);
  CHECK_INT(LimberStudyOpen("study.h5", &study), 0);
  CHECK_INT(limber_study_runs(study), RUNS);
  int column = limber_study_find(study, "w.position.x max"), damping = limber_study_find(study, "let.damping");
  CHECK(column >= 0 && damping >= 0);
  CHECK_INT(limber_study_kind(study, column), LIMBER_STUDY_STATISTIC);
  CHECK_INT(limber_study_kind(study, damping), LIMBER_STUDY_PARAMETER);
  CHECK_STR(limber_study_units(study, column), "m");
  CHECK_INT(LimberStudyRead(study, limber_study_find(study, "let.stiffness"), 0, RUNS, stiffness), 0);
  CHECK_INT(LimberStudyRead(study, column, 0, RUNS, most), 0);
  CHECK_INT(LimberStudyRead(study, limber_study_find(study, "status"), 0, RUNS, status), 0);
  for (int i = 0; i < RUNS; i++) {
    int damped;
    CHECK_INT(LimberStudyGetChange(study, i, 1, sizeof text, text), 0);
    damped = strstr(text, "-1") != NULL;
    CHECK_STR(limber_study_status(study, (int)status[i]), damped ? "not_started" : "finished");
    CHECK_INT(LimberStudyGetCause(study, i, sizeof text, text), 0);
    CHECK_INT(strlen(text) > 0, damped);
    if (!damped)
      CHECK_LE(fabs(most[i] - 1 - 1 / sqrt(stiffness[i])), 2e-3 / sqrt(stiffness[i])); // v sqrt(m/k), by steps
  }
  CHECK_INT(LimberStudyGetChange(study, 0, 2, sizeof text, text), 0);
  CHECK_STR(text, "");
  CHECK_INT(LimberStudyRead(study, column, 1, RUNS, most), LIMBER_ERROR_ARGUMENT);
  CHECK_INT(limber_study_find(study, "w.position.y max"), LIMBER_NONE);
  CHECK_INT(LimberStudyClose(&study), 0);
  CHECK(!study);
}

TEST(a_plan_that_is_wrong_is_a_mistake) {
  LimberStudyEnd end = LIMBER_STUDY_COMPLETE;
  limber_error_print(0);
  write_file("wrong.yaml", "limber: 1\nstudy: {model: nowhere.yaml, vary: {let.stiffness: [1, 2]}}\n");
  CHECK_INT(LimberStudyRun("wrong.yaml", "wrong.h5", 1, 0, NULL, &end), 0);
  CHECK_INT(end, LIMBER_STUDY_MISTAKE);
  CHECK_INT(LimberStudyRun(NULL, NULL, 1, 0, NULL, &end), LIMBER_ERROR_ARGUMENT);
}

TEST(what_is_no_study_is_refused) {
  LimberStudy study = NULL;
  limber_error_print(0);
  CHECK_INT(LimberStudyOpen("model.yaml", &study), LIMBER_ERROR_FILE_OPEN);
  CHECK(!study && strstr(limber_error(), "is not the table of a study"));
}

// x = 1 + sin(10 t)/10: the largest value is 1.1.
TEST(error_bars_contain_the_error) {
  LimberConvergence c = NULL;
  LimberErrorBar bar = {0};
  int found = 0;
  limber_error_print(0);
  CHECK_INT(LimberConverge("model.yaml", 0.01, 0, false, 1, (const char *[]){"run.step=10 ms"}, &c), 0);
  CHECK_INT(limber_convergence_rows(c), 6); // of w.x: the others are 0
  for (int i = 0; i < limber_convergence_rows(c); i++) {
    CHECK_INT(LimberConvergenceGetRow(c, i, &bar), 0);
    CHECK_STR(bar.column, "w.position.x");
    if (bar.measure != LIMBER_MEASURE_END) continue;
    found++;
    CHECK_INT(bar.verdict, LIMBER_VERDICT_CONVERGED);
    CHECK_LE(fabs(bar.value - 1 - sin(5) / 10), bar.error);
    CHECK_LE(bar.error, 10 * fabs(bar.value - 1 - sin(5) / 10));
  }
  CHECK_INT(found, 1);
  CHECK_LE(fabs(limber_convergence_horizon(c) - 0.5), 1e-9);
  CHECK(limber_convergence_step(c) > 0);
  CHECK_INT(LimberConvergenceGetRow(c, 6, &bar), LIMBER_ERROR_ARGUMENT);
  CHECK_INT(LimberConvergenceDestroy(&c), 0);
  CHECK(!c);
  CHECK_INT(LimberConverge("nowhere.yaml", 0.01, 0, false, 0, NULL, &c), LIMBER_ERROR_ARGUMENT);
  CHECK_INT(LimberConverge("model.yaml", 2, 0, false, 0, NULL, &c), LIMBER_ERROR_ARGUMENT);
}

CHECK_MAIN
