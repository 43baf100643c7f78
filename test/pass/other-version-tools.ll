; opt and lld of another version get an error of one line, with the fix, before LLVM speaks of interfaces.
; REQUIRES: other-clang, lld
; RUN: not %other-bin/opt -load-pass-plugin=%plugin -passes=nophook -S %s -o - 2>&1 | FileCheck %s
; RUN: %other-bin/llvm-as %s -o %t.bc && not %other-bin/ld.lld --load-pass-plugin=%plugin -shared %t.bc -o %t.so 2>&1 | FileCheck %s
; CHECK-NOT: LLVM ERROR
; CHECK: error: nophook: this plugin is for LLVM [[OURS:[0-9]+]].x, but it is loaded by LLVM {{[0-9.]+}}: use the tools of LLVM [[OURS]], or build the plugin for this one
; CHECK-NOT: LLVM ERROR
target triple = "x86_64-pc-linux-gnu"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
define void @work() { ret void }
