// Root writes no output through a folder that is a link of another user: recording, export, page, folder of CTF.
// REQUIRES: root
// RUN: %traced_cc %s -o %t && rm -rf %t.in && mkdir -p %t.in/theirs %t.in/ours && ln -s ../ours %t.in/theirs/link
// RUN: chown -h 65534:65534 %t.in/theirs %t.in/theirs/link && %nophook record -o %t.data -- %t
// RUN: %exits 1 %nophook record -o %t.in/theirs/link/out -- %t 2>&1 | FileCheck %s
// RUN: %exits 1 %nophook export --format perfetto -o %t.in/theirs/link/out %t.data 2>&1 | FileCheck %s
// RUN: %exits 1 %nophook export --format ctf -o %t.in/theirs/link/out %t.data 2>&1 | FileCheck %s
// RUN: %exits 1 %nophook view --output %t.in/theirs/link/out %t.data 2>&1 | FileCheck %s
// RUN: rmdir %t.in/ours
// Its own links lead on.
// RUN: mkdir %t.in/ours && chown -h root %t.in/theirs/link && %nophook record -o %t.in/theirs/link/out -- %t
// RUN: %nophook export --format ctf -o %t.in/theirs/link/folder %t.in/theirs/link/out && ls %t.in/ours | FileCheck %s --check-prefix=OURS
// A user who calls sudo follows own links, too.
// RUN: chown -h 65534 %t.in/theirs/link && env SUDO_UID=65534 %nophook record -o %t.in/theirs/link/out -- %t
// CHECK: nophook: {{.*}}/theirs/link/out: link is a link of user nobody, which is not followed: name the file itself
// OURS: {{^}}folder{{$}}
// OURS-NEXT: {{^}}out{{$}}
int main(void) { return 0; }
