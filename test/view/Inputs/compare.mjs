// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares a server's answers, which come from an index, with those of a single page's own calls:
//   node compare.mjs URL PAGE.html
//   node compare.mjs --view NOPHOOK RECORDING PAGE.html [--ends-only]
// --ends-only: the recording has a threshold, so begins are computed, and which time is whose is not exact: own times are
// not compared.
// Both show the same recording, whole. Asked are many parts of it, coarse and fine. In each, the number of calls of each
// thread and depth, the calls that are wider than a column, and the sums of the table must be equal.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import {EmbeddedSource} from '../../../tools/show/view/page/embedded_source.js';
import {RemoteSource} from '../../../tools/show/view/page/remote_source.js';
import {kOneCall, row} from '../../../tools/show/view/page/rows.js';
import {random_numbers} from './recordings.mjs';
import {start_view} from './start_view.mjs';

const kRounding = 1e-3; // ns

/** @param {string} file */
export function embedded_in(file) {
  const text = fs.readFileSync(file, 'utf8'), block = /<script type="application\/json" id="nophook-recording">([\s\S]*?)<\/script>/.exec(text);
  assert.ok(block, `${file} has no data block`);
  return new EmbeddedSource(JSON.parse(block[1]));
}

/** The calls of each thread and depth, and those that have a record of their own and are wider than a column. */
function summary(rows, from, to, names) {
  const counts = {}, wide = [];
  for (let i = 0; i < rows.count; i++) {
    const record = row(rows, i), lane = `${record.thread}/${record.depth}`;
    const one = record.flags & kOneCall;
    // A merge at the edge may hold calls of the column beyond. Where it ends is computed: width by width, with rounding.
    if (record.start >= from && record.start + (one ? 0 : record.duration) <= to + kRounding) counts[lane] = (counts[lane] ?? 0) + record.calls;
    if (one && record.duration > rows.width * 1.001 && record.start >= from && record.start + record.duration <= to)
      wide.push(`${lane} ${record.start} ${record.duration} ${names[record.function]}`);
  }
  return {counts, wide: wide.sort()};
}

/** @param {import('../../../tools/show/view/page/source.js').Source} server @param {EmbeddedSource} page */
export async function compare(server, page, {rounds = 40, ends_only = false} = {}) {
  const random = random_numbers(17), recording = await server.recording(), own = await page.recording();
  assert.ok(!own.left_out?.calls, `the page leaves out ${own.left_out?.calls} calls`);
  const fields = ['duration', 'events', 'calls', 'lost', 'unit', 'threads', 'processes', 'damage'];
  assert.deepEqual(fields.map(name => recording[name]), fields.map(name => own[name]));
  const server_names = (await server.functions()).full, page_names = (await page.functions()).full;
  const page_files = (await page.functions()).file;
  let values = 0;
  const threads = recording.threads.map(thread => thread.id), by_name = (table, names) => Object.fromEntries(table
    .filter(({calls}) => calls).map(({function: fn, calls, own, total, max}) => [names[fn], ends_only ? {calls, max, timed: total > 0} : {calls, own: Math.round(own), total: Math.round(total), max}]));
  for (let round = 0; round < rounds; round++) {
    const span = round === 0 ? recording.duration + 1 : recording.duration * 10 ** (-4 * random());
    const from = Math.floor(random() * (recording.duration + 1 - span)), to = Math.ceil(from + span);
    const asked = {from, to, columns: [200, 1500][round % 2], depths: round === 0 ? 65535 : 1 + Math.floor(random() * 30), threads: threads.filter(() => round === 0 || random() < 0.6)};
    if (!asked.threads.length) continue;
    const said = JSON.stringify(asked);
    const theirs = summary(await server.rows(asked), from, to, server_names), ours = summary(await page.rows(asked), from, to, page_names);
    assert.deepEqual(theirs.wide, ours.wide, `wide calls of ${said}`);
    if (round === 0) assert.deepEqual(theirs.counts, ours.counts, `counts of ${said}`);
    const [a, b] = await Promise.all([server.selection(asked), page.selection(asked)]);
    assert.equal(a.covered, 1);
    assert.deepEqual(by_name(a.table, server_names), by_name(b.table, page_names), `table of ${said}`);
    assert.deepEqual(a.slowest.map(call => call.duration), b.slowest.map(call => call.duration), `slowest of ${said}`);
    for (const place of b.slowest.slice(0, 3)) {
      const [call, same] = await Promise.all([server, page].map(source => source.call(place.thread, place.depth, place.begin)));
      assert.deepEqual([call.begin, call.end, call.callers.map(caller => server_names[caller.function])],
        [same.begin, same.end, same.callers.map(caller => page_names[caller.function])], `call at ${JSON.stringify(place)}`);
      for (const field of ['arguments', 'result', 'how', 'cpu']) assert.deepEqual(call[field], same[field], `${field} of the call at ${JSON.stringify(place)}`);
      if (call.file !== undefined) assert.equal(call.file, page_files[same.function], `source of the call at ${JSON.stringify(place)}`);
      values += call.arguments.length;
      // A server may add up clock ticks, where the page adds up nanoseconds: each callee is rounded.
      if (!ends_only) assert.ok(Math.abs(call.own - same.own) <= same.calls + 1, `own time of the call at ${JSON.stringify(place)}: ${call.own}, ${same.own}`);
    }
  }
  await compare_hits(server, page, recording, random);
  return {calls: recording.calls, values};
}

/** The marks of a search, and the way from hit to hit, forth and back. */
async function compare_hits(server, page, recording, random) {
  const {table} = await server.selection({from: 0, to: recording.duration + 1});
  const names = [(await server.functions()).full, (await page.functions()).full], same = fn => names[1].indexOf(names[0][fn]);
  const sum = ({spans}) => spans.reduce((sum, span) => sum + span[3], 0);
  for (const {function: fn, calls} of table.filter(row => row.calls).sort((a, b) => a.calls - b.calls)) {
    const asks = [[server, {functions: [fn]}], [page, {functions: [same(fn)]}]];
    const range = {from: Math.floor(random() * recording.duration / 2), to: recording.duration + 1, columns: 300};
    const [a, b] = await Promise.all(asks.map(([source, asked]) => source.hits({...asked, ...range})));
    if (a.spans.every(span => span[3] !== null) && !a.left_out) assert.equal(sum(a), sum(b), `hits of ${names[0][fn]}`);
    const hit = (place, forward) => Promise.all(asks.map(([source, asked]) => source.hit({...asked, place, forward})));
    let place = {at: range.from}, before = null;
    for (let step = 0; step < 12; step++) {
      const [next, wanted] = await hit(place, true);
      assert.deepEqual(next, wanted, `${names[0][fn]}, of ${calls} calls, after ${JSON.stringify(place)}`);
      if (!next) break;
      const found = await server.call(next.thread, next.depth, next.at);
      assert.equal(names[0][found.function], names[0][fn], `the hit at ${JSON.stringify(next)}`);
      const [back, also] = await hit(next, false);
      assert.deepEqual(back, also, `before ${JSON.stringify(next)}`);
      if (before) assert.deepEqual(back, before, 'forth and back');
      place = before = next;
    }
    const [last, its] = await hit({at: recording.duration + 1}, false);
    assert.deepEqual(last, its, `the last one of ${names[0][fn]}`);
  }
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const ends_only = process.argv.includes('--ends-only');
  const [, , first, ...rest] = process.argv.filter(word => word !== '--ends-only'), view = first === '--view' ? await start_view(rest[0], rest[1]) : null;
  try {
    const {calls, values} = await compare(new RemoteSource(view?.url ?? first), embedded_in(rest.at(-1)), {ends_only});
    console.log(`equal: ${calls} calls, ${values} arguments`);
  } finally {
    view?.stop();
  }
}
