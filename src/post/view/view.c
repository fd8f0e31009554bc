// SPDX-License-Identifier: Apache-2.0
// `limber view`: arrays of numbers, the page around them, and what it says of the run.
#include "post/view/view.h"

#include "console/library_commands.h"
#include "post/page/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// Arrays of the page, one after the other, named in its JSON.

const char *const view_name = "view";

static const struct {
  const char *name;
  size_t size;
} types[] = {[VIEW_U16] = {"u16", 2}, [VIEW_I32] = {"i32", 4}, [VIEW_F32] = {"f32", 4}, [VIEW_F64] = {"f64", 8}};

static void append_array(ViewerPage *v, const char *name, ViewType type, size_t count, const void *values) {
  size_t size = count * types[type].size, before = (size_t)v->bytes.count, room = (size + 7) / 8 * 8;
  if (MemoryResize(before + room + 1, &v->bytes.data)) v->machine = true;
  if (v->machine) return;
  char *at = (char *)v->bytes.data + before;
  if (size) memcpy(at, values, size);
  memset(at + size, 0, room - size);
  v->bytes.count += (int)room;
  fprintf(v->json, "%s\"%s\":[\"%s\",%zu,%zu", before ? ",\n" : "", name, types[type].name, before, count);
}

void view_array(ViewerPage *v, const char *name, ViewType type, size_t count, const void *values) {
  append_array(v, name, type, count, values);
  fputs("]", v->json);
}

void view_quantised(ViewerPage *v, const char *name, size_t count, const double *values, double *step) {
  double lo = INFINITY, hi = -INFINITY;
  uint16_t *q = NULL;
  for (size_t i = 0; i < count; i++)
    if (isfinite(values[i])) lo = fmin(lo, values[i]), hi = fmax(hi, values[i]);
  if (!(lo <= hi)) lo = hi = 0;
  *step = (hi - lo) / 65535;
  if (MemoryNew((count + 1) * sizeof *q, &q)) v->machine = true;
  if (v->machine) return;
  for (size_t i = 0; i < count; i++)
    q[i] = *step > 0 && isfinite(values[i]) ? (uint16_t)((values[i] - lo) / *step + 0.5) : 0;
  append_array(v, name, VIEW_U16, count, q);
  fprintf(v->json, ",%.9g,%.9g]", lo, hi);
  memory_free(&q);
}

// The page is the viewer as it was built (viewer/dist/viewer.html), with the run in the place of its mark.

extern const char viewer_page[]; // made by CMake from the file

// Writes the page. `text`: members of an object in JSON.
static bool view_write(ViewerPage *v, const char *text, const char *arrays) {
  static const char mark[] = "<!--run-->";
  const char *at = strstr(viewer_page, mark);
  OutputFile file;
  if (!at) return print_command_error(view_name, "the viewer has no place for a run"), v->machine = true, false;
  if (!begin_output(view_name, v->arguments, v->path, FILE_HTML, &file)) return false;
  FILE *f = file.out;
  fwrite(viewer_page, 1, (size_t)(at - viewer_page), f);
  fprintf(f, "<script type=\"application/json\" id=\"run\">{%s,\n\"arrays\":{%s}}</script>\n", text, arrays);
  fputs("<script type=\"text/plain\" id=\"bytes\">", f);
  base64_write(f, v->bytes.data, (size_t)v->bytes.count);
  fputs("</script>\n", f);
  fputs(at + strlen(mark), f);
  v->machine = !end_output(view_name, &file);
  return !v->machine;
}

// ---- notes on the run ----

static void write_fact(ViewerPage *v, const char *name, const char *text) {
  if (!*text) return;
  fputs(v->scene.first ? "[" : ",\n[", v->scene.json);
  json_text(v->scene.json, name);
  fputs(",", v->scene.json);
  json_text(v->scene.json, text);
  fputs("]", v->scene.json);
  v->scene.first = false;
}

// The sum of a column, as of steps and iterations.
static double sum_of(ViewerPage *v, const char *column) {
  double sum = 0, *x = column_values(v->run, column);
  for (int i = 0; x && i < results_rows(v->run); i++) sum += x[i];
  free(x);
  return sum;
}

static void write_attribute_fact(ViewerPage *v, const char *name, const char *attribute) {
  char text[4000];
  results_text(v->run, attribute, text, sizeof text);
  write_fact(v, name, text);
}

static void write_real_fact(ViewerPage *v, const char *name, const char *attribute, const char *unit) {
  char text[60];
  double x = results_real(v->run, attribute, NAN);
  snprintf(text, sizeof text, "%.6g%s", x, unit);
  if (isfinite(x)) write_fact(v, name, text);
}

static void write_events(ViewerPage *v) {
  enum { MOST = 20 };
  char text[200];
  ResultEvents e = results_events(v->run);
  for (int i = 0; i < e.count && i < MOST; i++) {
    snprintf(text, sizeof text, "%s at %.6g s, %.4g J", e.name[i], e.time[i], e.loss[i]);
    write_fact(v, "Event", text);
  }
  result_events_free(&e);
}

static void write_facts(ViewerPage *v) {
  Model m = v->in->model;
  char text[400], status[40];
  double steps = sum_of(v, "steps.substeps"), rejected = sum_of(v, "steps.rejected");
  fputs(",\n\"notes\":[", v->scene.json);
  v->scene.first = true;
  bool in_time = !strcmp(results_axis_units(v->run), "s"); // others take no steps in time
  if (in_time) {
    write_attribute_fact(v, "Scheme", "scheme");
    write_real_fact(v, "Step", "step", " s");
    write_real_fact(v, "End", "end", " s");
  }
  write_fact(v, "Status", results_status(v->run, status, sizeof status));
  snprintf(text, sizeof text, "%.0f, with %.2f Newton iterations each", steps,
           steps > 0 ? sum_of(v, "steps.iterations") / steps : 0);
  if (in_time) write_fact(v, "Steps", text);
  snprintf(text, sizeof text, "%.0f", rejected);
  if (rejected > 0) write_fact(v, "Steps repeated", text);
  snprintf(text, sizeof text, "%d nodes, %d elements, %d joints, %d loads", m->nodes.count - 1, m->elements.count,
           m->joints.count, m->loads.count);
  write_fact(v, "Model", text);
  for (int i = 0; i < v->in->changes; i++) write_fact(v, "Changed", v->in->change[i]);
  write_attribute_fact(v, "Remark", "remarks");
  write_events(v);
  for (int i = 0; i < v->in->diagnostics.count; i++) write_fact(v, "Warning", v->in->diagnostics.diagnostic[i].text);
  snprintf(text, sizeof text, "%d of %d snapshots; positions rounded to %.1e m", v->frames, v->snapshots,
           v->position_error);
  write_fact(v, "Frames",
             v->snapshots ? text
             : in_time    ? "none: the run saved no snapshots, so the model does not move"
                          : "none: this analysis saves no shapes");
  snprintf(text, sizeof text, "%d rows", v->rows_of);
  if (v->rows < v->rows_of)
    snprintf(text, sizeof text,
             "%d rows, reduced to minimum and maximum per bin of %.3g: exact values, times shifted by up to %.2g s",
             v->rows_of, 2.0 * v->rows_of / v->rows, v->row_shift);
  write_fact(v, "Histories", text);
  write_attribute_fact(v, "Computed by Limber", "limber");
  write_fact(v, "Page by Limber", limber_version());
  fputs("]", v->scene.json);
}

// Of results of limber modes the names of the modes, of which the k-th stands from time k to k + 1.
static void write_modes(ViewerPage *v) {
  enum { MOST = 1 << 16 };
  char analysis[40], *names = calloc(1, MOST);
  results_text(v->run, "analysis", analysis, sizeof analysis);
  if (names && !strcmp(analysis, "modes") && results_text(v->run, "mode_names", names, MOST)) {
    fputs("\"modes\":[", v->scene.json);
    for (char *line = names, *end; (end = strchr(line, '\n')); line = end + 1) {
      *end = 0;
      if (line > names) fputc(',', v->scene.json);
      json_text(v->scene.json, line);
    }
    fputs("],\n", v->scene.json);
  }
  free(names);
}

// Marks on the bar of time: name, time, energy taken.
static void write_event_marks(ViewerPage *v) {
  enum { MOST = 2000 };
  ResultEvents e = results_events(v->run);
  for (int i = 0; i < e.count && i < MOST; i++) {
    fputs(i ? ",[" : "\"events\":[[", v->scene.json);
    json_text(v->scene.json, e.name[i]);
    fprintf(v->scene.json, ",%.12g,%.6g]", isfinite(e.time[i]) ? e.time[i] : 0, isfinite(e.loss[i]) ? e.loss[i] : 0);
  }
  if (e.count) fputs("],\n", v->scene.json);
  result_events_free(&e);
}

static void write_head(ViewerPage *v) {
  char title[400];
  const char *file = results_file(v->run);
  results_text(v->run, "title", title, sizeof title);
  fputs("\"title\":", v->scene.json);
  json_text(v->scene.json, *title ? title : file);
  fputs(",\"file\":", v->scene.json);
  json_text(v->scene.json, file);
  fputs(",\"model\":", v->scene.json);
  json_text(v->scene.json, v->in->text);
  if (strcmp(results_axis_units(v->run), "s")) { // of an analysis that is no run in time
    fputs(",\"axis\":", v->scene.json);
    json_text(v->scene.json, results_axis(v->run));
    fputs(",\"axis_units\":", v->scene.json);
    json_text(v->scene.json, strcmp(results_axis_units(v->run), "1") ? results_axis_units(v->run) : "");
  }
  fputs(",\n", v->scene.json);
  write_modes(v);
  write_event_marks(v);
}

// ---- the command ----

static bool write_contents(ViewerPage *v) {
  char *arrays = NULL, *text = NULL;
  size_t arrays_size = 0, size = 0;
  v->json = open_memstream(&arrays, &arrays_size), v->scene.json = open_memstream(&text, &size);
  v->machine = !v->json || !v->scene.json;
  if (!v->machine) {
    write_head(v);
    v->machine = SceneWrite(v->in->model, &v->scene) != 0;
  }
  bool good = !v->machine && view_frames(v) && view_history(v);
  if (good) write_facts(v);
  if (v->json) fclose(v->json);
  if (v->scene.json) fclose(v->scene.json);
  v->json = NULL, v->scene.json = NULL;
  good = good && !v->machine && view_write(v, text, arrays);
  free(arrays), free(text);
  return good;
}

static void print_summary(const ViewerPage *v) {
  struct stat s;
  printf("%s: %.1f MB", v->path, stat(v->path, &s) ? 0 : (double)s.st_size / 1e6);
  if (v->snapshots) printf(", %d of %d snapshots, positions to %.1e m", v->frames, v->snapshots, v->position_error);
  printf(", %d rows", v->rows_of);
  if (v->rows < v->rows_of) printf(", reduced to minimum and maximum per bin of %.3g", 2.0 * v->rows_of / v->rows);
  printf("; open it in a browser\n");
  if (!v->snapshots && strcmp(results_axis_units(v->run), "s"))
    puts("this analysis saves no shapes, so the page shows the model at rest and the plots");
  else if (!v->snapshots)
    printf("the run saved no snapshots, so the model does not move: set `snapshots: 10 ms` in the part `run` of the "
           "model,\nor leave out `snapshots` for a hundred of them, and run the model again\n");
}

// pendulum.h5 becomes pendulum.html, in the present folder.
static bool read_path(ViewerPage *v) {
  const char *frames = argument_value(v->arguments, "frames");
  if (frames && (frames[strspn(frames, "0123456789")] || atoi(frames) < 2))
    return print_command_error(view_name, "--frames needs a whole number from 2 on, not '%s'", frames), false;
  return page_path(view_name, v->arguments, argument_value(v->arguments, "output"), v->run, ".html", v->path,
                   sizeof v->path);
}

int limber_command_view(const Arguments *a) {
  ViewerPage *v = calloc(1, sizeof *v);
  const char *video = argument_value(a, "video");
  ViewPicture picture;
  ExitCode code = EXIT_MISTAKE;
  if (!is_printing_process() || !v) return free(v), v ? EXIT_GOOD : EXIT_MACHINE;
  v->arguments = a;
  if (open_results(view_name, a->word[0], &v->run) && read_path(v) && picture_possible(v, &picture) &&
      (!video || video_possible(v, video)) && run_model(view_name, v->run, &v->in, &v->machine) && write_contents(v)) {
    if (!is_device(v->path)) print_summary(v);
    code = picture.path ? picture_make(v, &picture) : EXIT_GOOD;
    if (code == EXIT_GOOD && video) code = video_make(v, video);
  }
  if (v->machine) code = EXIT_MACHINE;
  if (v->in) InputDestroy(&v->in);
  if (v->run) results_close(&v->run);
  scene_free(&v->scene);
  memory_free(&v->bytes.data), memory_free(&v->shown);
  free(v);
  return code;
}
