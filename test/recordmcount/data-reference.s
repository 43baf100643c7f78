# A pointer to mcount in data stays a pointer.
# RUN: %mc %s -o %t.o && %recordmcount %t.o | FileCheck %s
# RUN: %readelf -r %t.o | FileCheck %s --check-prefix=RELOC
# CHECK: 0 sites in 1 objects, 0 new; 0 of 1 files changed
# RELOC: R_X86_64_64 {{.*}} mcount
.data
.quad mcount
