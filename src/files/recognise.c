// SPDX-License-Identifier: Apache-2.0
#include "files/recognise.h"

#include "files/found.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOOK = 1 << 16 }; // bytes at either end of a file that are read

static const char sign_xml[] = "<!-- made by Limber -->\n";
static const char sign_png[] = "Software\0Limber"; // keyword and text of a chunk tEXt
const char file_pdf_sign[] = "% made by Limber\n", file_video_sign[] = "made by Limber";
const char file_openfast_sign[] = "Made by Limber";

typedef struct {
  const char *data;
  size_t size;
} Bytes;

static bool begins(Bytes b, const void *text, size_t size) { return b.size >= size && !memcmp(b.data, text, size); }
static bool ends(Bytes b, const char *text) {
  size_t n = strlen(text);
  return b.size >= n && !memcmp(b.data + b.size - n, text, n);
}
static bool has(Bytes b, const void *text, size_t size) {
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
  bool first = begins(b, "time [", 6) || begins(b, first_of_study, sizeof first_of_study - 1);
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
  if (n && begins(head, first_of_study, sizeof first_of_study - 1)) return true;
  return n && n < head.size && table_numbers((Bytes){head.data + n + 1, head.size - n - 1});
}

// ---- results ----

// Whether the root of an HDF5 file was never written, as where a run is killed in its first second: nobody can read it. In
// superblocks of version 0 with addresses of 8 bytes the root's header has its address at byte 64.
static bool is_without_root(Bytes b) {
  enum { ADDRESS = 64, HEADER = 16 };
  size_t at = 0;
  if (b.size < ADDRESS + 8 || b.data[8] != 0 || b.data[13] != 8) return false;
  for (int i = 7; i >= 0; i--) at = at << 8 | (unsigned char)b.data[ADDRESS + i];
  if (at < ADDRESS + 8 || at > b.size - HEADER) return false;
  for (size_t i = at; i < at + HEADER; i++)
    if (b.data[i]) return false;
  return true;
}

// ---- all kinds ----

const char *file_kind_name(FileKind kind) {
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
  case FILE_MODEL: return "a model file";
  }
  return "";
}

bool bytes_are_ours(FileKind kind, const char *head_data, size_t head_size, const char *tail_data, size_t tail_size) {
  static const char xdmf[] = "<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\">\n<Domain>\n"
                             "<Grid Name=\"snapshots\" GridType=\"Collection\" CollectionType=\"Temporal\">\n";
  const Bytes head = {head_data, head_size}, tail = {tail_data, tail_size};
  switch (kind) {
  case FILE_RESULTS: // the name of the first attribute of the root, with its zero
    return begins(head, "\x89HDF\r\n\x1a\n", 8) && (has(head, "limber", 7) || is_without_root(head));
  case FILE_CHECKPOINT: return begins(head, "LIMBERck", 8);
  case FILE_XDMF: return begins(head, xdmf, sizeof xdmf - 1);
  case FILE_SVG: return has(head, "<svg", 4) && ends(tail, sign_xml);
  case FILE_HTML: return has(head, "<html", 5) && ends(tail, sign_xml);
  case FILE_PDF:
    return begins(head, "%PDF-", 5) &&
           (ends(tail, file_pdf_sign) || has(head, file_pdf_sign, sizeof file_pdf_sign - 1));
  case FILE_PNG: return begins(head, "\x89PNG\r\n\x1a\n", 8) && has(head, sign_png, sizeof sign_png - 1);
  case FILE_CSV: return is_table(head);
  case FILE_MAT:
    return begins(head, "MATLAB 5.0 MAT-file, ", 21) &&
           has((Bytes){head.data, head.size < 128 ? head.size : 128}, "by Limber", 9);
  case FILE_OPENFAST: // FileID 1 to 4, and a description
    return head.size > 2 && head.data[0] >= 1 && head.data[0] <= 4 && !head.data[1] &&
           has(head, file_openfast_sign, sizeof file_openfast_sign - 1);
  case FILE_VIDEO: // an MP4 or EBML head
    return ((head.size > 8 && !memcmp(head.data + 4, "ftyp", 4)) || begins(head, "\x1a\x45\xdf\xa3", 4)) &&
           (has(head, file_video_sign, sizeof file_video_sign - 1) ||
            has(tail, file_video_sign, sizeof file_video_sign - 1));
  case FILE_MODEL: return false;
  }
  return false;
}

bool file_is_ours(const char *path, FileKind kind) {
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

bool file_sign(const char *path, FileKind kind) {
  const char *end = kind == FILE_SVG || kind == FILE_HTML ? sign_xml : kind == FILE_PDF ? file_pdf_sign : NULL;
  if ((!end && kind != FILE_PNG) || file_is_ours(path, kind)) return true;
  FILE *f = fopen(path, "r+b");
  if (!f) return false;
  bool good = end ? !fseek(f, 0, SEEK_END) && fputs(end, f) >= 0 : sign_picture(f);
  return !fclose(f) && good;
}
