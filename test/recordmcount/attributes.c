// Mode and times of the file stay, a symbolic link is followed, nothing is left beside it.
// REQUIRES: gcc
// RUN: rm -rf %t && mkdir -p %t/real && %gcc -pg -mfentry -c %s -o %t/real/f.o && chmod 640 %t/real/f.o && touch -d 2001-02-03T04:05:06.789 %t/real/f.o
// RUN: ln -s real/f.o %t/link.o && %recordmcount %t/link.o
// RUN: readlink %t/link.o | FileCheck %s --check-prefix=LINK
// RUN: env TZ=UTC stat -c "%a %y" %t/real/f.o | FileCheck %s --check-prefix=STAT
// RUN: ls -A %t/real | FileCheck %s --check-prefix=LS
// LINK: real/f.o
// STAT: 640 2001-02-03 04:05:06.789
// LS: f.o
// LS-NOT: {{.}}
int f(int a) { return a + 1; }
