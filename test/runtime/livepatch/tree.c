// livepatch/ in the control tree: a folder for each enabled patch, with the kernel's files. They
// show what it is doing, switch it off, turn its transition round, name the threads that it waits
// for, and force it.
// RUN: %traced_cc -O1 -I %S/../tracefs %s -o %t %linked && %t
#include "klp.h"
#include "tree.h" // in test/runtime/tracefs
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

NOINLINE int first(void) { int n = 1; KEEP(&n); return n; }
NOINLINE int new_first(void) { int n = 11; KEEP(&n); return n; }
NOINLINE int newest_first(void) { int n = 21; KEEP(&n); return n; }
static int inside, leave;
NOINLINE int waits(void) { int n = 2; KEEP(&n); set(&inside, 1); wait_until(&leave, 1); return n; }
NOINLINE int new_waits(void) { int n = 12; KEEP(&n); return n; }
static struct klp_func in_program[] = {FUNC(first, new_first), {.old_name = "waits", .new_func = (void *)new_waits, .old_sympos = 1}, {.old_name = NULL}};
static struct klp_func in_library[] = {{.old_name = "later", .new_func = (void *)new_first}, {.old_name = NULL}};
static struct klp_object objects[] = {{.funcs = in_program}, {.name = "libabsent.so.1", .funcs = in_library}, {.funcs = NULL}};
static struct klp_patch patch = {.objs = objects};
static struct klp_func again[] = {FUNC(first, newest_first), {.old_name = NULL}};
static struct klp_object again_objects[] = {{.funcs = again}, {.funcs = NULL}};
static struct klp_patch newest = {.objs = again_objects, .replace = true};

static char names[4096];
UNTRACED static int add(const char *name, unsigned mode, void *data) {
  size_t used = strlen(names);
  snprintf(names + used, sizeof names - used, "%s%s ", name, S_ISDIR(mode) ? "/" : "");
  return data != NULL;
}
// The entries of a folder below livepatch/.
UNTRACED static const char *list(const char *folder) {
  char path[512];
  snprintf(path, sizeof path, "livepatch%s%s", *folder ? "/" : "", folder);
  names[0] = 0;
  int error = tracefs_list(path, add, NULL);
  if (error)
    snprintf(names, sizeof names, "error %d", -error);
  return names;
}
#define EXPECT_LIST(folder, expected)                                                              \
  do {                                                                                             \
    EXPECT(strcmp(list(folder), expected) == 0);                                                   \
    if (strcmp(names, expected) != 0)                                                              \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, names);                                   \
  } while (0)

static int result, tid;
UNTRACED static void *run(void *unused) {
  tid = (int)syscall(SYS_gettid);
  result = waits();
  return unused;
}
#define P "livepatch/program/"
#define SECOND "livepatch/program-2/"
UNTRACED static void wait_for_text(const char *path, const char *text) {
  while (strcmp(cat(path), text) != 0)
    pause_briefly();
}

UNTRACED int main(void) {
  EXPECT_LIST("", "libraries load looks unload ");
  EXPECT_EQ(echo("fix.so", "livepatch/load", 0), -EINVAL); // no absolute path
  EXPECT_EQ(echo("/nowhere/fix.so", "livepatch/load", 0), -ENOEXEC);
  EXPECT_EQ(echo("program", "livepatch/unload", 0), -ENOENT);
  enable_and_wait(&patch);
  EXPECT_TEXT("livepatch/libraries", ""); // the patch lies in the program
  EXPECT_EQ(echo("program", "livepatch/unload", 0), -ENOENT);
  EXPECT_LIST("", "libraries load looks program/ unload ");
  EXPECT_LIST("program", "enabled force libabsent/ pending_threads program/ replace stack_order transition ");
  EXPECT_LIST("program/program", "first,1/ patched waits,1/ ");
  EXPECT_LIST("program/program/waits,1", "");
  EXPECT_LIST("program/program/wait", "error 2");
  EXPECT_TEXT(P "program/waits,1", "error 21");
  EXPECT_TEXT(P "enabled", "1\n");
  EXPECT_TEXT(P "transition", "0\n");
  EXPECT_TEXT(P "pending_threads", "");
  EXPECT_TEXT(P "replace", "0\n");
  EXPECT_TEXT(P "stack_order", "1\n");
  EXPECT_TEXT(P "program/patched", "1\n");
  EXPECT_TEXT(P "libabsent/patched", "0\n");
  EXPECT_TEXT(P "force", "error 13");
  EXPECT_EQ(echo("1", P "transition", 0), -EACCES);
  EXPECT_EQ(echo("1", P "enabled", 0), -EINVAL);
  EXPECT_EQ(echo("2", P "enabled", 0), -EINVAL);
  EXPECT_EQ(echo("maybe", P "enabled", 0), -EINVAL);
  EXPECT_EQ(echo("1", P "force", 0), -EINVAL); // in no transition
  EXPECT_EQ(first(), 11);

  // A file of a patch that has gone.
  struct tracefs_file *file;
  EXPECT_EQ(tracefs_open(P "enabled", O_WRONLY, &file), 0);
  EXPECT_EQ(echo("0", P "enabled", 0), 0);
  wait_for_patch(&patch);
  EXPECT_LIST("", "libraries load looks unload ");
  EXPECT_EQ(first(), 1);
  EXPECT_EQ(tracefs_append(file, "0", 1), -ENODEV);
  EXPECT_EQ(tracefs_close(file), 0);

  // A thread inside keeps the transition going, which is turned round twice, and forced.
  pthread_t thread;
  pthread_create(&thread, NULL, run, NULL);
  wait_until(&inside, 1);
  EXPECT_EQ(klp_enable_patch(&patch), 0);
  EXPECT_EQ(first(), 11);
  char line[32];
  snprintf(line, sizeof line, "%d\n", tid);
  wait_for_text(P "pending_threads", line);
  EXPECT_TEXT(P "transition", "1\n");
  EXPECT_TEXT(P "enabled", "1\n");
  EXPECT_EQ(echo("0", P "enabled", 0), 0);
  EXPECT_EQ(first(), 1);
  wait_for_patch(&patch); // the thread is in the old version
  EXPECT_LIST("", "libraries load looks unload ");
  EXPECT_EQ(klp_enable_patch(&patch), 0);
  wait_for_text(P "pending_threads", line);
  EXPECT_EQ(klp_enable_patch(&newest), -EBUSY);
  EXPECT_EQ(echo("0", P "force", 0), 0);
  EXPECT_TEXT(P "transition", "1\n");
  EXPECT_EQ(echo("1", P "force", 0), 0);
  EXPECT_TEXT(P "transition", "0\n");
  EXPECT_TEXT(P "pending_threads", "");
  set(&leave, 1);
  pthread_join(thread, NULL);
  EXPECT_EQ(result, 2);

  // A second one, which replaces the first.
  newest.replace = false;
  enable_and_wait(&newest);
  EXPECT_LIST("", "libraries load looks program/ program-2/ unload ");
  EXPECT_TEXT(SECOND "stack_order", "2\n");
  EXPECT_TEXT(P "stack_order", "1\n");
  EXPECT_EQ(echo("0", P "enabled", 0), -EBUSY);
  EXPECT_EQ(first(), 21);
  EXPECT_EQ(echo("0", SECOND "enabled", 0), 0);
  wait_for_patch(&newest);
  newest.replace = true;
  enable_and_wait(&newest);
  EXPECT_LIST("", "libraries load looks program-2/ unload ");
  EXPECT_TEXT(SECOND "replace", "1\n");
  EXPECT_TEXT(SECOND "stack_order", "1\n");
  disable_and_wait(&newest);
  EXPECT_LIST("", "libraries load looks unload ");
  EXPECT_EQ(text_differing(), 0);
  return failures;
}
