// SPDX-License-Identifier: Apache-2.0
// HDF5 trusts what is in a file: wrong bytes can make it loop for ever, ask for all memory, or read and write where
// nothing is. So the files of others are read in a child process, with limits of CPU time and of memory. The process
// that asks calls no function of HDF5; where the child ends, the file is damaged, and nothing else has happened.
//
// Questions and answers are bytes in a buffer, taken in the order in which they were put.
#ifndef LIMBER_RESULTS_READ_READER_H
#define LIMBER_RESULTS_READ_READER_H

#include <stdbool.h>
#include <stddef.h>

// ---- messages ----

typedef struct {
  char *data;
  size_t size, room, at; // at: what was taken
  bool bad;              // no memory, or more was taken than there is
} Message;

void message_put(Message *m, const void *data, size_t size);
void message_put_count(Message *m, long n);
void message_put_text(Message *m, const char *text); // NULL is one, too
void message_put_texts(Message *m, char *const *text, int count);
void message_take(Message *m, void *data, size_t size); // zeros where there is nothing
long message_take_count(Message *m);
char *message_take_text(Message *m); // to be freed
char **message_take_texts(Message *m, int *count);
// Room for `count` things of `size` bytes, filled from the message; NULL where it has not as many.
void *message_take_array(Message *m, long count, size_t size);
void message_free(Message *m);
void texts_free(char **text, int count);

// ---- the process ----

typedef struct Reader Reader;

// Answers a question in the child. What it keeps from one to the next is in `self`, which only the child uses.
typedef void (*ReaderAnswer)(void *self, Message *question, Message *answer);

// `path`: the file that is read; its size is what time and memory may depend on. NULL: no process, errno has the
// reason.
Reader *reader_start(const char *path, ReaderAnswer answer, void *self);
// Sends the question, which is freed, and waits. False: the child has ended, now or before, or belongs to another
// process.
bool reader_ask(Reader *r, Message *question, Message *answer);
bool reader_has_ended(const Reader *r); // on its own: the file was too much for it
void reader_end(Reader **r);

#endif
