// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import assert from 'node:assert/strict';
import test from 'node:test';
import {first_state, parse_state, print_state} from '../../../tools/show/view/page/state.js';
import {random_numbers} from './recordings.mjs';

test('the first state is an empty hash', () => {
  assert.equal(print_state(first_state()), '');
  assert.deepEqual(parse_state(''), first_state());
  assert.deepEqual(parse_state('#'), first_state());
});

test('each state comes back from its hash', () => {
  const random = random_numbers(5), pick = list => list[Math.floor(random() * list.length)];
  const whole = most => Math.floor(random() * most), list = () => Array.from({length: whole(4)}, () => whole(1000)).sort((a, b) => a - b);
  for (let i = 0; i < 500; i++) {
    const state = {
      ...first_state(), scroll: whole(5000), search: pick(['', 'get', 'a b&c=#%,é', '*::{lambda#1}']), tab: pick(['functions', 'flame', 'slowest']),
      inverted: random() < 0.5, zoom: list(), sort: pick(['name', 'own', 'p99']), ascending: random() < 0.5,
      function: pick([null, 0, whole(1e6)]), toggled: [...new Set(list())], expanded: pick([null, 'all', 'none']), theme: pick([null, 'dark', 'light']),
      selection: pick([null, {from: 5, to: 5.25, threads: null}, {from: whole(1e9), to: 2e9 + whole(1e14), threads: [3, 1, 999]}]),
      call: pick([null, {thread: whole(1000), depth: whole(50), at: whole(2 ** 53)}]),
    };
    if (random() < 0.7) [state.from, state.to] = [whole(1e12), 1e12 + 1 + whole(1e15)];
    assert.deepEqual(parse_state(`#${print_state(state)}`), state);
  }
});

test('what is not well formed is as if it were not there', () => {
  for (const hash of ['#t=5', '#t=9,3', '#t=a,b', '#t=,', '#y=-3', '#s=1', '#s=3,2', '#s=1,2,x', '#s=1,2,3,4', '#c=1,2', '#c=-1,0,0', '#c=1.5,0,0',
    '#q=%E0%A4%A', '#tab=evil', '#up=yes', '#z=1.x', '#sort=-evil', '#f=-1', '#x=some', '#xt=a', '#theme=pink', '#&&=&', '#t=NaN,Infinity'])
    assert.deepEqual(parse_state(hash), first_state(), hash);
  assert.deepEqual(parse_state('#c=1&tab=flame').tab, 'flame');
});
