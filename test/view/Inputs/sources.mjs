// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The answers from the page's own calls, against answers that are computed from the list of calls in another way.
import assert from 'node:assert/strict';
import test from 'node:test';
import {EmbeddedSource, name_matcher} from '../../../tools/show/view/page/embedded_source.js';
import {next_call} from '../../../tools/show/view/page/navigate.js';
import {at_time, by_lane, decode_rows, encode_rows, kOneCall, lane_key, row} from '../../../tools/show/view/page/rows.js';
import {WindowCache} from '../../../tools/show/view/page/window_cache.js';
import {RemoteSource} from '../../../tools/show/view/page/remote_source.js';
import {compare} from './compare.mjs';
import {random_calls, random_numbers, server} from './recordings.mjs';
import {serve} from './serve.mjs';

/** The calls of a source as objects. */
const calls_of = source => Array.from({length: source.count}, (_, i) => ({
  i, thread: source.thread[i], depth: source.depth[i], function: source.function[i], start: source.start[i],
  duration: source.duration[i], end: source.start[i] + source.duration[i],
}));
const encloses = (caller, call) => caller.thread === call.thread && caller.depth < call.depth && caller.start <= call.start && caller.end >= call.end;

test('rows are the bytes of the protocol', () => {
  const records = [{thread: 1, depth: 2, flags: 9, busy: 200, function: 70000, calls: 1, start: 2 ** 52 + 1, duration: 0.5}];
  const bytes = encode_rows({from: 1, to: 2, width: 0.25}, records), view = new DataView(bytes);
  assert.equal(bytes.byteLength, 64);
  assert.equal(String.fromCharCode(...new Uint8Array(bytes, 0, 4)), 'NPRW');
  assert.equal(view.getUint32(4, true), 1);
  assert.equal(view.getFloat64(24, true), 0.25);
  assert.equal(view.getUint16(36, true), 2);
  assert.equal(view.getUint8(38), 9);
  assert.equal(view.getUint32(40, true), 70000);
  assert.deepEqual(row(decode_rows(bytes), 0), records[0]);
  assert.throws(() => decode_rows(bytes.slice(0, 40)), /1 rows were announced, 0 came/);
  assert.throws(() => decode_rows(new ArrayBuffer(64)), /magic/);
});

test('each call in the window is in exactly one record, and each wide one in a record of its own', async () => {
  const random = random_numbers(8);
  for (const seed of [1, 2, 3]) {
    const source = new EmbeddedSource(random_calls(seed)), calls = calls_of(source);
    for (let i = 0; i < 40; i++) {
      const from = random() * 1e6, to = from + 10 ** (1 + 5 * random()), columns = 20 + Math.floor(random() * 1500);
      const threads = [0, 1, 2].filter(() => random() < 0.7), depths = 1 + Math.floor(random() * 12), width = (to - from) / columns;
      const rows = await source.rows({from, to, columns, threads, depths});
      const inside = calls.filter(call => threads.includes(call.thread) && call.depth < depths && call.start < to && (call.end > from || call.start >= from));
      assert.equal(rows.calls.reduce((sum, n) => sum + n, 0), inside.length);
      const alone = new Set();
      for (let k = 0; k < rows.count; k++) {
        const record = row(rows, k);
        if (record.flags & kOneCall) alone.add(`${record.thread} ${record.depth} ${record.start} ${record.duration} ${record.function}`);
        const meant = inside.filter(call => call.thread === record.thread && call.depth === record.depth &&
          call.start >= record.start - 1e-6 && call.start < record.start + record.duration - 1e-6);
        if (!(record.flags & kOneCall)) {
          const short = meant.filter(call => call.duration <= width && call.start >= from);
          assert.equal(record.calls, short.length);
          const longest = Math.max(...short.map(call => call.duration));
          assert.ok(short.some(call => call.function === record.function && call.duration === longest));
        }
      }
      for (const call of inside.filter(call => call.duration > width))
        assert.ok(alone.has(`${call.thread} ${call.depth} ${call.start} ${call.duration} ${call.function}`));
    }
  }
});

test('own time, callers and callees are those of the calls around', async () => {
  const source = new EmbeddedSource(random_calls(5, 600)), calls = calls_of(source);
  for (const call of calls.filter((_, i) => i % 7 === 0)) {
    const above = calls.filter(other => encloses(other, call)).sort((a, b) => a.depth - b.depth);
    const below = calls.filter(other => encloses(call, other) && other.depth === call.depth + 1);
    const answer = await source.call(call.thread, call.depth, call.start);
    assert.equal(answer.function, call.function);
    assert.deepEqual(answer.callers.map(caller => caller.begin), above.map(caller => caller.start));
    assert.equal(answer.own, call.duration - below.reduce((sum, callee) => sum + callee.duration, 0));
    assert.equal(answer.calls, below.length);
  }
  assert.equal(await source.call(0, 40, 5), null);
  assert.equal(await source.call(99, 0, 5), null);
});

test('a selection has the time within it; its percentiles are of the calls that end in it', async () => {
  const random = random_numbers(6), source = new EmbeddedSource(random_calls(6)), calls = calls_of(source);
  for (let i = 0; i < 20; i++) {
    const from = random() * 1e6, to = from + random() * 5e5, threads = i % 2 ? [0, 2] : null;
    const within = call => Math.max(0, Math.min(to, call.end) - Math.max(from, call.start));
    const {table, tree, slowest} = await source.selection({from, to, threads});
    const inside = calls.filter(call => (!threads || threads.includes(call.thread)) && call.start < to && call.end >= from);
    const ended = inside.filter(call => call.end <= to);
    assert.equal(tree.calls.reduce((sum, n) => sum + n, 0), ended.length);
    const outermost = inside.filter(call => call.depth === 0).reduce((sum, call) => sum + within(call), 0);
    assert.ok(Math.abs(table.reduce((sum, r) => sum + r.own, 0) - outermost) < 1, 'own times add up to the time of the roots');
    assert.deepEqual([...new Set(inside.map(call => call.function))].sort(), table.map(r => r.function).sort());
    for (const r of table) {
      const durations = ended.filter(call => call.function === r.function).map(call => call.duration).sort((a, b) => a - b);
      assert.equal(r.calls, durations.length);
      assert.equal(r.histogram.reduce((sum, [, n]) => sum + n, 0), durations.length);
      assert.equal(r.max, durations.at(-1) ?? 0);
      if (durations.length) assert.ok(durations.filter(d => d <= r.p99).length >= 0.99 * durations.length);
      const own = inside.filter(call => call.function === r.function && !calls.some(o => o.function === r.function && encloses(o, call)));
      assert.ok(Math.abs(r.total - own.reduce((sum, call) => sum + within(call), 0)) < 1, 'the total is that of the outermost calls');
    }
    assert.deepEqual(slowest.map(s => s.duration), ended.map(call => call.duration).sort((a, b) => b - a).slice(0, 20));
    tree.parent.forEach((parent, k) => assert.ok(parent < k, 'a parent stands before its children'));
  }
});

test('a search finds parts of names in any case, and globs', async () => {
  assert.ok(name_matcher('store')('Store::get'));
  assert.ok(name_matcher('store::*')('Store::get'));
  assert.ok(!name_matcher('get*')('Store::get'));
  assert.ok(name_matcher('f(?)')('f(x)'));
  const source = new EmbeddedSource(server());
  const {functions, left_out} = await source.search('cache', 2);
  assert.equal(functions.length, 2);
  assert.equal(left_out, 1);
  const all = await source.search('cache', 50);
  assert.equal(all.functions.reduce((sum, found) => sum + found.calls, 0), calls_of(source).filter(call => [9, 10, 11].includes(call.function)).length);
});

test('going from hit to hit visits each call once, in order, both ways', async () => {
  for (const seed of [1, 2]) {
    const source = new EmbeddedSource(random_calls(seed, 400)), functions = [3, 7];
    const wanted = calls_of(source).filter(call => functions.includes(call.function)).map(({thread, depth, start}) => ({thread, depth, at: start}))
      .sort((a, b) => a.at - b.at || a.thread - b.thread || a.depth - b.depth);
    for (const forward of [true, false]) {
      const visited = [];
      for (let place = {at: forward ? 0 : source.page.recording.duration + 1}; (place = await source.hit({functions, place, forward}));) {
        visited.push(place);
        assert.ok(visited.length <= wanted.length, 'a hit is visited twice');
      }
      assert.deepEqual(forward ? visited : visited.reverse(), wanted);
    }
  }
});

test('the calls of a depth are visited one after the other, however dense they are', async () => {
  const source = new EmbeddedSource(random_calls(3)), calls = calls_of(source);
  for (const depth of [0, 2, 5]) {
    const starts = [...new Set(calls.filter(call => call.thread === 1 && call.depth === depth).map(call => call.start))].sort((a, b) => a - b);
    for (const forward of [true, false]) {
      const visited = [];
      let time = forward ? -1 : 2e6;
      for (let place; (place = await next_call(source, {thread: 1, depth, time, forward, span: 50, to: 2e6}));) {
        visited.push(place.at);
        time = place.at;
        assert.ok(visited.length <= starts.length);
      }
      assert.deepEqual(forward ? visited : visited.reverse(), starts);
    }
  }
});

test('hits are all calls of the functions', async () => {
  const source = new EmbeddedSource(random_calls(2)), wanted = calls_of(source).filter(call => call.function === 4 && call.start < 8e5);
  const {spans} = await source.hits({functions: [4], from: 0, to: 8e5, columns: 300});
  assert.equal(spans.reduce((sum, [, , , calls]) => sum + calls, 0), wanted.length);
  for (const call of wanted) assert.ok(spans.some(([thread, from, to]) => thread === call.thread && call.start >= from && call.start <= to));
});

test('the record at a time is the one that holds it, or the nearest', async () => {
  const source = new EmbeddedSource(random_calls(7)), calls = calls_of(source);
  const rows = await source.rows({from: 0, to: 1e6, columns: 1e6, threads: null, depths: 99}), lanes = by_lane(rows);
  for (const call of calls.filter(call => call.duration > 2).slice(0, 300)) {
    const i = at_time(rows, lanes.get(lane_key(call.thread, call.depth)), call.start + call.duration / 2);
    assert.equal(rows.start[i], call.start);
  }
  assert.equal(at_time(rows, undefined, 5), -1);
});

test('a server that answers from the same calls compares equal, and one with a call more, longer or elsewhere does not', async () => {
  const compared = async change => {
    const content = random_calls(1, 500), served = random_calls(1, 500);
    change?.(served);
    const running = await serve('', served);
    try {
      return await compare(new RemoteSource(running.url), new EmbeddedSource(content), {rounds: 8});
    } finally {
      await running.stop();
    }
  };
  const changed = (name, type, edit) => served => {
    const bytes = Buffer.from(served.calls[name], 'base64'), column = new type(new Uint8Array(bytes).buffer);
    edit(column);
    served.calls[name] = Buffer.from(column.buffer).toString('base64');
  };
  assert.equal((await compared()).calls, 500);
  await assert.rejects(compared(changed('duration', Float64Array, column => { column[20] += 1; })));
  await assert.rejects(compared(changed('function', Uint32Array, column => { column[20] ^= 1; })));
  await assert.rejects(compared(changed('depth', Uint16Array, column => { column[499] += 1; })));
  await assert.rejects(compared(served => { served.recording.calls++; }));
});

test('a damaged page is refused', () => {
  const page = server();
  page.calls.depth = page.calls.depth.slice(0, 80);
  assert.throws(() => new EmbeddedSource(page), /the page is damaged: a column has 30 of \d+ calls/);
});

test('a window is asked for once, a part of it not again, and the newest question wins', async () => {
  const asked = [];
  let answer;
  const cache = new WindowCache(window => {
    asked.push(window);
    return new Promise(resolve => {
      answer = () => resolve(asked.length);
    });
  }, () => {}, () => 1000);
  const settle = () => new Promise(resolve => setImmediate(resolve));
  const window = {from: 400, to: 500, columns: 100, threads: [1], depths: 4};
  assert.equal(cache.want(window), null);
  assert.equal(cache.want(window), null);
  assert.equal(asked.length, 1);
  assert.deepEqual([asked[0].from, asked[0].to, asked[0].columns], [350, 550, 200]);
  cache.want({...window, from: 700, to: 800});
  cache.want({...window, from: 800, to: 900});
  assert.equal(asked.length, 1, 'one request at a time');
  answer();
  await settle();
  assert.equal(asked.length, 2);
  assert.equal(asked[1].from, 750, 'the newest question');
  answer();
  await settle();
  assert.equal(asked.length, 2);
  assert.equal(cache.want({...window, from: 420, to: 520}), 1, 'a pan within the margin is answered');
  assert.equal(asked.length, 2);
  cache.want({...window, from: 440, to: 450});
  assert.equal(asked.length, 3, 'a zoom needs more detail');
  cache.outdate();
  assert.notEqual(cache.want(window), null, 'the old picture is shown while there is none of the new');
  assert.equal(asked.length, 3, 'one request at a time');
  answer();
  await settle();
  assert.equal(cache.want({...window, from: 440, to: 450}), 3, 'an answer that was under way is shown');
  assert.equal(asked.length, 4, 'and the question is asked again');
});
