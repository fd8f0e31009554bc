// SPDX-License-Identifier: Apache-2.0
#include "input/yaml/names.h"

#include "base/field.h"

#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

// ---- hashing ----

// SipHash-1-3 (Aumasson & Bernstein 2012) with a key of the process: nobody can make up names that fall on one slot.
// The order of slots shows nowhere.
static uint64_t rotated(uint64_t x, int bits) { return x << bits | x >> (64 - bits); }

static void sip_round(uint64_t v[4]) {
  v[0] += v[1], v[1] = rotated(v[1], 13) ^ v[0], v[0] = rotated(v[0], 32);
  v[2] += v[3], v[3] = rotated(v[3], 16) ^ v[2];
  v[0] += v[3], v[3] = rotated(v[3], 21) ^ v[0];
  v[2] += v[1], v[1] = rotated(v[1], 17) ^ v[2], v[2] = rotated(v[2], 32);
}

static const uint64_t *hash_key(void) {
  static uint64_t key[2];
  static bool known;
  if (known) return key;
  int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
  if (fd < 0 || read(fd, key, sizeof key) != sizeof key) key[0] = (uint64_t)getpid(); // the next best
  if (fd >= 0) close(fd);
  known = true;
  return key;
}

static uint64_t hash_name(const char *s) {
  const uint64_t *key = hash_key();
  size_t length = strlen(s), whole = length / 8 * 8;
  uint64_t v[4] = {key[0] ^ 0x736f6d6570736575u, key[1] ^ 0x646f72616e646f6du, key[0] ^ 0x6c7967656e657261u,
                   key[1] ^ 0x7465646279746573u};
  uint64_t word, last = (uint64_t)length << 56;
  for (size_t i = 0; i < whole; i += 8) {
    memcpy(&word, s + i, 8);
    v[3] ^= word, sip_round(v), v[0] ^= word;
  }
  for (size_t i = whole; i < length; i++) last |= (uint64_t)(unsigned char)s[i] << (8 * (i - whole));
  v[3] ^= last, sip_round(v), v[0] ^= last;
  v[2] ^= 0xff;
  for (int i = 0; i < 3; i++) sip_round(v);
  return v[0] ^ v[1] ^ v[2] ^ v[3];
}

static int *slot_of(const Names *n, const char *text) {
  unsigned i = (unsigned)hash_name(text) & (unsigned)(n->slots - 1);
  while (n->slot[i] >= 0 && strcmp(n->name[n->slot[i]].text, text)) i = (i + 1) & (unsigned)(n->slots - 1);
  return &n->slot[i];
}

Error NamesDestroy(Names *n) {
  memory_free(&n->name);
  memory_free(&n->slot);
  *n = (Names){0};
  return 0;
}

Error NamesAdd(Names *n, const char *text, int id, SourceLocation at) {
  if (n->count == n->room) { // the table is at most half full
    n->room = n->room ? 2 * n->room : 16;
    n->slots = 2 * n->room;
    TRY(MemoryResize((size_t)n->room * sizeof *n->name, &n->name));
    TRY(MemoryResize((size_t)n->slots * sizeof *n->slot, &n->slot));
    for (int i = 0; i < n->slots; i++) n->slot[i] = -1;
    for (int i = 0; i < n->count; i++) {
      int *slot = slot_of(n, n->name[i].text);
      if (*slot < 0) *slot = i;
    }
  }
  n->name[n->count] = (Name){text, id, at};
  int *slot = slot_of(n, text);
  if (*slot < 0) *slot = n->count;
  n->count++;
  return 0;
}

const Name *names_find(const Names *n, const char *text) {
  if (!n->slots) return NULL;
  int i = *slot_of(n, text);
  return i < 0 ? NULL : &n->name[i];
}

enum { LONG_NAME = 64, AS_PART = 1000 }; // letters; edits

// Whether a name consists of a part and more words: mass, point_mass.
static bool has_part(const char *name, const char *part) {
  size_t length = strlen(part);
  if (length < 3 || strlen(name) > LONG_NAME) return false;
  for (const char *at = strstr(name, part); at; at = strstr(at + 1, part))
    if ((at == name || at[-1] == '_') && (!at[length] || at[length] == '_')) return true;
  return false;
}

// Edits from what was written to a known word, -1: not near. One edit in three letters is near, the same word in other
// case always is, and a part of the other is farther than all these.
// `work` counts letters that were compared, and with too many a name is near only if it is the same.
static int name_distance(const char *written, const char *known, long *work) {
  if (!strcasecmp(written, known)) return 0;
  size_t lengths[2] = {strlen(written), strlen(known)};
  int length = (int)lengths[0];
  if (*work > LIMIT_COMPARED) return -1;
  *work +=
      (long)((lengths[0] < LONG_NAME ? lengths[0] : LONG_NAME) * (lengths[1] < LONG_NAME ? lengths[1] : LONG_NAME));
  int edits = field_distance(written, known);
  if (edits <= (length + 1) / 3 && edits < (int)lengths[1]) return edits;
  return has_part(written, known) || has_part(known, written) ? AS_PART + edits : -1;
}

const char *names_nearest_with(const Names *n, const char *prefix, const char *text) {
  const char *best = NULL;
  size_t length = strlen(prefix);
  int least = 1 << 30;
  long work = 0;
  for (int i = 0; i < n->count; i++) {
    if (strncmp(n->name[i].text, prefix, length)) continue;
    int edits = name_distance(text, n->name[i].text + length, &work);
    if (edits >= 0 && edits < least) least = edits, best = n->name[i].text + length;
  }
  return best;
}

const char *names_nearest(const Names *n, const char *text) { return names_nearest_with(n, "", text); }

void nearest_begin(Nearest *n, const char *word) { *n = (Nearest){.word = word, .least = 1 << 30}; }

void nearest_try(Nearest *n, const char *known) {
  size_t used = strlen(n->all);
  int edits = name_distance(n->word, known, &n->work);
  snprintf(n->all + used, sizeof n->all - used, "%s%s", used ? ", " : "", known);
  if (edits < 0 || edits > n->least || (n->best && !strcmp(n->best, known))) return;
  n->best = edits < n->least ? known : NULL;
  n->least = edits;
}

const char *nearest_hint(Nearest *n, const char *list) {
  if (n->best) snprintf(n->hint, sizeof n->hint, "; did you mean '%s'?", n->best);
  else snprintf(n->hint, sizeof n->hint, "; %s %s", list, n->all);
  return n->hint;
}

const char *article_of(const char *noun) { return strchr("aeiou", noun[0]) ? "an" : "a"; }
