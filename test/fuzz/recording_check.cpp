// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A recording of any bytes, through everything that reads one: reader, decoder, filters, and all
// that is printed.

#include "read/recording/format.h"
#include "reader_fuzz.h"
#include "verbs.h"

#include <cstring>
#include <llvm/Support/xxhash.h>
#include <sys/mman.h>
#include <unistd.h>

namespace nophook {

const uint32_t kPieceMagic = kChunkMagic;
const size_t kPieceHeaderBytes = sizeof(ChunkHeader);

void complete(Piece *piece) {
  ChunkHeader header;
  std::memcpy(&header, piece->header.data(), sizeof header);
  header.bytes = (uint32_t)piece->payload.size();
  header.checksum = chunk_checksum(header, piece->payload);
  std::memcpy(piece->header.data(), &header, sizeof header);
}

namespace {

using Options = std::vector<std::string>;

// Some of these, as the input itself chooses: what is found is found again.
void add_options(uint64_t choice, Options *options) {
  static const Options kOptions[] = {
      {"--function", "f*"},
      {"--notrace", "*g*"},
      {"--depth", "2"},
      {"--min-duration", "1us"},
      {"--time", "+0,+0.001"},
      {"-O", "funcgraph-abstime", "-O", "funcgraph-proc", "-O", "funcgraph-tail"},
      {"-O", "func-no-repeats", "-O", "record-tgid", "-O", "sym-offset", "-O", "sym-addr"},
      {"-O", "funcgraph-overrun", "-O", "nofuncgraph-overhead", "-O", "funcgraph-retval-hex"},
  };
  for (const Options &some : kOptions) {
    if ((choice & 7) == 0)
      options->insert(options->end(), some.begin(), some.end());
    choice >>= 3;
  }
}

} // namespace

void check_input(std::span<const uint8_t> bytes) {
  static const int kFile = memfd_create("recording", MFD_CLOEXEC);
  static const std::string kPath = "/proc/self/fd/" + std::to_string(kFile);
  demand(::ftruncate(kFile, 0) == 0 &&
             ::pwrite(kFile, bytes.data(), bytes.size(), 0) == (ssize_t)bytes.size(),
         "no memory");
  uint64_t choice = llvm::xxh3_64bits(llvm::ArrayRef(bytes.data(), bytes.size()));
  // One of them, or time goes into reading the same bytes again: another input is another way.
  const Options kReports[] = {{}, {"--json"}, {"--top"}, {"--by-thread"}};
  switch (uint64_t way = choice % 9) {
  case 4:
    check_verb(report_verb, {"--json", "--diff", kPath, kPath});
    return;
  case 5:
    check_verb(stack_verb, {"--limit", "64", kPath});
    return;
  case 6:
    check_verb(latency_verb, {"*", kPath});
    return;
  case 7:
  case 8:
    return check_export(kPath);
  default:
    Options options = kReports[way % 4];
    add_options(choice >> 4, &options);
    options.push_back(kPath);
    check_verb(report_verb, options);
  }
}

} // namespace nophook
