// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "patch/object_file.h"

#include "foundation/damaged_file.h"
#include "read/symbols/elf_image.h"

namespace nophook {

Result<OpenedObject> open_object(const std::string &path) {
  auto file = MappedFile::open(path);
  NOPHOOK_TRY(file);
  const auto bytes = file->bytes();
  if (!is_elf(bytes))
    return error_at(path, "is no ELF file");
  name_read_file(path);
  auto object = llvm::object::ObjectFile::createELFObjectFile(
      llvm::MemoryBufferRef(llvm::StringRef((const char *)bytes.data(), bytes.size()), path));
  if (!object)
    return error_at(path, message_of(object.takeError()));
  return OpenedObject{std::move(*file), std::move(*object)};
}

} // namespace nophook
