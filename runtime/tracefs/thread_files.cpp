// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The threads whose events are in the buffer, for readers that have only their numbers. A name is
// the thread's present one; a thread that has ended has that of its last sub-buffer.

#include "base/limit_text.h"
#include "base/lock.h"
#include "base/own_identity.h"
#include "base/syscall.h"
#include "base/thread_facts.h"
#include "buffer/trace_buffer.h"
#include "tracefs/control_file.h"
#include "tracefs/reader_settings.h"
#include "tracers/named_settings.h"
#include "tracers/trace_array.h"

#include <errno.h>
#include <fcntl.h>

namespace nophook {
namespace {

constexpr uint64_t kMostThreads = 4096;

struct Seen {
  int32_t tid;
  uint64_t seq; // number of the sub-buffer that `comm` is from
  char comm[17];
};

Seen *find_seen(Array<Seen> &threads, int32_t tid) {
  for (Seen &seen : threads)
    if (seen.tid == tid)
      return &seen;
  return nullptr;
}

// Finds each thread of a buffer once. If a sub-buffer is recycled in the meantime, the worst result
// is another thread's name.
Status find_threads_of(const Buffer &buffer, uint32_t most, Array<Seen> *threads) {
  const nophook_buffer *header = buffer.header;
  uint32_t count = header ? header->subbuf_used : 0;
  for (uint32_t i = 0; i < count && threads->size() < most; i++) {
    if (__atomic_load_n(&buffer.states[i], __ATOMIC_ACQUIRE) == NOPHOOK_SUBBUF_FREE)
      continue;
    const nophook_subbuf *subbuf = subbuf_at(buffer, i);
    Seen next = {subbuf->tid, subbuf->seq, {}};
    copy_bytes(next.comm, subbuf->comm, sizeof subbuf->comm);
    Seen *seen = find_seen(*threads, next.tid);
    if (seen && next.comm[0] && next.seq >= seen->seq)
      *seen = next;
    else if (!seen && next.tid > 0 && !threads->push(next))
      return failure(ENOMEM, "no memory for the names of threads");
  }
  return {};
}

// Finds the thread's present name. A thread that has ended without a name in the buffer has its
// program's.
void find_name(Seen *seen, const nophook_buffer *header) {
  long file = sys(SYS_openat, AT_FDCWD, task_file(seen->tid, "comm").c_str(), O_RDONLY | O_CLOEXEC);
  char name[sizeof seen->comm] = {};
  long bytes = sys_failed(file) ? file : sys(SYS_read, file, name, sizeof name - 1);
  if (!sys_failed(file))
    sys(SYS_close, file);
  if (!sys_failed(bytes) && bytes > 0) {
    copy_bytes(seen->comm, name, sizeof name);
    for (char &c : seen->comm)
      c = c == '\n' ? (char)0 : c;
  } else if (!seen->comm[0] && header) {
    // The text that recordings have: tools/read/recording/thread_name.h.
    Text<sizeof seen->comm> text;
    text.add("(");
    for (uint32_t i = 0; i < sizeof header->comm - 2 && header->comm[i]; i++)
      text.add(header->comm + i, 1);
    text.add(")");
    copy_bytes(seen->comm, text.c_str(), text.size() + 1);
  }
}

// Finds the threads of an array; the top level, which is read for the whole process, has those of
// all arrays.
Status find_threads(const trace_array &asked, Array<Seen> *threads) {
  const uint32_t most = reader_settings(asked.number).named_threads;
  Status status;
  each_array([&](const trace_array &tr) {
    if (status.ok() && (asked.is_top() || &tr == &asked))
      status = find_threads_of(tr.buffer(), most, threads);
  });
  for (Seen &seen : *threads)
    find_name(&seen, asked.buffer().header);
  return status;
}

Status read_names(FileTarget at, ControlText &text) {
  RuntimeLock lock;
  Array<Seen> threads;
  NOPHOOK_TRY(find_threads(at.array, &threads));
  for (const Seen &thread : threads)
    text.number((uint64_t)thread.tid).add(" ").add(thread.comm).add("\n");
  return {};
}

Status read_processes(FileTarget at, ControlText &text) {
  RuntimeLock lock;
  Array<Seen> threads;
  NOPHOOK_TRY(find_threads(at.array, &threads));
  for (const Seen &thread : threads)
    text.number((uint64_t)thread.tid).add(" ").number((uint64_t)process_id()).add("\n");
  return {};
}

Status read_most(FileTarget at, ControlText &text) {
  RuntimeLock lock;
  text.number(reader_settings(at.array.number).named_threads).add("\n");
  return {};
}

Status write_most(FileTarget at, const char *value, uint64_t bytes) {
  uint64_t most;
  NOPHOOK_TRY(read_decimal(value, bytes, &most));
  if (!most || most > kMostThreads)
    return failure(EINVAL, limit_text<"1 to ", kMostThreads, " threads have names">);
  RuntimeLock lock;
  reader_settings(at.array.number).named_threads = (uint32_t)most;
  return {};
}

// Texts of trace_printk are in the buffer as they are, so there are no formats to know.
Status read_formats(FileTarget, ControlText &) {
  return {};
}

const ControlFile kFiles[] = {
    {.path = "printk_formats", .scope = SettingScope::kTop, .read = read_formats},
    {.path = "saved_cmdlines", .read = read_names},
    {.path = "saved_cmdlines_size", .read = read_most, .write = write_most},
    {.path = "saved_tgids", .read = read_processes},
};

} // namespace

ControlFiles thread_files() {
  return {kFiles, kFiles + sizeof kFiles / sizeof *kFiles};
}

} // namespace nophook
