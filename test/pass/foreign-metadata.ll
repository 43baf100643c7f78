; Metadata of another user of !pcsections stays; ours is added behind it.
; RUN: %opt -passes=nophook -S %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

; CHECK: !{!"theirs!C", ![[THEIRS:[0-9]+]], {{(!"__mcount_rel", )?}}!"__ftrace_args", ![[OURS:[0-9]+]]}
; CHECK-DAG: ![[THEIRS]] = !{i64 7}
; CHECK-DAG: ![[OURS]] = !{i32 131073, i32 {{-?[0-9]+}}}
define void @work() !pcsections !0 { ret void }
!0 = !{!"theirs!C", !1}
!1 = !{i64 7}
