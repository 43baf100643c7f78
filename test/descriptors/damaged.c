// A damaged table of prototypes is an error that names the place; the functions are still listed.
// RUN: %describe_cc -O1 %s -o %t
// RUN: %objcopy --dump-section __ftrace_proto=%t.table %t
// RUN: %python -c "d = bytearray(open('%t.table', 'rb').read()); d[0:3] = b'\1\0\0'; open('%t.head', 'wb').write(d)"
// RUN: %objcopy --update-section __ftrace_proto=%t.head %t %t.bad
// RUN: not %nophook list --args %t.bad > %t.out 2>&1 && FileCheck %s --input-file=%t.out --check-prefix=HEAD
// RUN: %python -c "d = bytearray(open('%t.table', 'rb').read()); d[12:16] = b'\0\0\0\x7f'; open('%t.link', 'wb').write(d)"
// RUN: %objcopy --update-section __ftrace_proto=%t.link %t %t.bad
// RUN: not %nophook list --args %t.bad > %t.out 2>&1 && FileCheck %s --input-file=%t.out --check-prefix=LINK
// HEAD-DAG: call-through{{ +}}main
// HEAD-DAG: nophook: {{.*}}.bad: __ftrace_proto+0x0: a record's length is damaged
// LINK-DAG: call-through{{ .*}}main
// LINK-DAG: nophook: {{.*}}.bad: __ftrace_proto+0x{{[0-9a-f]+}}: {{.+}}
int main(int argc, char **argv) { return argc + *argv[0]; }
