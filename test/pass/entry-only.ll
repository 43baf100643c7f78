; A function that cannot be called through says why: the word `call` is 0x20000 + 4 times the reason of include/nophook/args.h.
; RUN: %opt -passes=nophook -S %s | %llc -o - | FileCheck %s
target triple = "x86_64-pc-linux-gnu"
declare ptr @llvm.returnaddress(i32)
declare ptr @llvm.addressofreturnaddress.p0()
declare ptr @llvm.frameaddress.p0(i32)
; CHECK-LABEL: {{^}}variadic:
; CHECK: 0x20004
define void @variadic(i32 %a, ...) { ret void }
; CHECK-LABEL: {{^}}tail:
; CHECK: 0x20008
define tailcc void @tail() { ret void }
; CHECK-LABEL: {{^}}swifttail:
; CHECK: 0x20008
define swifttailcc void @swifttail() { ret void }
; CHECK-LABEL: {{^}}twice:
; CHECK: 0x2000c
define i32 @twice() returns_twice { ret i32 0 }
; CHECK-LABEL: {{^}}return_address:
; CHECK: 0x20010
define ptr @return_address() {
  %p = call ptr @llvm.returnaddress(i32 0)
  ret ptr %p
}
; CHECK-LABEL: {{^}}address_of:
; CHECK: 0x20010
define ptr @address_of() {
  %p = call ptr @llvm.addressofreturnaddress.p0()
  ret ptr %p
}
; CHECK-LABEL: {{^}}outer_frame:
; CHECK: 0x20010
define ptr @outer_frame() {
  %p = call ptr @llvm.frameaddress.p0(i32 1)
  ret ptr %p
}
; CHECK-LABEL: {{^}}own_frame:
; CHECK: 0x20001
define ptr @own_frame() {
  %p = call ptr @llvm.frameaddress.p0(i32 0)
  ret ptr %p
}
; CHECK-LABEL: {{^}}haskell:
; CHECK: 0x20014
define ghccc void @haskell() { ret void }
; CHECK-LABEL: {{^}}windows:
; CHECK: 0x20014
define win64cc void @windows() { ret void }
; CHECK-LABEL: {{^}}large:
; CHECK: 0x20018
define void @large(ptr byval([4097 x i8]) %a) { ret void }
; CHECK-LABEL: {{^}}largest:
; CHECK: 0x28002
define void @largest(ptr byval([4096 x i8]) %a) { ret void }
