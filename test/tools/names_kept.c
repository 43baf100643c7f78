// A recording keeps the names, arguments and lines of the recorded functions, in the program and in a library, when the files are removed or built again; without them, a file that has changed and one that is gone get different notes.
// REQUIRES: lld
// RUN: %traced_cc -O1 -g -fPIC -shared -Wl,--build-id -DLIBRARY %s -o %t.so && %traced_cc -O1 -g -Wl,--build-id=none %s %t.so -o %t
// RUN: %nophook record -a -r -o %t.data -- %t && %nophook record --no-symbols -o %t.plain -- %t && %nophook record -p function -o %t.callers -- %t
// RUN: %nophook report --srcline %t.data > %t.before
// RUN: FileCheck %s < %t.before && %nophook report %t.callers > %t.callers.before && FileCheck %s --check-prefix=CALLERS < %t.callers.before
// RUN: %traced_cc -O1 -DREBUILT %s %t.so -o %t && rm %t.so
// RUN: %nophook report --srcline %t.data > %t.after 2>&1 && cmp %t.before %t.after
// RUN: %nophook report %t.callers > %t.callers.after 2>&1 && cmp %t.callers.before %t.callers.after
// RUN: %nophook graph main %t.data | FileCheck %s --check-prefix=GRAPH
// RUN: %nophook report %t.plain 2>&1 | FileCheck %s --check-prefix=PLAIN
// CHECK: main() {
// CHECK: in_library(point={x=1, y=2}, text="a text"){{.*}}ret=6
// CALLERS: in_library <-main
// GRAPH: in_library
// PLAIN-DAG: names_kept.c.tmp: no names: it is not the file that was recorded (content)
// PLAIN-DAG: names_kept.c.tmp.so: no names: No such file or directory
#ifdef REBUILT
int another(void) { return 0; }
#endif
struct point { int x, y; };
int in_library(struct point point, const char *text);
#ifdef LIBRARY
int in_library(struct point point, const char *text) { return point.x + point.y + 3 * (text[0] == 'a'); }
#else
int main(void) { struct point point = {1, 2}; return in_library(point, "a text") != 6; }
#endif
