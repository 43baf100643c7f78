; fastcc functions pop their arguments under -tailcallopt, and only there.
; RUN: %opt -passes=nophook -S %s | FileCheck %s --check-prefix=PLAIN
; RUN: %opt -passes=nophook -tailcallopt -S %s | FileCheck %s --check-prefix=POPS
target triple = "x86_64-pc-linux-gnu"

; PLAIN: !{i32 131073, i32 {{-?[0-9]+}}}
; POPS:  !{i32 131080, i32 {{-?[0-9]+}}}
define fastcc void @work() { ret void }
