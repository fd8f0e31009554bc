// SPDX-License-Identifier: Apache-2.0
// Chromium without a window, through its debugging pipe: messages in JSON on descriptors 3 and 4, each with a zero
// behind it.
#include "console/browser.h"

#include "cli/command.h"
#include "console/console.h"
#include "files/folder.h"
#include "model/model.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct Browser {
  pid_t process;
  int to, from;
  char folder[4200]; // its own, for what it writes
  char session[80];
  int number;
  ModelArray text; // bytes that came; the message that was taken last stands at the start
  size_t taken;
};

// ---- messages ----

// A pipe whose ends are closed in programs that are started, and stay clear of the low numbers.
static bool make_pipe(int end[2]) {
  int low[2];
  if (pipe(low)) return false;
  for (int i = 0; i < 2; i++) {
    end[i] = fcntl(low[i], F_DUPFD_CLOEXEC, 10);
    close(low[i]);
  }
  return end[0] >= 0 && end[1] >= 0;
}

static bool send_text(Browser *b, const char *text) {
  size_t n = strlen(text) + 1;
  for (size_t done = 0; done < n;) {
    ssize_t wrote = write(b->to, text + done, n - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return false;
    done += (size_t)wrote;
  }
  return true;
}

// The next message; it stands until the next is asked for.
static const char *next_message(Browser *b) {
  char *data = b->text.data;
  if (b->taken) {
    memmove(data, data + b->taken, (size_t)b->text.count - b->taken);
    b->text.count -= (int)b->taken, b->taken = 0;
  }
  for (size_t seen = 0;;) {
    const char *end = b->text.count ? memchr((char *)b->text.data + seen, 0, (size_t)b->text.count - seen) : NULL;
    if (end) return b->taken = (size_t)(end - (char *)b->text.data) + 1, b->text.data;
    seen = (size_t)b->text.count;
    if (b->text.room - b->text.count < 1 << 16) {
      b->text.room = 2 * b->text.room + (1 << 17);
      if (MemoryResize((size_t)b->text.room, &b->text.data)) return NULL;
    }
    ssize_t got = read(b->from, (char *)b->text.data + b->text.count, 1 << 16);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return NULL;
    b->text.count += (int)got;
  }
}

// Sends a command with parameters in JSON and waits for its answer; NULL: the browser is gone or refuses.
static const char *call_method(Browser *b, const char *method, const char *parameters) {
  char *text = NULL, head[40];
  size_t size;
  const char *reply;
  FILE *f = open_memstream(&text, &size);
  if (!f) return NULL;
  fprintf(f, "{\"id\":%d,\"method\":\"%s\",\"params\":%s", ++b->number, method, parameters);
  if (*b->session) fprintf(f, ",\"sessionId\":\"%s\"", b->session);
  fputs("}", f);
  bool sent = !fclose(f) && send_text(b, text);
  free(text);
  snprintf(head, sizeof head, "{\"id\":%d,", b->number);
  while (sent && (reply = next_message(b)))
    if (!strncmp(reply, head, strlen(head))) return strstr(reply, "\"error\":{") ? NULL : reply;
  return NULL;
}

// The text behind "key":" in an answer.
static bool take_json_text(const char *reply, const char *key, char *out, size_t size) {
  char mark[40];
  snprintf(mark, sizeof mark, "\"%s\":\"", key);
  const char *at = reply ? strstr(reply, mark) : NULL;
  if (at) at += strlen(mark), snprintf(out, size, "%.*s", (int)strcspn(at, "\""), at);
  return at != NULL;
}

// ---- the browser ----

static bool start_process(Browser *b, const char *program, int width, int height) {
  int to[2], from[2], null = open("/dev/null", O_RDWR | O_CLOEXEC);
  char size[60], folder[4300];
  snprintf(size, sizeof size, "--window-size=%d,%d", width, height);
  snprintf(folder, sizeof folder, "--user-data-dir=%s", b->folder);
  const char *argv[] = {program,
                        "--headless=new",
                        "--remote-debugging-pipe",
                        "--use-angle=swiftshader",
                        "--enable-unsafe-swiftshader",
                        "--disable-dev-shm-usage",
                        "--no-first-run",
                        "--hide-scrollbars",
                        "--disable-background-networking",
                        size,
                        folder,
                        geteuid() == 0 ? "--no-sandbox" : "about:blank",
                        "about:blank",
                        NULL};
  if (null < 0 || !make_pipe(to) || !make_pipe(from)) return false;
  const int fd[][2] = {{null, 1}, {null, 2}, {to[0], 3}, {from[1], 4}, {-1, -1}};
  const char *before = getenv("TMPDIR");
  char *previous = before ? strdup(before) : NULL;
  setenv("TMPDIR", b->folder, 1);
  bool good = program_start((char *const *)argv, fd, &b->process);
  if (previous) setenv("TMPDIR", previous, 1);
  else unsetenv("TMPDIR");
  free(previous);
  close(to[0]), close(from[1]), close(null);
  b->to = to[1], b->from = from[0];
  return good;
}

// A file as an address: what is not a plain letter is written as %XX.
static bool address_of(const char *page, const char *part, char *out, size_t size) {
  char *full = realpath(page, NULL);
  size_t n = (size_t)snprintf(out, size, "file://");
  if (!full) return false;
  for (const char *c = full; *c && n + 4 < size; c++)
    n += (size_t)snprintf(out + n, size - n, strchr("/._-", *c) || isalnum((unsigned char)*c) ? "%c" : "%%%02X",
                          (unsigned char)*c);
  free(full);
  snprintf(out + n, size - n, "%s", part);
  return true;
}

static int remove_one(const char *path, const struct stat *s, int kind, struct FTW *at) {
  (void)s, (void)kind, (void)at;
  remove(path);
  return 0;
}

static void end_browser(Browser *b) {
  if (!b) return;
  if (b->to >= 0) close(b->to);
  if (b->from >= 0) close(b->from);
  bool gone = b->process <= 0;
  for (int i = 0; i < 100 && !gone; i++) { // it ends when nobody listens any more
    gone = waitpid(b->process, NULL, WNOHANG) != 0;
    if (!gone) nanosleep(&(struct timespec){0, 50000000}, NULL);
  }
  if (!gone) kill(b->process, SIGKILL), waitpid(b->process, NULL, 0);
  if (*b->folder) nftw(b->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
  memory_free(&b->text.data);
  memory_free(&b);
}

static bool show_page(Browser *b, const char *program, const char *page, const char *part, int width, int height) {
  char target[80], text[13000], address[12800];
  if (!address_of(page, part, address, sizeof address)) return false;
  snprintf(b->folder, sizeof b->folder, "%s/limber_view_XXXXXX", temporary_folder());
  if (!mkdtemp(b->folder)) return b->folder[0] = 0, false;
  signal(SIGPIPE, SIG_IGN);
  if (!start_process(b, program, width, height)) return false;
  if (!take_json_text(call_method(b, "Target.createTarget", "{\"url\":\"about:blank\"}"), "targetId", target,
                      sizeof target))
    return false;
  snprintf(text, sizeof text, "{\"targetId\":\"%s\",\"flatten\":true}", target);
  char session[sizeof b->session];
  if (!take_json_text(call_method(b, "Target.attachToTarget", text), "sessionId", session, sizeof session))
    return false;
  memcpy(b->session, session, sizeof session);
  snprintf(text, sizeof text, "{\"width\":%d,\"height\":%d,\"deviceScaleFactor\":1,\"mobile\":false}", width, height);
  if (!call_method(b, "Emulation.setDeviceMetricsOverride", text)) return false;
  snprintf(text, sizeof text, "{\"url\":\"%s\"}", address);
  return call_method(b, "Page.navigate", text) != NULL;
}

static Browser *start_browser(const char *program, const char *page, const char *part, int width, int height) {
  Browser *b = calloc(1, sizeof *b);
  if (!b) return NULL;
  b->to = b->from = -1;
  if (show_page(b, program, page, part, width, height)) return b;
  end_browser(b);
  return NULL;
}

static bool find_browser(char *program, size_t size) {
  static const char *const names[] = {"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", NULL};
  return program_find(names, program, size);
}

static const char *ask_value(Browser *b, const char *expression) {
  char text[400];
  snprintf(text, sizeof text, "{\"expression\":\"%s\",\"returnByValue\":true,\"awaitPromise\":true}", expression);
  const char *reply = call_method(b, "Runtime.evaluate", text);
  return reply && !strstr(reply, "\"exceptionDetails\"") ? strstr(reply, "\"value\":") : NULL;
}

static bool wait_until(Browser *b, const char *expression) {
  enum { PATIENCE = 600 }; // tenths of a second
  char text[300];
  snprintf(text, sizeof text, "!!(%s)", expression);
  for (int i = 0; i < PATIENCE; i++) {
    const char *value = ask_value(b, text);
    if (value && !strncmp(value, "\"value\":true", 12)) return true;
    ask_value(b, "new Promise(r => setTimeout(() => r(1), 100))");
  }
  return false;
}

// The next bytes of a text of 64 letters (RFC 4648), at most `room`, a multiple of 3; the text moves on. 0: it has
// ended.
static size_t read_base64(const char **text, unsigned char *out, size_t room) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  unsigned long x = 0;
  size_t n = 0;
  const char *at;
  for (int bits = 0; n < room && **text && (at = strchr(digits, **text)); ++*text) {
    x = x << 6 | (unsigned long)(at - digits), bits += 6;
    if (bits >= 8) bits -= 8, out[n++] = (unsigned char)(x >> bits & 255);
  }
  return n;
}

static bool save_base64(int fd, const char *text) {
  unsigned char block[3 << 12];
  for (size_t n; (n = read_base64(&text, block, sizeof block)) > 0;)
    for (size_t done = 0; done < n;) {
      ssize_t wrote = write(fd, block + done, n - done);
      if (wrote < 0 && errno != EINTR) return false;
      if (wrote > 0) done += (size_t)wrote;
    }
  return true;
}

static const char *take_picture(Browser *b, PictureFormat format) {
  const char *reply =
      call_method(b, "Page.captureScreenshot",
                  format == PICTURE_PNG ? "{\"format\":\"png\"}" : "{\"format\":\"jpeg\",\"quality\":92}");
  const char *at = reply ? strstr(reply, "\"data\":\"") : NULL;
  return at ? at + strlen("\"data\":\"") : NULL;
}

static const char *print_pdf(Browser *b) {
  const char *reply = call_method(b, "Page.printToPDF", "{\"printBackground\":true,\"preferCSSPageSize\":true}");
  const char *at = reply ? strstr(reply, "\"data\":\"") : NULL;
  return at ? at + strlen("\"data\":\"") : NULL;
}

const BrowserControl browser_control = {find_browser, start_browser, ask_value,   wait_until,
                                        take_picture, print_pdf,     save_base64, end_browser};
