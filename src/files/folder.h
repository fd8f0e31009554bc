// SPDX-License-Identifier: Apache-2.0
// Opening what is already in a folder, and the folder for temporary files.
//
// Whoever filled a folder may have put a link to another file, a pipe or a device where Limber expects its own file:
// none of them is followed, waited for or written.
#ifndef LIMBER_FILES_FOLDER_H
#define LIMBER_FILES_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

// All of these set errno where they fail; found_error gives the words.

// A regular file, to be read. A link is followed.
int found_open(const char *path);
FILE *found_fopen(const char *path);
// A regular file with one name and no link, to be written, with the flags of open(). O_TRUNC acts after the checks.
int own_open(const char *path, int flags);
// The same in a folder that Limber itself names: the folder is no link either, and both belong to the user.
int own_open_below(const char *path, int flags);
// A new and empty file; one that has its name is removed, not written.
bool own_create(const char *path);
// A folder that is no link and belongs to the user.
int own_folder_open(const char *path);
// Makes the folder, or finds one that own_folder_open accepts.
bool own_folder_make(const char *path);

const char *found_error(int error);

// A folder for temporary files: TMPDIR or /tmp, if it is there, takes new files and has a name of moderate length; else
// the first of some others that does, the present folder last. It is valid until the next call.
const char *temporary_folder(void);
// Whether that is not the one that other programs would take.
bool temporary_folder_differs(void);
// Makes a new folder there for the files of a command, which nobody else can enter. It is removed with all that is in it,
// at the latest when the process that made it ends by itself.
bool private_folder_make(const char *command, char *path, size_t size);
void private_folder_remove(const char *path);
void private_folders_remove(void); // all that this process has made

#endif
