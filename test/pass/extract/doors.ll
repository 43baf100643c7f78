; The list of extract= is an option as any other: in opt too, printed as it was read, a dependency of the
; object, and harmless when the plugin is loaded by both flags.
; RUN: rm -rf %t && mkdir %t && cd %t
; RUN: printf 'take\trun\nold\trun\tS.run\n' > list
; RUN: %opt -disable-output -print-pipeline-passes -passes='nophook<extract=list>' %s | FileCheck %s --check-prefix=PRINTED
; PRINTED: {{^}}nophook<extract=list>
; RUN: %opt -S -passes='nophook<extract=list>,nophook<extract=list>' %s | FileCheck %s
; RUN: printf 'int run(int n) { return n ? run(n - 1) : 0; }' > run.c
; RUN: %clang -O0 -fPIC %instrument -fpass-plugin=%plugin %option-extract=list -MD -MF run.d -c run.c -o run.o
; RUN: FileCheck %s --check-prefix=DEPENDENCY < run.d && %readelf -r run.o | FileCheck %s --check-prefix=OBJECT
; DEPENDENCY: list
; OBJECT: PLT32 {{.*}} S.run - 4
; CHECK: @nophook_klp_new.run = hidden alias void (), ptr @run
; CHECK: define internal void @run()
; CHECK: call void @S.run()
; CHECK: declare extern_weak void @S.run()
target triple = "x86_64-pc-linux-gnu"
define void @run() {
  call void @run()
  ret void
}
!llvm.module.flags = !{!0}
!0 = !{i32 8, !"PIC Level", i32 2}
