// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The page's state: what a link to it must hold. All of it is in the URL behind `#`, so that a reload, the Back button
// and a link sent to a colleague show the same picture.

/**
 * @typedef {object} State
 * @property {number|null} from the times in view; null: all
 * @property {number|null} to
 * @property {number} scroll pixels above the first visible row
 * @property {{from: number, to: number, threads: number[]|null}|null} selection
 * @property {{thread: number, depth: number, at: number}|null} call
 * @property {string} search
 * @property {'functions'|'flame'|'slowest'} tab
 * @property {boolean} inverted whether the flame graph has the callees at its root
 * @property {number[]} zoom functions from the flame graph's root to the frame that fills it
 * @property {string} sort the table's column
 * @property {boolean} ascending
 * @property {number|null} function whose slowest calls are shown
 * @property {number[]} toggled threads that are not as they are at first
 * @property {'all'|'none'|null} expanded
 * @property {boolean} compared whether a second recording, if there is one, is compared with
 * @property {'light'|'dark'|null} theme null: as the system is
 */

/** @returns {State} */
export function first_state() {
  return {
    from: null, to: null, scroll: 0, selection: null, call: null, search: '', tab: 'functions', inverted: false, zoom: [],
    sort: 'own', ascending: false, function: null, toggled: [], expanded: null, compared: true, theme: null,
  };
}

const kTabs = ['functions', 'flame', 'slowest'];
const kColumns = ['name', 'calls', 'total', 'own', 'p50', 'p90', 'p99', 'max',
  'other_calls', 'other_own', 'change', 'other_total', 'other_p99', 'other_max'];

/** A time as exact as the URL holds it. @param {number} x */
export const rounded = x => Number.isInteger(x) ? x : Number(x.toFixed(3));

/** @param {number} x */
const number = x => String(rounded(x));

/** @param {State} state @returns {string} what stands behind #; "" for the first state */
export function print_state(state) {
  /** @type {[string, string][]} */
  const parts = [];
  const put = (/** @type {string} */ name, /** @type {string} */ value) => parts.push([name, value]);
  if (state.from !== null && state.to !== null) put('t', `${number(state.from)},${number(state.to)}`);
  if (state.scroll > 0) put('y', number(Math.round(state.scroll)));
  if (state.selection) {
    const {from, to, threads} = state.selection;
    put('s', `${number(from)},${number(to)}${threads ? `,${threads.join('.')}` : ''}`);
  }
  if (state.call) put('c', `${state.call.thread},${state.call.depth},${number(state.call.at)}`);
  if (state.search) put('q', encodeURIComponent(state.search));
  if (state.tab !== 'functions') put('tab', state.tab);
  if (state.inverted) put('up', '1');
  if (state.zoom.length) put('z', state.zoom.join('.'));
  if (state.sort !== 'own' || state.ascending) put('sort', `${state.ascending ? '+' : '-'}${state.sort}`);
  if (state.function !== null) put('f', String(state.function));
  if (state.expanded) put('x', state.expanded);
  if (state.toggled.length) put('xt', [...state.toggled].sort((a, b) => a - b).join('.'));
  if (!state.compared) put('d', '0');
  if (state.theme) put('theme', state.theme);
  return parts.map(([name, value]) => `${name}=${value}`).join('&');
}

/** @param {string} text @param {string} by @returns {number[]|null} null if one is no number */
function numbers(text, by = ',') {
  const list = text.split(by).map(part => part.trim() === '' ? NaN : Number(part));
  return list.every(Number.isFinite) ? list : null;
}

/** @param {number} x */
const is_index = x => Number.isInteger(x) && x >= 0;

/**
 * A link may come from anywhere: a part that is not well formed is as if it were not there.
 * @param {string} hash with # or without @returns {State}
 */
export function parse_state(hash) {
  const state = first_state();
  for (const part of hash.replace(/^#/, '').split('&')) {
    const equals = part.indexOf('=');
    if (equals < 0) continue;
    const name = part.slice(0, equals), value = part.slice(equals + 1), list = numbers(value);
    if (name === 't' && list?.length === 2 && list[0] < list[1]) [state.from, state.to] = list;
    else if (name === 'y' && list?.length === 1 && list[0] >= 0) state.scroll = list[0];
    else if (name === 's') state.selection = parse_selection(value);
    else if (name === 'c' && list?.length === 3 && is_index(list[0]) && is_index(list[1]))
      state.call = {thread: list[0], depth: list[1], at: list[2]};
    else if (name === 'q') state.search = decoded(value);
    else if (name === 'tab' && kTabs.includes(value)) state.tab = /** @type {any} */ (value);
    else if (name === 'up') state.inverted = value === '1';
    else if (name === 'z') state.zoom = indexes(value);
    else if (name === 'sort' && kColumns.includes(value.slice(1))) {
      state.ascending = value[0] === '+';
      state.sort = value.slice(1);
    } else if (name === 'f' && list?.length === 1 && is_index(list[0])) state.function = list[0];
    else if (name === 'x' && (value === 'all' || value === 'none')) state.expanded = value;
    else if (name === 'xt') state.toggled = indexes(value);
    else if (name === 'd') state.compared = value !== '0';
    else if (name === 'theme' && (value === 'light' || value === 'dark')) state.theme = value;
  }
  return state;
}

/** @param {string} value */
function indexes(value) {
  const list = numbers(value, '.');
  return list?.every(is_index) ? list : [];
}

/** @param {string} value */
function decoded(value) {
  try {
    return decodeURIComponent(value);
  } catch {
    return '';
  }
}

/** @param {string} value @returns {State['selection']} */
function parse_selection(value) {
  const [from, to, threads, ...rest] = value.split(',');
  const range = numbers(`${from},${to}`);
  if (!range || range[0] >= range[1] || rest.length) return null;
  const list = threads === undefined ? null : indexes(threads);
  return list && !list.length ? null : {from: range[0], to: range[1], threads: list};
}
