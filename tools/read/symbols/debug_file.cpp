// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tries gdb's places in gdb's order.

#include "read/symbols/debug_file.h"

#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <llvm/Support/CRC.h>

namespace nophook {

namespace {

const char *debug_root() {
  // The equivalent of gdb's debug-file-directory.
  const char *root = std::getenv("NOPHOOK_DEBUG_DIR");
  return root ? root : "/usr/lib/debug";
}

std::optional<ElfImage> by_build_id(const ElfImage &image) {
  std::span<const uint8_t> id = image.build_id();
  if (id.size() < 2)
    return std::nullopt;
  std::string path = fmt::format("{}/.build-id/{:02x}/", debug_root(), id[0]);
  for (uint8_t byte : id.subspan(1))
    path += fmt::format("{:02x}", byte);
  auto debug = ElfImage::open(path + ".debug");
  return debug ? std::optional(std::move(*debug)) : std::nullopt;
}

struct DebugLink {
  std::string name;
  uint32_t crc;
};

std::optional<DebugLink> debug_link(const ElfImage &image) {
  auto sections = image.elf().sections();
  if (!sections) {
    llvm::consumeError(sections.takeError());
    return std::nullopt;
  }
  for (const auto &section : *sections) {
    auto name = image.elf().getSectionName(section);
    auto bytes = image.elf().getSectionContents(section);
    if (!name || !bytes) {
      llvm::consumeError(name.takeError());
      llvm::consumeError(bytes.takeError());
      continue;
    }
    if (*name != ".gnu_debuglink" || bytes->size() < 8)
      continue;
    DebugLink link;
    std::string_view text(reinterpret_cast<const char *>(bytes->data()), bytes->size() - 4);
    link.name = text.substr(0, text.find('\0'));
    std::memcpy(&link.crc, bytes->data() + bytes->size() - 4, 4);
    return link;
  }
  return std::nullopt;
}

std::optional<ElfImage> by_link(const ElfImage &image) {
  auto link = debug_link(image);
  if (!link || link->name.empty() || link->name.find('/') != std::string::npos)
    return std::nullopt;
  std::error_code error;
  std::string folder = std::filesystem::absolute(image.path(), error).parent_path().string();
  for (const std::string &path : {folder + "/" + link->name, folder + "/.debug/" + link->name,
                                  debug_root() + folder + "/" + link->name}) {
    auto file = MappedFile::open(path);
    if (!file || llvm::crc32({file->bytes().data(), file->bytes().size()}) != link->crc)
      continue;
    if (auto debug = ElfImage::open(path))
      return std::move(*debug);
  }
  return std::nullopt;
}

} // namespace

std::optional<ElfImage> find_debug_file(const ElfImage &image) {
  if (auto debug = by_build_id(image))
    return debug;
  return by_link(image);
}

} // namespace nophook
