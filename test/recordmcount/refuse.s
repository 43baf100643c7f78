# Files that are no objects of ours, and damaged ones, are refused by name and left alone.
# RUN: %mc %s -o %t.o && cp %t.o %t.before
# RUN: printf text > %t.txt && printf 'BC\300\336' > %t.bc && : > %t.empty
# RUN: %patch %t.o %t.cut size=200 && %patch %t.o %t.cut2 size=40
# RUN: %patch %t.o %t.class class=1 && %patch %t.o %t.big data=2 && %patch %t.o %t.exec e_type=2 && %patch %t.o %t.mips e_machine=8
# RUN: %patch %t.o %t.count e_shnum=0xfeff && %patch %t.o %t.names e_shstrndx=77 && %patch %t.o %t.far .text.sh_offset=0xffffffffffffff00
# RUN: %patch %t.o %t.overlap .data.sh_offset=.text.sh_offset && %patch %t.o %t.link .rela.text.sh_link=9999 && %patch %t.o %t.info .rela.text.sh_info=9999
# RUN: %patch %t.o %t.reloc '.rela.text[3]=9999' && %patch %t.o %t.locals .symtab.sh_info=9999 && %patch %t.o %t.cycle '.group[1]=4' && %patch %t.o %t.member '.group[1]=9999' && %patch %t.o %t.twice '.group[2]=.rela.text.sh_info'
# RUN: %exits 1 %recordmcount %t.txt %t.bc %t.empty %t.cut %t.cut2 %t.class %t.big %t.exec %t.mips %t.count %t.names %t.far %t.overlap %t.link %t.info %t.reloc %t.locals %t.cycle %t.member %t.none 2>&1 | FileCheck %s
# CHECK: recordmcount: {{.*}}.txt: is no ELF object
# CHECK: {{.*}}.bc: is LLVM bitcode
# CHECK: {{.*}}.empty: {{.}}
# CHECK: {{.*}}.cut: {{.}}
# CHECK: {{.*}}.cut2: is cut off within the ELF header
# CHECK: {{.*}}.class: is not 64-bit little endian
# CHECK: {{.*}}.big: is not 64-bit little endian
# CHECK: {{.*}}.exec: is no relocatable object
# CHECK: {{.*}}.mips: is for another processor than x86-64 and AArch64
# CHECK: {{.*}}.count: {{.*}}section
# CHECK: {{.*}}.names: {{.*}}section
# CHECK: {{.*}}.far: {{.*}}offset
# CHECK: {{.*}}.overlap: {{.*}}overlaps with other contents of the file
# CHECK: {{.*}}.link: {{.*}}linked to section 9999, which does not exist
# CHECK: {{.*}}.info: {{.*}}relocates section 9999, which does not exist
# CHECK: {{.*}}.reloc: {{.*}}names symbol 9999, which does not exist
# CHECK: {{.*}}.locals: {{.*}}has more local symbols than symbols
# CHECK: {{.*}}.cycle: {{.*}}has a group as a member
# CHECK: {{.*}}.member: {{.*}}has section 9999 as a member
# CHECK: {{.*}}.none: cannot be read: No such file or directory
# CHECK: 0 of 20 files changed, 20 failed
.section .text.g,"axG",@progbits,g,comdat
.weak g
g: nop
.text
f: call __fentry__@PLT
.data
.quad f
