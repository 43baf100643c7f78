; Calling conventions and other facts that the back end knows of a function; unknown places are listed as unknown.
; RUN: %opt -passes=nophook %s -o %t.bc && %llc -filetype=obj %t.bc -o %t.o
; RUN: %clang -no-pie -fuse-ld=lld -nostdlib -Wl,-e,plain %t.o -Wl,-T,%lds %module -o %t
; RUN: %nophook list --args --json %t | FileCheck %s
; REQUIRES: lld
target triple = "x86_64-pc-linux-gnu"
; CHECK: "function":"plain",{{.*}}"convention":"C","no_source":true,"has_nest":true,"never_returns":true,{{.*}}"place":"r10"
define void @plain(ptr nest %chain) noreturn nounwind { unreachable }
; CHECK: "function":"fast",{{.*}}"convention":"fast",{{.*}}"can_unwind":true
define fastcc void @fast() { ret void }
; CHECK: "function":"none",{{.*}}"convention":"preserve_none",{{.*}}"place":"r12"{{.*}}"place":"xmm0"
define preserve_nonecc void @none(i64 %a, double %b) { ret void }
; CHECK: "function":"reg",{{.*}}"convention":"regcall",{{.*}}"place":"rax"{{.*}}"place":"rcx"
define x86_regcallcc void @reg(i64 %a, i64 %b) { ret void }
; CHECK: "function":"swift",{{.*}}"convention":"swift",{{.*}}"place":"r13"
define swiftcc void @swift(ptr swiftself %self) { ret void }
; CHECK: "function":"vector",{{.*}}"convention":"vectorcall",{{.*}}"place":"unknown"}
define x86_vectorcallcc void @vector(i64 %a) { ret void }
; CHECK: "function":"ghc",{{.*}}"convention":"ghc",{{.*}}"place":"unknown"
define ghccc void @ghc(i64 %a) { ret void }
; CHECK: "function":"twice",{{.*}}"returns_twice":true
define i32 @twice() returns_twice { ret i32 0 }
; CHECK: "function":"looks",{{.*}}"reads_caller":true
define ptr @looks() { %p = call ptr @llvm.returnaddress(i32 0) ret ptr %p }
declare ptr @llvm.returnaddress(i32)
