// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recordings that are made up for tests: the content of the single page's data block, as docs/design/view.md
// describes it. They are the same in each run.

import {EmbeddedSource} from '../../../tools/show/view/page/embedded_source.js';

/** Numbers from 0 to 1 that look random. @param {number} seed */
export function random_numbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = Math.imul(state ^ state >>> 15, state | 1) + 0x6d2b79f5 >>> 0;
    let t = Math.imul(state ^ state >>> 15, state | 1);
    t ^= t + Math.imul(t ^ t >>> 7, t | 61);
    return ((t ^ t >>> 14) >>> 0) / 4294967296;
  };
}

const base64 = array => Buffer.from(array.buffer, array.byteOffset, array.byteLength).toString('base64');

/** Packs calls `{thread, depth, flags, function, start, duration}`. */
export function pack({recording, functions, events, calls, notes = {}, left_out = {calls: 0, from: 0, to: 0}}) {
  const order = calls.map((call, i) => ({call, i})).sort((a, b) => a.call.start - b.call.start || a.call.depth - b.call.depth);
  const column = (type, name) => base64(type.from(order, ({call}) => call[name]));
  const new_notes = {};
  order.forEach(({i}, at) => {
    if (notes[i]) new_notes[at] = notes[i];
  });
  return {
    recording, functions, events, left_out, notes: new_notes,
    calls: {count: calls.length, thread: column(Uint32Array, 'thread'), depth: column(Uint16Array, 'depth'), flags: column(Uint8Array, 'flags'),
      function: column(Uint32Array, 'function'), start: column(Float64Array, 'start'), duration: column(Float64Array, 'duration')},
  };
}

/** @param {object} more */
function recording_of(calls, threads, more) {
  const duration = Math.max(0, ...calls.map(call => call.start + call.duration));
  return {
    format: 1, name: 'nophook.data', command: './server --requests 24', tracer: 'function_graph', clock: 'tsc', unit: 'ns', duration,
    events: 2 * calls.length, calls: calls.length, lost: 0, overwritten: 0, damage: '', indexed: 1,
    processes: [{index: 0, pid: 4711, name: 'server'}],
    threads: threads.map((thread, id) => {
      const own = calls.filter(call => call.thread === id);
      return {
        id, process: 0, pid: 4711, tid: 4711 + id, depth: 1 + Math.max(-1, ...own.map(call => call.depth)), calls: own.length,
        events: 2 * own.length, first: Math.min(duration, ...own.map(call => call.start)),
        last: Math.max(0, ...own.map(call => call.start + call.duration)), lost: 0, ended: false, ...thread,
      };
    }),
    ...more,
  };
}

const kNames = [
  'main', 'Server::run', 'Server::accept', 'Request::parse', 'Request::header', 'std::string::append', 'Store::get', 'Store::find',
  'Store::compact', 'Cache::lookup', 'Cache::insert', 'Cache::hash', 'Response::write', 'Response::header', 'json::Writer::value',
  'json::Writer::string', 'json::Writer::escape', 'Log::line', 'Log::flush', 'worker', 'Queue::pop', 'Queue::push',
];

function functions_of(names) {
  return {
    short: names, full: names.map(name => name.includes('::') ? `${name}(std::basic_string_view<char, std::char_traits<char> >)` : `${name}(int, char**)`),
    file: names.map((name, i) => `${name.split('::')[0].toLowerCase()}.cpp:${12 + 7 * i}`), module: names.map(() => 'server'),
  };
}

/**
 * A server that answers requests in four threads. One request is slow, because the store is compacted in it. There are
 * losses, marks, a thread that ends, a call left by an exception, one without its start, and calls that are still open.
 */
export function server(requests = 24, compactions = 160) {
  const random = random_numbers(7), calls = [], notes = {}, marks = [];
  const fn = name => kNames.indexOf(name);
  const clocks = [0, 40e3, 60e3, 90e3];
  const call = (thread, depth, name, body) => {
    const at = calls.push({thread, depth, flags: 0, function: fn(name), start: clocks[thread], duration: 0}) - 1;
    clocks[thread] += 20 + Math.floor(random() * 60);
    body?.(depth + 1);
    clocks[thread] += 20 + Math.floor(random() * 40);
    calls[at].duration = clocks[thread] - calls[at].start;
    return at;
  };
  const work = (thread, ns) => {
    clocks[thread] += Math.floor(ns * (0.5 + random()));
  };
  const request = (thread, depth, number, slow) => {
    const at = call(thread, depth, 'Request::parse', d => {
      for (let i = 0; i < 6; i++) call(thread, d, 'Request::header', d => {
        work(thread, 300);
        for (let j = 0; j < 3; j++) call(thread, d, 'std::string::append', () => work(thread, 60));
      });
    });
    notes[at] = {arguments: [`this=0x7f00${(at * 64).toString(16)}`, `id=${number}`, 'text="GET /item"'], result: 'true', cpu: thread % 2};
    call(thread, depth, 'Cache::lookup', d => call(thread, d, 'Cache::hash', () => work(thread, 900)));
    call(thread, depth, 'Store::get', d => {
      call(thread, d, 'Store::find', () => work(thread, 6e3));
      if (slow) call(thread, d, 'Store::compact', d => {
        for (let i = 0; i < compactions; i++) call(thread, d, 'Store::find', () => work(thread, 14e3));
      });
      call(thread, d, 'Cache::insert', d => call(thread, d, 'Cache::hash', () => work(thread, 1e3)));
    });
    call(thread, depth, 'Response::write', d => {
      call(thread, d, 'Response::header', () => work(thread, 2e3));
      for (let i = 0; i < 8; i++) call(thread, d, 'json::Writer::value', d => call(thread, d, 'json::Writer::string', d => {
        for (let j = 0; j < 2; j++) call(thread, d, 'json::Writer::escape', () => work(thread, 250));
      }));
    });
    call(thread, depth, 'Log::line', () => work(thread, 1200));
  };
  call(0, 0, 'main', d => call(0, d, 'Server::run', d => {
    for (let i = 0; i < requests; i++) {
      call(0, d, 'Server::accept', () => work(0, 90e3));
      call(0, d, 'Queue::push', () => work(0, 800));
    }
    call(0, d, 'Log::flush', () => work(0, 400e3));
  }));
  for (let thread = 1; thread < 4; thread++)
    call(thread, 0, 'worker', d => {
      for (let i = 0; i < requests / 3; i++) {
        call(thread, d, 'Queue::pop', () => work(thread, 60e3));
        const number = i * 3 + thread - 1;
        if (number === 14) marks.push({thread, time: clocks[thread], text: 'request 14 asks for /item/99'});
        request(thread, d, number, number === 14);
      }
    });
  const first_of = (thread, name) => calls.findIndex(call => call.thread === thread && call.function === fn(name));
  calls[first_of(3, 'worker')].flags |= 2; // it began before the recording
  calls[first_of(1, 'worker')].flags |= 4; // it had not returned
  calls[first_of(2, 'Store::get')].flags |= 8; // an exception left it
  const loss = {thread: 2, from: clocks[2] + 30e3, to: clocks[2] + 160e3, events: 1234};
  marks.push({thread: 0, time: 500e3, text: 'all workers are up'});
  const names = ['main', 'worker 1', 'worker 2', 'worker 3'];
  const recording = recording_of(calls, names.map(name => ({name})), {lost: loss.events});
  recording.duration = Math.max(recording.duration, loss.to);
  recording.threads[2].lost = loss.events;
  recording.threads[2].last = loss.to;
  recording.threads[3].ended = true;
  return pack({recording, functions: functions_of(kNames), calls, notes,
    events: {marks, losses: [loss], ends: [{thread: 3, time: recording.threads[3].last}], left_out: 0}});
}

/** The server, against a recording in which the slow request was less slow, and a function had another name. */
export async function compared() {
  const after = server(), before = server(24, 40), at = before.functions.short.indexOf('Log::flush');
  before.functions = structuredClone(before.functions);
  before.functions.short[at] = 'Log::sync';
  before.functions.full[at] = before.functions.full[at].replace('flush', 'sync');
  // The numbers of functions are others in each recording.
  const source = new EmbeddedSource(before), selection = await source.selection({from: 0, to: Infinity});
  const turned = fn => kNames.length - 1 - fn;
  for (const row of selection.table) row.function = turned(row.function);
  selection.tree.function = selection.tree.function.map(turned);
  for (const list of Object.values(before.functions)) list.reverse();
  after.recording.other = 'before.data';
  after.other = {recording: {...before.recording, name: 'before.data'}, functions: before.functions, selection};
  return after;
}

/** Many threads, each with the same shallow work at a different time. @param {number} count */
export function many_threads(count = 1000) {
  const random = random_numbers(11), calls = [];
  for (let thread = 0; thread < count; thread++) {
    let time = thread * 700;
    for (let i = 0; i < 12; i++) {
      const length = 20e3 + Math.floor(random() * 60e3);
      calls.push({thread, depth: 0, flags: 0, function: 19, start: time, duration: length});
      calls.push({thread, depth: 1, flags: 0, function: 3 + (thread + i) % 9, start: time + 1000, duration: length * 0.6});
      calls.push({thread, depth: 2, flags: 0, function: 5, start: time + 2000, duration: length * 0.2});
      time += length + Math.floor(random() * 30e3);
    }
  }
  const threads = Array.from({length: count}, (_, i) => ({name: `pool-${i % 8}`}));
  return pack({recording: recording_of(calls, threads, {name: 'pool.data', command: './pool 1000'}), functions: functions_of(kNames), calls,
    events: {marks: [], losses: [], ends: [], left_out: 0}});
}

/** Twenty threads with five levels: 100 rows. */
export function hundred_rows() {
  const calls = [];
  for (let thread = 0; thread < 20; thread++)
    for (let i = 0; i < 6; i++)
      for (let depth = 0; depth < 5; depth++)
        calls.push({thread, depth, flags: 0, function: (thread + depth) % kNames.length, start: i * 1e5 + depth * 10, duration: 9e4 - 20 * depth});
  return pack({recording: recording_of(calls, Array.from({length: 20}, (_, i) => ({name: `worker-${i}`})), {name: 'rows.data'}), functions: functions_of(kNames), calls,
    events: {marks: [], losses: [], ends: [], left_out: 0}});
}

/** Thirty threads with eight levels, on a screen 120,000 calls of two pixels each. */
export function dense() {
  const calls = [], threads = 30, columns = 500;
  for (let thread = 0; thread < threads; thread++)
    for (let i = 0; i < columns; i++)
      for (let depth = 0; depth < 8; depth++)
        calls.push({thread, depth, flags: 0, function: (thread + i + depth) % kNames.length, start: i * 2000 + depth, duration: 1990 - 2 * depth - (thread * 79 + i * 31) % 300});
  return pack({recording: recording_of(calls, Array.from({length: threads}, (_, i) => ({name: `dense-${i}`})), {name: 'dense.data'}), functions: functions_of(kNames), calls,
    events: {marks: [], losses: [], ends: [], left_out: 0}});
}

export function empty() {
  return pack({recording: recording_of([], [], {name: 'empty.data', events: 0}), functions: functions_of([]), calls: [],
    events: {marks: [], losses: [], ends: [], left_out: 0}});
}

export function damaged() {
  const page = server(6);
  page.recording.damage = 'the recording is cut at byte 664; 32,425 bytes are skipped';
  page.left_out = {calls: 5000, from: 1e6, to: 2e6};
  return page;
}

/** Calls without order or sense, for comparing answers. @param {number} seed */
export function random_calls(seed, count = 3000, threads = 3) {
  const random = random_numbers(seed), calls = [];
  for (let thread = 0; thread < threads; thread++) {
    let time = 0;
    const nest = (depth, room) => {
      let at = time;
      const end = time + room;
      while (at < end && calls.length < count * (thread + 1) / threads) {
        const length = Math.floor(room * random() * random()), duration = Math.min(length, end - at);
        time = at;
        calls.push({thread, depth, flags: random() < 0.05 ? 8 : 0, function: Math.floor(random() * 20), start: at, duration});
        if (duration > 8 && depth < 12 && random() < 0.7) nest(depth + 1, Math.floor(duration * 0.9));
        at += duration + 1 + Math.floor(random() * room * 0.05);
      }
      time = end;
    };
    nest(0, 1e6);
  }
  const names = Array.from({length: 20}, (_, i) => `ns${i % 3}::f${i}`);
  return pack({recording: recording_of(calls, Array.from({length: threads}, (_, i) => ({name: `t${i}`})), {}), functions: functions_of(names), calls,
    events: {marks: [], losses: [], ends: [], left_out: 0}});
}
