; Calls that the dynamic linker answers by the caller's address never become tail calls.
; RUN: %opt -passes=nophook -S %s | FileCheck %s
; RUN: %opt -passes='default<O2>' -S %s | %llc -o - | FileCheck %s --check-prefix=ASM
target triple = "x86_64-pc-linux-gnu"
declare ptr @dlsym(ptr, ptr)
declare ptr @dlopen(ptr, i32)
declare ptr @other(ptr, ptr)

; CHECK: notail call ptr @dlsym
; ASM-LABEL: {{^}}next:
; ASM: callq dlsym
define ptr @next(ptr %name) {
  %p = tail call ptr @dlsym(ptr inttoptr (i64 -1 to ptr), ptr %name)
  ret ptr %p
}
; CHECK: notail call ptr @dlopen
define ptr @open(ptr %name) {
  %p = call ptr @dlopen(ptr %name, i32 1)
  ret ptr %p
}
; CHECK: musttail call ptr @dlsym
define ptr @must(ptr %handle, ptr %name) {
  %p = musttail call ptr @dlsym(ptr %handle, ptr %name)
  ret ptr %p
}
; CHECK: tail call ptr @other
; ASM-LABEL: {{^}}free:
; ASM: jmp other
define ptr @free(ptr %a, ptr %b) {
  %p = tail call ptr @other(ptr %a, ptr %b)
  ret ptr %p
}
; CHECK: tail call ptr @dlsym
define ptr @untraced(ptr %h, ptr %name) "function-instrument"="xray-never" {
  %p = tail call ptr @dlsym(ptr %h, ptr %name)
  ret ptr %p
}
