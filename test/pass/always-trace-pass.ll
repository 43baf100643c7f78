; Where no front end runs, the assumption that alwaystrace becomes gives a site against every option.
; RUN: %opt -passes='nophook<min-size=1000;only-exported>' -S %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"
; CHECK: define internal void @always() #{{[0-9]+}} align 2 !pcsections
define internal void @always() "llvm.assume"="omp_no_openmp,ext_nophook_trace" { ret void }
; CHECK: define void @similar() #{{[0-9]+}} {
define void @similar() "llvm.assume"="ext_nophook_tracer" { ret void }
@keep = global ptr @always
