// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses lines of /proc/PID/maps, and reads the segments of each file for its load address.

#include "process/drain/mapped_modules.h"

#include "read/symbols/elf_image.h"

#include <nophook/buffer.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstring>

namespace nophook {

namespace {

constexpr uint64_t kPage = 4096;

struct CodeMapping {
  uint64_t start, offset;
  std::string path;
};

// Parses a line "start-end perms offset dev inode path"; the path is empty if it is not code of a
// file.
CodeMapping parse(const std::string &line) {
  CodeMapping mapping = {};
  uint64_t end;
  char permissions[5] = "";
  if (std::sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64, &mapping.start, &end,
                  permissions, &mapping.offset) == 4 &&
      permissions[2] == 'x')
    if (size_t path = line.find('/'); path != std::string::npos)
      mapping.path = line.substr(path).c_str(); // 0s may follow the text
  return mapping;
}

// Load address minus ELF address of the module that the mapping belongs to.
bool find_bias(const ElfImage &image, const CodeMapping &mapping, uint64_t *bias) {
  for (const auto &p : image.segments())
    if (p.p_type == llvm::ELF::PT_LOAD && (p.p_flags & llvm::ELF::PF_X) &&
        p.p_offset / kPage * kPage == mapping.offset) {
      *bias = mapping.start - p.p_vaddr / kPage * kPage;
      return true;
    }
  return false;
}

} // namespace

std::vector<std::string> mapped_modules(const std::string &maps) {
  std::vector<std::string> records;
  for (size_t at = 0, end; at < maps.size(); at = end + 1) {
    end = std::min(maps.find('\n', at), maps.size());
    CodeMapping mapping = parse(maps.substr(at, end - at));
    nophook_map map = {};
    if (mapping.path.empty())
      continue;
    auto image = ElfImage::open(mapping.path);
    if (!image || !find_bias(*image, mapping, &map.bias))
      continue;
    mapping.path.resize(mapping.path.size() / 4 * 4 + 4); // a multiple of 4, 0 included
    map.path_bytes = (uint32_t)mapping.path.size();
    map.bytes = sizeof map + map.path_bytes;
    map.build_id_bytes = (uint32_t)std::min(image->build_id().size(), sizeof map.build_id);
    std::copy_n(image->build_id().begin(), map.build_id_bytes, map.build_id);
    std::string record(reinterpret_cast<const char *>(&map), sizeof map);
    records.push_back(record + mapping.path);
  }
  return records;
}

} // namespace nophook
