// SPDX-License-Identifier: Apache-2.0
// A film of a page: Chromium draws each picture, FFmpeg puts them together.
#include "console/browser.h"
#include "console/programs.h"
#include "post/view/view.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WIDTH = 1280, HEIGHT = 720, RATE = 30, SECONDS = 10 };

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
    return print_command_error(view_name, "a video needs %s%s%s, which %s not here: apt-get install%s%s",
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
  Browser *b = control->start(program, v->path, "#film", WIDTH, HEIGHT);
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
