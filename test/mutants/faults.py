# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The seeded faults: what is broken, where, by which edit, and where the torture must look.

Each is one that a change of the runtime could make by accident. `old` must stand in the file once:
an edit that does not apply any more is a failure, not a pass. One fault is missing: a site that is
stored in pieces. The pieces follow each other within a nanosecond, and no run has met one.
"""

from dataclasses import dataclass, field

TRAP = {"NOPHOOK_POKE": "trap", "NOPHOOK": "static=1"}
SLEEPERS, PATCHES, TURNED = ("livepatch/sleepers",), ("livepatch/torture 3000",), ("livepatch/turned",)
LOOKS, FIBERS = ("livepatch/looks",), ("livepatch/fibers",)
CALLS = {"NOPHOOK": "current_tracer=function_graph buffer_dir={folder}"}
OVERWRITES = {"NOPHOOK": "current_tracer=function buffer_mode=overwrite buffer_size_kb=1024 buffer_dir={folder}"}
BUFFERS = {"NOPHOOK": "static=1 function_fork=0 buffer_size_kb=16384 buffer_dir={folder}"}


@dataclass
class Fault:
    name: str
    file: str  # below runtime/
    old: str
    new: str
    env: dict = field(default_factory=dict)
    seconds: int = 25  # fewer where the fault shows in the end only
    tests: tuple = ()  # of test/runtime, with arguments, instead of ftrace-torture
    shared: bool = False  # the tests use the shared library
    recorded: str = ""  # what must be true of their buffers, in show.py's words


FAULTS = [
    Fault("no core sync", "poke/batch.cpp",
          "return !sys_failed(sys(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0)) ||\n"
          "         single_threaded();",
          "return true;"),
    Fault("no sync between tails and heads", "poke/batch.cpp",
          "  at(kPokeTails);\n  b.unsynced = !core_sync(b);\n", "  at(kPokeTails);\n", TRAP),
    Fault("heads closed before tails", "poke/batch.cpp",
          "  write_tails(b);\n  at(kPokeTails);\n  b.unsynced = !core_sync(b);\n  if (b.refused || b.unsynced)\n    return;\n"
          "  close_heads(b);\n",
          "  close_heads(b);\n  at(kPokeTails);\n  b.unsynced = !core_sync(b);\n  if (b.refused || b.unsynced)\n    return;\n"
          "  write_tails(b);\n",
          TRAP),
    Fault("no return address for an emulated call", "arch/x86_64/handler_data.cpp",
          "    regs[REG_RSP] -= 8;\n", "", TRAP),
    Fault("a trap is foreign though a later batch has begun", "poke/trap.cpp",
          "__atomic_load_n(&g_published, __ATOMIC_RELAXED) == published", "true", TRAP,
          tests=("poke/trap_between",)),
    Fault("no grace period", "ops/thread.cpp",
          "    if (thread != mine)\n      wait_for(tid, thread);\n", "    (void)mine, (void)tid, (void)thread;\n"
          "    (void)wait_for;\n"),
    Fault("a grace period without a sync", "ops/thread.cpp",
          "  if (!membarrier_works() && !single_threaded())\n", "  if (false)\n"),
    Fault("the grace period comes first", "init/api_ops.cpp",
          "      status = remove_ops(ops);\n"
          "    if (!status.ok())\n      return -status.error;\n"
          "    ops->state->unwaited = false; // a caller at the same time need not wait again\n"
          "    removal = removal_of(ops);\n  }\n"
          "  Status waited = synchronize_callbacks();\n",
          "      status = Status{};\n"
          "    if (!status.ok())\n      return -status.error;\n  }\n"
          "  Status waited = synchronize_callbacks();\n"
          "  {\n    RuntimeLock again;\n    if (!remove_ops(ops).ok())\n      return -EBUSY;\n"
          "    removal = removal_of(ops);\n  }\n"),
    Fault("calls are not counted", "ops/update.cpp", "    wanted.count++;\n", "", seconds=3),
    Fault("sets are used again at once", "ops/ops.cpp",
          "  if (!nophook_calls) { // no callback has ever run that could read it\n", "  {\n"),
    Fault("recursion is not stopped", "ops/recursion.cpp",
          "(stop && is_running(thread, entry.who, here))", "(false && is_running(thread, entry.who, here))"),
    Fault("vector registers are not saved", "ops/call.cpp",
          "nullptr : vector_area(this_thread(), index);", "nullptr : nullptr;"),
    Fault("a library's sites stay counted", "ops/unload.cpp", "    release_module(module);\n", ""),
    Fault("an instance goes at once", "tracers/trace_array.cpp",
          "  NOPHOOK_TRY(wait_for_callbacks());\n  RuntimeLock lock;\n  finish",
          "  RuntimeLock lock;\n  finish", BUFFERS),
    Fault("limits stay as they are", "buffer/trace_buffer.cpp",
          "      __atomic_store_n(&buffer.writers[i].limit, 0, __ATOMIC_SEQ_CST);\n", "      continue;\n",
          {"NOPHOOK": "current_tracer=function buffer_mode=overwrite buffer_size_kb=4096 buffer_dir={folder}"},
          tests=("ring/stops_at_once",),
          recorded='not {"while_off"} & {buffers[0].maps.name(e.id) for r in buffers[0].rings for e in r.events}'),
    Fault("a fork child has its parent's lock", "base/lock.cpp",
          "  if (is_mine() && !g_nested)\n    g_owner = 0;\n  else if (g_nested)\n", "  if (g_nested)\n"),
    Fault("fork in a handler waits for its own thread", "base/lock.cpp", "  if (is_mine())\n    g_nested++;\n  else if (!g_is_cut)",
          "  if (!g_is_cut)"),
    Fault("a thread changes over whatever is on its stack", "livepatch/transition.cpp",
          "        (state.is_young(number) ||", "        (true || state.is_young(number) ||", tests=PATCHES),
    Fault("a sleeper is changed over whatever is on its stack", "livepatch/transition.cpp",
          "  return is_outside(task, *now->left_by[side], word) &&",
          "  return (is_outside(task, *now->left_by[side], word) || true) &&", tests=PATCHES),
    Fault("threads decide before all see the words", "livepatch/transition.cpp",
          "__atomic_store_n(&next->is_open, false, __ATOMIC_RELAXED);",
          "__atomic_store_n(&next->is_open, true, __ATOMIC_RELAXED);", tests=("livepatch/opens",)),
    Fault("the trampoline itself is not looked for", "livepatch/left_code.cpp",
          "  return ranges.add({address(nophook_klp_caller),\n                     "
          "reinterpret_cast<uint64_t>(nophook_klp_caller_end) - 1}) &&\n         add_ways_in(ranges);",
          "  return add_ways_in(ranges);", tests=PATCHES),
    Fault("a handler does not look at what it has interrupted", "livepatch/live_stack.cpp",
          "    sp = below - kRedZoneBytes;", "    return !kRedZoneBytes;", tests=SLEEPERS),
    Fault("a program counter is not looked at", "livepatch/live_stack.cpp",
          " || left.contain(sleep.pc)", "", tests=SLEEPERS),
    Fault("a function's pieces are not looked at", "livepatch/left_code.cpp",
          "i < version->piece_count", "i < 0", tests=SLEEPERS),
    Fault("memory serves again while a thread reads it", "livepatch/transition.cpp", "  if (nobody_is_inside()) {", "  {",
          tests=PATCHES),
    Fault("a thread changes over to a target that has moved", "livepatch/transition.cpp",
          "may_leave ? task->exchange(state, state.in(number, target))",
          "may_leave ? (__atomic_store_n(&task->state, state.in(number, target).word, __ATOMIC_SEQ_CST), true)",
          tests=TURNED),
    Fault("a call of an old version is not counted", "livepatch/transition.cpp",
          "state.in(number, side).counted())", "state.in(number, side))", tests=TURNED),
    Fault("a thread that goes on in an old version is not seen", "livepatch/transition.cpp",
          ": task->exchange(state, state.in(number, side).counted()))", ": true)", tests=TURNED),
    Fault("counts stay when a patch is turned round", "livepatch/transition.cpp",
          "state.grown().counted()", "state.grown()", tests=TURNED),
    Fault("a young thread stays young when a patch is turned round", "livepatch/transition.cpp",
          "state.grown().counted()", "state.counted()", tests=("livepatch/young",)),
    Fault("threads are young without a census", "livepatch/transition.cpp",
          "if (!g_has_census && take_census()) {", "if (!g_has_census) {", tests=SLEEPERS),
    Fault("a sleeper's time is not looked at", "livepatch/live_stack.cpp",
          " && time_ran(tid) == ran;", ";", tests=("livepatch/woken",)),
    Fault("a sleeper's own stack does not count while it is on another", "livepatch/live_stack.cpp",
          "         others_span_has(tid, own.of_block, left) || ", "         ", tests=("livepatch/stacks",)),
    Fault("a sleeper's frames of handlers are not followed", "livepatch/live_stack.cpp",
          "  return leads_elsewhere(other, own) ||", "  return", tests=("livepatch/stacks",)),
    Fault("a verdict is taken whatever the thread has called since", "livepatch/transition.cpp",
          "         task->exchange(seen, seen.in(g_now->number, g_now->target));",
          "         task->exchange(task->load(), seen.in(g_now->number, g_now->target));", tests=LOOKS),
    Fault("a verdict is taken for another list of code", "livepatch/transition.cpp",
          "  if (!g_now || look != g_now->looks[g_now->target ^ 1])", "  if (!g_now || !look)", tests=LOOKS),
    Fault("a fiber that waits is changed over whatever is on its stack", "livepatch/live_stack.cpp",
          "  return !others_span_has(task->owner(), {sp, high}, left, word);",
          "  return !others_span_has(task->owner(), {sp, high}, left, word) || true;", tests=FIBERS),
    Fault("all of the stack of a fiber that waits counts", "livepatch/live_stack.cpp",
          "  return !others_span_has(task->owner(), {sp, high}, left, word);",
          "  return !others_span_has(task->owner(), {task->is_fiber() ? task->low() : sp, high}, left, word);", tests=FIBERS),
    Fault("a fiber goes by its thread's state", "livepatch/live_stack.cpp",
          "  if (!entered || entered == left)\n    return left;", "  return thread;", tests=FIBERS),
    Fault("a handler in a switch goes by the stack that is left", "livepatch/live_stack.cpp",
          "fiber->contains(behind_handlers(sp)) ? fiber : other", "fiber->contains(sp) ? fiber : other", tests=FIBERS),
    Fault("a stack waits before it is left", "livepatch/fibers.cpp",
          "reinterpret_cast<uint64_t>(thread), __ATOMIC_RELEASE);", "Task::kWaits, __ATOMIC_RELEASE);", tests=FIBERS),
    Fault("a fiber waits that another thread has resumed", "livepatch/fibers.cpp",
          "  __atomic_compare_exchange_n(&left->place, &leaving, Task::kWaits, false, __ATOMIC_RELEASE,\n"
          "                              __ATOMIC_RELAXED);",
          "  __atomic_store_n(&left->place, (void(leaving), Task::kWaits), __ATOMIC_RELEASE);", tests=FIBERS),
    Fault("a fiber that is resumed is not counted", "livepatch/fibers.cpp",
          "!entered->exchange(state, state.counted());)", "!entered->exchange(state, state);)", tests=("livepatch/fiber_resumed",)),
    Fault("a stack that is left does not decide", "livepatch/fibers.cpp", "  decide_in_switch(left, sp, pc);\n", "",
          tests=("livepatch/fiber_torture",)),
    Fault("a stack that is left decides whatever is on it", "livepatch/transition.cpp",
          "!left.contain(Arch::code_address(pc)) && !own_stack_has(task, sp, left))",
          "!left.contain(Arch::code_address(pc)) && (true || !own_stack_has(task, sp, left)))",
          tests=("livepatch/fiber_torture",)),
    Fault("a fiber that no thread runs any more counts in a child of fork", "livepatch/tasks.cpp",
          "      fiber.waits_sp = fiber.high();\n", "", tests=FIBERS),
    Fault("a site jumps before its word leads anywhere", "livepatch/patch_moves.cpp",
          "  publish_word(dispatch, entry);\n", "", tests=("livepatch/turning_on",)),
    Fault("a child of vfork is not waited for", "poke/threads.cpp",
          "{look.tid, false, !is_inherited, 0,", "{look.tid, false, false, 0,", {**BUFFERS, "NOPHOOK_POKE": "trap"},
          tests=("poke/vfork_child short",)),
    Fault("what records say of addresses is not looked at", "calls/import_table.cpp",
          "    flags |= rows_[i].import->flags;", "    flags |= NOPHOOK_IMPORT_CALLED;", CALLS,
          tests=("../calls/addresses",), shared=True),
    Fault("code without records does not count", "calls/slot_uses.cpp",
          "uses_[at] : (uint8_t)NOPHOOK_GOT_UNKNOWN", "(uint8_t)NOPHOOK_GOT_CALLED : (uint8_t)NOPHOOK_GOT_UNKNOWN", CALLS,
          tests=("../calls/addresses",), shared=True),
    Fault("a hit beside callbacks does not count", "ops/call.cpp", "nophook_count_hit(regs->id);", "(void)regs->id;",
          {"NOPHOOK": "buffer_dir={folder}"},
          tests=("tracefs/hits",)),
    Fault("slots are not given back", "calls/calls.cpp", "refused += target && !access.exchange(slot, stub, target);",
          "refused += target == stub;", CALLS, tests=("../calls/given_up",), shared=True),
    Fault("what a thread has left does not count", "buffer/left_subbufs.cpp",
          "    __atomic_fetch_add(&ring->written, left.count, __ATOMIC_RELAXED);\n", "", OVERWRITES, tests=("ring/overwrite_ages",),
          recorded="buffers[0].overwritten_events() == 46"),
    Fault("ages are those of leaving", "buffer/left_subbufs.cpp",
          "return put(buffer, w->ring, index, last_time(full, used, w->time_base));",
          "return put(buffer, w->ring, index, clock_peek(buffer.clock));", OVERWRITES, tests=("ring/overwrite_ages",),
          recorded="sorted(len(r.events) for r in buffers[0].rings) == [14, 60000]"),
    Fault("a sub-buffer with a hole may be taken", "buffer/left_subbufs.cpp", "  if (!kept.waiting && !left.has_hole)\n", "  if (true)\n",
          {"NOPHOOK": "current_tracer=function_graph set_ftrace_filter=work,handled buffer_mode=overwrite buffer_size_kb=1024 buffer_dir={folder}"},
          tests=("ring/overwrite_in_handler",),
          recorded="all(r.holes == 0 for r in buffers[0].rings) and sum(r.lost for r in buffers[0].rings) > 0"),
    Fault("the last sub-buffer of a ring does not give it back", "buffer/left_subbufs.cpp", "  if (had == kRingLeft + 1)\n", "  if (false)\n",
          OVERWRITES, tests=("ring/overwrite_rings",), recorded="max(ring.index for ring in buffers[0].rings) < 100"),
    Fault("RELRO stays open", "calls/slots.cpp", "if (page_ && prot_ >= 0 && sys_failed(sys(SYS_mprotect, page_, kPageBytes, prot_)))",
          "if (page_ && prot_ >= 0 && prot_ < 0)", CALLS, tests=("../calls/given_up",), shared=True),
]
