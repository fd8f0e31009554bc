// SPDX-License-Identifier: Apache-2.0
#include "files/output_file.h"

#include "files/folder.h"
#include "model/refusal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LOOK = 1 << 16 }; // bytes at either end of a file that are read

static const char sign_xml[] = "<!-- made by Limber -->\n";
static const char sign_png[] = "Software\0Limber"; // keyword and text of a chunk tEXt
const char file_pdf_sign[] = "% made by Limber\n", file_video_sign[] = "made by Limber";
const char file_openfast_sign[] = "Made by Limber", file_fmu_sign[] = "Limber FMU 1\n";

typedef struct {
  const char *data;
  size_t size;
} Bytes;

static bool begins_with(Bytes b, const void *text, size_t size) {
  return b.size >= size && !memcmp(b.data, text, size);
}
static bool ends_with(Bytes b, const char *text) {
  size_t n = strlen(text);
  return b.size >= n && !memcmp(b.data + b.size - n, text, n);
}
static bool contains_bytes(Bytes b, const void *text, size_t size) {
  for (size_t i = 0; i + size <= b.size; i++)
    if (b.data[i] == *(const char *)text && !memcmp(b.data + i, text, size)) return true;
  return false;
}

// ---- tables ----

static const char first_of_study[] = "run [1],"; // columns of a study have words, too

// A header of `export`, "time [s],tip.x [m]", up to the end of its line; its length, or 0.
static size_t table_header(Bytes b) {
  size_t end = 0, columns = 0, closed = 0;
  while (end < b.size && b.data[end] != '\n') {
    const char c = b.data[end++];
    bool last = end == b.size || b.data[end] == ',' || b.data[end] == '\n';
    if (c == ']' && last) closed++;
    if (last && c != ',') columns++;
  }
  bool first = begins_with(b, "time [", 6) || begins_with(b, first_of_study, sizeof first_of_study - 1);
  return first && closed && columns == closed ? end : 0;
}

// Whether numbers of whole lines are written as `export` writes them, so that no digit is lost: %.17g.
static bool table_numbers(Bytes b) {
  char field[40], again[40];
  size_t n = 0, lines = 0;
  for (size_t i = 0; i < b.size && lines < 100; i++) {
    if (b.data[i] != ',' && b.data[i] != '\n') {
      if (n + 1 == sizeof field) return false;
      field[n++] = b.data[i];
      continue;
    }
    char *end;
    field[n] = 0, n = 0;
    double value = strtod(field, &end);
    snprintf(again, sizeof again, "%.17g", value);
    if (!*field || *end || strcmp(field, again)) return false;
    lines += b.data[i] == '\n';
  }
  return true;
}

static bool is_table(Bytes head) {
  size_t n = table_header(head);
  if (n && begins_with(head, first_of_study, sizeof first_of_study - 1)) return true;
  return n && n < head.size && table_numbers((Bytes){head.data + n + 1, head.size - n - 1});
}

// ---- results ----

// Whether the root of an HDF5 file was never written, as where a run is killed in its first second: nobody can read it.
// In superblocks of version 0 with addresses of 8 bytes the root's header has its address at byte 64. The file may end
// before it.
static bool is_without_root(Bytes b) {
  enum { ADDRESS = 64, HEADER = 16 };
  size_t at = 0;
  if (b.size < ADDRESS + 8 || b.data[8] != 0 || b.data[13] != 8) return false;
  for (int i = 7; i >= 0; i--) at = at << 8 | (unsigned char)b.data[ADDRESS + i];
  if (at < ADDRESS + 8 || (b.size == LOOK && at > LOOK - HEADER)) return false;
  for (size_t i = at; i < b.size && i < at + HEADER; i++)
    if (b.data[i]) return false;
  return true;
}

// ---- all kinds ----

// What it is, with an article: "a table (CSV)".
static const char *file_kind_name(FileKind kind) {
  switch (kind) {
  case FILE_RESULTS: return "a results file (HDF5)";
  case FILE_CHECKPOINT: return "a checkpoint";
  case FILE_XDMF: return "an XDMF file";
  case FILE_SVG: return "a picture (SVG)";
  case FILE_PNG: return "a picture (PNG)";
  case FILE_PDF: return "a PDF file";
  case FILE_HTML: return "a page (HTML)";
  case FILE_CSV: return "a table (CSV)";
  case FILE_MAT: return "a MAT-file";
  case FILE_OPENFAST: return "a table in OpenFAST's binary format";
  case FILE_VIDEO: return "a video";
  case FILE_FMU: return "an FMU";
  case FILE_SSP: return "an SSP";
  case FILE_MODEL: return "a model file";
  }
  return "";
}

// Whether these first and last bytes of a file, which may overlap, are those of a file that Limber wrote.
static bool bytes_are_ours(FileKind kind, const char *head_data, size_t head_size, const char *tail_data,
                           size_t tail_size) {
  static const char xdmf[] = "<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\">\n<Domain>\n"
                             "<Grid Name=\"snapshots\" GridType=\"Collection\" CollectionType=\"Temporal\">\n";
  const Bytes head = {head_data, head_size}, tail = {tail_data, tail_size};
  switch (kind) {
  case FILE_RESULTS: // the name of the first attribute of the root, with its zero
    return begins_with(head, "\x89HDF\r\n\x1a\n", 8) && (contains_bytes(head, "limber", 7) || is_without_root(head));
  case FILE_CHECKPOINT: return begins_with(head, "LIMBERck", 8);
  case FILE_XDMF: return begins_with(head, xdmf, sizeof xdmf - 1);
  case FILE_SVG: return contains_bytes(head, "<svg", 4) && ends_with(tail, sign_xml);
  case FILE_HTML: return contains_bytes(head, "<html", 5) && ends_with(tail, sign_xml);
  case FILE_PDF:
    return begins_with(head, "%PDF-", 5) &&
           (ends_with(tail, file_pdf_sign) || contains_bytes(head, file_pdf_sign, sizeof file_pdf_sign - 1));
  case FILE_PNG:
    return begins_with(head, "\x89PNG\r\n\x1a\n", 8) && contains_bytes(head, sign_png, sizeof sign_png - 1);
  case FILE_CSV: return is_table(head);
  case FILE_MAT:
    return begins_with(head, "MATLAB 5.0 MAT-file, ", 21) &&
           contains_bytes((Bytes){head.data, head.size < 128 ? head.size : 128}, "by Limber", 9);
  case FILE_OPENFAST: // FileID 1 to 4, and a description
    return head.size > 2 && head.data[0] >= 1 && head.data[0] <= 4 && !head.data[1] &&
           contains_bytes(head, file_openfast_sign, sizeof file_openfast_sign - 1);
  case FILE_VIDEO: // an MP4 or EBML head
    return ((head.size > 8 && !memcmp(head.data + 4, "ftyp", 4)) || begins_with(head, "\x1a\x45\xdf\xa3", 4)) &&
           (contains_bytes(head, file_video_sign, sizeof file_video_sign - 1) ||
            contains_bytes(tail, file_video_sign, sizeof file_video_sign - 1));
  case FILE_FMU:
  case FILE_SSP: return begins_with(head, "PK\3\4", 4) && contains_bytes(head, file_fmu_sign, sizeof file_fmu_sign - 1);
  case FILE_MODEL: return false;
  }
  return false;
}

// Whether the bytes of a file are those of a file of that kind that Limber wrote.
static bool file_is_ours(const char *path, FileKind kind) {
  char *bytes = malloc(2 * LOOK);
  FILE *f = found_fopen(path);
  size_t head = 0, tail = 0;
  bool is = false;
  if (f && bytes) {
    head = fread(bytes, 1, LOOK, f);
    if (!fseek(f, -LOOK, SEEK_END) || !fseek(f, 0, SEEK_SET)) tail = fread(bytes + LOOK, 1, LOOK, f);
    is = bytes_are_ours(kind, bytes, head, bytes + LOOK, tail);
  }
  if (f) fclose(f);
  free(bytes);
  return is;
}

// ---- signs ----

static uint32_t png_checksum(const unsigned char *data, size_t size) {
  uint32_t sum = 0xffffffffu;
  for (size_t i = 0; i < size; i++) {
    sum ^= data[i];
    for (int k = 0; k < 8; k++) sum = sum & 1 ? 0xedb88320u ^ (sum >> 1) : sum >> 1;
  }
  return ~sum;
}

static void put_big_endian(unsigned char out[4], uint32_t x) {
  for (int i = 0; i < 4; i++) out[i] = (unsigned char)(x >> (24 - 8 * i));
}

// A chunk of text behind the head of the picture, which is 33 bytes: the rest moves back.
static bool sign_picture(FILE *f) {
  enum { TEXT = sizeof sign_png - 1, CHUNK = TEXT + 12, HEAD = 33 };
  unsigned char chunk[CHUNK];
  put_big_endian(chunk, TEXT);
  memcpy(chunk + 4, "tEXt", 4), memcpy(chunk + 8, sign_png, TEXT);
  put_big_endian(chunk + 8 + TEXT, png_checksum(chunk + 4, 4 + TEXT));
  if (fseek(f, 0, SEEK_END)) return false;
  long size = ftell(f);
  if (size < HEAD) return true; // no picture: nothing to sign
  char *rest = malloc((size_t)(size - HEAD) + 1);
  bool good = rest && !fseek(f, HEAD, SEEK_SET) && fread(rest, 1, (size_t)(size - HEAD), f) == (size_t)(size - HEAD) &&
              !fseek(f, HEAD, SEEK_SET) && fwrite(chunk, 1, CHUNK, f) == CHUNK &&
              fwrite(rest, 1, (size_t)(size - HEAD), f) == (size_t)(size - HEAD);
  free(rest);
  return good;
}

// Puts Limber's sign into a finished file where that kind has one and its writer put none: a comment behind the last
// line of SVG, HTML and PDF, a text chunk of PNG. False: errno has the reason.
static bool file_sign(const char *path, FileKind kind) {
  const char *end = kind == FILE_SVG || kind == FILE_HTML ? sign_xml : kind == FILE_PDF ? file_pdf_sign : NULL;
  if ((!end && kind != FILE_PNG) || file_is_ours(path, kind)) return true;
  FILE *f = fopen(path, "r+b");
  if (!f) return false;
  bool good = end ? !fseek(f, 0, SEEK_END) && fputs(end, f) >= 0 : sign_picture(f);
  return !fclose(f) && good;
}

static bool force;

bool output_allow_overwrite(bool allow) {
  bool before = force;
  force = allow;
  return before;
}

bool output_force(void) { return force; }

// ---- what is there ----

bool same_file(const char *a, const char *b) {
  struct stat x, y;
  return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

bool is_null_device(const char *path) {
  struct stat x, null;
  return !stat(path, &x) && !stat("/dev/null", &null) && S_ISCHR(x.st_mode) && x.st_rdev == null.st_rdev;
}

// The stream whose file this is, or -1. As in other programs `-` is stdout.
static int standard_stream(const char *path) {
  struct stat x, stream;
  if (!strcmp(path, "-")) return STDOUT_FILENO;
  if (stat(path, &x)) return -1;
  for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
    if (!fstat(fd, &stream) && x.st_dev == stream.st_dev && x.st_ino == stream.st_ino && !is_null_device(path))
      return fd;
  return -1;
}

bool is_standard_stream(const char *path) { return standard_stream(path) >= 0; }

bool is_device(const char *path) {
  struct stat x;
  return is_standard_stream(path) || (!stat(path, &x) && !S_ISREG(x.st_mode) && !S_ISDIR(x.st_mode));
}

void explain_unwritable(const char *path, int error, Refusal *wrong) {
  const char *slash = strrchr(path, '/');
  char folder[OUTPUT_NAME];
  snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
  if (!*folder) snprintf(folder, sizeof folder, "/");
  refuse(wrong, "cannot write '%s': %s", path, found_error(error));
  if (error == ENOENT && slash && access(folder, F_OK))
    refuse_also(wrong, "\n  There is no folder '%s': make it (mkdir -p %s), or give another with -o", folder, folder);
  else if (error == EACCES || error == EROFS || error == EPERM)
    refuse_also(wrong, "\n  The folder '%s' is not writable for you: choose another folder", folder);
  else refuse_also(wrong, "\n  Choose another folder or name with -o");
}

static bool is_link(const char *path) {
  struct stat x;
  return !lstat(path, &x) && S_ISLNK(x.st_mode);
}

bool output_allowed(const char *path, const OutputRules *rules, Refusal *wrong) {
  struct stat there;
  wrong->text[0] = 0;
  if (strlen(path) >= OUTPUT_NAME - 200) return explain_unwritable("...", ENAMETOOLONG, wrong), false;
  if (is_device(path)) return true;
  bool exists = !stat(path, &there);
  if (exists && S_ISDIR(there.st_mode)) return explain_unwritable(path, EISDIR, wrong), false;
  for (int i = 0; i < rules->inputs; i++) {
    if (!same_file(path, rules->input[i])) continue;
    refuse(wrong, "'%s' is an input of this command, so it is not overwritten; give another name", path);
    return false;
  }
  if (is_link(path)) return explain_unwritable(path, ELOOP, wrong), false;
  if (!exists || rules->force || !there.st_size || file_is_ours(path, rules->kind)) return true;
  refuse(wrong,
         rules->kind == FILE_MODEL ? "'%s' exists already; --force overwrites it, -o gives another name"
                                   : "'%s' is not %s that Limber wrote, so it is not overwritten; --force overwrites "
                                     "it, or give another name",
         path, file_kind_name(rules->kind));
  return false;
}

// ---- what must not be left ----

enum { MOST_OPEN = 16, ENDINGS = 6 };
static const int ending[ENDINGS] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGXCPU};
static char *volatile unfinished[MOST_OPEN]; // names of files
static struct sigaction before[ENDINGS];
static bool caught[ENDINGS];

void output_discard_all(void) {
  for (int i = 0; i < MOST_OPEN; i++)
    if (unfinished[i]) unlink(unfinished[i]);
}

static void on_ending(int number) {
  output_discard_all();
  signal(number, SIG_DFL);
  raise(number);
}

static int count_unfinished(void) {
  int count = 0;
  for (int i = 0; i < MOST_OPEN; i++) count += unfinished[i] != NULL;
  return count;
}

// Signals that would end the process; one that the program catches or ignores is left to it.
static void catch_endings(void) {
  for (int i = 0; i < ENDINGS; i++) {
    struct sigaction action = {.sa_handler = on_ending, .sa_flags = SA_NODEFER};
    sigemptyset(&action.sa_mask);
    caught[i] = !sigaction(ending[i], NULL, &before[i]) && before[i].sa_handler == SIG_DFL &&
                !sigaction(ending[i], &action, NULL);
  }
}

static void release_endings(void) {
  for (int i = 0; i < ENDINGS; i++) {
    if (caught[i]) sigaction(ending[i], &before[i], NULL);
    caught[i] = false;
  }
}

static void remember_unfinished(char *part) {
  if (!count_unfinished()) catch_endings();
  for (int i = 0; i < MOST_OPEN; i++) {
    if (unfinished[i]) continue;
    unfinished[i] = part;
    return;
  }
}

static void forget_unfinished(const char *part) {
  for (int i = 0; i < MOST_OPEN; i++)
    if (unfinished[i] == part) unfinished[i] = NULL;
  if (!count_unfinished()) release_endings();
}

// ---- writing ----

// A pipe needs a reader; nobody means to write over a disk.
static int open_device(const char *path, mode_t mode) {
  if (!S_ISCHR(mode) && !S_ISFIFO(mode)) return errno = ENXIO, -1;
  int fd = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
  if (fd >= 0) fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
  else if (errno == ENXIO) errno = EPIPE;
  return fd;
}

// A new file in the folder of the file, with its ending, for programs that look at that.
static int open_beside(OutputFile *f) {
  const char *slash = strrchr(f->path, '/'), *dot = strrchr(slash ? slash : f->path, '.');
  struct stat there;
  int fd = -1;
  for (int i = 0; fd < 0 && i < 1000; i++) {
    snprintf(f->part, sizeof f->part, "%.*s.limber-%ld-%d%.20s", slash ? (int)(slash - f->path) + 1 : 0, f->path,
             (long)getpid(), i, dot ? dot : "");
    fd = open(f->part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0 && errno != EEXIST) break;
  }
  if (fd >= 0 && !stat(f->path, &there)) fchmod(fd, there.st_mode & 0777); // as the file that it replaces
  return fd;
}

// The same, without a moment in which the file is there and a signal would leave it there.
static int begin_beside(OutputFile *f) {
  sigset_t endings, mask;
  sigemptyset(&endings);
  for (int i = 0; i < ENDINGS; i++) sigaddset(&endings, ending[i]);
  pthread_sigmask(SIG_BLOCK, &endings, &mask);
  int fd = open_beside(f), error = errno;
  if (fd >= 0) remember_unfinished(f->part);
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
  errno = error;
  return fd;
}

// A file that may be replaced, but not be written, is left alone.
static bool is_protected(const char *path) { return !access(path, F_OK) && access(path, W_OK); }

bool output_open(const char *path, const OutputRules *rules, OutputFile *f, Refusal *wrong) {
  struct stat there;
  *f = (OutputFile){.kind = rules->kind, .given = path};
  if (!output_allowed(path, rules, wrong)) return false;
  int stream = standard_stream(path), fd = -1;
  if (stream >= 0) {
    fflush(stdout);
    fd = dup(stream);
    snprintf(f->path, sizeof f->path, "%s", path), snprintf(f->part, sizeof f->part, "%s", path);
  } else if (!stat(path, &there) && !S_ISREG(there.st_mode)) {
    fd = open_device(path, there.st_mode);
    snprintf(f->path, sizeof f->path, "%s", path), snprintf(f->part, sizeof f->part, "%s", path);
  } else if (is_protected(path)) errno = EACCES;
  else {
    snprintf(f->path, sizeof f->path, "%s", path);
    fd = begin_beside(f);
    int error = errno;
    if (fd < 0 && (error == EACCES || error == EPERM) && !access(path, W_OK)) { // the folder takes no new files
      fd = own_open(path, O_WRONLY | O_TRUNC);
      snprintf(f->part, sizeof f->part, "%s", f->path);
    } else errno = error;
  }
  f->out = fd < 0 ? NULL : fdopen(fd, "wb");
  if (!f->out) {
    explain_unwritable(path, errno, wrong);
    if (fd >= 0) close(fd);
    if (fd >= 0 && strcmp(f->path, f->part)) unlink(f->part), forget_unfinished(f->part);
    return false;
  }
  return true;
}

static void sync_folder(const char *path) {
  char folder[OUTPUT_NAME];
  const char *slash = strrchr(path, '/');
  snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
  int fd = open(folder, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  fsync(fd); // where that cannot be done the file is there all the same
  close(fd);
}

bool output_finish(OutputFile *f, Refusal *wrong) {
  bool beside = strcmp(f->path, f->part) != 0, replaces = !access(f->path, F_OK);
  errno = 0;
  bool good = !fflush(f->out) && !ferror(f->out);
  int error = errno;
  if (good && beside && !file_sign(f->part, f->kind)) good = false, error = errno;
  if (good && beside && replaces && f->kind != FILE_XDMF && fsync(fileno(f->out))) good = false, error = errno;
  if (fclose(f->out) && good) good = false, error = errno;
  f->out = NULL;
  if (good && beside && rename(f->part, f->path)) good = false, error = errno;
  if (good && beside && f->kind == FILE_CHECKPOINT) sync_folder(f->path);
  if (!good && beside) unlink(f->part);
  if (beside) forget_unfinished(f->part);
  if (!good) refuse(wrong, "cannot write '%s': %s", f->given, error ? strerror(error) : "the disk may be full");
  return good;
}

void output_discard(OutputFile *f) {
  if (!f->out) return;
  fclose(f->out);
  f->out = NULL;
  if (!strcmp(f->path, f->part)) return;
  unlink(f->part);
  forget_unfinished(f->part);
}
