// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import assert from 'node:assert/strict';
import test from 'node:test';
import {count, duration, last_part, moment, percent, plural, ruler_ticks, scope_of, short_count, split_name} from '../../../tools/show/view/page/format.js';
import {change_colour, family, from_oklch, function_colour} from '../../../tools/show/view/page/palette.js';
import {random_numbers} from './recordings.mjs';

test('a duration has three digits and the unit that fits', () => {
  const cases = [[0, '0 ns'], [7, '7 ns'], [1.5, '1.50 ns'], [999, '999 ns'], [999.7, '1.00 µs'], [1000, '1.00 µs'], [1234, '1.23 µs'],
    [12345, '12.3 µs'], [123456, '123 µs'], [999600, '1.00 ms'], [5e6, '5.00 ms'], [1.5e9, '1.50 s'], [3723e9, '3,723 s'], [-1500, '-1.50 µs']];
  for (const [value, text] of cases) assert.equal(duration(value), text);
  assert.equal(duration(null), '?');
  assert.equal(duration(1, 'events'), '1 event');
  assert.equal(duration(12345, 'events'), '12,345 events');
});

test('a point in time has the digits that tell it from its neighbours', () => {
  assert.equal(moment(12345678, 1000), '12.346 ms');
  assert.equal(moment(12345678, 1e6), '12 ms');
  assert.equal(moment(500e3, 100e3), '500 µs');
  assert.equal(moment(1234567890123, 1), '1,234.567890123 s');
  assert.equal(moment(0, 10), '0 ns');
  assert.equal(moment(1234, 1, 'events'), '1,234');
});

test('counts and shares', () => {
  assert.equal(count(1234567), '1,234,567');
  assert.equal(count(999), '999');
  assert.equal(short_count(9999), '9,999');
  assert.equal(short_count(12345), '12.3 k');
  assert.equal(short_count(1073741824), '1.07 G');
  assert.equal(plural(1, 'call'), '1 call');
  assert.equal(plural(2000, 'call'), '2,000 calls');
  assert.equal(percent(0.0004), '<0.1 %');
  assert.equal(percent(0), '0.0 %');
  assert.equal(percent(1), '100 %');
});

test('ticks are round, in the range, and far enough apart', () => {
  const random = random_numbers(3);
  for (let i = 0; i < 500; i++) {
    const from = random() * 10 ** (12 * random()), span = 20 + random() * 10 ** (12 * random()), pixels = 200 + random() * 2000;
    const {step, ticks} = ruler_ticks(from, from + span, pixels, 100);
    const first = step / 10 ** Math.floor(Math.log10(step) + 1e-9);
    assert.ok([1, 2, 5, 10].some(digit => Math.abs(first - digit) < 1e-6), `${step} is not round`);
    assert.ok(step / span * pixels >= 99, 'too dense');
    assert.ok(step / span * pixels <= 251 || ticks.length <= 2, 'too few');
    for (const tick of ticks) assert.ok(tick >= from && tick <= from + span);
  }
});

test('the last part of a name', () => {
  const cases = [
    ['main', 'main', ''], ['Store::get', 'get', 'Store'], ['a::b<x::y>::f<z::w>', 'f<z::w>', 'a::b<x::y>'],
    ['main::{lambda#1}::operator()', 'operator', 'main::{lambda#1}'], ['ns::f(std::string)', 'f', 'ns'], ['', '', ''],
    ['(anonymous namespace)::f', 'f', '(anonymous namespace)'],
  ];
  for (const [name, last] of cases) assert.equal(last_part(name), last, name);
  assert.deepEqual(split_name('a::b<c::d>::f(std::string)'), ['a::b<c::d>::', 'f(std::string)']);
  assert.deepEqual(split_name('main'), ['', 'main']);
  for (const [name, last, scope] of cases.filter(([name]) => !name.includes('operator'))) assert.equal(scope_of(name), scope, name);
});

test('related functions have related colours, and each is readable', () => {
  assert.equal(family('Store::get'), family('Store::find'));
  assert.equal(family('lua_pushvalue'), 'lua');
  const light = ([r, g, b]) => [r, g, b].map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const contrast = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
  for (let i = 0; i < 2000; i++) {
    const name = `scope${i % 97}::function${i}`;
    assert.ok(contrast(function_colour(name, false), [0x1c, 0x21, 0x28]) > 7, `light, ${name}`);
    assert.ok(contrast(function_colour(name, true), [0xf1, 0xf4, 0xf8]) > 4.5, `dark, ${name}`);
  }
  for (let strength = -1; strength <= 1; strength += 0.05) {
    assert.ok(contrast(change_colour(strength, false), [0x1c, 0x21, 0x28]) > 7, `light, change ${strength}`);
    assert.ok(contrast(change_colour(strength, true), [0xf1, 0xf4, 0xf8]) > 4.5, `dark, change ${strength}`);
  }
  assert.deepEqual(from_oklch(1, 0, 0), [255, 255, 255]);
  assert.deepEqual(function_colour('f', false), function_colour('f', false));
});
