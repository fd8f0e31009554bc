// SPDX-License-Identifier: Apache-2.0
// A picture of the mechanism alone and a film of the page, both drawn by the page in Chromium.
#include "console/browser.h"
#include "console/console.h"
#include "post/view/view.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WIDTH = 1600, HEIGHT = 1000, LEAST = 16, MOST = 8192 };

const char viewer_ready[] = "window.limber && limber.ready";

static void print_no_page(const char *browser) {
  print_command_error(view_name, "%s did not show the page; does `%s --headless=new --version` work?", browser,
                      browser);
}

static bool read_size(const char *text, ViewPicture *out) {
  int n = 0;
  out->width = WIDTH, out->height = HEIGHT;
  if (!text) return true;
  if (sscanf(text, "%5dx%5d%n", &out->width, &out->height, &n) == 2 && !text[n] && out->width >= LEAST &&
      out->width <= MOST && out->height >= LEAST && out->height <= MOST)
    return true;
  return print_command_error(view_name, "--size needs pixels from %d to %d such as %dx%d, not '%s'", LEAST, MOST, WIDTH,
                             HEIGHT, text),
         false;
}

// A number of seconds, or of another unit of time: "1.2", "1.2s", "5 ms".
static bool read_time(const char *at, const char **end, double *t) {
  static const struct {
    const char *name;
    double seconds;
  } units[] = {{"ms", 1e-3}, {"s", 1}, {"", 1}};
  char *rest;
  *t = strtod(at, &rest);
  if (rest == at) return false;
  rest += strspn(rest, " ");
  size_t i = 0, n = strcspn(rest, ",");
  while (i < 3 && (strlen(units[i].name) != n || strncmp(rest, units[i].name, n))) i++;
  if (i == 3) return false;
  *t *= units[i].seconds, *end = rest + n;
  return true;
}

// Times of the run, each within its snapshots; by default the last of them.
static bool read_times(const ViewerPage *v, const char *text, ViewPicture *out) {
  const double *times;
  int n = results_snapshots(v->run, &times);
  double from = n ? times[0] : results_time(v->run)[0], to = n ? times[n - 1] : from;
  if (!text) return out->at[0] = to, out->times = 1, true;
  for (const char *at = text;; at++) {
    double t = 0;
    if (out->times == PICTURE_TIMES)
      return print_command_error(view_name, "--at takes at most %d times", PICTURE_TIMES), false;
    if (!read_time(at, &at, &t))
      return print_command_error(view_name, "--at needs a time such as 1.2, or several such as 0,0.5,1, not '%s'",
                                 text),
             false;
    if (!(t >= from - 1e-9 && t <= to + 1e-9 * (1 + to)))
      return print_command_error(view_name, "the snapshots reach from %g to %g s, not to %g s", from, to, t), false;
    out->at[out->times++] = t;
    if (!*at) return true;
  }
}

// As of `limber check --view`, or a direction that points from the mechanism at the reader.
static bool read_direction(const char *text, ViewPicture *out) {
  double d[3];
  int n = 0;
  *out->direction = 0;
  if (!text || !strcmp(text, "iso")) return snprintf(out->direction, sizeof out->direction, "null"), true;
  if (strlen(text) == 1 && strchr("xyz", *text))
    return snprintf(out->direction, sizeof out->direction, "'%s'", text), true;
  if (sscanf(text, "%lf,%lf,%lf%n", &d[0], &d[1], &d[2], &n) == 3 && !text[n] &&
      d[0] * d[0] + d[1] * d[1] + d[2] * d[2] > 0)
    return snprintf(out->direction, sizeof out->direction, "[%.9g,%.9g,%.9g]", d[0], d[1], d[2]), true;
  return print_command_error(view_name, "--view is x, y, z, iso or a direction such as 1,-2,0.5, not '%s'", text),
         false;
}

bool picture_possible(const ViewerPage *v, ViewPicture *out) {
  static const char *const needs_picture[] = {"at", "size", "view"};
  char program[4200];
  *out = (ViewPicture){.path = argument_value(v->arguments, "picture")};
  for (int i = 0; i < 3 && !out->path; i++)
    if (argument_value(v->arguments, needs_picture[i]))
      return print_command_error(view_name, "--%s needs --picture mechanism.png", needs_picture[i]), false;
  if (!out->path) return true;
  size_t n = strlen(out->path);
  if (!is_device(out->path) && (n < 5 || strcmp(out->path + n - 4, ".png")))
    return print_command_error(view_name, "a picture ends in .png, not as '%s'", out->path), false;
  if (!browser_find(v->arguments, program, sizeof program))
    return print_command_error(view_name, "a picture needs Chromium, which is not installed: apt-get install chromium"),
           false;
  return read_size(argument_value(v->arguments, "size"), out) &&
         read_times(v, argument_value(v->arguments, "at"), out) &&
         read_direction(argument_value(v->arguments, "view"), out) &&
         check_output(view_name, v->arguments, out->path, FILE_PNG);
}

static bool take_picture(const ViewerPage *v, Browser *b, const ViewPicture *p) {
  const BrowserControl *control = v->arguments->browser;
  OutputFile f;
  char text[400] = "limber.picture([";
  for (int i = 0; i < p->times; i++) {
    size_t n = strlen(text);
    snprintf(text + n, sizeof text - n, "%s%.9g", i ? "," : "", p->at[i]);
  }
  size_t n = strlen(text);
  snprintf(text + n, sizeof text - n, "],%s)", p->direction);
  const char *picture = control->value(b, text) ? control->picture(b, PICTURE_PNG) : NULL;
  if (!picture || !begin_output(view_name, v->arguments, p->path, FILE_PNG, &f)) return false;
  if (control->save(fileno(f.out), picture)) return end_output(view_name, &f);
  return output_discard(&f), false;
}

ExitCode picture_make(const ViewerPage *v, const ViewPicture *p) {
  const BrowserControl *control = v->arguments->browser;
  char program[4200];
  if (!browser_find(v->arguments, program, sizeof program)) return EXIT_MISTAKE;
  Browser *b = control->start(program, v->path, "#picture", p->width, p->height);
  bool shown = b && control->wait(b, viewer_ready), good = shown && take_picture(v, b, p);
  control->end(b);
  if (!shown) print_no_page(program);
  else if (!good) print_command_error(view_name, "the picture broke off: '%s' was not written", p->path);
  if (!good) return EXIT_MACHINE;
  char at[120];
  printf("%s: %d x %d, at %s\n", p->path, p->width, p->height,
         results_at(v->run, p->at[p->times - 1], at, sizeof at) + (strcmp(results_axis_units(v->run), "s") ? 0 : 4));
  return EXIT_GOOD;
}

// A film of a page: Chromium draws each picture, FFmpeg puts them together.

enum { FILM_WIDTH = 1280, FILM_HEIGHT = 720, RATE = 30, SECONDS = 10 };

static const char *const film_names[] = {"ffmpeg", NULL};

static bool seconds_of(const ViewerPage *v, double *seconds) {
  const char *text = argument_value(v->arguments, "seconds");
  *seconds = SECONDS;
  if (text && !parse_option_number(view_name, "seconds", text, seconds)) return false;
  if (*seconds > 0 && *seconds <= 600) return true;
  return print_command_error(view_name, "--seconds needs a time from 0 to 600 s, not '%s'", text), false;
}

bool video_possible(const ViewerPage *v, const char *path) {
  char program[4200];
  double seconds;
  size_t n = strlen(path);
  if (n < 5 || (strcmp(path + n - 4, ".mp4") && (n < 6 || strcmp(path + n - 5, ".webm"))))
    return print_command_error(view_name, "a video ends in .mp4 or .webm, not as '%s'", path), false;
  bool write_pictures = program_find(film_names, program, sizeof program),
       browser = browser_find(v->arguments, program, sizeof program);
  if (!write_pictures || !browser)
    return print_command_error(view_name, "a video needs %s%s%s, which %s not installed: apt-get install%s%s",
                               browser ? "" : "Chromium", !browser && !write_pictures ? " and " : "",
                               write_pictures ? "" : "FFmpeg", browser || write_pictures ? "is" : "are",
                               browser ? "" : " chromium", write_pictures ? "" : " ffmpeg"),
           false;
  return seconds_of(v, &seconds) && check_output(view_name, v->arguments, path, FILE_VIDEO);
}

static bool start_film(const char *path, int *pictures, pid_t *process) {
  char program[4200], rate[12], comment[40];
  int low[2], end;
  if (!program_find(film_names, program, sizeof program) || pipe(low)) return false;
  end = fcntl(low[1], F_DUPFD_CLOEXEC, 10), close(low[1]);
  snprintf(rate, sizeof rate, "%d", RATE), snprintf(comment, sizeof comment, "comment=%s", file_video_sign);
  const char *argv[] = {program,     "-y",         "-loglevel", "error", "-f", "image2pipe", "-framerate",
                        rate,        "-c:v",       "mjpeg",     "-i",    "-",  "-pix_fmt",   "yuv420p",
                        "-movflags", "+faststart", "-metadata", comment, path, NULL};
  bool good = program_start((char *const *)argv, (const int[][2]){{low[0], 0}, {-1, -1}}, process);
  close(low[0]);
  *pictures = end;
  return good;
}

static bool write_pictures(const BrowserControl *control, Browser *b, int pictures, int count) {
  char text[200];
  bool told = on_terminal();
  for (int i = 0; i < count; i++) {
    double s = count > 1 ? (double)i / (count - 1) : 0;
    snprintf(text, sizeof text, "limber.setTime(limber.first + %.9g*(limber.last - limber.first)), limber.draw(), 1",
             s);
    const char *picture = control->value(b, text) ? control->picture(b, PICTURE_JPEG) : NULL;
    if (!picture || !control->save(pictures, picture)) return false;
    if (told) printf("\r  picture %d of %d", i + 1, count), fflush(stdout);
  }
  if (told) printf("\r%*s\r", 40, "");
  return true;
}

ExitCode video_make(ViewerPage *v, const char *path) {
  const BrowserControl *control = v->arguments->browser;
  OutputFile f = {.out = NULL};
  char program[4200];
  double seconds;
  int pictures = -1, status = 1;
  pid_t process = -1;
  if (!seconds_of(v, &seconds)) return EXIT_MISTAKE;
  int count = (int)(seconds * RATE + 0.5) > 1 ? (int)(seconds * RATE + 0.5) : 2;
  if (!browser_find(v->arguments, program, sizeof program)) return EXIT_MISTAKE;
  Browser *b = control->start(program, v->path, "#film", FILM_WIDTH, FILM_HEIGHT);
  bool good = b && control->wait(b, viewer_ready);
  if (!good) print_no_page(program);
  else if (!begin_output(view_name, v->arguments, path, FILE_VIDEO, &f)) good = false;
  else if (!(good = start_film(f.part, &pictures, &process) && write_pictures(control, b, pictures, count)))
    print_command_error(view_name, "the video is incomplete");
  if (pictures >= 0) close(pictures);
  if (process > 0) waitpid(process, &status, 0);
  control->end(b);
  if (good && status) print_command_error(view_name, "FFmpeg could not write '%s'", path);
  if (!good || status) return output_discard(&f), EXIT_MACHINE;
  if (!end_output(view_name, &f)) return EXIT_MACHINE;
  printf("%s: %d pictures, %g s\n", path, count, (double)count / RATE);
  return EXIT_GOOD;
}
