; min-size counts the IR that can become machine code; a loop is worth more than any size.
; RUN: %opt -passes='nophook<min-size=3>' -S %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"
declare void @llvm.assume(i1)
declare void @llvm.pseudoprobe(i64, i64, i32, i64)
; CHECK: define i32 @two(i32 %x) #[[SKIP:[0-9]+]] {
define i32 @two(i32 %x) {
  %a = add i32 %x, 1
  ret i32 %a
}
; CHECK: define i32 @three(i32 %x) #[[SITE:[0-9]+]] align 2 !pcsections
define i32 @three(i32 %x) {
  %a = add i32 %x, 1
  %b = mul i32 %a, %x
  ret i32 %b
}
; CHECK: define i32 @notes(i32 %x) #[[SKIP]] {
define i32 @notes(i32 %x) {
  call void @llvm.assume(i1 true)
  call void @llvm.pseudoprobe(i64 1, i64 1, i32 0, i64 -1)
  %a = add i32 %x, 1
  ret i32 %a
}
; CHECK: define void @loop() #[[SITE]] align 2 !pcsections
define void @loop() {
  br label %again
again:
  br label %again
}
; CHECK: attributes #[[SKIP]] = { "nophook"="skip" }
; CHECK: attributes #[[SITE]] = { {{.*}}"patchable-function-entry"="5"
