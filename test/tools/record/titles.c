// A worker that writes a title over its command line has it in the recording, also when it has ended.
// RUN: %traced_cc -D_GNU_SOURCE %s -o %t && rm -rf %t.data %t.seen
// RUN: bash -c '%nophook record -o %t.data -- %t %t.seen 2>%t.err & for i in $(seq 600); do grep -qs "worker: 1" %t.data && break; sleep 0.1; done; touch %t.seen; wait'
// RUN: FileCheck %s <%t.err
// RUN: %nophook info --json %t.data | FileCheck %s --check-prefix=INFO
// CHECK: 2 threads, 0 events lost
// INFO: "arguments":["{{[^"]*}}","{{[^"]*}}.seen"]
// INFO-SAME: "arguments":["worker: 1"]
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noinline)) void work(int n) { __asm__ volatile("" ::"r"(n)); }
int main(int count, char **arguments) {
  if (count != 2)
    return 1;
  work(0);
  if (!fork()) {
    char *seen = strdup(arguments[1]), *end = arguments[1] + strlen(arguments[1]);
    work(1); // its buffer is found, perhaps before the title
    memset(arguments[0], 0, (size_t)(end - arguments[0]) + 1);
    strcpy(arguments[0], "worker: 1");
    while (access(seen, F_OK))
      usleep(1000);
    work(2);
    return 0;
  }
  return wait(NULL) < 0;
}
