// SPDX-License-Identifier: Apache-2.0
#include "console/programs.h"

#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

bool program_find(const char *const *names, char *out, size_t size) {
  const char *path = getenv("PATH");
  for (int i = 0; names[i]; i++)
    for (const char *at = path ? path : "/usr/bin:/bin"; *at;) {
      size_t n = strcspn(at, ":");
      snprintf(out, size, "%.*s/%s", (int)n, at, names[i]);
      if (n && !access(out, X_OK)) return true;
      at += n + (at[n] == ':');
    }
  return false;
}

bool program_start(char *const *argv, const int (*fd)[2], pid_t *process) {
  posix_spawn_file_actions_t actions;
  if (posix_spawn_file_actions_init(&actions)) return false;
  bool good = true;
  for (int i = 0; fd[i][0] >= 0; i++) good = good && !posix_spawn_file_actions_adddup2(&actions, fd[i][0], fd[i][1]);
  good = good && !posix_spawn(process, argv[0], &actions, NULL, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  return good;
}
