// The stack that an event takes: 64 bytes on the fast path, of which a frame of function_graph keeps 32; less than 1 KiB on the slow path,
// a thread's first event included, but less than 4 KiB for a fork child's first.
// RUN: %traced_cc -O1 %s -o %t %static
// RUN: %trace_linked -p '' -k 4096 -- %t
#include "sites.h"
#include "step.h"
#include <ftrace.h>
#include <limits.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

// Paints 8 KiB below, calls, and returns how deep the paint has been hurt, from the return
// address of the call on.
long depth_of(SiteFunction *function);
__asm__("        .text\n"
        "depth_of:\n"
        "        mov     $0x5a5a5a5a5a5a5a5a, %rdx\n"
        "        mov     $-8192, %rax\n"
        "1:      mov     %rdx, (%rsp,%rax)\n"
        "        add     $8, %rax\n"
        "        js      1b\n"
        "        sub     $8, %rsp\n"
        "        call    *%rdi\n"
        "        mov     $0x5a5a5a5a5a5a5a5a, %rdx\n"
        "        mov     $-8184, %rax\n"
        "2:      add     $8, %rax\n"
        "        cmp     -8(%rsp,%rax), %rdx\n"
        "        je      2b\n"
        "        neg     %rax\n" // from rsp down to the lowest word that was hurt ...
        "        add     $8 - 8, %rax\n" // ... without the return address
        "        add     $8, %rsp\n"
        "        ret\n");
UNTRACED static void *in_thread(void *unused) {
  *(long *)unused = depth_of(sites_begin[0]);
  return NULL;
}

UNTRACED int main(void) {
  EXPECT_EQ(depth_of(sites_begin[0]), 0);
  for (int graph = 0; graph < 2; graph++) {
    const char *name = graph ? "function_graph" : "function";
    EXPECT_EQ(tracing_set_tracer(name), 0);
    sites_begin[1](); // the first event
    long fast = depth_of(sites_begin[0]), slow = 0, first = 0;
    nophook_writer->limit = 0;
    slow = depth_of(sites_begin[0]);
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, PTHREAD_STACK_MIN); // the paint takes half of it
    EXPECT_EQ(pthread_create(&thread, &attributes, in_thread, &first), 0);
    pthread_join(thread, NULL);
    fprintf(stderr, "%s: %ld fast, %ld slow, %ld first in a thread\n", name, fast, slow, first);
    EXPECT(fast > 0 && fast <= 64);
    EXPECT(slow > 64 && slow < 1024);
    EXPECT(first > 64 && first < 1024);
    pid_t pid = fork();
    if (pid == 0) // opens a buffer of its own
      _exit(depth_of(sites_begin[0]) >= 4096);
    int status = 1;
    waitpid(pid, &status, 0);
    EXPECT_EQ(status, 0);
  }
  return failures != 0;
}
