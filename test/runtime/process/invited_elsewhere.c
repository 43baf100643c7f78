// A recorder's invitation (follow/NAMESPACE-PID in the folder for buffers) is for the process of that number in that PID namespace. A process of the same number elsewhere, which has the same folder, is left alone.
// RUN: %traced_cc -O1 -I%S/../ring %s -o %t
// RUN: %trace -p '' -s serve -- %t %t
#include "resize.h"
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>

// Invites the number of this process in namespace `space`, and executes the program.
UNTRACED static void invite(const char *program, unsigned long space, const char *then) {
  char path[4096], *folder = strstr(getenv("NOPHOOK"), "buffer_dir=") + strlen("buffer_dir=");
  int bytes = (int)strcspn(folder, " ");
  snprintf(path, sizeof path, "%.*s/follow", bytes, folder);
  mkdir(path, 0700);
  snprintf(path, sizeof path, "%.*s/follow/%lu-%d", bytes, folder, space, getpid());
  int file = open(path, O_RDWR | O_CREAT, 0600);
  EXPECT(file >= 0 && dprintf(file, "7 current_tracer=function") > 0);
  int keeper = fork(); // the lock is its
  if (keeper == 0) {
    close(file);
    file = open(path, O_RDONLY);
    _exit(flock(file, LOCK_EX) != 0 || pause());
  }
  while (flock(file, LOCK_SH | LOCK_NB) == 0)
    flock(file, LOCK_UN), usleep(1000);
  close(file);
  snprintf(path, sizeof path, "%d", keeper);
  execl(program, program, then, path, NULL);
  EXPECT(0);
}
UNTRACED static int is_recorded(void) {
  char line[4096];
  int found = 0;
  FILE *maps = fopen("/proc/self/maps", "r");
  while (maps && fgets(line, sizeof line, maps))
    found |= strstr(line, ".buf") != NULL;
  fclose(maps);
  return found;
}
UNTRACED int main(int count, char **arguments) {
  struct stat own;
  EXPECT_EQ(stat("/proc/self/ns/pid", &own), 0);
  if (count == 2)
    invite(arguments[1], own.st_ino + 1, "elsewhere");
  work(0);
  kill(atoi(arguments[2]), SIGKILL);
  if (strcmp(arguments[1], "elsewhere") == 0) {
    EXPECT(!is_recorded());
    invite(arguments[0], own.st_ino, "here");
  }
  EXPECT(is_recorded());
  return failures;
}
