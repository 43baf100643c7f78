// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The format file of an event that was made by text: its record's fields, and how to print them.

#pragma once

#include "events/text_events.h"

#include <nophook/kernel_events.h>

namespace nophook {

// `add` as in nophook/kernel_events.h. Under the runtime's lock.
template <class Add> void text_event_fields(const TextEvent &event, Add add) {
  constexpr KernelField kEntry[] = {
      {"unsigned long __probe_ip", offsetof(KernelProbe, ip), 8, false}};
  constexpr KernelField kReturn[] = {
      {"unsigned long __probe_func", offsetof(KernelReturnProbe, func), 8, false},
      {"unsigned long __probe_ret_ip", offsetof(KernelReturnProbe, ret_ip), 8, false}};
  const ProbeText &probe = event.probes->text;
  for (const KernelField &field : kEntry)
    if (!probe.is_return)
      kernel_field_text(field, add);
  for (const KernelField &field : kReturn)
    if (probe.is_return)
      kernel_field_text(field, add);
  for (const FetchArgument &argument : probe.arguments) {
    Text<96> declaration;
    declaration.add(argument.type->field).add(" ").add(argument.name.c_str());
    if (argument.count)
      declaration.add("[").number(argument.count).add("]");
    kernel_field_text(
        {declaration.c_str(), argument.offset, argument.stored_bytes(), argument.type->is_signed},
        add);
  }
}

template <class Add> void text_event_print(const TextEvent &event, Add add) {
  const ProbeText &probe = event.probes->text;
  add(probe.is_return ? "\nprint fmt: \"(%lx <- %lx)" : "\nprint fmt: \"(%lx)");
  for (const FetchArgument &argument : probe.arguments) {
    add(" ");
    add(argument.name.c_str());
    add(argument.count ? "={" : "=");
    add(argument.type->print);
    for (uint32_t i = 1; i < argument.count; i++)
      add(","), add(argument.type->print);
    add(argument.count ? "}" : "");
  }
  add(probe.is_return ? "\", REC->__probe_func, REC->__probe_ret_ip" : "\", REC->__probe_ip");
  for (const FetchArgument &argument : probe.arguments)
    for (uint32_t i = 0; i < (argument.count ? argument.count : 1u); i++) {
      add(argument.type->is_text && !argument.count ? ", __get_str(" : ", REC->");
      add(argument.name.c_str());
      if (argument.count)
        add("["), add(uint64_t{i}), add("]");
      add(argument.type->is_text && !argument.count ? ")" : "");
    }
  add("\n");
}

} // namespace nophook
