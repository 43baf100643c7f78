; Debug info that goes in circles, which no source has and no verifier refuses, ends.
; RUN: %opt -passes=nophook -S %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"
; CHECK: c"struct itself\00"
; CHECK: define void @work(
define void @work(ptr %a) !dbg !4 { ret void }
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!13}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/")
!4 = distinct !DISubprogram(name: "work", scope: !1, file: !1, type: !5, unit: !0, spFlags: DISPFlagDefinition, retainedNodes: !11)
!5 = !DISubroutineType(types: !6)
!6 = !{null, !7, !9}
!7 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "itself", size: 64, elements: !8)
!8 = !{!14, !14, !15, !15}
!9 = distinct !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !10, size: 64)
!10 = distinct !DISubroutineType(types: !16)
!16 = !{!9, !9, !9, !9}
!11 = !{!12, !17}
!12 = !DILocalVariable(name: "p", arg: 1, scope: !4, type: !7)
!17 = !DILocalVariable(name: "q", arg: 2, scope: !4, type: !9)
!13 = !{i32 2, !"Debug Info Version", i32 3}
!14 = !DIDerivedType(tag: DW_TAG_member, name: "a", baseType: !7, size: 64)
!15 = !DIDerivedType(tag: DW_TAG_member, name: "b", baseType: !9, size: 64)
