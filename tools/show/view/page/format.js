// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers as a reader wants them: three digits that count, and the unit that fits.

/** @type {[number, string][]} */
const kUnits = [[1e9, 's'], [1e6, 'ms'], [1e3, 'µs'], [1, 'ns']];

/** 1234567 → "1,234,567". @param {number} n */
export function count(n) {
  return Math.round(n).toString().replace(/\B(?=(\d{3})+$)/g, ',');
}

/** A count that has little room: 1234567 → "1.23 M". @param {number} n */
export function short_count(n) {
  for (const [size, letter] of /** @type {[number, string][]} */ ([[1e9, 'G'], [1e6, 'M'], [1e4, 'k']]))
    if (n >= size) return `${three_digits(n / (letter === 'k' ? 1e3 : size))} ${letter}`;
  return count(n);
}

/** "1 call", "2 calls". @param {number} n @param {string} one @param {string} many */
export const plural = (n, one, many = `${one}s`) => `${count(n)} ${n === 1 ? one : many}`;

/** @param {number} x */
function three_digits(x) {
  return x >= 99.95 ? x.toFixed(0) : x >= 9.995 ? x.toFixed(1) : x.toFixed(2);
}

/** @param {number|null} value @param {'ns'|'events'} unit */
export function duration(value, unit = 'ns') {
  if (value === null || !Number.isFinite(value)) return '?';
  if (unit === 'events') return plural(value, 'event');
  if (value < 0) return `-${duration(-value)}`;
  if (value < 999.5) return `${Number.isInteger(value) || value >= 100 ? Math.round(value) : three_digits(value)} ns`;
  for (const [size, name] of kUnits)
    if (value >= size * 0.9995) {
      const scaled = value / size;
      return `${scaled >= 1000 ? count(scaled) : three_digits(scaled)} ${name}`;
    }
  return `${Math.round(value)} ns`;
}

/**
 * A point in time, with as many digits as show a difference of `step`: 12345678 and 1000 → "12.346 ms".
 * @param {number} value @param {number} step @param {'ns'|'events'} unit
 */
export function moment(value, step, unit = 'ns') {
  if (unit === 'events') return count(value);
  const [size, name] = kUnits.find(([size]) => Math.abs(value) >= size) ?? kUnits[3];
  const digits = Math.max(0, Math.min(9, Math.ceil(Math.log10(size / Math.max(step, 1)) - 1e-9)));
  const [whole, part] = (value / size).toFixed(digits).split('.');
  return `${count(Math.abs(Number(whole))).replace(/^/, value < 0 ? '-' : '')}${part ? `.${part}` : ''} ${name}`;
}

/** @param {number} share */
export function percent(share) {
  const value = share * 100;
  if (value > 0 && value < 0.1) return '<0.1 %';
  return `${value >= 99.95 ? value.toFixed(0) : value.toFixed(1)} %`;
}

/**
 * Ticks of a ruler: multiples of 1, 2 or 5 times a power of ten, at least `room` pixels apart.
 * @param {number} from @param {number} to @param {number} pixels @param {number} room
 * @returns {{step: number, ticks: number[]}}
 */
export function ruler_ticks(from, to, pixels, room = 90) {
  const least = (to - from) * room / Math.max(pixels, 1);
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1e-3)));
  const step = [1, 2, 5, 10].map(factor => factor * power).find(step => step >= least * 0.999) ?? 10 * power;
  const ticks = [];
  for (let n = Math.ceil(from / step); n * step <= to && ticks.length < 1000; n++) ticks.push(n * step);
  return {step, ticks};
}

/**
 * The part of a name that a narrow place shows: without its arguments, then without its scopes.
 * @param {string} name
 */
export function last_part(name) {
  let depth = 0, begin = 0, end = name.length;
  for (let i = 0; i < name.length; i++) {
    const c = name[i];
    if (c === '(' && depth === 0 && i > begin && !name.startsWith('(anonymous', i)) {
      end = i;
      break;
    }
    if (c === '<' || c === '(' || c === '{') depth++;
    else if ((c === '>' && name[i - 1] !== '-') || c === ')' || c === '}') depth = Math.max(0, depth - 1);
    else if (c === ':' && name[i + 1] === ':' && depth === 0) {
      begin = i + 2;
      i++;
    }
  }
  return name.slice(begin, end) || name;
}

/**
 * A name as its scopes and the rest, so that a narrow place can cut the scopes: "a::b<c>::f(int)" → ["a::b<c>::", "f(int)"].
 * @param {string} name @returns {[string, string]}
 */
export function split_name(name) {
  const scope = scope_of(name), begin = scope ? scope.length + 2 : 0;
  return [name.slice(0, begin), name.slice(begin)];
}

/** The scopes of a name, without the last `::`; "" if there are none. @param {string} name */
export function scope_of(name) {
  const end = name.lastIndexOf(`::${last_part(name)}`);
  return end > 0 ? name.slice(0, end) : '';
}
