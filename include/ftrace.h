// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The public C API of the runtime: control of tracing from inside the traced program.
//
// A program that calls these links the runtime in:
//     -Wl,-u,nophook_register_module -lnophook
//
// Functions may be called by any thread at any time after constructors have begun. Those that
// change something take the runtime's one lock (it stands for the kernel's regex_lock and
// ftrace_lock: edits of one ops are serialised), allocate, and change the program's text, so they
// must not be called from a signal handler (one that has interrupted the runtime in its own thread
// gets -EBUSY, or 0 from what returns an address); and they may wait until callbacks that other
// threads are in have returned, so two callbacks that call them at the same time may wait for each
// other. What reads a `struct ftrace_regs`, ftrace_test_recursion_trylock() and unlock,
// rcu_is_watching(), enable_fprobe() and disable_fprobe() take no lock: they are for callbacks,
// wherever those run.
//
// A fork child has the tracer and the filters of its parent; NOPHOOK=function_fork=0 leaves
// children without a tracer. Results are 0 or a negative errno, as in the kernel, where nothing
// else is said. EEXIST comes from the control tree alone (tracefs.h).

#ifndef NOPHOOK_FTRACE_H
#define NOPHOOK_FTRACE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// In the source of an instrumented program, beside `static` or in front of the body:
//
//   notrace      this function has no site. It keeps out gcc's -pg and
//                -finstrument-functions as well, and clang's XRay.
//   alwaystrace  this function has a site, whatever lists and limits the plugin was given.
//                A warning tells if it cannot have one (naked functions, ifunc resolvers).
//                Empty for other compilers and without -fplugin=: it costs nothing there.
//
// Both apply to functions, methods, templates and lambdas. They are short and lower-case as
// in the kernel; where that hurts, define NOPHOOK_NO_SHORT_NAMES before the include and use
// the long names, which are the same.
//
// Source: notrace of the kernel's linux/compiler_types.h; the opposite is ours, as the
// kernel has no limits to override.
#if defined(__clang__)
#define NOPHOOK_NOTRACE __attribute__((no_instrument_function, xray_never_instrument))
#elif defined(__GNUC__)
#define NOPHOOK_NOTRACE __attribute__((no_instrument_function))
#else
#define NOPHOOK_NOTRACE
#endif

#define NOPHOOK_ALWAYS_TRACE
#ifdef __has_attribute
#if __has_attribute(nophook_always_trace)
#undef NOPHOOK_ALWAYS_TRACE
#define NOPHOOK_ALWAYS_TRACE __attribute__((nophook_always_trace))
#endif
#endif

#ifndef NOPHOOK_NO_SHORT_NAMES
#ifndef notrace
#define notrace NOPHOOK_NOTRACE
#endif
#ifndef alwaystrace
#define alwaystrace NOPHOOK_ALWAYS_TRACE
#endif
#endif

// ---- Callbacks: struct ftrace_ops -------------------------------------------------------------
//
// A callback runs at the entry of each function that its ops selects. It may run in any thread,
// in a signal handler, inside malloc, in several threads at once: it takes no lock that the
// program may hold, and does not leave by longjmp or an exception.
//
// Source of names and semantics: Documentation/trace/ftrace-uses.rst and include/linux/ftrace.h.

struct ftrace_hash; // a set of functions
struct ftrace_regs; // what the traced function was called with; below
struct nophook_ops; // the runtime's half of an ops
struct pt_regs;     // <asm/ptrace.h>

struct ftrace_ops;

// `ip`: the function's site. `parent_ip`: where the function was called from. `op`: the ops that
// the callback belongs to. `fregs` is never NULL and valid until the callback returns.
typedef void (*ftrace_func_t)(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
                              struct ftrace_regs *fregs);

// ops->flags. "caller": set before registering. "core": the runtime's, read only.
enum {
  FTRACE_OPS_FL_ENABLED = 1 << 0, // core: registered
  // core: its memory can go away: it does not lie in the program's data, nor in that of a library
  // that was loaded with it. Set by registering; both kinds are treated alike.
  FTRACE_OPS_FL_DYNAMIC = 1 << 1,
  FTRACE_OPS_FL_SAVE_REGS = 1 << 2, // caller: ftrace_get_regs() returns every general register
  FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED = 1 << 3, // caller: the same, where the CPU allows it
  FTRACE_OPS_FL_RECURSION_SAFE = 1 << 4,         // caller: the callback handles its own recursion
  FTRACE_OPS_FL_STUB = 1 << 5,                   // caller: counted at its sites, never called
  FTRACE_OPS_FL_INITIALIZED = 1 << 6,            // core: has been used
  FTRACE_OPS_FL_DELETED = 1 << 7,                // core: ftrace_free_filter() has been called
  FTRACE_OPS_FL_ADDING = 1 << 8,                 // core: is being registered
  FTRACE_OPS_FL_REMOVING = 1 << 9,     // core: is being unregistered; callbacks may still run
  FTRACE_OPS_FL_MODIFYING = 1 << 10,   // core: its filters are being changed
  FTRACE_OPS_FL_ALLOC_TRAMP = 1 << 11, // core: what it alone wants reaches it without the list
  FTRACE_OPS_FL_IPMODIFY = 1 << 12,    // caller: may change where the function continues
  FTRACE_OPS_FL_PID = 1 << 13,         // caller: only in threads of ftrace_set_pids()
  FTRACE_OPS_FL_RCU = 1 << 14,         // caller: only where rcu_is_watching()
  FTRACE_OPS_FL_TRACE_ARRAY = 1 << 15, // caller: `private` is a tracing instance; no effect here
  FTRACE_OPS_FL_PERMANENT = 1 << 16,   // caller: ftrace_set_enabled(0) is refused meanwhile
  FTRACE_OPS_FL_DIRECT = 1 << 17,      // core: register_ftrace_direct()
  FTRACE_OPS_FL_CONTROL = 1 << 18,     // caller: skipped while *disabled is not 0
  FTRACE_OPS_FL_RECURSION = 1 << 19,   // caller: stop recursion, which is the default here
  // Ours. caller: the callback and all it calls use general registers only. Others have the
  // vector registers and the x87 state saved around them, which costs more than the call.
  FTRACE_OPS_FL_GENERAL_REGS = 1 << 20,
  // Ours. caller: the callback takes more of the stack than the traced function's callers may have
  // left, which is where it runs otherwise. It gets 64 KiB of the runtime's own, for it and those
  // it leads to; all signals but SIGTRAP are blocked meanwhile. Two system calls.
  FTRACE_OPS_FL_OWN_STACK = 1 << 21,
};

// Zero all of it, set `func` and what else is marked "caller". It must stay in place while it
// is registered, and until ftrace_free_filter() if it has filters. When an instrumented library is
// unloaded, an ops that lies in it, or whose `func` does, is unregistered before its text goes.
struct ftrace_ops {
  ftrace_func_t func;           // caller
  struct ftrace_ops *next;      // core: the registered ops, newest first
  unsigned long flags;          // FTRACE_OPS_FL_*
  const volatile int *disabled; // caller: see FTRACE_OPS_FL_CONTROL
#ifdef __cplusplus
  void *private_data; // caller: C's `private`
#else
  void *private; // caller: whatever the callback needs
#endif
  struct ftrace_hash *filter_hash;  // core: the functions chosen; NULL: all
  struct ftrace_hash *notrace_hash; // core: the functions left out; NULL: none
  struct nophook_ops *state;        // core
  unsigned long missed;             // core: calls that the callback did not see: recursion, depth
};

// The callback is called from some time during this call on.
//
// -EINVAL  no `func`; IPMODIFY without a filter or with notrace
// -EBUSY   registered already; IPMODIFY: another ops that has it shares a function; PERMANENT
//          while tracing is disabled; a site needs int3 and a debugger is attached
// -ENOMEM, -EPERM, -ENOSYS  the kernel refuses memory, writable text, core syncs
// -EIO     a site could not be changed nor restored: everything has been turned off (the kill
//          switch, docs/design/text_poke.md)
// -ENODEV  that has happened before
int register_ftrace_function(struct ftrace_ops *ops);

// When it returns the callback does not run and never will, but in the calling thread if that is
// inside it. It does not wait for functions that were traced to return. It waits for callbacks that
// other threads are in: two callbacks that unregister at the same time wait for each other.
//
// -ENOENT  not registered
// -EBUSY, -ENOSYS  a debugger, core syncs, see above: the ops stays registered. But if ENABLED is
//          cleared, it is called no more, and only waiting for those that are in it was refused:
//          until another call of this function returns 0, its memory must stay
int unregister_ftrace_function(struct ftrace_ops *ops);

// Which functions: those that the filter matches (all, if it is empty) and notrace does not.
// `buf`: `len` bytes of patterns, separated by white space. `reset` other than 0 replaces what
// was set before, in one step; else it is extended. (ops, NULL, 0, 1) empties it. Before or
// after registering.
//
//      pattern      glob over names: * ? [a-z] \; C++ names as linked or demangled, with or
//                   without parameters and a template's return type; or a row of
//                   available_filter_functions, from 1
//      !pattern     takes functions out
//      pattern:mod:MODULE   only those of modules whose file name MODULE (a glob, !glob) matches
//
// Patterns apply to libraries that are loaded later as well.
//
// -EINVAL  no function matches (and no `:mod:` may match later): nothing has changed
// -ENOMEM  nothing has changed
int ftrace_set_filter(struct ftrace_ops *ops, const unsigned char *buf, int len, int reset);
int ftrace_set_notrace(struct ftrace_ops *ops, const unsigned char *buf, int len, int reset);

// The same for one function by any address in it up to its site, or `count` of them; `remove`
// other than 0 takes them out. -EINVAL: an address is no function's; nothing has changed.
int ftrace_set_filter_ip(struct ftrace_ops *ops, unsigned long ip, int remove, int reset);
int ftrace_set_filter_ips(struct ftrace_ops *ops, const unsigned long *ips, unsigned int count,
                          int remove, int reset);

// Gives the memory of an ops' filters back. Only when it is not registered.
void ftrace_free_filter(struct ftrace_ops *ops);

// ---- Direct calls
// --------------------------------------------------------------------------------
//
// The functions of `ops` call `address` itself: code that knows it is entered by a call from the
// site, with the function's arguments in place, that keeps every register which may hold one, and
// returns to the site. Other callbacks of a function run before it. One for each function.

// -EINVAL  the ops has no filter, or `address` is 0
// -EBUSY   registered already; another direct call, or an ops with IPMODIFY, has a function
int register_ftrace_direct(struct ftrace_ops *ops, unsigned long address);
// `free_filters` other than 0: and ftrace_free_filter(). Frames of the direct call may still be
// open when it returns. -EINVAL: not registered with this address.
int unregister_ftrace_direct(struct ftrace_ops *ops, unsigned long address, int free_filters);
// Calls that begin from now on go to `address`. -EINVAL: not registered, or 0.
int modify_ftrace_direct(struct ftrace_ops *ops, unsigned long address);

// ---- Redirection
// ---------------------------------------------------------------------------------
//
// The site of the function at `old_function` becomes a jump to `new_function`: no callback, and
// hardly a cost. Threads that are in the old function finish there. From then on the old
// function is not traced; an ops (or a tracer) that selects it by either name gets the new one,
// which stays traceable if it is instrumented.
//
// Both are addresses of functions of the same type; the caller answers for that.
//
// -EINVAL  the old function has no site at its entry; the new one is the same, or redirected
// -EBUSY   redirected already, or somebody's target; an ops with IPMODIFY or a direct call has it
// -ENOMEM, -EPERM, -ENOSYS  as for register_ftrace_function()
//
// Source: the last slides of "Ftrace Kernel Hooks", 2014.
int register_ftrace_redirect(unsigned long old_function, unsigned long new_function);
// The old function's calls reach it again. -ENOENT: it is not redirected.
int unregister_ftrace_redirect(unsigned long old_function);

// ---- fprobe: entry and exit
// ----------------------------------------------------------------------
//
// The exit is seen because the function is called, not returned from to a changed address: stacks
// unwind, and exceptions, longjmp and fibers drop the frame like any other. Such a call has no
// exit, and its exit handler is not called. A function that must not be called (`nophook list`
// says which) and one that is tail-called from a function under a probe have no exit either:
// then neither handler of a probe that has an exit handler runs, and nmissed counts it.
//
// Source: Documentation/trace/fprobe.rst.

struct nophook_probe_slot;

enum { FPROBE_FL_DISABLED = 1 };

// Zero all of it and set what is marked "caller".
struct fprobe {
  struct ftrace_ops ops; // core, but for `private` and flags GENERAL_REGS, OWN_STACK: caller
  unsigned long nmissed; // core: calls that were not seen
  unsigned int flags;    // FPROBE_FL_*
  unsigned int reserved;
  size_t entry_data_size; // caller: bytes that go from entry to exit, at most 4096
  // caller: either may be NULL. `entry_data`: entry_data_size bytes of the call's frame, NULL if
  // there is no exit handler. A result other than 0: the exit of this call is not wanted.
  int (*entry_handler)(struct fprobe *probe, unsigned long entry_ip, unsigned long ret_ip,
                       struct ftrace_regs *regs, void *entry_data);
  // `regs`: those at the return; ftrace_regs_get_return_value().
  void (*exit_handler)(struct fprobe *probe, unsigned long entry_ip, unsigned long ret_ip,
                       struct ftrace_regs *regs, void *entry_data);
  struct nophook_probe_slot *slot; // core
};

// Globs as in ftrace_set_filter(); NULL: all, and none. Errors: those of ftrace_set_filter() and
// register_ftrace_function(); -EINVAL: no handler, or too much entry data.
int register_fprobe(struct fprobe *probe, const char *filter, const char *notfilter);
int register_fprobe_ips(struct fprobe *probe, const unsigned long *ips, int count);
int register_fprobe_syms(struct fprobe *probe, const char *const *names, int count);

// When it returns no handler runs and none will, as with unregister_ftrace_function(); calls that
// are open return without one. -EINVAL: not registered.
int unregister_fprobe(struct fprobe *probe);

// Handlers are skipped until the other is called; sites stay as they are.
void disable_fprobe(struct fprobe *probe);
void enable_fprobe(struct fprobe *probe);

// ---- struct ftrace_regs: in a callback ---------------------------------------------------------

// The integer arguments: 0-5 in registers, from 6 on what lies on the stack.
unsigned long ftrace_regs_get_argument(struct ftrace_regs *fregs, unsigned int n);
// The stack pointer at the function's entry: it points at the return address.
unsigned long ftrace_regs_get_stack_pointer(struct ftrace_regs *fregs);
// Where the function will continue; behind the site, unless somebody has changed it.
unsigned long ftrace_regs_get_instruction_pointer(struct ftrace_regs *fregs);
// Needs FTRACE_OPS_FL_IPMODIFY: the function continues at `ip`, with the stack and the registers
// of its entry.
void ftrace_regs_set_instruction_pointer(struct ftrace_regs *fregs, unsigned long ip);
// The register that holds an integer result.
unsigned long ftrace_regs_get_return_value(struct ftrace_regs *fregs);
void ftrace_regs_set_return_value(struct ftrace_regs *fregs, unsigned long value);
// Needs FTRACE_OPS_FL_IPMODIFY: the function returns at once with the return value that is set.
void ftrace_override_function_with_return(struct ftrace_regs *fregs);
// All general registers with SAVE_REGS, else NULL. What the callback changes in them, but for
// the stack pointer, is what the function sees.
struct pt_regs *ftrace_get_regs(struct ftrace_regs *fregs);

// ---- Recursion, grace periods -------------------------------------------------------------------

// For callbacks with RECURSION_SAFE: a number to give to unlock, or -1: the callback is running
// in this thread already, in the same context (a signal handler is a context of its own), or there
// is none.
int ftrace_test_recursion_trylock(unsigned long ip, unsigned long parent_ip);
void ftrace_test_recursion_unlock(int bit);

// Whether the runtime can wait for the calling thread: not in a vfork child, and not where there
// was no memory to register the thread.
int rcu_is_watching(void);

// ---- Lookups
// -------------------------------------------------------------------------------------

// The site of the function that `ip` lies in; 0 if there is none.
unsigned long ftrace_location(unsigned long ip);

// One function that can be traced.
struct ftrace_record {
  unsigned long ip;    // the site
  unsigned long index; // row in available_filter_functions, from 1; stays while modules do
  uint32_t flags;      // bits 0-28 callbacks, 29 enabled, 30 registers wanted, 31 provided
  uint32_t reserved;
  const char *module;     // path of its file
  unsigned long redirect; // the function that its calls reach instead, or 0
};

// Calls `visit` for each record, ascending by index, until it returns other than 0; returns that.
// Calls no function of this header inside. -ENOMEM: tables cannot be read.
int ftrace_for_each_record(int (*visit)(const struct ftrace_record *record, void *data),
                           void *data);

// Addresses, names and rows, one into the other. Names are as linked; functions may share one.
//
// The record of the function that `ip` lies in, or, if `ip` is 0, the one in row `index`. -ENOENT.
int ftrace_get_record(unsigned long ip, unsigned long index, struct ftrace_record *record);
// The row of the function `name`, the first one behind row `after` (0: from the beginning); 0:
// none.
unsigned long ftrace_lookup_name(const char *name, unsigned long after);
// The name of the function that `ip` lies in, into `bytes` bytes at `name`. -ENOENT: it has no
// site, or the module's file has no names; -ERANGE: it does not fit.
int ftrace_lookup_symbol(unsigned long ip, char *name, size_t bytes);

// ---- Switches
// -------------------------------------------------------------------------------------

// 0 turns every site off, and no callback runs, until it is 1 again:
// /proc/sys/kernel/ftrace_enabled. -EBUSY: an ops with PERMANENT is registered.
int ftrace_set_enabled(int enabled);
int ftrace_get_enabled(void);

// The threads (kernel ids) that ops with FTRACE_OPS_FL_PID are called in; none: all threads.
// -EINVAL: more than 64. -ENOMEM.
int ftrace_set_pids(const int *pids, unsigned int count);

// ---- Tracers
// ---------------------------------------------------------------------------------------

// Makes `name` the current tracer: "nop", "function" or "function_graph". The change is
// complete when the call returns: with "nop", no site is enabled and no new event begins.
//
// -EINVAL  no such tracer
// -ENODEV  there is nowhere to write events to (the program does not run under
//          `nophook record`)
// -ENOMEM, -EPERM, -ENOSYS, -EFBIG  the kernel refuses memory, writable text, core syncs, or
//          so large a file: the tracer is "nop" then
// -EBUSY   sites need int3 and a debugger is attached: a new tracer is not started, one that
//          runs goes on
//
// Semantics: tracefs `current_tracer`.
int tracing_set_tracer(const char *name);

// The current tracer's name; static text.
const char *tracing_get_tracer(void);

// Which functions are traced: those that match the filter (all, if it is empty) and do not
// match notrace. `buf`: `len` bytes of globs, separated by white space; `reset` other than 0
// replaces the list, else it is extended. (NULL, 0, 1) empties it. A running tracer follows
// at once, in one step: at no time are all functions traced in between.
//
// -ENOMEM  the list is as it was before, or partly extended
//
// Source: ftrace_set_global_filter and ftrace_set_global_notrace of the kernel's ftrace.h.
int ftrace_set_global_filter(const unsigned char *buf, int len, int reset);
int ftrace_set_global_notrace(const unsigned char *buf, int len, int reset);

#ifdef __cplusplus
}
#endif

#endif // NOPHOOK_FTRACE_H
