; The traces of -pg in the IR are an error where only the pass runs.
; RUN: sed 's/ATTRIBUTE/"fentry-call"="true"/' %s > %t.ll && not %opt -passes=nophook -S %t.ll -o %t 2>&1 | FileCheck %s
; RUN: sed 's/ATTRIBUTE/"instrument-function-entry-inlined"="mcount"/' %s > %t.ll && not %opt -passes=nophook -S %t.ll -o %t 2>&1 | FileCheck %s
; RUN: sed 's/ATTRIBUTE/"instrument-function-entry-inlined"="__cyg_profile_func_enter"/' %s > %t.ll && %opt -passes=nophook -S %t.ll -o %t
; CHECK: error: nophook: -pg instruments the same functions for gprof: leave it out
target triple = "x86_64-pc-linux-gnu"
define void @work() ATTRIBUTE { ret void }
