// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Describes the machine and the time in the INFO chunk, and formats the totals.

#include "process/recorder/recording_frame.h"

#include "foundation/counted.h"
#include "foundation/file.h"
#include "process/drain/clocks.h"

#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

namespace nophook {

void begin_recording(RecordingWriter &writer, Json about) {
  about.add("cpus", sysconf(_SC_NPROCESSORS_CONF)); // numbers of CPUs are below this
  about.add("online_cpus", sysconf(_SC_NPROCESSORS_ONLN));
  about.add("start_ns", read_clocks().realtime_ns);
  utsname machine;
  if (::uname(&machine) == 0) {
    about.add("host", machine.nodename);
    about.add("kernel", fmt::format("{} {}", machine.sysname, machine.release));
    about.add("machine", machine.machine);
  }
  writer.append_text(ChunkType::kInfo, kNoProcess, about.text());
  write_clock(writer, read_clocks());
}

std::string totals_text(const DrainTotals &totals, const RecordingWriter &writer) {
  std::string where =
      fmt::format("{:.1f} MiB in {}", (double)writer.bytes() / (1 << 20), printable(writer.path()));
  if (totals.profiled)
    return fmt::format("{} counted, {}", counted(totals.profiled, "call"), where);
  return fmt::format("{} of {} in {}, {} lost,{} {}", counted(totals.events, "event"),
                     counted(totals.function_count(SeenFunctions::kSeen), "function"),
                     counted(totals.threads, "thread"), counted(totals.lost, "event"),
                     totals.overwritten ? fmt::format(" {} overwritten,", totals.overwritten) : "",
                     where);
}

} // namespace nophook
