; Functions on split stacks and those of a garbage collector are not called through.
; RUN: %opt -passes=nophook -S %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

; CHECK: define void @split() {{.*}}!pcsections ![[NODE:[0-9]+]]
define void @split() "split-stack" { ret void }
; CHECK: define void @collected() {{.*}}!pcsections ![[NODE]]
define void @collected() gc "statepoint-example" { ret void }
; CHECK: ![[NODE]] = !{{[{](!"__mcount_rel", )?}}!"__ftrace_args", ![[CONSTANTS:[0-9]+]]}
; CHECK: ![[CONSTANTS]] = !{i32 131092, i32 {{-?[0-9]+}}}
