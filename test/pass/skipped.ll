; Bodies without an ordinary entry, resolvers and what the user has set are left alone.
; RUN: %opt -passes=nophook -S %s | FileCheck %s --implicit-check-not='!pcsections'
target triple = "x86_64-pc-linux-gnu"

@indirect = ifunc void (), ptr @resolver

; CHECK: define available_externally void @elsewhere() {
define available_externally void @elsewhere() { ret void }
; CHECK: define void @bare() #[[NAKED:[0-9]+]] {
define void @bare() naked { unreachable }
; CHECK: define x86_intrcc void @interrupt(ptr byval(i64) %frame) {
define x86_intrcc void @interrupt(ptr byval(i64) %frame) { ret void }
; CHECK: define internal ptr @resolver() {
define internal ptr @resolver() { ret ptr null }
; CHECK: define void @untraced() #[[UNTRACED:[0-9]+]] {
define void @untraced() "function-instrument"="xray-never" { ret void }
; CHECK: define void @foreign() #[[FOREIGN:[0-9]+]] {
define void @foreign() "patchable-function-entry"="2" { ret void }
; CHECK: define void @prefixed() #[[PREFIXED:[0-9]+]] {
define void @prefixed() "patchable-function-entry"="5" "patchable-function-prefix"="3" { ret void }
; CHECK: define void @ours() #{{[0-9]+}} align 2 !pcsections !0 {
define void @ours() { ret void }
; CHECK: declare void @declared(){{$}}
declare void @declared()

; CHECK-DAG: attributes #[[NAKED]] = { naked }
; CHECK-DAG: attributes #[[UNTRACED]] = { "function-instrument"="xray-never" }
; CHECK-DAG: attributes #[[FOREIGN]] = { "patchable-function-entry"="2" }
; CHECK-DAG: attributes #[[PREFIXED]] = { "patchable-function-entry"="5" "patchable-function-prefix"="3" }
