// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "drain/buffer_stat.h"

#include "base/file.h"
#include "drain/cleared_prefix.h"
#include "drain/words.h"

#include <algorithm>
#include <cstring>
#include <map>

namespace nophook {

std::vector<RingStat> ring_stats(const SharedBuffer &buffer) {
  std::map<uint32_t, RingStat> rings;
  for (uint32_t i = 0; i < buffer.ring_count(); i++)
    if (int32_t tid = buffer.ring_tid(i)) {
      RingStat &ring = rings[i];
      ring.tid = tid;
      ring.lost = buffer.ring_lost(i);
      ring.overwritten = buffer.ring_overwritten(i);
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
    words = words.subspan(words_before(&header, words, buffer.cleared()));
    ring.events += count_words(words).events;
    ring.bytes += words.size_bytes();
    ring.subbufs++;
    ring.comm = printable({header.comm, strnlen(header.comm, sizeof header.comm)});
  }
  std::vector<RingStat> result;
  for (auto &[index, ring] : rings)
    result.push_back(std::move(ring));
  return result;
}

} // namespace nophook
