// Copies are kept for the next link, made again for other contents, bounded, and removed by no link that another one would miss; without room the link goes on.
// REQUIRES: gnu-ld, mounts
// RUN: rm -rf %t && mkdir %t && cd %t && gcc -O1 -g -fpatchable-function-entry=5 -c %s -o main.o && gcc -O1 -c %s -o none.o
// RUN: env XDG_CACHE_HOME=%t gcc -B%folder main.o -o one && find nophook/link -name main.o | tee first | FileCheck %s --check-prefix=COPY
// RUN: env XDG_CACHE_HOME=%t gcc -B%folder main.o -o one && find nophook/link -name main.o > second && cmp first second
// RUN: gcc -O2 -g -DMORE -fpatchable-function-entry=5 -c %s -o main.o && env XDG_CACHE_HOME=%t gcc -B%folder main.o -o two && find nophook/link -name main.o | count 2
// RUN: env XDG_CACHE_HOME=%t gcc -B%folder none.o -o none && find nophook/link -name '*.o' | count 2
// RUN: env XDG_CACHE_HOME=%t NOPHOOK_CACHE_SIZE=0 gcc -B%folder main.o -o three && find nophook/link -name '*.o' | count 1
// RUN: env XDG_CACHE_HOME=%t NOPHOOK_CACHE_SIZE=0 %python %S/Inputs/many_links.py 40 gcc -B%folder
// RUN: mkdir disk tmp && env XDG_CACHE_HOME=%t/disk TMPDIR=%t/tmp unshare -rm sh -c 'mount -t tmpfs -o size=16k none disk && gcc -B%folder main.o -o full' 2>&1 | FileCheck %s --check-prefix=FULL && ./full
// RUN: env XDG_CACHE_HOME=/proc/nothing TMPDIR=%t/tmp gcc -B%folder main.o -o other && %nophook list other 2>&1 | FileCheck %s && ls tmp | count 0
// COPY: nophook/link/{{[0-9a-f]+}}/main.o
// FULL: recordmcount: {{.*}}No space left on device
// FULL: nophook: warning: main.o: cannot be traced
// CHECK: 1 function: 1 call-through
int main(int n, char **words) { return n > 9 || !words; }
#ifdef MORE
int table[4096] = {1};
#endif
