// SPDX-License-Identifier: Apache-2.0
#include "files/temporary.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { LONGEST_NAME = 200, LEAST_ROOM = 1 << 16 }; // letters; bytes

static bool is_usable(const char *folder) {
  struct stat there;
  struct statvfs room;
  return folder && *folder && strlen(folder) <= LONGEST_NAME && !stat(folder, &there) && S_ISDIR(there.st_mode) &&
         !access(folder, W_OK | X_OK) && !statvfs(folder, &room) && !(room.f_flag & ST_RDONLY) &&
         (unsigned long long)room.f_bavail * room.f_frsize >= LEAST_ROOM;
}

static const char *usual_folder(void) {
  const char *given = getenv("TMPDIR");
  return given && *given ? given : "/tmp";
}

const char *temporary_folder(void) {
  const char *const folders[] = {usual_folder(), getenv("XDG_RUNTIME_DIR"), "/tmp", "/dev/shm", "."};
  for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
    if (is_usable(folders[i])) return folders[i];
  return usual_folder();
}

bool temporary_folder_differs(void) { return strcmp(temporary_folder(), usual_folder()) != 0; }
