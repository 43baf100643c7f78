// export --format perfetto: a flow leads from the process that forks to its child's first call, and from a program to the one that it executes; counters of calls are tracks with the counter's value.
// RUN: %traced_cc -D_GNU_SOURCE -DOTHER='"%t.other"' %s -o %t && cp %t %t.other && %nophook record -S perf_counters=minor-faults,task-clock -o %t.data -- %t
// RUN: %nophook export --format perfetto -o %t.pftrace %t.data && protoc --proto_path=%S/Inputs --decode=Trace perfetto.proto < %t.pftrace > %t.text
// RUN: FileCheck %s < %t.text && FileCheck %s --check-prefix=COUNTERS < %t.text
// RUN: %nophook report --json %t.data > %t.json && %python %S/Inputs/counter_tracks.py %t.text %t.json
// The parent has one thread, so the flow begins on its track.
// CHECK:      name: "main"
// CHECK:      track_uuid: [[MAIN:[0-9]+]]
// CHECK:      type: TYPE_INSTANT
// CHECK-NEXT: track_uuid: [[MAIN]]
// CHECK-NEXT: categories: "fork"
// CHECK-NEXT: name: "fork"
// CHECK-NEXT: flow_ids: [[FORK:[0-9]+]]
// CHECK:      type: TYPE_SLICE_BEGIN
// CHECK:      terminating_flow_ids: [[FORK]]
// CHECK:      name: "exec"
// CHECK-NEXT: flow_ids: [[EXEC:[0-9]+]]
// CHECK:      terminating_flow_ids: [[EXEC]]
// COUNTERS:      name: "task-clock"
// COUNTERS-NEXT: parent_uuid: {{[0-9]+}}
// COUNTERS-NEXT: counter {
// COUNTERS-NEXT:   unit: UNIT_TIME_NS
// COUNTERS:      name: "minor-faults"
// COUNTERS-NEXT: parent_uuid: {{[0-9]+}}
// COUNTERS-NEXT: counter {
// COUNTERS-NEXT:   unit: UNIT_COUNT
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noinline)) void touches(char *pages, int count) {
  for (int i = 0; i < count; i++)
    *(volatile char *)(pages + 4096l * i) = 1;
}
__attribute__((noinline)) void both(char *pages) {
  touches(pages, 100);
  touches(pages + 4096l * 100, 50);
}
int main(int count, char *arguments[]) {
  (void)arguments;
  char *pages = (char *)mmap(0, 4096l * 200, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  madvise(pages, 4096l * 200, MADV_NOHUGEPAGE);
  both(pages);
  if (count > 1)
    return 0;
  if (fork() == 0) {
    touches(pages, 10);
    execl(OTHER, OTHER, "again", (char *)0);
    _exit(1);
  }
  int status = 1;
  wait(&status);
  return status;
}
