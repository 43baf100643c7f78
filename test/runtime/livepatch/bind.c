// A patch's library reaches static variables and functions of the program by symbols `.klp.sym.…`: in code,
// in tables with addends, in read-only data, thread-local ones, and one of several by its position. The data
// that the patch has changed itself stays as it is when it is enabled again.
// RUN: rm -rf %t && mkdir %t
// RUN: %traced_cc -Wno-unused-command-line-argument -O1 -c -DFIRST %s -o %t/first.o
// RUN: %traced_cc -Wno-unused-command-line-argument -O1 -c -DSECOND %s -o %t/second.o
// RUN: %traced_cc -O1 %s %t/first.o %t/second.o -o %t/program %linked -Wl,--build-id=0x12ab34cd
// RUN: %traced_cc -O1 -shared -fPIC -DFIX %s -o %t/fix.so -Wl,-z,norelro -Wl,-z,now -Wl,-Bsymbolic
// RUN: %traced_cc -O1 -shared -fPIC -DFIX %s -o %t/relro.so -Wl,-z,relro -Wl,-z,now
// RUN: %traced_cc -O0 -shared -fPIC -DFIX -DMODEL='__attribute__((tls_model("initial-exec")))' %s -o %t/static_tls.so -Wl,-z,lazy,-z,norelro
// RUN: %readelf -r %t/fix.so | FileCheck %s --check-prefix=KINDS
// KINDS-DAG: R_X86_64_GLOB_DAT {{.*}} .klp.sym.program.counter,0
// KINDS-DAG: R_X86_64_JUMP_SLOT {{.*}} .klp.sym.program.helper,0
// KINDS-DAG: R_X86_64_64 {{.*}} .klp.sym.program.values,0 + 8
// KINDS-DAG: R_X86_64_DTPMOD64 {{.*}} .klp.sym.program.per_thread,0
// KINDS-DAG: R_X86_64_DTPOFF64 {{.*}} .klp.sym.program.per_thread,0
// RUN: %t/program %t/fix.so && %t/program %t/relro.so && %t/program %t/static_tls.so
#if defined FIRST || defined SECOND
#include "program.h"
#ifdef FIRST
#define NUMBER 1
#define READER read_first
#else
#define NUMBER 2
#define READER read_second
#endif
static volatile int same_name = NUMBER;
int READER(void);
UNTRACED int READER(void) { return same_name; }
#elif defined FIX
#include "klp.h"
#ifndef MODEL
#define MODEL
#endif
#ifndef COMMA
#define COMMA ","
#endif
#define OLD(declaration, name, position) extern declaration __asm__(".klp.sym.program." #name COMMA #position) __attribute__((weak))
OLD(int counter, counter, 0);
OLD(int values[3], values, 0);
OLD(int helper(int), helper, 0);
OLD(int first_one, same_name, 1);
OLD(int second_one, same_name, 2);
OLD(_Thread_local int per_thread, per_thread, 0) MODEL;
static int own = 700;
int *const table[] = {&counter, &values[2]};
int (*const function)(int) = helper;
int *where = &counter;
static int new_version(int n) {
  counter += n;
  per_thread += 1;
  values[1] = first_one * 10 + second_one;
  return helper(n) + function(n) + *table[1] + *where;
}
static struct klp_func funcs[] = {FUNC(old_version, new_version), {.old_name = NULL}};
static struct klp_object objects[] = {{.funcs = funcs, .build_id = "12ab34cd"}, {.funcs = NULL}};
struct klp_patch fix = {.objs = objects};
UNTRACED void change(void);
UNTRACED void change(void) { where = &own; }
#else
#include "klp.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>
static volatile int counter = 5;
static volatile int values[3] = {1, 2, 3};
static _Thread_local volatile int per_thread = 30;
int read_first(void), read_second(void);
NOINLINE static int helper(int n) { KEEP(&n); return n * 100; }
NOINLINE static int old_version(int n) { KEEP(&n); return n + counter + values[0] + per_thread; }
UNTRACED static void *run(void *unused) {
  EXPECT_EQ(old_version(1), 100 + 100 + 3 + 8);
  EXPECT_EQ(per_thread, 31); // its own one
  return unused;
}
// The kernel writes to no other page. If it does, the byte is lost.
UNTRACED static int is_writable(void *place) {
  int zeros = open("/dev/zero", O_RDONLY);
  ssize_t got = read(zeros, place, 1);
  close(zeros);
  return got == 1;
}
UNTRACED int main(int count, char **arguments) {
  EXPECT_EQ(count, 2);
  EXPECT_EQ(helper(counter) + read_first(), 501);
  EXPECT_EQ(old_version(1), 1 + 5 + 1 + 30);
  void *library = dlopen(arguments[1], RTLD_NOW);
  struct klp_patch *fix = dlsym(library, "fix");
  enable_and_wait(fix);
  EXPECT_EQ(old_version(2), 200 + 200 + 3 + 7);
  EXPECT_EQ(counter, 7);
  EXPECT_EQ(values[1], 12);
  EXPECT_EQ(per_thread, 31);
  pthread_t thread;
  pthread_create(&thread, NULL, run, NULL);
  pthread_join(thread, NULL);
  ((void (*)(void))dlsym(library, "change"))();
  disable_and_wait(fix);
  enable_and_wait(fix);
  EXPECT_EQ(old_version(2), 200 + 200 + 3 + 700);
  EXPECT_EQ(counter, 10);
  disable_and_wait(fix);
  EXPECT_EQ(is_writable(dlsym(library, "table")), strstr(arguments[1], "relro") == NULL);
  EXPECT_EQ(text_differing(), 0);
  return failures;
}
#endif
