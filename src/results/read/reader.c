// SPDX-License-Identifier: Apache-2.0
// Runs the child process that reads HDF5 files, and exchanges messages with it (reader.h).
#define _GNU_SOURCE // SOCK_CLOEXEC
#include "results/read/reader.h"

#include "files/claim.h"

#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

// ---- messages ----

static char *make_room(Message *m, size_t size) {
  if (m->bad || size > SIZE_MAX / 4 - m->size) return m->bad = true, NULL;
  if (m->size + size > m->room) {
    size_t room = 2 * (m->size + size) + 64;
    char *more = realloc(m->data, room);
    if (!more) return m->bad = true, NULL;
    m->data = more, m->room = room;
  }
  m->size += size;
  return m->data + m->size - size;
}

void message_put(Message *m, const void *data, size_t size) {
  char *at = make_room(m, size);
  if (at && size) memcpy(at, data, size);
}

void message_put_count(Message *m, long n) { message_put(m, &n, sizeof n); }

void message_put_text(Message *m, const char *text) {
  message_put_count(m, text ? (long)strlen(text) : -1);
  if (text) message_put(m, text, strlen(text));
}

void message_put_texts(Message *m, char *const *text, int count) {
  message_put_count(m, text ? count : -1);
  for (int i = 0; text && i < count; i++) message_put_text(m, text[i]);
}

static bool message_has(Message *m, size_t size) {
  if (m->bad || size > m->size - m->at) m->bad = true;
  return !m->bad;
}

void message_take(Message *m, void *data, size_t size) {
  if (!message_has(m, size)) memset(data, 0, size);
  else if (size) memcpy(data, m->data + m->at, size), m->at += size;
}

long message_take_count(Message *m) {
  long n;
  message_take(m, &n, sizeof n);
  return n;
}

char *message_take_text(Message *m) {
  long n = message_take_count(m);
  if (n < 0 || !message_has(m, (size_t)n)) return NULL;
  char *text = strndup(m->data + m->at, (size_t)n);
  m->at += (size_t)n;
  if (!text) m->bad = true;
  return text;
}

char **message_take_texts(Message *m, int *count) {
  long n = message_take_count(m);
  if (n >= INT_MAX) m->bad = true;
  char **text =
      n >= 0 && message_has(m, (size_t)n) ? calloc((size_t)n + 1, sizeof *text) : NULL; // a text takes at least a byte
  *count = text ? (int)n : 0;
  for (int i = 0; i < *count; i++)
    if (!(text[i] = message_take_text(m))) m->bad = true;
  if (m->bad) texts_free(text, *count), *count = 0, text = NULL;
  return text;
}

void *message_take_array(Message *m, long count, size_t size) {
  if (count < 0 || (size_t)count > SIZE_MAX / 4 / size || !message_has(m, (size_t)count * size))
    return m->bad = true, NULL;
  void *array = malloc(((size_t)count + 1) * size);
  if (array) message_take(m, array, (size_t)count * size);
  else m->bad = true;
  return array;
}

void texts_free(char **text, int count) {
  for (int i = 0; text && i < count; i++) free(text[i]);
  free(text);
}

void message_free(Message *m) {
  free(m->data);
  *m = (Message){0};
}

// ---- the process ----

struct Reader {
  int fd;
  pid_t child, owner; // owner: the process that started it
  ReaderAnswer answer;
  void *self;
  bool ended;
  Reader *next; // list of all readers of this process
};
static Reader *readers;

static void answer_quietly(ReaderAnswer answer, void *self, Message *question, Message *reply) {
  *reply = (Message){0};
  H5E_BEGIN_TRY { answer(self, question, reply); }
  H5E_END_TRY;
}

#ifdef LIMBER_NO_GUARD // a fuzzer runs the answers in its own process
static bool start_child(Reader *r, const char *path) {
  (void)path;
  r->fd = -1;
  return true;
}
static bool ask_child(Reader *r, const Message *question, Message *answer) {
  Message copy = *question;
  answer_quietly(r->answer, r->self, &copy, answer);
  return true;
}
static void end_child(Reader *r) { (void)r; }
#else
// ---- limits ----

enum { SECONDS = 3, BYTES_A_SECOND = 20 << 20 }; // CPU time per answer, plus a second per this many bytes of the file
enum { ROOM = 1 << 30, ROOM_A_BYTE = 4 };        // bytes of memory, plus this many per byte of the file

static double memory_in_use(void) {
  unsigned long pages = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  bool good = f && fscanf(f, "%lu", &pages) == 1;
  if (f) fclose(f);
  return good ? (double)pages * (double)sysconf(_SC_PAGESIZE) : 0; // 0: unknown
}

static void set_limit(int what, double most) {
  struct rlimit limit;
  if (getrlimit((__rlimit_resource_t)what, &limit)) return;
  if (limit.rlim_max == RLIM_INFINITY || most < (double)limit.rlim_max) limit.rlim_cur = (rlim_t)most;
  setrlimit((__rlimit_resource_t)what, &limit);
}

// Sets the limits for the next answer; the file may have grown while a run writes it. The timer ends the process.
static void set_limits(const char *path, double at_start) {
  struct stat file;
  double size = stat(path, &file) ? 0 : (double)file.st_size;
  if (at_start) set_limit(RLIMIT_AS, at_start + ROOM + ROOM_A_BYTE * size);
  setitimer(ITIMER_PROF, &(struct itimerval){.it_value = {.tv_sec = SECONDS + (time_t)(size / BYTES_A_SECOND)}}, NULL);
}

// ---- bytes ----

static bool send_all(int fd, const void *data, size_t size) {
  for (size_t done = 0; done < size;) {
    ssize_t n = send(fd, (const char *)data + done, size - done, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    done += (size_t)n;
  }
  return true;
}

static bool receive_all(int fd, void *data, size_t size) {
  for (size_t done = 0; done < size;) {
    ssize_t n = recv(fd, (char *)data + done, size - done, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    done += (size_t)n;
  }
  return true;
}

static bool send_message(int fd, const Message *m) {
  return !m->bad && send_all(fd, &m->size, sizeof m->size) && send_all(fd, m->data, m->size);
}

static bool receive_message(int fd, Message *m) {
  size_t size;
  *m = (Message){0};
  if (!receive_all(fd, &size, sizeof size)) return false;
  char *at = make_room(m, size);
  if (at && receive_all(fd, at, size)) return true;
  message_free(m);
  return false;
}

// Detaches the child from its parent: it must not keep locks or connections of the parent, and the parent reports
// errors.
static void leave_parent(void) {
  static const int ours[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGPROF, SIGXCPU, SIGPIPE, SIGSYS, SIGTRAP};
  static const int theirs[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGCHLD};
  sigset_t none;
  for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++) signal(ours[i], SIG_DFL);
  for (size_t i = 0; i < sizeof theirs / sizeof theirs[0]; i++) signal(theirs[i], SIG_IGN);
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  for (const Reader *r = readers; r; r = r->next) close(r->fd);
  claims_abandon();
  int null = open("/dev/null", O_RDWR);
  for (int fd = STDIN_FILENO; null >= 0 && fd <= STDERR_FILENO; fd++) dup2(null, fd);
  if (null > STDERR_FILENO) close(null);
  set_limit(RLIMIT_CORE, 0);
  set_limit(RLIMIT_FSIZE, 0); // it must not write files
}

// Answers questions until the parent ends or closes the connection.
static void serve_questions(int fd, const char *path, ReaderAnswer answer, void *self, pid_t parent) {
  Message question, reply;
  double memory = memory_in_use();
  for (;;) {
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    int ready = poll(&wait, 1, 1000);
    if (getppid() != parent || (ready < 0 && errno != EINTR)) _exit(0);
    if (ready <= 0) continue;
    if (!receive_message(fd, &question)) _exit(0);
    set_limits(path, memory);
    answer_quietly(answer, self, &question, &reply);
    setitimer(ITIMER_PROF, &(struct itimerval){0}, NULL);
    if (!send_message(fd, &reply)) _exit(1);
    message_free(&question), message_free(&reply);
  }
}

static bool start_child(Reader *r, const char *path) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair)) return false;
  r->owner = getpid();
  r->child = fork();
  if (!r->child) {
    close(pair[0]);
    leave_parent();
    serve_questions(pair[1], path, r->answer, r->self, r->owner);
  }
  int error = errno;
  close(pair[1]);
  if (r->child < 0) close(pair[0]);
  r->fd = pair[0];
  errno = error;
  return r->child > 0;
}

static void end_child(Reader *r) {
  if (r->child > 0 && r->owner == getpid()) {
    kill(r->child, SIGKILL);
    while (waitpid(r->child, NULL, 0) < 0 && errno == EINTR) continue;
  }
  if (r->child > 0) close(r->fd);
  r->child = 0;
}

static bool ask_child(Reader *r, const Message *question, Message *answer) {
  if (r->child <= 0 || r->owner != getpid()) return false;
  if (send_message(r->fd, question) && receive_message(r->fd, answer)) return true;
  end_child(r);
  r->ended = true;
  return false;
}
#endif

Reader *reader_start(const char *path, ReaderAnswer answer, void *self) {
  Reader *r = calloc(1, sizeof *r);
  if (!r) return NULL;
  r->answer = answer, r->self = self;
  if (!start_child(r, path)) return free(r), NULL;
  r->next = readers, readers = r;
  return r;
}

bool reader_ask(Reader *r, Message *question, Message *answer) {
  *answer = (Message){0};
  bool good = !question->bad && ask_child(r, question, answer);
  message_free(question);
  return good;
}

bool reader_has_ended(const Reader *r) { return r->ended; }

void reader_end(Reader **reader) {
  Reader *r = *reader, **at = &readers;
  if (!r) return;
  while (*at && *at != r) at = &(*at)->next;
  if (*at) *at = r->next;
  end_child(r);
  free(r);
  *reader = NULL;
}
