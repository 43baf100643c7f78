// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Appends full blocks of all texts to one temporary file, and keeps the last part of each in
// memory.

#include "show/formats/spool.h"

namespace nophook {

Result<> Spool::open() {
  file_ = std::tmpfile();
  return file_ ? Result<>() : system_error("a temporary file", "cannot be made");
}

Result<> Spool::add(Column *column, std::string_view text) {
  std::string &kept = column->text_;
  kept += text;
  if (kept.size() < kBlockBytes)
    return {};
  std::fseek(file_, 0, SEEK_END);
  column->blocks_.push_back({std::ftell(file_), kept.size()});
  if (std::fwrite(kept.data(), 1, kept.size(), file_) != kept.size())
    return system_error("a temporary file", "cannot be written");
  kept.clear();
  return {};
}

Result<> Spool::add_element(Column *column, std::string_view text) {
  if (!column->is_empty())
    NOPHOOK_TRY(add(column, ","));
  return add(column, text);
}

Result<> Spool::copy(const Column &column, Output *output) {
  std::string block;
  for (const auto &[offset, bytes] : column.blocks_) {
    block.resize(bytes);
    std::fseek(file_, offset, SEEK_SET);
    if (std::fread(block.data(), 1, bytes, file_) != bytes)
      return system_error("a temporary file", "cannot be read");
    output->add(block);
    NOPHOOK_TRY(output->flush());
  }
  output->add(column.text_);
  return {};
}

} // namespace nophook
