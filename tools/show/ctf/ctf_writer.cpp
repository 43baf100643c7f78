// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CTF by a graph of two components: a source of ours, and the sink `sink.ctf.fs` of libbabeltrace2,
// which knows the format.
//
// A graph pulls: its sink asks the source for messages. An export pushes. So the source has a
// queue, and answers "again" if it is empty; a full queue runs the graph until it has been emptied.
// The memory is the queue, and one packet for each stream, which the sink maps until it is full.
//
// In CTF, a packet has the number of events that were discarded before its end, since the end of
// the packet before it. A loss is therefore a packet of its own, with one event that has the
// number. Then its place is known to the nanosecond.

#include "show/ctf/ctf_writer.h"

#include <babeltrace2/babeltrace.h>
#include <memory>
#include <string>
#include <sys/stat.h>
#include <vector>

namespace nophook {

namespace {

constexpr size_t kQueued = 1024;         // messages in the queue before the graph runs
constexpr uint32_t kPacketEvents = 1024; // events of a packet, about 48 KiB

template <auto put> struct Put {
  template <class T> void operator()(T *object) const { put(object); }
};
template <class T, auto put> using Reference = std::unique_ptr<T, Put<put>>;

using GraphReference = Reference<bt_graph, bt_graph_put_ref>;
using FieldClass = Reference<bt_field_class, bt_field_class_put_ref>;
using Packet = Reference<bt_packet, bt_packet_put_ref>;

class GraphWriter final : public CtfWriter {
public:
  explicit GraphWriter(const CtfTrace &trace) : path_(trace.path) {
    if (!build(trace))
      fail("libbabeltrace2 could not begin");
  }
  ~GraphWriter() override {
    for (size_t i = sent_; i < queue_.size(); i++)
      bt_message_put_ref(queue_[i]);
  }

  bool define(const char *name, const CtfField *fields, size_t count, uint32_t *event) override {
    Reference<bt_event_class, bt_event_class_put_ref> event_class(
        bt_event_class_create(stream_class_.get()));
    FieldClass payload(bt_field_class_structure_create(trace_class_.get()));
    if (!event_class || !payload)
      return fail("out of memory");
    std::vector<Place> places;
    uint64_t members = 0;
    for (size_t i = 0; i < count;) {
      const CtfField &first = fields[i];
      if (!first.group) {
        places.push_back({members++, kNoMember, first.kind});
        if (!append(payload.get(), first))
          return fail("an event class could not be made");
        i++;
        continue;
      }
      FieldClass group(bt_field_class_structure_create(trace_class_.get()));
      uint64_t inner = 0;
      for (; i < count && fields[i].group && std::string(fields[i].group) == first.group; i++) {
        places.push_back({members, inner++, fields[i].kind});
        if (!group || !append(group.get(), fields[i]))
          return fail("an event class could not be made");
      }
      if (bt_field_class_structure_append_member(payload.get(), first.group, group.get()))
        return fail("an event class could not be made");
      members++;
    }
    if (bt_event_class_set_name(event_class.get(), name) ||
        bt_event_class_set_payload_field_class(event_class.get(), payload.get()))
      return fail("an event class could not be made");
    *event = (uint32_t)events_.size();
    events_.push_back({event_class.release(), std::move(places)});
    return true;
  }

  bool add_stream(const char *name, uint32_t *stream) override {
    Stream added;
    added.stream.reset(bt_stream_create(stream_class_.get(), trace_.get()));
    if (!added.stream || bt_stream_set_name(added.stream.get(), name) ||
        !send(bt_message_stream_beginning_create(iterator_, added.stream.get())))
      return fail("a stream could not be made");
    *stream = (uint32_t)streams_.size();
    streams_.push_back(std::move(added));
    return true;
  }

  bool add(const CtfEvent &event) override {
    Stream &stream = streams_[event.stream];
    if (stream.packet && stream.events == kPacketEvents && !end_packet(stream))
      return false;
    return (stream.packet || begin_packet(stream, event.time)) && put(stream, event);
  }

  bool add_lost(const CtfEvent &event, uint64_t count) override {
    Stream &stream = streams_[event.stream];
    if (stream.packet && !end_packet(stream))
      return false;
    bt_message *discarded = bt_message_discarded_events_create_with_default_clock_snapshots(
        iterator_, stream.stream.get(), stream.has_packets ? stream.last : event.time, event.time);
    if (discarded)
      bt_message_discarded_events_set_count(discarded, count);
    return send(discarded) && begin_packet(stream, event.time) && put(stream, event) &&
           end_packet(stream);
  }

  bool finish() override {
    for (Stream &stream : streams_) {
      if (stream.packet && !end_packet(stream))
        return false;
      if (!send(bt_message_stream_end_create(iterator_, stream.stream.get())))
        return false;
      stream.stream.reset();
    }
    is_complete_ = true;
    if (!run())
      return false;
    graph_.reset(); // the sink writes `metadata` when it is destroyed, and can only log a failure
    struct stat metadata;
    if (stat((path_ + "/metadata").c_str(), &metadata) || !metadata.st_size)
      return fail("the metadata could not be written");
    return true;
  }

  const char *error() const override { return error_.c_str(); }

private:
  static constexpr uint64_t kNoMember = ~uint64_t{0};

  struct Place { // the place of a field in the payload
    uint64_t member, inner;
    CtfField::Kind kind;
  };
  struct EventClass {
    const bt_event_class *event_class;
    std::vector<Place> places;
  };
  struct Stream {
    Reference<bt_stream, bt_stream_put_ref> stream;
    Packet packet; // the open packet; null: none
    bool has_packets = false;
    uint32_t events = 0; // number of events in the open packet
    uint64_t last = 0;   // time of the last event
  };

  // Keeps the first reason: libbabeltrace2's, without its addresses, or `problem`.
  bool fail(const char *problem) {
    const bt_error *error = bt_current_thread_take_error();
    if (error_.empty() && error && bt_error_get_cause_count(error)) {
      error_ = bt_error_cause_get_message(bt_error_borrow_cause_by_index(error, 0));
      error_ = "libbabeltrace2: " + error_.substr(0, error_.find(": "));
    }
    if (error_.empty())
      error_ = problem;
    if (error)
      bt_error_release(error);
    return false;
  }

  static bt_component_class_initialize_method_status
  initialize(bt_self_component_source *self, bt_self_component_source_configuration *,
             const bt_value *, void *data) {
    bt_self_component *component = bt_self_component_source_as_self_component(self);
    bt_self_component_set_data(component, data);
    bt_self_component_source_add_output_port(self, "out", nullptr, nullptr);
    return static_cast<GraphWriter *>(data)->make_classes(component)
               ? BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK
               : BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_MEMORY_ERROR;
  }

  static bt_message_iterator_class_initialize_method_status
  begin_iteration(bt_self_message_iterator *iterator, bt_self_message_iterator_configuration *,
                  bt_self_component_port_output *) {
    auto *writer = static_cast<GraphWriter *>(
        bt_self_component_get_data(bt_self_message_iterator_borrow_component(iterator)));
    bt_self_message_iterator_set_data(iterator, writer);
    writer->iterator_ = iterator;
    return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_OK;
  }

  static bt_message_iterator_class_next_method_status next(bt_self_message_iterator *iterator,
                                                           bt_message_array_const messages,
                                                           uint64_t capacity, uint64_t *count) {
    auto *writer = static_cast<GraphWriter *>(bt_self_message_iterator_get_data(iterator));
    *count = 0;
    while (*count < capacity && writer->sent_ < writer->queue_.size())
      messages[(*count)++] = writer->queue_[writer->sent_++];
    if (*count)
      return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK;
    writer->queue_.clear();
    writer->sent_ = 0;
    return writer->is_complete_ ? BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_END
                                : BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_AGAIN;
  }

  bool build(const CtfTrace &trace) {
    about_ = &trace;
    graph_.reset(bt_graph_create(0));
    Reference<bt_message_iterator_class, bt_message_iterator_class_put_ref> iterator(
        bt_message_iterator_class_create(next));
    if (!graph_ || !iterator ||
        bt_message_iterator_class_set_initialize_method(iterator.get(), begin_iteration))
      return false;
    Reference<bt_component_class_source, bt_component_class_source_put_ref> source_class(
        bt_component_class_source_create("nophook", iterator.get()));
    const bt_component_source *source = nullptr;
    if (!source_class ||
        bt_component_class_source_set_initialize_method(source_class.get(), initialize) ||
        bt_graph_add_source_component_with_initialize_method_data(graph_.get(), source_class.get(),
                                                                  "recording", nullptr, this,
                                                                  BT_LOGGING_LEVEL_NONE, &source))
      return false;
    const bt_plugin *plugin = nullptr;
    if (bt_plugin_find("ctf", BT_TRUE, BT_TRUE, BT_TRUE, BT_TRUE, BT_FALSE, &plugin))
      return fail("libbabeltrace2 has no plugin `ctf`");
    Reference<const bt_plugin, bt_plugin_put_ref> plugin_reference(plugin);
    const bt_component_class_sink *sink_class =
        bt_plugin_borrow_sink_component_class_by_name_const(plugin, "fs");
    Reference<bt_value, bt_value_put_ref> parameters(bt_value_map_create());
    const bt_component_sink *sink = nullptr;
    if (!sink_class || !parameters ||
        bt_value_map_insert_string_entry(parameters.get(), "path", trace.path) ||
        bt_value_map_insert_bool_entry(parameters.get(), "assume-single-trace", BT_TRUE) ||
        bt_value_map_insert_bool_entry(parameters.get(), "quiet", BT_TRUE) ||
        bt_graph_add_sink_component(graph_.get(), sink_class, "ctf", parameters.get(),
                                    BT_LOGGING_LEVEL_NONE, &sink) ||
        bt_graph_connect_ports(
            graph_.get(), bt_component_source_borrow_output_port_by_index_const(source, 0),
            bt_component_sink_borrow_input_port_by_index_const(sink, 0), nullptr))
      return false;
    return run() && iterator_; // the first run makes the iterator
  }

  bool make_classes(bt_self_component *component) {
    trace_class_.reset(bt_trace_class_create(component));
    if (!trace_class_)
      return false;
    Reference<bt_clock_class, bt_clock_class_put_ref> clock(bt_clock_class_create(component));
    stream_class_.reset(bt_stream_class_create(trace_class_.get()));
    trace_.reset(bt_trace_create(trace_class_.get()));
    if (!clock || !stream_class_ || !trace_ || bt_clock_class_set_name(clock.get(), about_->clock))
      return false;
    bt_clock_class_set_frequency(clock.get(), 1'000'000'000);
    bt_clock_class_set_origin_is_unix_epoch(clock.get(), about_->has_epoch ? BT_TRUE : BT_FALSE);
    if (about_->has_epoch) {
      constexpr int64_t kSecond = 1'000'000'000;
      bt_clock_class_set_offset(clock.get(), about_->epoch_ns / kSecond,
                                (uint64_t)(about_->epoch_ns % kSecond));
    }
    bt_stream_class *streams = stream_class_.get();
    if (bt_stream_class_set_default_clock_class(streams, clock.get()))
      return false;
    bt_stream_class_set_supports_packets(streams, BT_TRUE, BT_TRUE, BT_TRUE);
    bt_stream_class_set_supports_discarded_events(streams, BT_TRUE, BT_TRUE);
    FieldClass context(bt_field_class_structure_create(trace_class_.get()));
    return context && append_integer(context.get(), "cpu_id", true, 32) &&
           append_integer(context.get(), "pid", true, 32) &&
           append_integer(context.get(), "tid", true, 32) &&
           append(context.get(), {"comm", nullptr, CtfField::kText}) &&
           !bt_stream_class_set_event_common_context_field_class(streams, context.get()) &&
           !bt_trace_set_environment_entry_string(trace_.get(), "tracer_name", "nophook") &&
           !bt_trace_set_environment_entry_integer(trace_.get(), "events_lost",
                                                   (int64_t)about_->lost);
  }

  bool append_integer(bt_field_class *structure, const char *name, bool is_signed, unsigned bits) {
    FieldClass field(is_signed ? bt_field_class_integer_signed_create(trace_class_.get())
                               : bt_field_class_integer_unsigned_create(trace_class_.get()));
    if (!field)
      return false;
    bt_field_class_integer_set_field_value_range(field.get(), bits);
    return !bt_field_class_structure_append_member(structure, name, field.get());
  }

  bool append(bt_field_class *structure, const CtfField &field) {
    if (field.kind != CtfField::kText)
      return append_integer(structure, field.name, field.kind == CtfField::kSigned, 64);
    FieldClass text(bt_field_class_string_create(trace_class_.get()));
    return text && !bt_field_class_structure_append_member(structure, field.name, text.get());
  }

  bool begin_packet(Stream &stream, uint64_t time) {
    stream.packet.reset(bt_packet_create(stream.stream.get()));
    if (!stream.packet)
      return fail("out of memory");
    stream.events = 0;
    stream.has_packets = true;
    return send(bt_message_packet_beginning_create_with_default_clock_snapshot(
        iterator_, stream.packet.get(), time));
  }

  bool end_packet(Stream &stream) {
    Packet packet = std::move(stream.packet);
    return send(bt_message_packet_end_create_with_default_clock_snapshot(iterator_, packet.get(),
                                                                         stream.last));
  }

  bool put(Stream &stream, const CtfEvent &event) {
    const EventClass &event_class = events_[event.event];
    bt_message *message = bt_message_event_create_with_packet_and_default_clock_snapshot(
        iterator_, event_class.event_class, stream.packet.get(), event.time);
    if (!message)
      return fail("out of memory");
    bt_event *written = bt_message_event_borrow_event(message);
    bt_field *context = bt_event_borrow_common_context_field(written);
    auto member = [&](uint64_t number) {
      return bt_field_structure_borrow_member_field_by_index(context, number);
    };
    bt_field_integer_signed_set_value(member(0), event.cpu);
    bt_field_integer_signed_set_value(member(1), event.pid);
    bt_field_integer_signed_set_value(member(2), event.tid);
    if (bt_field_string_set_value(member(3), event.comm)) {
      bt_message_put_ref(message);
      return fail("out of memory");
    }
    bt_field *payload = bt_event_borrow_payload_field(written);
    const CtfValue *value = event.values;
    for (const Place &place : event_class.places) {
      bt_field *field = bt_field_structure_borrow_member_field_by_index(payload, place.member);
      if (place.inner != kNoMember)
        field = bt_field_structure_borrow_member_field_by_index(field, place.inner);
      if (place.kind == CtfField::kUnsigned)
        bt_field_integer_unsigned_set_value(field, value->number);
      else if (place.kind == CtfField::kSigned)
        bt_field_integer_signed_set_value(field, (int64_t)value->number);
      else if (bt_field_string_set_value(field, value->text)) {
        bt_message_put_ref(message);
        return fail("out of memory");
      }
      value++;
    }
    stream.events++;
    stream.last = event.time;
    return send(message);
  }

  bool send(const bt_message *message) {
    if (!message)
      return fail("out of memory");
    queue_.push_back(message);
    return queue_.size() < kQueued || run();
  }

  // Runs the graph until the queue is empty.
  bool run() {
    for (;;)
      switch (bt_graph_run_once(graph_.get())) {
      case BT_GRAPH_RUN_ONCE_STATUS_OK:
        continue;
      case BT_GRAPH_RUN_ONCE_STATUS_AGAIN:
      case BT_GRAPH_RUN_ONCE_STATUS_END:
        return true;
      default:
        return fail("cannot be written");
      }
  }

  const std::string path_;
  const CtfTrace *about_ = nullptr; // the trace, while the constructor runs
  std::string error_;
  Reference<bt_trace_class, bt_trace_class_put_ref> trace_class_;
  Reference<bt_stream_class, bt_stream_class_put_ref> stream_class_;
  Reference<bt_trace, bt_trace_put_ref> trace_;
  bt_self_message_iterator *iterator_ = nullptr;
  std::vector<EventClass> events_;
  std::vector<const bt_message *> queue_;
  size_t sent_ = 0; // number of messages of the queue that were sent
  bool is_complete_ = false;
  std::vector<Stream> streams_;
  GraphReference graph_; // destroyed first
};

} // namespace

extern "C" [[gnu::visibility("default")]] CtfWriter *
nophook_make_ctf_writer(const CtfTrace &trace) {
  return new GraphWriter(trace);
}

} // namespace nophook
