// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contract: the trace options (tracefs `trace_options`, `options/*`), with the kernel's names,
// order and defaults. Some say what is recorded: in NOPHOOK= and `record --set trace_options=` only
// those are settings. Others say how the text looks: a process keeps them for its readers.
//
// X(name, on at first, recorded as, shown as): `recorded as` is RECORDED(TraceOption of the
// runtime) or NOT_RECORDED, `shown as` is SHOWN(member of the commands' TraceOptions) or NOT_SHOWN.
// A reader of the table defines these four and undefines them again.
//
// Read by:  the runtime (tracefs/option_files.cpp, tracers/trace_options.cpp) and the commands of
//           nophook (show/print/trace_options.cpp, process/launch/setting_values.cpp).

#ifndef NOPHOOK_OPTION_NAMES_H
#define NOPHOOK_OPTION_NAMES_H

// clang-format off
#define NOPHOOK_TRACE_OPTIONS(X)                                                                   \
  X("print-parent", true, NOT_RECORDED, SHOWN(print_parent))                                       \
  X("sym-offset", false, NOT_RECORDED, SHOWN(sym_offset))                                          \
  X("sym-addr", false, NOT_RECORDED, SHOWN(sym_addr))                                              \
  X("record-tgid", false, NOT_RECORDED, SHOWN(record_tgid))                                        \
  X("overwrite", false, NOT_RECORDED, NOT_SHOWN)                                                   \
  X("disable_on_free", false, NOT_RECORDED, NOT_SHOWN)                                             \
  X("irq-info", true, NOT_RECORDED, SHOWN(irq_info))                                               \
  X("event-fork", false, RECORDED(kEventFork), NOT_SHOWN)                                          \
  X("function-fork", false, RECORDED(kFunctionFork), NOT_SHOWN)                                    \
  X("func_stack_trace", false, RECORDED(kFuncStackTrace), NOT_SHOWN)                               \
  X("func-no-repeats", false, RECORDED(kFuncNoRepeats), SHOWN(func_no_repeats))                    \
  X("func-args", false, RECORDED(kFuncArgs), SHOWN(func_args))                                     \
  X("funcgraph-overrun", false, NOT_RECORDED, SHOWN(overrun))                                      \
  X("funcgraph-cpu", true, NOT_RECORDED, SHOWN(cpu))                                               \
  X("funcgraph-overhead", true, NOT_RECORDED, SHOWN(overhead))                                     \
  X("funcgraph-proc", false, NOT_RECORDED, SHOWN(proc))                                            \
  X("funcgraph-duration", true, NOT_RECORDED, SHOWN(duration))                                     \
  X("funcgraph-abstime", false, NOT_RECORDED, SHOWN(abstime))                                      \
  X("funcgraph-tail", false, NOT_RECORDED, SHOWN(tail))                                            \
  X("funcgraph-retval", false, RECORDED(kFuncgraphRetval), SHOWN(retval))                          \
  X("funcgraph-retval-hex", false, NOT_RECORDED, SHOWN(retval_hex))                                \
  X("funcgraph-args", false, RECORDED(kFuncgraphArgs), SHOWN(args))                                \
  X("sleep-time", true, NOT_RECORDED, SHOWN(sleep_time))                                           \
  X("graph-time", true, NOT_RECORDED, SHOWN(graph_time))
// clang-format on

#endif
