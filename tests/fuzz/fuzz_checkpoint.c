// SPDX-License-Identifier: Apache-2.0
// Any bytes are refused as a checkpoint or read without harm, and a results file is taken back by them or left: a target
// for libFuzzer, run by run.sh. The bytes are tried as they are, and once more with a head and a checksum that are right.
#include "model/refusal.h"
#include "results/container/container.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

enum { LARGEST_FILE = 1 << 20 };

static const char *file(void) { // in place of results
  static char path[] = "/tmp/limber-fuzz-XXXXXX";
  static int made = -1;
  if (made < 0 && ((made = mkstemp(path)) < 0 || write(made, "0123456789abcdef", 16) != 16)) abort();
  return path;
}

static void use(const CheckpointContainer *p) {
  static const char *const names[] = {"head", "name", "text", "change", "path", "stepper", "nodes", "loop", "history"};
  Refusal wrong;
  size_t size;
  double number[8];
  volatile unsigned char sum = 0;
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    for (int k = 0; k < 2; k++) {
      const unsigned char *found = container_find(p, names[i], k, &size);
      for (size_t b = 0; found && b < size; b++) sum ^= found[b];
      const char *text = container_text(p, names[i], k, &size);
      if (text && strlen(text) > size) abort();
      if (container_take(p, names[i], k, number, sizeof number)) sum ^= number[0] > 0;
    }
  const RollbackHead *head = container_find(p, "books", 0, &size);
  if (head && size == sizeof *head && head->size > LARGEST_FILE) return; // a file so large would be made
  if (rollback_fits(file(), p, &wrong)) rollback_results(file(), NULL, p, &wrong);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
  Refusal wrong;
  CheckpointContainer p = {.data = malloc(size + 1), .size = size}, made = {0};
  if (size) memcpy(p.data, data, size);
  if (container_check(&p, &wrong)) use(&p);
  // the bytes as sections
  if (ContainerPut(&made, "first", 0, data, 0)) abort();
  size_t head = made.size, whole = size & ~(size_t)7;
  if (MemoryResize(head + whole + 64, &made.data)) abort();
  if (whole) memcpy(made.data + head, data, whole);
  made.size += whole, made.room = head + whole + 64;
  if (ContainerEnd(&made)) abort();
  if (container_check(&made, &wrong)) use(&made);
  memory_free(&p.data);
  memory_free(&made.data);
  return 0;
}
