// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts the words of each sub-buffer in use, and adds them up by ring.

#include "process/drain/buffer_stat.h"

#include "foundation/file.h"
#include "process/drain/cleared_prefix.h"
#include "process/drain/thread_names.h"
#include "process/drain/words.h"
#include "read/recording/thread_name.h"

#include <algorithm>
#include <cstring>
#include <map>

namespace nophook {

std::vector<RingStat> ring_stats(SharedBuffer &buffer) {
  std::map<uint32_t, RingStat> rings;
  for (uint32_t i = 0; i < buffer.ring_count(); i++)
    if (int32_t tid = buffer.ring_tid(i)) {
      RingStat &ring = rings[i];
      ring.tid = tid;
      ring.lost = buffer.ring_lost(i);
      ring.overwritten = buffer.ring_written(i);
      ring.begun = buffer.ring_begun(i);
    }
  for (uint32_t i = 0; i < buffer.subbuf_count(); i++) {
    uint32_t state = buffer.state(i);
    if (state == NOPHOOK_SUBBUF_FREE)
      continue;
    nophook_subbuf header = *buffer.subbuf(i);
    if (header.ring >= buffer.ring_count())
      continue;
    RingStat &ring = rings[header.ring];
    uint32_t used = state == NOPHOOK_SUBBUF_FULL ? std::min(header.used, kMaxSubbufUsed) & ~7u
                                                 : (uint32_t)written_words(buffer.words(i)) * 8;
    auto words = buffer.words(i, used);
    const uint64_t before = buffer.events_before(words);
    words = words.subspan(words_before(&header, words, buffer.cleared()));
    const uint64_t events = count_words(words).events;
    ring.events += events;
    if (buffer.counts_written() && header.tid == ring.tid)
      ring.overwritten = std::max(ring.overwritten, before + events);
    ring.bytes += words.size_bytes();
    ring.subbufs++;
    ring.comm = printable({header.comm, strnlen(header.comm, sizeof header.comm)});
  }
  const nophook_buffer &header = buffer.header();
  for (auto &[index, ring] : rings) {
    if (std::string now = name_of_thread(buffer, ring.tid); !now.empty())
      ring.comm = printable(now);
    else if (ring.comm.empty())
      ring.comm =
          name_of_program(printable({header.comm, strnlen(header.comm, sizeof header.comm)}));
  }
  std::vector<RingStat> result;
  for (auto &[index, ring] : rings) {
    if (buffer.counts_written()) // until here, the number of written events
      ring.overwritten -= std::min(ring.overwritten, ring.events);
    result.push_back(std::move(ring));
  }
  return result;
}

} // namespace nophook
