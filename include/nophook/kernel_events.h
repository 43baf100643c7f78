// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contract: our events in the form of the kernel's ring buffer, for clients that read only that
// form: trace-cmd, KernelShark, and other readers of trace.dat.
//
// Written by:  tools that convert (per_cpu/cpuN/trace_pipe_raw, export to trace.dat).
// Described by: the control tree, as events/header_page, events/header_event and
//              events/GROUP/EVENT/format, and the same texts in trace.dat.
// Read by:     libtraceevent, which finds fields by their names in these texts.
//
// Both sides use the records and texts of this file, so they cannot differ: a field's text is made
// from its struct. The formats' grammar is that of the kernel's Documentation/trace/events.rst; ids
// are those of Linux 6.12, where the kernel has the same event.
//
// Sub-buffer: KernelPage, then entries; bytes behind `commit` are 0. An entry is one word
// `time_delta << 5 | type_len`, the delta in ns since the entry before (the first: since the
// page's `time_stamp`), then
//   type_len 1 to 28  a record of type_len * 4 bytes
//   type_len 0        a word: 4 + the record's bytes; the record, padded to 4 bytes
//   type_len 30       a word: the upper part of the delta (>> 27); no record
// A record begins with KernelCommon.

#ifndef NOPHOOK_KERNEL_EVENTS_H
#define NOPHOOK_KERNEL_EVENTS_H

#include <stddef.h>
#include <stdint.h>

namespace nophook {

enum KernelEventId : uint16_t {
  kKernelFunction = 1,
  kKernelStack = 4,
  kKernelPrint = 5,
  kKernelGraphExit = 10,
  kKernelGraphEntry = 11,
  kKernelRawData = 18,
  kKernelFuncRepeats = 19,
  kKernelDynamic = 1024, // the first of events made by text; a process counts its own from here
};

// The head of a page of `buffer_subbuf_size_kb` << 10 bytes.
struct KernelPage {
  uint64_t time_stamp; // base of the first entry's delta, ns
  uint64_t commit;     // bytes of entries, and the two flags below
  static constexpr uint64_t kMissed = uint64_t{1} << 31; // events were lost before this page
  // The number of lost events is stored, as a u64 behind the entries.
  static constexpr uint64_t kMissedStored = uint64_t{1} << 30;
};

constexpr uint32_t kKernelTimeExtend = 30;
constexpr uint32_t kKernelDeltaBits = 27;
constexpr uint32_t kKernelMaxTypeLen = 28;

struct KernelCommon {
  uint16_t type; // KernelEventId
  uint8_t flags;
  uint8_t preempt_count;
  int32_t pid; // number of the thread
};

struct KernelFunction {
  KernelCommon common;
  uint64_t ip;
  uint64_t parent_ip;
};

struct KernelGraphEntry {
  KernelCommon common;
  uint64_t func;
  uint32_t depth;
  uint32_t pad;
};

struct KernelGraphExit {
  KernelCommon common;
  uint64_t func;
  uint32_t depth;
  uint32_t overrun;  // calls that are left out; always 0
  uint64_t calltime; // ns, on the page's clock
  uint64_t rettime;
};

// Return addresses follow, innermost first, `size` of them.
struct KernelStack {
  KernelCommon common;
  uint32_t size;
  uint32_t pad;
};

// A text follows, with a newline and a 0.
struct KernelPrint {
  KernelCommon common;
  uint64_t ip;
};

// Bytes follow, up to the record's end.
struct KernelRawData {
  KernelCommon common;
  uint32_t id;
};

struct KernelFuncRepeats {
  KernelCommon common;
  uint64_t ip;
  uint64_t parent_ip;
  uint16_t count;
  uint16_t top_delta_ts; // time from the last call to this event, ns: bits 32 to 47
  uint32_t bottom_delta_ts;
};

// An event made by text (dynamic_events): arguments follow, one behind the other, as in its format.
// A text is one word, `bytes << 16 | offset in the record`; texts are behind all arguments.
struct KernelProbe {
  KernelCommon common;
  uint64_t ip; // address of the function
};
struct KernelReturnProbe {
  KernelCommon common;
  uint64_t func;
  uint64_t ret_ip;
};

// A field as it stands in a format file.
struct KernelField {
  const char *declaration; // `int name`, `char name[]`; null: no field
  uint32_t offset;
  uint32_t bytes; // size of the field; 0: the rest of the record
  bool is_signed;
};

struct KernelEvent {
  const char *name;
  uint16_t id;
  KernelField fields[6];
  const char *print; // the text behind `print fmt: `
};

inline constexpr KernelField kKernelCommonFields[] = {
    {"unsigned short common_type", offsetof(KernelCommon, type), 2, false},
    {"unsigned char common_flags", offsetof(KernelCommon, flags), 1, false},
    {"unsigned char common_preempt_count", offsetof(KernelCommon, preempt_count), 1, false},
    {"int common_pid", offsetof(KernelCommon, pid), 4, true},
};

// The events of events/ftrace, in the order of names.
inline constexpr KernelEvent kKernelEvents[] = {
    {"func_repeats",
     kKernelFuncRepeats,
     {{"unsigned long ip", offsetof(KernelFuncRepeats, ip), 8, false},
      {"unsigned long parent_ip", offsetof(KernelFuncRepeats, parent_ip), 8, false},
      {"u16 count", offsetof(KernelFuncRepeats, count), 2, false},
      {"u16 top_delta_ts", offsetof(KernelFuncRepeats, top_delta_ts), 2, false},
      {"u32 bottom_delta_ts", offsetof(KernelFuncRepeats, bottom_delta_ts), 4, false}},
     "\" %ps <-%ps\\t(repeats:%u)\", (void *)REC->ip, (void *)REC->parent_ip, REC->count"},
    {"funcgraph_entry",
     kKernelGraphEntry,
     {{"unsigned long func", offsetof(KernelGraphEntry, func), 8, false},
      {"unsigned int depth", offsetof(KernelGraphEntry, depth), 4, false}},
     "\"--> %ps (%u)\", (void *)REC->func, REC->depth"},
    {"funcgraph_exit",
     kKernelGraphExit,
     {{"unsigned long func", offsetof(KernelGraphExit, func), 8, false},
      {"unsigned int depth", offsetof(KernelGraphExit, depth), 4, false},
      {"unsigned int overrun", offsetof(KernelGraphExit, overrun), 4, false},
      {"unsigned long long calltime", offsetof(KernelGraphExit, calltime), 8, false},
      {"unsigned long long rettime", offsetof(KernelGraphExit, rettime), 8, false}},
     "\"<-- %ps (%u) (start: %llx  end: %llx) over: %u\", (void *)REC->func, REC->depth, "
     "REC->calltime, REC->rettime, REC->overrun"},
    {"function",
     kKernelFunction,
     {{"unsigned long ip", offsetof(KernelFunction, ip), 8, false},
      {"unsigned long parent_ip", offsetof(KernelFunction, parent_ip), 8, false}},
     "\" %ps <-- %ps\", (void *)REC->ip, (void *)REC->parent_ip"},
    {"kernel_stack",
     kKernelStack,
     {{"int size", offsetof(KernelStack, size), 4, true},
      {"unsigned long caller[]", sizeof(KernelStack), 0, false}},
     "\"\\t=> %ps\\n\\t=> %ps\\n\\t=> %ps\\n\", (void *)REC->caller[0], (void *)REC->caller[1], "
     "(void *)REC->caller[2]"},
    {"print",
     kKernelPrint,
     {{"unsigned long ip", offsetof(KernelPrint, ip), 8, false},
      {"char buf[]", sizeof(KernelPrint), 0, true}},
     "\"%ps: %s\", (void *)REC->ip, REC->buf"},
    {"raw_data",
     kKernelRawData,
     {{"unsigned int id", offsetof(KernelRawData, id), 4, false},
      {"char buf[]", sizeof(KernelRawData), 0, true}},
     "\"id:%04x %08x\", REC->id, (int)REC->buf[0]"},
};

// Texts. `add` is called with `const char *` and, for numbers, with uint64_t.

template <class Add> void kernel_field_text(const KernelField &field, Add add) {
  add("\tfield:");
  add(field.declaration);
  add(";\toffset:");
  add(uint64_t{field.offset});
  add(";\tsize:");
  add(uint64_t{field.bytes});
  add(field.is_signed ? ";\tsigned:1;\n" : ";\tsigned:0;\n");
}

// The start of every format: name, id, the fields of KernelCommon.
template <class Add> void kernel_format_head(const char *name, uint64_t id, Add add) {
  add("name: ");
  add(name);
  add("\nID: ");
  add(id);
  add("\nformat:\n");
  for (const KernelField &field : kKernelCommonFields)
    kernel_field_text(field, add);
  add("\n");
}

// events/ftrace/EVENT/format.
template <class Add> void kernel_format_text(const KernelEvent &event, Add add) {
  kernel_format_head(event.name, event.id, add);
  for (const KernelField &field : event.fields)
    if (field.declaration)
      kernel_field_text(field, add);
  add("\nprint fmt: ");
  add(event.print);
  add("\n");
}

// events/header_page, for pages of `page_bytes` bytes.
template <class Add> void kernel_page_text(uint64_t page_bytes, Add add) {
  const KernelField fields[] = {
      {" u64 timestamp", offsetof(KernelPage, time_stamp), 8, false},
      {" local_t commit", offsetof(KernelPage, commit), 8, true},
      {" int overwrite", offsetof(KernelPage, commit), 1, true},
      {" char data", sizeof(KernelPage), (uint32_t)(page_bytes - sizeof(KernelPage)), true}};
  for (const KernelField &field : fields)
    kernel_field_text(field, add);
}

// events/header_event.
inline constexpr char kKernelEntryText[] = "# compressed entry header\n"
                                           "\ttype_len    :    5 bits\n"
                                           "\ttime_delta  :   27 bits\n"
                                           "\tarray       :   32 bits\n\n"
                                           "\tpadding     : type == 29\n"
                                           "\ttime_extend : type == 30\n"
                                           "\ttime_stamp : type == 31\n"
                                           "\tdata max type_len  == 28\n";

static_assert(sizeof(KernelPage) == 16);
static_assert(sizeof(KernelCommon) == 8);
static_assert(sizeof(KernelFunction) == 24);
static_assert(sizeof(KernelGraphEntry) == 24);
static_assert(sizeof(KernelGraphExit) == 40);
static_assert(sizeof(KernelStack) == 16);
static_assert(sizeof(KernelPrint) == 16);
static_assert(sizeof(KernelRawData) == 12);
static_assert(sizeof(KernelFuncRepeats) == 32);

} // namespace nophook

#endif // NOPHOOK_KERNEL_EVENTS_H
