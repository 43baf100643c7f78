; Addresses go to a section that the linker script drops where LLVM can (22), and are left alone where not (19).
; RUN: %opt -passes=nophook -S %s | %llc -o - | FileCheck %s -DTABLE=%table
target triple = "x86_64-pc-linux-gnu"

; CHECK: .section [[TABLE]],"awo",@progbits,work
; CHECK-NOT: {{__mcount_loc|__patchable_function_entries}}
define void @work() {
  ret void
}
