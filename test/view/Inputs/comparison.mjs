// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import assert from 'node:assert/strict';
import test from 'node:test';
import {compared_table, frame_changes, numbers_in, points, renumbered} from '../../../tools/show/view/page/comparison.js';
import {callees_first, callers_first} from '../../../tools/show/view/page/flame_layout.js';
import {change_colour} from '../../../tools/show/view/page/palette.js';
import {EmbeddedSource} from '../../../tools/show/view/page/embedded_source.js';
import {compared, random_calls} from './recordings.mjs';

const functions_of = (full, module = 'a') => ({short: [...full], full: [...full], file: full.map(() => ''), module: full.map(() => module)});
const row = (fn, calls, own, total) => ({function: fn, calls, own, total, p50: 1, p90: 2, p99: own, max: own, histogram: []});

test('functions are the same by name and module, then by name; the others are added', () => {
  const own = {short: ['f', 'f', 'g'], full: ['f()', 'f()', 'g()'], file: ['', '', ''], module: ['/new/a', '/new/b', '/new/a']};
  const other = {short: ['g', 'h', 'f', 'f', 'h'], full: ['g()', 'h()', 'f()', 'f()', 'h()'], file: [], module: ['/old/c', '/old/a', '/old/a', '/old/b', '/old/b']};
  assert.deepEqual(numbers_in(own, other), [2, 3, 0, 1, 3]);
  assert.deepEqual(own.full, ['f()', 'f()', 'g()', 'h()']);
  assert.deepEqual(numbers_in(own, other), [2, 3, 0, 1, 3], 'again, when the other index has grown');
});

test('the table has a row for each function of one of them, and the changes of the shares add up to nothing', () => {
  const names = functions_of(['f', 'g', 'new']), numbers = numbers_in(names, functions_of(['old', 'g', 'f']));
  const rows = compared_table([row(0, 10, 60, 100), row(1, 1, 20, 20), row(2, 1, 20, 20)], [row(0, 3, 100, 100), row(1, 5, 50, 80), row(2, 4, 50, 200)], numbers);
  const by = Object.fromEntries(rows.map(row => [names.full[row.function], row]));
  assert.equal(rows.length, 4);
  assert.deepEqual([by.f.calls, by.f.other_calls, by.f.own, by.f.other_own, by.f.total, by.f.other_total, by.f.p99, by.f.other_p99], [10, 4, 60, 50, 100, 200, 60, 50]);
  assert.ok(Math.abs(by.f.change - 0.35) < 1e-9);
  assert.ok(Math.abs(by.old.change + 0.5) < 1e-9 && by.old.calls === 0 && by.old.other_calls === 3);
  assert.ok(Math.abs(by.new.change - 0.2) < 1e-9 && by.new.other_calls === 0);
  assert.ok(Math.abs(rows.reduce((sum, row) => sum + row.change, 0)) < 1e-9);
  assert.equal(compared_table([], [row(0, 1, 1, 1)], numbers)[0].change, -1);
});

test('a recording against itself has no change, whatever the numbers of its functions and its length', async () => {
  const source = new EmbeddedSource(random_calls(4)), {tree, table} = await source.selection({from: 0, to: Infinity});
  const turned = 19, numbers = Array.from({length: 20}, (_, i) => turned - i);
  const other = {...tree, function: tree.function.map(fn => turned - fn), total: tree.total.map(time => 3 * time), own: tree.own.map(time => 3 * time)};
  for (const make of [callers_first, callees_first]) {
    const {changes, most} = frame_changes(make(tree), make(renumbered(other, numbers)));
    assert.ok(changes.size > 50);
    assert.ok(most < 1e-9, `${most}`);
  }
  for (const row of compared_table(table, table, Array.from({length: 20}, (_, i) => i))) assert.equal(row.change, 0);
});

test('what grew is red and what shrank is blue, in each frame by its path', async () => {
  const page = await compared(), source = new EmbeddedSource(page), {tree} = await source.selection({from: 0, to: Infinity});
  const functions = structuredClone(page.functions), numbers = numbers_in(functions, page.other.functions);
  const root = callers_first(tree), {changes, most} = frame_changes(root, callers_first(renumbered(page.other.selection.tree, numbers)));
  const find = (frame, name) => functions.short[frame.function] === name ? frame : frame.children.map(child => find(child, name)).find(found => found);
  assert.ok(changes.get(find(root, 'Store::compact')).change > 0);
  assert.ok(changes.get(find(root, 'main')).change < 0);
  const flush = changes.get(find(root, 'Log::flush'));
  assert.deepEqual(flush.other, [], 'it was not there before');
  assert.ok(flush.change > 0 && most >= flush.change);
  for (const dark of [false, true]) {
    const [red, , blue] = change_colour(1, dark), [r, , b] = change_colour(-1, dark), [x, y, z] = change_colour(0, dark);
    assert.ok(red > blue + 40 && b > r + 40, `${dark}`);
    assert.ok(Math.max(x, y, z) - Math.min(x, y, z) < 4, 'no change is grey');
  }
});

test('points of a share', () => {
  assert.deepEqual([0, 0.051, -0.0512, 0.0004, -0.00001, 1].map(points), ['±0 %', '+5.1 %', '−5.1 %', '+0.04 %', '±0 %', '+100.0 %']);
});
