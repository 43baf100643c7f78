// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes a recording in memory from a buffer's header and its list of functions.

#include "show/live/description.h"

#include "foundation/json.h"
#include "process/drain/buffer_file.h"
#include "process/drain/clocks.h"
#include "process/drain/process_drain.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace nophook {

std::string events_tracer(const nophook_buffer &header) {
  return nophook_form_is_profile(tracer_form(header)) ? "nop" : tracer_name(header);
}

Result<Recording> describe_process(const SharedBuffer &buffer) {
  FileDescriptor memory(::memfd_create("nophook", MFD_CLOEXEC));
  if (!memory.valid())
    return system_error("a recording in memory", "cannot be made");
  std::string path = fmt::format("/proc/self/fd/{}", memory.get());
  auto writer = RecordingWriter::create(path);
  NOPHOOK_TRY(writer);
  const nophook_buffer &header = buffer.header();
  Json about = {{"tracer", events_tracer(header)},
                {"tracer_form", tracer_form(header)},
                {"is_off", header.tracer_off != 0},
                {"cpus", sysconf(_SC_NPROCESSORS_CONF)},
                {"online_cpus", sysconf(_SC_NPROCESSORS_ONLN)}};
  writer->append_text(ChunkType::kInfo, kNoProcess, about.text());
  write_clock(*writer, {header.start_tsc, header.start_ns, header.start_realtime_ns});
  if (header.clock == NOPHOOK_CLOCK_TSC)
    write_clock(*writer, read_clocks());
  auto copy = SharedBuffer::open_copy(buffer.path());
  NOPHOOK_TRY(copy);
  DrainTotals totals;
  // It describes the process, and lists its functions.
  ProcessDrain(std::move(*copy), *writer, totals);
  writer->finish("{}");
  if (writer->failure())
    return *writer->failure();
  return Recording::open(path);
}

uint64_t function_list_bytes(const SharedBuffer &buffer) {
  struct stat st;
  return ::lstat(beside_buffer(buffer.path(), kMapsSuffix).c_str(), &st) == 0 ? (uint64_t)st.st_size
                                                                              : 0;
}

} // namespace nophook
