// SPDX-License-Identifier: Apache-2.0
// Reads HDF5 files from others in a child process with limits on CPU time and memory. HDF5 trusts the contents of a
// file: wrong bytes can make it loop forever, request all memory, or access invalid memory. The parent process calls no
// HDF5 function; if the child dies, the file is reported as damaged.
//
// Questions and answers are bytes in a buffer, read in the order in which they were written.
#ifndef LIMBER_RESULTS_READ_READER_H
#define LIMBER_RESULTS_READ_READER_H

#include <stdbool.h>
#include <stddef.h>

// ---- messages ----

typedef struct {
  char *data;
  size_t size, room, at; // at: bytes read so far
  bool bad;              // out of memory, or read beyond the end
} Message;

void message_put(Message *m, const void *data, size_t size);
void message_put_count(Message *m, long n);
void message_put_text(Message *m, const char *text); // NULL is allowed
void message_put_texts(Message *m, char *const *text, int count);
void message_take(Message *m, void *data, size_t size); // zeros if there are too few bytes
long message_take_count(Message *m);
char *message_take_text(Message *m); // to be freed
char **message_take_texts(Message *m, int *count);
// A new array of `count` items of `size` bytes, filled from the message; NULL: it has fewer.
void *message_take_array(Message *m, long count, size_t size);
void message_free(Message *m);
void texts_free(char **text, int count);

// ---- the process ----

typedef struct Reader Reader;

// Answers a question in the child. `self` keeps its state between questions; only the child uses it.
typedef void (*ReaderAnswer)(void *self, Message *question, Message *answer);

// Starts the child. `path`: the file to read; its size determines the limits. NULL: failed, reason in errno.
Reader *reader_start(const char *path, ReaderAnswer answer, void *self);
// Sends the question, frees it and waits for the answer. False: the child has ended, or belongs to another process.
bool reader_ask(Reader *r, Message *question, Message *answer);
bool reader_has_ended(const Reader *r); // without being asked: it crashed or exceeded its limits
void reader_end(Reader **r);

#endif
