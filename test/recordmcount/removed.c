// Without our sections, the object is again what it was, but for the order of sections in the file.
// REQUIRES: gcc
// RUN: %gcc -g -pg -mfentry -c %s -o %t.o && %objcopy %t.o %t.before
// RUN: %recordmcount --keep-calls %t.o && %objcopy -R __mcount_loc -R .rela__mcount_loc -R __ftrace_args -R .rela__ftrace_args -R __ftrace_proto -R .rela__ftrace_proto -R __ftrace_str %t.o %t.after
// RUN: %readelf -SsrgW -x .debug_info -x .text -x .strtab %t.before | sed -E 's/^File:.*//; s/at offset 0x[0-9a-f]+//; s/( 0{16} )[0-9a-f]{6} /\1/' > %t.1
// RUN: %readelf -SsrgW -x .debug_info -x .text -x .strtab %t.after | sed -E 's/^File:.*//; s/at offset 0x[0-9a-f]+//; s/( 0{16} )[0-9a-f]{6} /\1/' > %t.2
// RUN: diff %t.1 %t.2
static int local(int a) { return a * 3; }
int (*pointer)(int) = local;
int f(int a) { return local(a) + 1; }
