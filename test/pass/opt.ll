; opt knows the pass as `nophook`; running it twice changes nothing more.
; RUN: %opt -passes=nophook -S %s | FileCheck %s
; RUN: %opt -passes=nophook,nophook -S %s -o %t.twice
; RUN: %opt -passes=nophook -S %s | diff - %t.twice
; RUN: %opt -passes='default<O2>' -S %s | FileCheck %s
; RUN: %opt -passes='default<O0>' -S %s | FileCheck %s
; It is required: what skips optional passes (here a bisection) does not skip it.
; RUN: %opt -passes=nophook -opt-bisect-limit=0 -S %s 2>%t.bisect | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

; CHECK: define {{.*}}i32 @work(i32 {{.*}}) {{.*}}#[[ATTRIBUTES:[0-9]+]] align 2 !pcsections ![[NODE:[0-9]+]]
define i32 @work(i32 %x) {
  %y = mul i32 %x, 3
  ret i32 %y
}

; CHECK: attributes #[[ATTRIBUTES]] = {{.*}}"patchable-function-entry"="5"
; CHECK: ![[NODE]] = !{{[{](!"__mcount_rel", )?}}!"__ftrace_args", ![[CONSTANTS:[0-9]+]]}
; CHECK: ![[CONSTANTS]] = !{i32 131073, i32 {{-?[0-9]+}}}
