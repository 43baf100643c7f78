// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answers every question of the page from calls inside the page itself, in the plainest way: each answer looks at
// every call of the threads in question. A single page has at most some hundred thousand calls, so this is fast
// enough. It is also the reference: the server's answers, which come from an index, are compared with these.

import {decode_rows, encode_rows, kBeginUnknown, kInstant, kLeft, kOneCall, kOpen} from './rows.js';
import {SourceError} from './source.js';

const kUnknownCpu = 65535;

/** @param {string} text @returns {ArrayBuffer} */
function from_base64(text) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes.buffer;
}

/** Whether a name fits what a user typed: a part of it in any case, or a glob. @param {string} text */
export function name_matcher(text) {
  if (!/[*?]/.test(text)) {
    const part = text.toLowerCase();
    return (/** @type {string} */ name) => name.toLowerCase().includes(part);
  }
  const pattern = text.replace(/[.+^${}()|[\]\\]/g, '\\$&').replace(/\*/g, '.*').replace(/\?/g, '.');
  const glob = new RegExp(`^${pattern}$`, 'is');
  return (/** @type {string} */ name) => glob.test(name);
}

/** @param {number[]} sorted @param {number} share */
function quantile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] ?? 0;
}

/** How many calls lasted [2^k, 2^(k+1)). @param {number[]} sorted @returns {[number, number][]} */
function histogram(sorted) {
  const bins = new Map();
  for (const value of sorted) {
    const from = value < 1 ? 0 : 2 ** Math.floor(Math.log2(value));
    bins.set(from, (bins.get(from) ?? 0) + 1);
  }
  return [...bins];
}

/** @typedef {import('./source.js').Source} Source */

/** @implements {Source} */
export class EmbeddedSource {
  /** @param {any} page the content of the element `nophook-recording` */
  constructor(page) {
    this.page = page;
    const calls = page.calls;
    this.count = calls.count;
    this.thread = new Uint32Array(from_base64(calls.thread));
    this.depth = new Uint16Array(from_base64(calls.depth));
    this.flags = new Uint8Array(from_base64(calls.flags));
    this.function = new Uint32Array(from_base64(calls.function));
    this.start = new Float64Array(from_base64(calls.start));
    this.duration = new Float64Array(from_base64(calls.duration));
    this.cpu = calls.cpu ? new Uint16Array(from_base64(calls.cpu)) : null;
    for (const column of [this.thread, this.depth, this.flags, this.function, this.start, this.duration])
      if (column.length !== this.count)
        throw new SourceError(`the page is damaged: a column has ${column.length} of ${this.count} calls`);
    /** @type {Map<number, number[]>} calls of a thread, a caller before its callees */
    this.of_thread = new Map();
    this.parent = new Int32Array(this.count).fill(-1);
    this.own = Float64Array.from(this.duration);
    this.callees = new Uint32Array(this.count);
    this.link_calls();
  }

  /** Finds each call's caller, and the time of its own. */
  link_calls() {
    for (let i = 0; i < this.count; i++) {
      const list = this.of_thread.get(this.thread[i]);
      if (list) list.push(i);
      else this.of_thread.set(this.thread[i], [i]);
    }
    for (const list of this.of_thread.values()) {
      list.sort((a, b) => this.start[a] - this.start[b] || this.depth[a] - this.depth[b] || a - b);
      const stack = [];
      for (const i of list) {
        while (stack.length && (this.depth[stack[stack.length - 1]] >= this.depth[i] ||
                                this.end(stack[stack.length - 1]) < this.start[i]))
          stack.pop();
        if (stack.length) {
          const caller = stack[stack.length - 1];
          this.parent[i] = caller;
          this.own[caller] -= this.duration[i];
          this.callees[caller]++;
        }
        stack.push(i);
      }
    }
  }

  /** @param {number} i */
  end(i) {
    return this.start[i] + this.duration[i];
  }

  /** The calls of some threads. @param {number[]|null|undefined} threads */
  * calls_of(threads) {
    for (const thread of threads ?? this.of_thread.keys())
      yield* this.of_thread.get(thread) ?? [];
  }

  async recording() {
    return {...this.page.recording, left_out: this.page.left_out};
  }

  async functions() {
    return this.page.functions;
  }

  /** @param {import('./source.js').Range & {columns: number, depths: number}} asked */
  async rows(asked) {
    return decode_rows(this.encoded_rows(asked));
  }

  /** @param {import('./source.js').Range & {columns: number, depths: number}} asked */
  encoded_rows({from, to, columns, threads, depths}) {
    const width = (to - from) / columns;
    const records = [];
    for (const thread of threads ?? this.of_thread.keys()) {
      const merges = new Map();
      for (const i of this.of_thread.get(thread) ?? []) {
        if (this.start[i] >= to) break;
        const depth = this.depth[i];
        if (depth >= depths || (this.end(i) <= from && this.start[i] < from)) continue;
        if (this.duration[i] > width || this.start[i] < from) {
          records.push(this.one_call(i));
          continue;
        }
        const key = depth * 2 ** 32 + Math.floor((this.start[i] - from) / width);
        const merge = merges.get(key);
        if (merge) merge.push(i);
        else merges.set(key, [i]);
      }
      for (const [key, list] of merges)
        records.push(list.length === 1 ? this.one_call(list[0]) : this.merged(list, from + key % 2 ** 32 * width, width));
    }
    records.sort((a, b) => a.thread - b.thread || a.depth - b.depth || a.start - b.start);
    return encode_rows({from, to, width}, records);
  }

  /** @param {number} i @returns {import('./rows.js').Row} */
  one_call(i) {
    return {thread: this.thread[i], depth: this.depth[i], flags: this.flags[i] & ~kOneCall | kOneCall, busy: 255,
      function: this.function[i], calls: 1, start: this.start[i], duration: this.duration[i]};
  }

  /** @param {number[]} list @param {number} start @param {number} width @returns {import('./rows.js').Row} */
  merged(list, start, width) {
    let longest = list[0], sum = 0, flags = 0;
    for (const i of list) {
      if (this.duration[i] > this.duration[longest]) longest = i;
      sum += this.duration[i];
      flags |= this.flags[i] & (kBeginUnknown | kOpen | kLeft);
    }
    return {thread: this.thread[longest], depth: this.depth[longest], flags, function: this.function[longest],
      busy: Math.min(255, Math.round(255 * sum / width)), calls: list.length, start, duration: width};
  }

  /** @param {import('./source.js').Range & {limit?: number}} asked */
  async events({from, to, threads, limit = 2000}) {
    const wanted = threads ? new Set(threads) : null;
    const has = (/** @type {{thread: number}} */ e) => !wanted || wanted.has(e.thread);
    const all = this.page.events;
    const marks = all.marks.filter((/** @type {any} */ m) => has(m) && m.time >= from && m.time <= to);
    const losses = all.losses.filter((/** @type {any} */ l) => has(l) && l.to >= from && l.from <= to);
    const ends = all.ends.filter((/** @type {any} */ e) => has(e) && e.time >= from && e.time <= to);
    const left_out = [marks, losses, ends].reduce((sum, list) => sum + Math.max(0, list.length - limit), 0);
    return {marks: marks.slice(0, limit), losses: losses.slice(0, limit), ends: ends.slice(0, limit), left_out};
  }

  /** @param {number} thread @param {number} depth @param {number} at */
  async call(thread, depth, at) {
    let found = -1;
    for (const i of this.of_thread.get(thread) ?? []) {
      if (this.start[i] > at) break;
      if (this.depth[i] === depth && (at < this.end(i) || this.start[i] === at)) found = i;
    }
    if (found < 0) return null;
    const callers = [];
    for (let i = this.parent[found]; i >= 0; i = this.parent[i])
      callers.unshift({function: this.function[i], begin: this.start[i], depth: this.depth[i]});
    const flags = this.flags[found], note = this.page.notes?.[found];
    return {
      function: this.function[found], begin: flags & kBeginUnknown ? null : this.start[found],
      end: flags & kOpen ? null : this.end(found),
      how: note?.how ?? (flags & kOpen ? 'open' : flags & kLeft ? 'left' : 'returned'),
      own: this.own[found], arguments: note?.arguments ?? [], result: note?.result ?? '', cpu: note?.cpu ?? this.cpu_of(found),
      callers, calls: this.callees[found],
    };
  }

  /** @param {number} i */
  cpu_of(i) {
    const cpu = this.cpu?.[i] ?? kUnknownCpu;
    return cpu === kUnknownCpu ? null : cpu;
  }

  /** @param {string} name @param {number} limit */
  async search(name, limit = 50) {
    const matches = name_matcher(name), found = [];
    const {table} = await this.selection({from: 0, to: Infinity});
    const costs = new Map(table.map(row => [row.function, row]));
    this.page.functions.short.forEach((/** @type {string} */ short, /** @type {number} */ i) => {
      if (matches(short)) found.push({function: i, calls: costs.get(i)?.calls ?? 0, total: costs.get(i)?.total ?? 0});
    });
    found.sort((a, b) => b.total - a.total || b.calls - a.calls || a.function - b.function);
    return {functions: found.slice(0, limit), left_out: Math.max(0, found.length - limit)};
  }

  /** @param {import('./source.js').Range & {functions: number[], columns: number}} asked */
  async hits({functions, from, to, columns, threads}) {
    const wanted = new Set(functions), width = (to - from) / columns;
    /** @type {Map<string, import('./source.js').Hit>} */
    const spans = new Map();
    for (const i of this.calls_of(threads)) {
      if (!this.is_hit(i, wanted) || this.start[i] < from || this.start[i] >= to) continue;
      const column = Math.floor((this.start[i] - from) / width), key = `${this.thread[i]} ${column}`;
      const span = spans.get(key);
      if (span) {
        span[2] = Math.max(span[2], this.start[i]);
        span[3] = (span[3] ?? 0) + 1;
      } else {
        spans.set(key, [this.thread[i], this.start[i], this.start[i], 1]);
      }
    }
    return {spans: [...spans.values()].sort((a, b) => a[1] - b[1]), left_out: 0};
  }

  /** A call whose start was not recorded is nowhere. @param {number} i @param {Set<number>} wanted */
  is_hit(i, wanted) {
    return wanted.has(this.function[i]) && !(this.flags[i] & kBeginUnknown);
  }

  /** @param {{functions: number[], place: import('./source.js').HitPlace, forward: boolean}} asked */
  async hit({functions, place, forward}) {
    const wanted = new Set(functions), {at, thread = forward ? -1 : 0, depth = 0} = place;
    const order = (/** @type {number} */ i) => this.start[i] - at || this.thread[i] - thread || this.depth[i] - depth;
    const before = (/** @type {number} */ a, /** @type {number} */ b) =>
      (this.start[a] - this.start[b] || this.thread[a] - this.thread[b] || this.depth[a] - this.depth[b]) < 0;
    let best = -1;
    for (let i = 0; i < this.count; i++) {
      if (!this.is_hit(i, wanted) || (forward ? order(i) <= 0 : order(i) >= 0)) continue;
      if (best < 0 || (forward ? before(i, best) : before(best, i))) best = i;
    }
    return best < 0 ? null : {thread: this.thread[best], depth: this.depth[best], at: this.start[best]};
  }

  /** @param {import('./source.js').Range & {function?: number|null}} asked */
  async selection({from, to, threads, function: only = null}) {
    /** @type {Map<number, {calls: number, total: number, own: number, durations: number[]}>} */
    const costs = new Map();
    /** @type {import('./source.js').Tree} */
    const tree = {function: [], parent: [], calls: [], total: [], own: []};
    const nodes = new Map(), node_of = new Map(); // by caller and function; by call
    const slowest = [];
    const within = (/** @type {number} */ i) => Math.max(0, Math.min(to, this.end(i)) - Math.max(from, this.start[i]));
    for (const i of this.calls_of(threads)) {
      if (this.start[i] >= to || this.end(i) < from) continue;
      const fn = this.function[i], time = within(i), caller = this.parent[i], ends = this.end(i) <= to;
      const cost = costs.get(fn) ?? {calls: 0, total: 0, own: 0, durations: []};
      costs.set(fn, cost);
      const parent = node_of.get(caller) ?? -1, key = `${parent} ${fn}`;
      let node = nodes.get(key);
      if (node === undefined) {
        node = tree.function.length;
        nodes.set(key, node);
        tree.function.push(fn);
        tree.parent.push(parent);
        for (const column of [tree.calls, tree.total, tree.own]) column.push(0);
      }
      node_of.set(i, node);
      tree.total[node] += time;
      tree.own[node] += time;
      cost.own += time;
      if (parent >= 0) { // a caller overlaps whatever its callee overlaps
        tree.own[parent] -= time;
        const its = costs.get(this.function[caller]);
        if (its) its.own -= time;
      }
      if (!this.is_recursive(i)) cost.total += time;
      if (!ends) continue;
      tree.calls[node]++;
      cost.calls++;
      if (this.flags[i] & (kInstant | kBeginUnknown)) continue; // it has no duration of its own
      cost.durations.push(this.duration[i]);
      if (only === null || only === fn) slowest.push(i);
    }
    const table = [...costs].map(([fn, {calls, total, own, durations}]) => {
      durations.sort((a, b) => a - b);
      return {function: fn, calls, total, own, p50: quantile(durations, 0.5), p90: quantile(durations, 0.9),
        p99: quantile(durations, 0.99), max: quantile(durations, 1), histogram: histogram(durations)};
    }).sort((a, b) => b.own - a.own || a.function - b.function);
    slowest.sort((a, b) => this.duration[b] - this.duration[a] || this.start[a] - this.start[b]);
    return {covered: 1, table, tree, slowest: slowest.slice(0, 20).map(i => (
      {thread: this.thread[i], depth: this.depth[i], begin: this.start[i], duration: this.duration[i], function: this.function[i]}))};
  }

  /** Whether a caller is a call of the same function. @param {number} i */
  is_recursive(i) {
    for (let caller = this.parent[i]; caller >= 0; caller = this.parent[caller])
      if (this.function[caller] === this.function[i]) return true;
    return false;
  }

  async other() {
    return this.page.other ?? null;
  }

  alive() {} // a page that has its calls needs no server
}
