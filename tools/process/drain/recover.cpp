// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds buffers in folders and core files, and drains their copies with the recorder's own code.

#include "process/drain/recover.h"

#include "foundation/checked_folder.h"
#include "foundation/json.h"
#include "foundation/processor.h"
#include "foundation/regular_file.h"
#include "process/drain/buffer_file.h"
#include "process/drain/buffer_folder.h"
#include "process/drain/clocks.h"
#include "process/drain/lost_children.h"
#include "process/drain/process_drain.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace nophook {

namespace {

uint64_t disk_bytes(const std::string &path) {
  struct stat st;
  return ::lstat(path.c_str(), &st) == 0 ? (uint64_t)st.st_blocks * 512 : 0;
}

// Opens a file as a buffer; not valid if it is none.
FileDescriptor open_buffer(const std::string &path, nophook_buffer *header) {
  auto file = open_regular(path, O_RDONLY | O_NOFOLLOW);
  if (!file || pread(file->fd.get(), header, sizeof *header, 0) != (ssize_t)sizeof *header ||
      header->magic != NOPHOOK_BUFFER_MAGIC)
    return {};
  return std::move(file->fd);
}

FoundBuffer describe(const std::string &path, const nophook_buffer &header,
                     const FileDescriptor &file) {
  FoundBuffer found;
  found.path = path;
  // If this fails, the file counts as root's.
  (void)::fstat(file.get(), &found.file);
  found.pid = header.pid;
  Owner owner(header, file.get());
  found.life = owner.life();
  found.pid_here = owner.number_here();
  found.comm = field_text(header.comm);
  found.exe = field_text(header.exe);
  found.tracer = tracer_name(header);
  found.tracer_form = tracer_form(header);
  found.start_ns = header.start_ns;
  found.instance = instance_of_buffer(path);
  found.snapshot = header.snapshot;
  found.lost_children = lost_children_text(header.children_lost, header);
  for (const char *suffix : kBufferSuffixes)
    found.bytes += disk_bytes(beside_buffer(path, suffix));
  return found;
}

ClockPair clock_of(const nophook_buffer &header) {
  return {header.start_tsc, header.start_ns, header.start_realtime_ns};
}

// The latest instant that the process itself has stored, if any.
ClockPair last_clock_of(const nophook_buffer &header) {
  return header.clock_busy ? ClockPair{}
                           : ClockPair{header.clock_tsc, header.clock_ns, header.clock_realtime_ns};
}

// Whether the counter has run on since `then`, without a restart of the machine.
bool is_of_this_boot(const ClockPair &then, const ClockPair &now) {
  if (now.tsc <= then.tsc || now.monotonic_ns <= then.monotonic_ns)
    return false;
  double rate = (double)(now.monotonic_ns - then.monotonic_ns) / (double)(now.tsc - then.tsc);
  return rate > 0.05 && rate < 100;
}

} // namespace

bool is_buffer(const std::string &path) {
  nophook_buffer header;
  return open_buffer(path, &header).valid();
}

std::vector<FoundBuffer> find_buffers(const std::vector<std::string> &folders) {
  std::vector<FoundBuffer> found;
  for (const std::string &folder : folders) {
    std::error_code error;
    for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end;
         at.increment(error)) {
      nophook_buffer header;
      if (at->path().extension() != kBufferSuffix)
        continue;
      const std::string path = at->path().string();
      if (const FileDescriptor file = open_buffer(path, &header); file.valid())
        found.push_back(describe(path, header, file));
    }
  }
  std::ranges::sort(found, {}, [](const FoundBuffer &b) { return std::pair(b.start_ns, b.path); });
  return found;
}

Result<std::vector<FoundBuffer>> choose_buffers(const std::string &what, BufferKinds kinds) {
  std::error_code error;
  std::vector<FoundBuffer> found;
  nophook_buffer header;
  int32_t pid = 0;
  auto [end, wrong] = std::from_chars(what.data(), what.data() + what.size(), pid);
  auto is_apart = [&](const FoundBuffer &buffer) {
    return kinds == BufferKinds::kMain && (buffer.snapshot != 0 || !buffer.instance.empty());
  };
  if (std::filesystem::is_directory(what, error)) {
    found = find_buffers({what});
    std::erase_if(found, is_apart);
  } else if (const FileDescriptor file = open_buffer(what, &header); file.valid()) {
    found.push_back(describe(what, header, file));
  } else if (is_core_file(what)) {
    auto folder = buffers_of_core(what);
    NOPHOOK_TRY(folder);
    found = find_buffers({(*folder)->path});
    std::erase_if(found, is_apart);
    for (FoundBuffer &buffer : found) {
      buffer.life = Life::kGone; // the file as it was read is complete
      buffer.folder = *folder;
    }
  } else if (wrong == std::errc() && end == what.data() + what.size()) {
    for (FoundBuffer &buffer : find_buffers(buffer_folders_of(pid)))
      if (buffer.is_of(pid) && !is_apart(buffer))
        found.push_back(std::move(buffer));
  } else {
    return error_at(what, "is not a buffer, a folder, a core file or a process");
  }
  if (found.empty())
    return error_at(what, std::filesystem::is_directory(what, error)
                              ? "has no buffers (nophook recover --list shows all buffers), and a "
                                "recording is a file, such as nophook.data"
                              : "has no buffers (nophook recover --list shows all buffers)");
  return found;
}

Result<uint64_t> recover(const std::vector<FoundBuffer> &buffers, RecordingWriter &writer,
                         std::optional<KeepNames> names) {
  Json about = {{"tracer", buffers.front().tracer},
                {"tracer_form", buffers.front().tracer_form},
                {"command", Json::list().push(buffers.front().exe)},
                {"cpus", sysconf(_SC_NPROCESSORS_CONF)},
                {"recovered", true}};
  writer.append_text(ChunkType::kInfo, kNoProcess, about.text());
  DrainTotals totals;
  for (const FoundBuffer &found : buffers) {
    auto buffer = SharedBuffer::open_copy(found.path);
    NOPHOOK_TRY(buffer);
    ClockPair then = clock_of(buffer->header()), now = read_clocks();
    write_clock(writer, then);
    // A longer time gives a better speed. After a restart of the machine, or on another machine,
    // only the instants that the process has stored are on its clocks.
    if (processor_of(buffer->header().machine) != kOwnProcessor || !is_of_this_boot(then, now))
      now = last_clock_of(buffer->header());
    if (is_of_this_boot(then, now))
      write_clock(writer, now);
    ProcessDrain drain(std::move(*buffer), writer, totals);
    drain.finish(found.life == Life::kGone || found.snapshot);
    drain.read_log();
  }
  writer.finish(totals.json().text());
  if (writer.failure())
    return *writer.failure();
  if (names)
    record_names(totals, *names, writer);
  return totals.events + totals.profiled;
}

bool has_recorder(const FoundBuffer &buffer) {
  auto is_locked = [](const FileDescriptor &fd) {
    return fd.valid() && ::flock(fd.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  };
  const auto file = open_regular(buffer.path, O_RDONLY | O_NOFOLLOW);
  const FileDescriptor folder(::open(std::filesystem::path(buffer.path).parent_path().c_str(),
                                     O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
  return (file && is_locked(file->fd)) || is_locked(folder);
}

std::optional<Error> remove_buffer(const FoundBuffer &buffer) {
  const auto in = CheckedFolder::of(buffer.path);
  if (!in)
    return in.error();
  {
    const AsOwner owner(*in, buffer.file);
    const std::string name = name_in_folder(buffer.path);
    for (const char *suffix : kBufferSuffixes)
      if (::unlinkat(in->descriptor(), beside_buffer(name, suffix).c_str(), 0) != 0 &&
          errno != ENOENT)
        return system_error(beside_buffer(buffer.path, suffix), "cannot be removed");
  }
  // A recorder's own folder is removed with its last buffer.
  std::filesystem::path folder = std::filesystem::path(buffer.path).parent_path();
  if (!folder.filename().string().starts_with("record-"))
    return std::nullopt;
  if (const auto above = CheckedFolder::of(folder.string())) {
    const AsOwner owner(*above, buffer.file);
    ::unlinkat(above->descriptor(), folder.filename().c_str(), AT_REMOVEDIR);
  }
  return std::nullopt;
}

} // namespace nophook
