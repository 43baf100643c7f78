// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface of include/ as programs of NOPHOOK_0.1 were compiled with it: types of functions, values, sizes and
// offsets. A program keeps these when the library is replaced by a newer one. So these lines stay as they are; a new declaration
// is added below. It compiles only if the headers agree.
#include <ftrace.h>
#include <livepatch.h>
#include <trace_marker.h>
#include <tracefs.h>

// Each is in a header: the declarations below would stand for one that is missing there.
static const void *const declared[] __attribute__((unused)) = {
    &register_ftrace_function, &unregister_ftrace_function, &ftrace_set_filter, &ftrace_set_notrace,
    &ftrace_set_filter_ip, &ftrace_set_filter_ips, &ftrace_free_filter, &register_ftrace_direct,
    &unregister_ftrace_direct, &modify_ftrace_direct, &register_ftrace_redirect, &unregister_ftrace_redirect,
    &register_fprobe, &register_fprobe_ips, &register_fprobe_syms, &unregister_fprobe, &disable_fprobe,
    &enable_fprobe, &ftrace_regs_get_argument, &ftrace_regs_get_stack_pointer,
    &ftrace_regs_get_instruction_pointer, &ftrace_regs_set_instruction_pointer, &ftrace_regs_get_return_value,
    &ftrace_regs_set_return_value, &ftrace_override_function_with_return, &ftrace_get_regs,
    &ftrace_test_recursion_trylock, &ftrace_test_recursion_unlock, &rcu_is_watching, &ftrace_location,
    &ftrace_for_each_record, &ftrace_get_record, &ftrace_lookup_name, &ftrace_lookup_symbol,
    &ftrace_set_enabled, &ftrace_get_enabled, &ftrace_set_pids, &tracing_set_tracer, &tracing_get_tracer,
    &ftrace_set_global_filter, &ftrace_set_global_notrace, &klp_shadow_get, &klp_shadow_alloc,
    &klp_shadow_get_or_alloc, &klp_shadow_free, &klp_shadow_free_all, &klp_enable_patch, &klp_disable_patch,
    &klp_force_patch, &klp_patch_status, &klp_pending_threads, &klp_fiber_create, &klp_fiber_destroy,
    &klp_fiber_start_switch, &klp_fiber_finish_switch, &klp_pending_fibers, &klp_get_state, &klp_get_prev_state,
    &tracefs_read, &tracefs_write, &tracefs_open, &tracefs_pread, &tracefs_append, &tracefs_close,
    &tracefs_mkdir, &tracefs_rmdir, &tracefs_list, &nophook_mark, &nophook_mark_raw};

#define SAME(value, number) _Static_assert((value) == (number), #value)
#define SIZE(type, bytes) SAME(sizeof(struct type), bytes)
#define AT(type, member, bytes) SAME(offsetof(struct type, member), bytes)

// ftrace.h
typedef void (*ftrace_func_t)(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op, struct ftrace_regs *fregs);
int register_ftrace_function(struct ftrace_ops *ops);
int unregister_ftrace_function(struct ftrace_ops *ops);
int ftrace_set_filter(struct ftrace_ops *ops, const unsigned char *buf, int len, int reset);
int ftrace_set_notrace(struct ftrace_ops *ops, const unsigned char *buf, int len, int reset);
int ftrace_set_filter_ip(struct ftrace_ops *ops, unsigned long ip, int remove, int reset);
int ftrace_set_filter_ips(struct ftrace_ops *ops, const unsigned long *ips, unsigned int count, int remove, int reset);
void ftrace_free_filter(struct ftrace_ops *ops);
int register_ftrace_direct(struct ftrace_ops *ops, unsigned long address);
int unregister_ftrace_direct(struct ftrace_ops *ops, unsigned long address, int free_filters);
int modify_ftrace_direct(struct ftrace_ops *ops, unsigned long address);
int register_ftrace_redirect(unsigned long old_function, unsigned long new_function);
int unregister_ftrace_redirect(unsigned long old_function);
int register_fprobe(struct fprobe *probe, const char *filter, const char *notfilter);
int register_fprobe_ips(struct fprobe *probe, const unsigned long *ips, int count);
int register_fprobe_syms(struct fprobe *probe, const char *const *names, int count);
int unregister_fprobe(struct fprobe *probe);
void disable_fprobe(struct fprobe *probe);
void enable_fprobe(struct fprobe *probe);
unsigned long ftrace_regs_get_argument(struct ftrace_regs *fregs, unsigned int n);
unsigned long ftrace_regs_get_stack_pointer(struct ftrace_regs *fregs);
unsigned long ftrace_regs_get_instruction_pointer(struct ftrace_regs *fregs);
void ftrace_regs_set_instruction_pointer(struct ftrace_regs *fregs, unsigned long ip);
unsigned long ftrace_regs_get_return_value(struct ftrace_regs *fregs);
void ftrace_regs_set_return_value(struct ftrace_regs *fregs, unsigned long value);
void ftrace_override_function_with_return(struct ftrace_regs *fregs);
struct pt_regs *ftrace_get_regs(struct ftrace_regs *fregs);
int ftrace_test_recursion_trylock(unsigned long ip, unsigned long parent_ip);
void ftrace_test_recursion_unlock(int bit);
int rcu_is_watching(void);
unsigned long ftrace_location(unsigned long ip);
int ftrace_for_each_record(int (*visit)(const struct ftrace_record *record, void *data), void *data);
int ftrace_get_record(unsigned long ip, unsigned long index, struct ftrace_record *record);
unsigned long ftrace_lookup_name(const char *name, unsigned long after);
int ftrace_lookup_symbol(unsigned long ip, char *name, size_t bytes);
int ftrace_set_enabled(int enabled);
int ftrace_get_enabled(void);
int ftrace_set_pids(const int *pids, unsigned int count);
int tracing_set_tracer(const char *name);
const char *tracing_get_tracer(void);
int ftrace_set_global_filter(const unsigned char *buf, int len, int reset);
int ftrace_set_global_notrace(const unsigned char *buf, int len, int reset);

// livepatch.h
typedef int (*klp_shadow_ctor_t)(void *obj, void *shadow_data, void *ctor_data);
typedef void (*klp_shadow_dtor_t)(void *obj, void *shadow_data);
void *klp_shadow_get(void *obj, unsigned long id);
void *klp_shadow_alloc(void *obj, unsigned long id, size_t size, klp_shadow_ctor_t ctor, void *ctor_data);
void *klp_shadow_get_or_alloc(void *obj, unsigned long id, size_t size, klp_shadow_ctor_t ctor, void *ctor_data);
void klp_shadow_free(void *obj, unsigned long id, klp_shadow_dtor_t dtor);
void klp_shadow_free_all(unsigned long id, klp_shadow_dtor_t dtor);
int klp_enable_patch(struct klp_patch *patch);
int klp_disable_patch(struct klp_patch *patch);
int klp_force_patch(struct klp_patch *patch);
int klp_patch_status(const struct klp_patch *patch);
int klp_pending_threads(int *tids, int most);
struct klp_fiber *klp_fiber_create(void *stack, size_t bytes);
void klp_fiber_destroy(struct klp_fiber *fiber);
void klp_fiber_start_switch(struct klp_fiber *to);
void klp_fiber_finish_switch(void);
int klp_pending_fibers(struct klp_fiber **fibers, int most);
struct klp_state *klp_get_state(struct klp_patch *patch, unsigned long id);
struct klp_state *klp_get_prev_state(unsigned long id);

// tracefs.h
long tracefs_read(const char *path, char *text, size_t size);
int tracefs_write(const char *path, const char *text, size_t bytes, int append);
int tracefs_open(const char *path, int flags, struct tracefs_file **file);
long tracefs_pread(struct tracefs_file *file, char *text, size_t size, size_t offset);
long tracefs_append(struct tracefs_file *file, const char *text, size_t bytes);
int tracefs_close(struct tracefs_file *file);
int tracefs_mkdir(const char *path);
int tracefs_rmdir(const char *path);
int tracefs_list(const char *path, int (*visit)(const char *name, unsigned mode, void *data), void *data);

// trace_marker.h
long nophook_mark(unsigned long ip, const char *text, size_t bytes);
long nophook_mark_raw(const void *data, size_t bytes);

SAME(FTRACE_OPS_FL_ENABLED, 1 << 0);
SAME(FTRACE_OPS_FL_DYNAMIC, 1 << 1);
SAME(FTRACE_OPS_FL_SAVE_REGS, 1 << 2);
SAME(FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED, 1 << 3);
SAME(FTRACE_OPS_FL_RECURSION_SAFE, 1 << 4);
SAME(FTRACE_OPS_FL_STUB, 1 << 5);
SAME(FTRACE_OPS_FL_INITIALIZED, 1 << 6);
SAME(FTRACE_OPS_FL_DELETED, 1 << 7);
SAME(FTRACE_OPS_FL_ADDING, 1 << 8);
SAME(FTRACE_OPS_FL_REMOVING, 1 << 9);
SAME(FTRACE_OPS_FL_MODIFYING, 1 << 10);
SAME(FTRACE_OPS_FL_ALLOC_TRAMP, 1 << 11);
SAME(FTRACE_OPS_FL_IPMODIFY, 1 << 12);
SAME(FTRACE_OPS_FL_PID, 1 << 13);
SAME(FTRACE_OPS_FL_RCU, 1 << 14);
SAME(FTRACE_OPS_FL_TRACE_ARRAY, 1 << 15);
SAME(FTRACE_OPS_FL_PERMANENT, 1 << 16);
SAME(FTRACE_OPS_FL_DIRECT, 1 << 17);
SAME(FTRACE_OPS_FL_CONTROL, 1 << 18);
SAME(FTRACE_OPS_FL_RECURSION, 1 << 19);
SAME(FTRACE_OPS_FL_GENERAL_REGS, 1 << 20);
SAME(FTRACE_OPS_FL_OWN_STACK, 1 << 21);
SAME(FPROBE_FL_DISABLED, 1);
SAME(KLP_ENABLED, 1);
SAME(KLP_TRANSITION, 2);

AT(ftrace_ops, func, 0);
AT(ftrace_ops, next, 8);
AT(ftrace_ops, flags, 16);
AT(ftrace_ops, disabled, 24);
AT(ftrace_ops, private, 32);
AT(ftrace_ops, filter_hash, 40);
AT(ftrace_ops, notrace_hash, 48);
AT(ftrace_ops, state, 56);
AT(ftrace_ops, missed, 64);
SIZE(ftrace_ops, 72);

AT(fprobe, ops, 0);
AT(fprobe, nmissed, 72);
AT(fprobe, flags, 80);
AT(fprobe, reserved, 84);
AT(fprobe, entry_data_size, 88);
AT(fprobe, entry_handler, 96);
AT(fprobe, exit_handler, 104);
AT(fprobe, slot, 112);
SIZE(fprobe, 120);

AT(ftrace_record, ip, 0);
AT(ftrace_record, index, 8);
AT(ftrace_record, flags, 16);
AT(ftrace_record, reserved, 20);
AT(ftrace_record, module, 24);
AT(ftrace_record, redirect, 32);
SIZE(ftrace_record, 40);

AT(klp_func, old_name, 0);
AT(klp_func, new_func, 8);
AT(klp_func, old_sympos, 16);
SIZE(klp_func, 24);

AT(klp_callbacks, pre_patch, 0);
AT(klp_callbacks, post_patch, 8);
AT(klp_callbacks, pre_unpatch, 16);
AT(klp_callbacks, post_unpatch, 24);
SIZE(klp_callbacks, 32);

AT(klp_object, name, 0);
AT(klp_object, funcs, 8);
AT(klp_object, callbacks, 16);
AT(klp_object, build_id, 48);
SIZE(klp_object, 56);

AT(klp_state, id, 0);
AT(klp_state, version, 8);
AT(klp_state, data, 16);
SIZE(klp_state, 24);

AT(klp_patch, objs, 0);
AT(klp_patch, states, 8);
AT(klp_patch, replace, 16);
AT(klp_patch, core, 24);
SIZE(klp_patch, 32);
