// A server answers clients over sockets, while a library with a patch is loaded by the control tree,
// reverted, and unloaded, again and again: no request fails, none gets half of a patch, and once a patch is
// enabled or reverted, all answers are of that version.
// RUN: %traced_cc -O1 -shared -fPIC -DFIX %s -o %t.fix.so
// RUN: %traced_cc -O1 -I %S/../tracefs %s -o %t %linked -rdynamic && %t %t.fix.so %patch_cycles | FileCheck %s
// CHECK: {{^[1-9][0-9]*}} cycles, {{[1-9][0-9]*}} requests, 0 failed, still loaded: 0, longest {{[0-9]+}} us{{$}}
#include "klp.h"

// The request that a server works on: both halves of a version put its number into the answer.
struct Request { int number, half, other_half, sum; };
#ifdef FIX
void finish(struct Request *r);
static void new_finish(struct Request *r) { r->other_half = 1; r->sum += 7; KEEP(r); }
static void new_serve(struct Request *r) { r->half = 1; r->sum = r->number * 3; finish(r); KEEP(r); }
PATCH(fix, FUNC(serve, new_serve), FUNC(finish, new_finish));
UNTRACED __attribute__((constructor)) static void enable(void) { EXPECT_EQ(klp_enable_patch(&fix), 0); }
#else
#include "tree.h" // in test/runtime/tracefs
#include <dlfcn.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

NOINLINE void finish(struct Request *r) { r->other_half = 0; r->sum += 7; KEEP(r); }
NOINLINE void serve(struct Request *r) { r->half = 0; r->sum = r->number * 3; finish(r); KEEP(r); }

enum { kClients = 8, kRequestsOfConnection = 200 };
static int over, version = -1; // version: which each answer has; -1: either
static unsigned long requests, failed, epoch;
static long longest_ns;

UNTRACED static void *serve_connection(void *raw) {
  int socket = (int)(long)raw;
  for (struct Request r; read(socket, &r, sizeof r) == sizeof r;) {
    serve(&r);
    if (write(socket, &r, sizeof r) != sizeof r)
      break;
  }
  close(socket);
  return NULL;
}
UNTRACED static long now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000L + now.tv_nsec;
}
// Which version is due did not change while the request was under way.
UNTRACED static int is_due(int wanted, unsigned long since, int got) {
  return wanted < 0 || wanted == got || __atomic_load_n(&epoch, __ATOMIC_SEQ_CST) != since;
}
UNTRACED static int ask(int socket, int number) {
  struct Request r = {.number = number, .half = -1, .other_half = -2};
  unsigned long since = __atomic_load_n(&epoch, __ATOMIC_SEQ_CST);
  int wanted = __atomic_load_n(&version, __ATOMIC_SEQ_CST);
  long begin = now_ns(), longest;
  if (write(socket, &r, sizeof r) != sizeof r || read(socket, &r, sizeof r) != sizeof r)
    return 0;
  long took = now_ns() - begin;
  do
    longest = __atomic_load_n(&longest_ns, __ATOMIC_RELAXED);
  while (took > longest && !__atomic_compare_exchange_n(&longest_ns, &longest, took, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  __atomic_fetch_add(&requests, 1, __ATOMIC_RELAXED);
  return r.number == number && r.sum == number * 3 + 7 && is_due(wanted, since, r.half) && r.half == r.other_half;
}
UNTRACED static void *be_client(void *unused) {
  for (int number = 1; !__atomic_load_n(&over, __ATOMIC_RELAXED);) {
    int ends[2];
    pthread_t thread;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0 || pthread_create(&thread, NULL, serve_connection, (void *)(long)ends[1]) != 0) {
      __atomic_fetch_add(&failed, 1, __ATOMIC_RELAXED);
      return unused;
    }
    for (int i = 0; i < kRequestsOfConnection && !__atomic_load_n(&over, __ATOMIC_RELAXED); i++)
      if (!ask(ends[0], number++))
        __atomic_fetch_add(&failed, 1, __ATOMIC_RELAXED);
    close(ends[0]);
    pthread_join(thread, NULL);
  }
  return unused;
}
UNTRACED static void make_due(int wanted) {
  __atomic_store_n(&version, wanted, __ATOMIC_SEQ_CST);
  __atomic_fetch_add(&epoch, 1, __ATOMIC_SEQ_CST);
}
UNTRACED static const char *fix_state(void) {
  const char *line = strchr(cat("livepatch/libraries"), '\t');
  return line ? line + 1 : "";
}
UNTRACED static void wait_for_state(const char *state) {
  while (strncmp(fix_state(), state, strlen(state)) != 0 || fix_state()[strlen(state)] != '\t')
    pause_briefly();
}
UNTRACED static void must(int error, const char *step) {
  if (!error)
    return;
  printf("%s: error %d\n%s", step, -error, cat("livepatch/libraries"));
  printf("%s", cat("log")); // cat() has one text
  exit(1);
}
UNTRACED static void one_cycle(const char *library, const char *name, int unloads) {
  char enabled[256];
  snprintf(enabled, sizeof enabled, "livepatch/%s/enabled", name);
  make_due(-1);
  must(echo(library, "livepatch/load", 0), "load");
  wait_for_state("enabled");
  make_due(1);
  for (unsigned long from = __atomic_load_n(&requests, __ATOMIC_RELAXED); __atomic_load_n(&requests, __ATOMIC_RELAXED) < from + kClients;)
    pause_briefly();
  make_due(-1);
  must(echo("0", enabled, 0), "revert");
  wait_for_state("disabled");
  make_due(0);
  for (int error; unloads && (error = echo(name, "livepatch/unload", 0)) != 0; pause_briefly())
    must(error == -EBUSY ? 0 : error, "unload");
}
// PROGRAM LIBRARY CYCLES [MILLISECONDS]: 0 cycles take that long.
UNTRACED int main(int count, char **arguments) {
  const char *library = arguments[1], *slash = strrchr(library, '/');
  char name[128];
  snprintf(name, sizeof name, "%s", slash ? slash + 1 : library);
  *strstr(name, ".so") = 0;
  pthread_t clients[kClients];
  for (int i = 0; i < kClients; i++)
    pthread_create(&clients[i], NULL, be_client, NULL);
  int cycles = atoi(arguments[2]);
  long begin = now_ns();
  for (int i = 0; i < cycles; i++)
    one_cycle(library, name, i % 4 == 3 || i + 1 == cycles);
  while (count > 3 && now_ns() - begin < atol(arguments[3]) * 1000000L)
    pause_briefly();
  long took = now_ns() - begin;
  set(&over, 1);
  for (int i = 0; i < kClients; i++)
    pthread_join(clients[i], NULL);
  printf("%d cycles, %lu requests, %lu failed, still loaded: %d, longest %ld us\n", cycles, requests, failed,
         dlopen(library, RTLD_LAZY | RTLD_NOLOAD) != NULL, longest_ns / 1000);
  printf("%ld ms\n", took / 1000000);
  EXPECT_EQ(failed, 0);
  EXPECT_EQ(text_differing(), 0);
  return failures;
}
#endif
