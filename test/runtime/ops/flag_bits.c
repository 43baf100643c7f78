// The flags of an ops are the bits of the kernel's header, BIT(0) to BIT(17).
// RUN: %clang -fsyntax-only -I%include %s
#include <ftrace.h>
#define BIT(name, number) _Static_assert(FTRACE_OPS_FL_##name == 1 << (number), #name)
BIT(ENABLED, 0);
BIT(DYNAMIC, 1);
BIT(SAVE_REGS, 2);
BIT(SAVE_REGS_IF_SUPPORTED, 3);
BIT(RECURSION_SAFE, 4);
BIT(STUB, 5);
BIT(INITIALIZED, 6);
BIT(DELETED, 7);
BIT(ADDING, 8);
BIT(REMOVING, 9);
BIT(MODIFYING, 10);
BIT(ALLOC_TRAMP, 11);
BIT(IPMODIFY, 12);
BIT(PID, 13);
BIT(RCU, 14);
BIT(TRACE_ARRAY, 15);
BIT(PERMANENT, 16);
BIT(DIRECT, 17);
