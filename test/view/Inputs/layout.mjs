// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import assert from 'node:assert/strict';
import test from 'node:test';
import {least_width} from '../../../tools/show/view/page/draw_rows.js';
import {callees_first, callers_first, flame_rectangles, frame_at, path_of} from '../../../tools/show/view/page/flame_layout.js';
import {at_height, blocks_between, in_order, make_layout, sample} from '../../../tools/show/view/page/layout.js';
import {EmbeddedSource} from '../../../tools/show/view/page/embedded_source.js';
import {sorted_rows} from '../../../tools/show/view/page/table.js';
import {many_threads, random_calls, random_numbers} from './recordings.mjs';

const recording = (depths, processes = 1) => ({
  processes: Array.from({length: processes}, (_, index) => ({index, pid: index, name: 'p'})),
  threads: depths.map((depth, id) => ({id, depth, process: id % processes})),
});

test('blocks follow each other without a gap, and a place leads to its thread and depth', () => {
  const random = random_numbers(1);
  for (const processes of [1, 3]) {
    const made = make_layout(recording(Array.from({length: 40}, () => Math.floor(random() * 30)), processes), {expanded: null, toggled: [2, 5]});
    let y = 0;
    for (const block of made.blocks) {
      assert.equal(block.y, y);
      y += block.height;
    }
    assert.equal(y, made.height);
    assert.equal(made.by_thread.size, 40);
    for (const block of made.by_thread.values())
      for (let depth = 0; depth < block.levels; depth++) {
        const found = at_height(made, block.top + (depth + 0.5) * block.level_height);
        assert.equal(found.block, block);
        assert.equal(found.depth, depth);
      }
  }
});

test('the blocks in view are those that a look at each finds', () => {
  const made = make_layout(many_threads(1000).recording, {expanded: 'none', toggled: [7, 500]});
  const random = random_numbers(2);
  for (let i = 0; i < 200; i++) {
    const top = random() * made.height, bottom = top + random() * 900;
    assert.deepEqual(blocks_between(made, top, bottom), made.blocks.filter(block => block.y + block.height > top && block.y < bottom));
  }
});

test('the first thread of each process is above its others', () => {
  const thread = (id, process, pid, tid) => ({id, process, pid, tid, depth: 1});
  const {threads} = in_order({threads: [thread(0, 0, 10, 12), thread(1, 1, 20, 21), thread(2, 0, 10, 10), thread(3, 1, 20, 20), thread(4, 0, 10, 11)]});
  assert.deepEqual(threads.map(thread => thread.tid), [10, 11, 12, 20, 21]);
});

test('few rows are expanded at first, and 1,000 threads are not', () => {
  const expanded = layout => [...layout.by_thread.values()].filter(block => block.expanded).length;
  const state = {expanded: null, toggled: []};
  assert.equal(expanded(make_layout(recording([3, 3, 3]), state)), 3);
  assert.equal(expanded(make_layout(recording([400]), state)), 1);
  assert.equal(expanded(make_layout(recording(Array(1000).fill(5)), state)), 0);
  assert.equal(expanded(make_layout(recording(Array(1000).fill(5)), {expanded: null, toggled: [4]})), 1);
  assert.equal(expanded(make_layout(recording([3, 3]), {expanded: 'none', toggled: []})), 0);
  assert.deepEqual(sample([1, 2, 3], 5), [1, 2, 3]);
  assert.equal(sample([...Array(1000).keys()], 64).length, 64);
});

test('both ways up, a flame graph has the own time of the tree, and each frame has its callees within it', async () => {
  const source = new EmbeddedSource(random_calls(9));
  const {tree} = await source.selection({from: 0, to: Infinity});
  const own = tree.own.reduce((sum, value) => sum + value, 0);
  const sum_own = frame => frame.own + frame.children.reduce((sum, child) => sum + sum_own(child), 0);
  const down = callers_first(tree), up = callees_first(tree);
  assert.ok(Math.abs(sum_own(down) - own) < 1);
  assert.ok(Math.abs(down.total - own) < 1, 'the roots hold all the time');
  assert.ok(Math.abs(up.total - own) < 1);
  assert.ok(Math.abs(up.children.reduce((sum, child) => sum + child.total, 0) - own) < 1);
  for (const root of [down, up])
    for (const zoomed of [root, root.children[0], root.children[0].children[0]]) {
      assert.equal(frame_at(root, path_of(zoomed)), zoomed);
      const rectangles = flame_rectangles(zoomed, 1000), of = new Map(rectangles.map(r => [r.frame, r]));
      assert.equal(of.get(zoomed).width, 1000);
      for (const {frame, x, width, above} of rectangles) {
        const parent = of.get(frame.parent);
        if (!parent || above || frame === zoomed) continue;
        assert.ok(x >= parent.x - 1e-6 && x + width <= parent.x + parent.width + 1e-6, 'a frame stands out');
      }
      assert.ok(rectangles.length <= 20000);
    }
  assert.equal(frame_at(down, [12345]), down);
});

test('a path into the callers-first graph is a stack of the recording', async () => {
  const source = new EmbeddedSource(random_calls(4));
  const {tree} = await source.selection({from: 0, to: Infinity}), root = callers_first(tree);
  let frame = root;
  while (frame.children.length) frame = frame.children[0];
  const path = path_of(frame);
  const stacks = Array.from({length: source.count}, (_, i) => {
    const stack = [];
    for (let at = i; at >= 0; at = source.parent[at]) stack.unshift(source.function[at]);
    return stack.join();
  });
  assert.ok(stacks.includes(path.join()));
  assert.equal(frame.calls, stacks.filter(stack => stack === path.join()).length);
});

test('a table is sorted by each column, and equal rows by calls', () => {
  const rows = [[0, 5, 10], [1, 9, 10], [2, 1, 30]].map(([fn, calls, own]) => ({function: fn, calls, own}));
  const order = (column, ascending) => sorted_rows(rows, column, ascending, fn => 'cab'[fn]).map(row => row.function).join('');
  assert.equal(order('own', false), '210');
  assert.equal(order('own', true), '102');
  assert.equal(order('calls', true), '201');
  assert.equal(order('name', true), '120');
});

test('the widest calls are rectangles, at most as many as there may be', () => {
  for (const [widths, most] of [[[3, 1, 2], 3], [[3, 1, 2], 2], [[5, 5, 5, 9], 2], [[5, 5, 5], 2], [[], 2], [Array.from({length: 1000}, (_, i) => 1.5 + i % 37), 100]]) {
    const least = least_width(widths, most), kept = widths.filter(width => width >= least);
    assert.ok(kept.length <= most, `${kept.length} of ${most}`);
    const rest = widths.filter(width => width < least);
    assert.ok(Math.max(...rest, 0) < Math.min(...kept, Infinity));
    if (widths.length <= most) assert.equal(kept.length, widths.length);
  }
});
