; fastcc functions pop their arguments under -tailcallopt, and only there.
; RUN: %opt -passes=nophook -S %s | FileCheck %s --check-prefix=PLAIN
; RUN: %opt -passes=nophook -tailcallopt -S %s | FileCheck %s --check-prefix=POPS
target triple = "x86_64-pc-linux-gnu"

; PLAIN: !{i32 65537, i32 0}
; POPS:  !{i32 66048, i32 0}
define fastcc void @work() { ret void }
