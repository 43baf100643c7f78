// Formats with a time axis leave nothing out: ends of calls that began before the recording, marks, and calls that tracing_thresh has timed; speedscope, which shows durations only, gives the first two 0 ns and says so, and refuses the function tracer.
// RUN: %traced_cc -D_GNU_SOURCE -I%include %s -o %t
// Callbacks, as --args has, note no open calls at the start of what a flight recorder keeps: docs/limits.md.
// RUN: %nophook record --overwrite -m 1 --args -l 'slow*' -l tick -o %t.data -- %t && %nophook report %t.data | tail -n 4 | FileCheck %s --check-prefix=REPORT
// RUN: %nophook export --format chrome -o %t.chrome %t.data && FileCheck %s --check-prefix=CHROME < %t.chrome && %debian_python %S/Inputs/fits.py %S/Inputs/chrome.schema.json %t.chrome
// RUN: %nophook export --format perfetto -o %t.pftrace %t.data && protoc --proto_path=%S/Inputs --decode=Trace perfetto.proto < %t.pftrace | FileCheck %s --check-prefix=PERFETTO
// RUN: %nophook export --format speedscope %t.data 2> %t.said > %t.speedscope && FileCheck %s --check-prefix=SPEEDSCOPE < %t.speedscope && FileCheck %s --check-prefix=SAID < %t.said
// RUN: %nophook export --format firefox -o %t.firefox %t.data && FileCheck %s --check-prefix=FIREFOX < %t.firefox && %debian_python %S/Inputs/fits.py %S/Inputs/firefox.schema.json %t.firefox
// RUN: %nophook record -S tracing_thresh=10000 -o %t.slow -- %t && %nophook report --json %t.slow > %t.json
// RUN: %nophook export --format speedscope %t.slow > %t.timed && %python %S/Inputs/timed.py %t.timed %t.json
// RUN: %nophook export --format chrome -o %t.chrome %t.slow && %debian_python %S/Inputs/fits.py %S/Inputs/chrome.schema.json %t.chrome && FileCheck %s --check-prefix=TIMED < %t.chrome
// RUN: %nophook record -p function -o %t.function -- %t && %exits 1 %nophook export --format speedscope -o %t.none %t.function 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: not ls %t.none
// REPORT: /* said once */
// REPORT-NEXT: } /* slow_inner */
// REPORT-NEXT: } /* slow */
// CHROME: "ph":"i","name":"said once","cat":"mark"
// CHROME: "ph":"i","name":"end of slow_inner","cat":"end"
// CHROME: "ph":"i","name":"end of slow","cat":"end"
// PERFETTO: name: "said once"
// PERFETTO: categories: "end"
// PERFETTO: name: "end of slow_inner"
// PERFETTO: name: "end of slow"
// The buffer may begin in the middle of a call of tick, whose end is one more.
// SPEEDSCOPE: "type":"O","frame":[[MARK:[0-9]+]],"at":[[AT:[0-9]+]]},{"type":"C","frame":[[MARK]],"at":[[AT]]},{"type":"O","frame":
// SPEEDSCOPE: {"name":"[mark] said once"}
// SPEEDSCOPE: {"name":"[end of slow_inner]"}
// SPEEDSCOPE: {"name":"[end of slow]"}
// FIREFOX: "stringArray":[{{("end of tick",)?}}"tick","said once","end of slow_inner","end of slow"]
// TIMED: "ph":"X","name":"slow_inner","cat":"call",{{.*}},"dur":{{[0-9]{5,}\.[0-9]+}}}
// SAID: nophook: speedscope shows durations only: {{[34]}} events without one (marks, losses, ends of calls that began earlier) became frames of 0 ns
// FUNCTION: nophook: {{.*}}: has calls without a duration, which speedscope cannot show: formats that can are chrome, perfetto and folded
#include <trace_marker.h>
#include <unistd.h>
__attribute__((noinline)) static void tick(void) { __asm__ volatile(""); }
__attribute__((noinline)) static void slow_inner(void) {
  usleep(20000);
  for (int i = 0; i < 200000; i++) // more events than are kept
    tick();
  trace_printk("said once\n");
}
__attribute__((noinline)) static void slow(void) {
  slow_inner();
  __asm__ volatile("");
}
int main(void) {
  slow();
  return 0;
}
