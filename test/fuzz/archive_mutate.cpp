// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "elf_fuzz.h"

#include "llvm/Object/Archive.h"

#include <cstdio>
#include <cstring>
#include <random>
#include <vector>

namespace nophook {
namespace {

using Header = llvm::object::UnixArMemHdrType; // text throughout, padded by spaces

constexpr size_t kMagicBytes = 8;

struct Member {
  size_t header, bytes; // offset in the archive, of what follows the header
};

void write_field(char *field, size_t width, uint64_t value) {
  char text[32];
  const size_t bytes = snprintf(text, sizeof text, "%-*llu", int(width), (unsigned long long)value);
  memcpy(field, text, std::min(bytes, width));
}

// As far as sizes lead.
std::vector<Member> members_of(const uint8_t *bytes, size_t size) {
  std::vector<Member> members;
  for (size_t at = kMagicBytes; at + sizeof(Header) <= size;) {
    Header header;
    memcpy(&header, bytes + at, sizeof header);
    uint64_t length = 0;
    if (llvm::StringRef(header.Size, sizeof header.Size).rtrim(' ').getAsInteger(10, length) ||
        length > size - at - sizeof header)
      break;
    members.push_back({at, length});
    at += std::min(sizeof header + length + length % 2, size - at);
  }
  return members;
}

void mutate_header(uint8_t *header, std::mt19937 &random) {
  auto *fields = reinterpret_cast<Header *>(header);
  const uint64_t values[] = {0, 1, 59, 60, random() % 4096, random(), ~0ull};
  switch (random() % 4) {
  case 0:
    header[random() % sizeof(Header)] = random();
    break;
  case 1: // names of names: /OFFSET, #1/LENGTH
    fields->Name[0] = '/';
    write_field(fields->Name + 1, sizeof fields->Name - 1, values[random() % std::size(values)]);
    break;
  case 2:
    memcpy(fields->Name, "#1/", 3);
    write_field(fields->Name + 3, sizeof fields->Name - 3, values[random() % std::size(values)]);
    break;
  default:
    write_field(fields->Size, sizeof fields->Size, values[random() % std::size(values)]);
  }
}

} // namespace

size_t mutate_archive(uint8_t *bytes, size_t size, size_t max_size, uint32_t seed) {
  std::mt19937 random(seed);
  const std::vector<Member> members = members_of(bytes, size);
  if (members.empty() || random() % 32 == 0)
    return mutate_object(bytes, size, max_size, random()); // a byte of it, or its size
  const Member member = members[random() % members.size()];
  if (random() % 4 == 0) {
    mutate_header(bytes + member.header, random);
    return size;
  }
  // In its room, so that the others stay where they are.
  mutate_object(bytes + member.header + sizeof(Header), member.bytes, member.bytes, random());
  return size;
}

size_t wrap_object(uint8_t *bytes, size_t size, size_t max_size, uint32_t seed) {
  const size_t copies = 1 + seed % 2, padded = size + size % 2;
  if (max_size < kMagicBytes + copies * (sizeof(Header) + padded))
    return size;
  const std::vector<uint8_t> object(bytes, bytes + size);
  memcpy(bytes, "!<arch>\n", kMagicBytes);
  uint8_t *at = bytes + kMagicBytes;
  for (size_t copy = 0; copy < copies; copy++) {
    auto *header = reinterpret_cast<Header *>(at);
    memset(header, ' ', sizeof *header);
    memcpy(header->Name, copy ? "two.o/" : "one.o/", 6);
    write_field(header->Size, sizeof header->Size, size);
    for (char *field : {header->LastModified, header->UID, header->GID, header->AccessMode})
      *field = '0';
    memcpy(header->Terminator, "`\n", 2);
    at += sizeof *header;
    memcpy(at, object.data(), size);
    at += size;
    if (size % 2)
      *at++ = '\n';
  }
  return at - bytes;
}

size_t mutate_image(uint8_t *bytes, size_t size, size_t max_size, uint32_t seed) {
  const llvm::StringRef image(reinterpret_cast<const char *>(bytes), size);
  if (image.starts_with("!<"))
    return mutate_archive(bytes, size, max_size, seed);
  if (seed % 61 == 0)
    return wrap_object(bytes, size, max_size, seed / 61);
  return mutate_object(bytes, size, max_size, seed);
}

} // namespace nophook
