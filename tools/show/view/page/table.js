// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of the selection with their counts, times and percentiles. The table is as long as the recording has
// functions, so only the rows in view are elements.

import {by_id, element, name_element, once_a_frame} from './dom.js';
import {compared_table, points} from './comparison.js';
import {count, duration, percent, plural} from './format.js';
import {css} from './palette.js';

/** @typedef {import('./app.js').App} App */
/** @typedef {import('./source.js').TableRow} TableRow */

const kRowHeight = 22;
const kSvg = 'http://www.w3.org/2000/svg';

const kComparedOrder = ['name', 'calls', 'other_calls', 'own', 'other_own', 'change', 'total', 'other_total', 'p99', 'other_p99', 'max', 'other_max'];

const kColumns = [
  {id: 'name', title: 'Function', hint: 'The short name'},
  {id: 'calls', title: 'Calls', hint: 'How often it was called'},
  {id: 'own', title: 'Own', hint: 'Time in the function itself'},
  {id: 'total', title: 'Total', hint: 'Time with what it calls; of recursive calls the outermost'},
  {id: 'p50', title: 'p50', hint: 'Half of its calls were at most this long'},
  {id: 'p90', title: 'p90', hint: '90 % of its calls were at most this long'},
  {id: 'p99', title: 'p99', hint: '99 % of its calls were at most this long'},
  {id: 'max', title: 'Max', hint: 'Its longest call'},
  {id: 'histogram', title: 'Durations', hint: 'How many calls were how long, from 1 ns to 10 s; each bar is a doubling'},
];

/** Both recordings' numbers, if there are two. */
const kComparedColumns = [
  ...kColumns.filter(({id}) => ['name', 'calls', 'own', 'total', 'p99', 'max'].includes(id)),
  {id: 'other_calls', title: 'before', hint: 'How often it was called in the second recording'},
  {id: 'other_own', title: 'before', hint: 'Time in the function itself, in the second recording'},
  {id: 'change', title: 'Change', hint: 'How much larger its share of the own time is than in the second recording'},
  {id: 'other_total', title: 'before', hint: 'Time with what it calls, in the second recording'},
  {id: 'other_p99', title: 'before', hint: '99 % of its calls in the second recording were at most this long'},
  {id: 'other_max', title: 'before', hint: 'Its longest call in the second recording'},
].sort((a, b) => kComparedOrder.indexOf(a.id) - kComparedOrder.indexOf(b.id));

/** @param {TableRow[]} rows @param {string} column @param {boolean} ascending @param {(fn: number) => string} name */
export function sorted_rows(rows, column, ascending, name) {
  const order = column === 'name'
    ? (/** @type {TableRow} */ a, /** @type {TableRow} */ b) => name(a.function).localeCompare(name(b.function))
    : (/** @type {any} */ a, /** @type {any} */ b) => a[column] - b[column];
  const sign = ascending ? 1 : -1;
  return [...rows].sort((a, b) => sign * order(a, b) || b.calls - a.calls || a.function - b.function);
}

export class FunctionTable {
  /** @param {App} app @param {import('./panel.js').Panel} panel */
  constructor(app, panel) {
    this.app = app;
    this.panel = panel;
    this.scroller = by_id('panel-functions');
    this.body = by_id('table-body');
    this.head = by_id('table-head');
    /** @type {TableRow[]} */
    this.rows = [];
    this.current = 0;
    this.own = 0;
    this.most_own = 1;
    this.columns = kColumns;
    this.draw = once_a_frame(() => this.draw_now());
    app.on(['answer', 'sort', 'ascending', 'found', 'search'], () => this.arrange());
    app.on(['palette', 'shown', 'function'], this.draw);
    this.scroller.addEventListener('scroll', this.draw);
    this.scroller.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => this.key(event));
    new ResizeObserver(this.draw).observe(this.scroller);
    this.arrange();
  }

  make_head() {
    const {app} = this;
    this.head.replaceChildren(...this.columns.map(({id, title, hint}) => id === 'histogram'
      ? element('th', {scope: 'col', class: id, title: hint}, title)
      : element('th', {scope: 'col', class: id, title: hint, 'data-column': id},
        element('button', {type: 'button', onclick: () => {
          const again = app.state.sort === id;
          app.set({sort: id, ascending: again ? !app.state.ascending : id === 'name'});
        }}, title))));
  }

  arrange() {
    const {app} = this, {sort, ascending, search} = app.state;
    const table = this.panel.answer?.table ?? [], other = this.panel.compared();
    const all = other && this.panel.answer ? compared_table(table, other.selection.table, this.panel.numbers) : table;
    const columns = other ? kComparedColumns : kColumns;
    if (columns !== this.columns || !this.head.children.length) {
      this.columns = columns;
      by_id('table').classList.toggle('compared', other !== null);
      this.make_head();
    }
    const shown = search ? all.filter(row => app.found.has(row.function)) : all;
    this.rows = sorted_rows(shown, sort, ascending, fn => app.name(fn));
    this.own = all.reduce((sum, row) => sum + row.own, 0);
    this.most_own = all.reduce((most, row) => Math.max(most, row.own), 1);
    for (const th of this.head.children) {
      const column = th.dataset.column;
      if (column) th.setAttribute('aria-sort', column !== sort ? 'none' : ascending ? 'ascending' : 'descending');
    }
    by_id('table').setAttribute('aria-rowcount', String(this.rows.length + 1));
    by_id('table-note').textContent = search && all.length ? `${count(this.rows.length)} of ${plural(all.length, 'function')} match “${search}”`
      : this.panel.answer && !all.length ? 'No call is in this range.' : '';
    this.current = Math.min(this.current, Math.max(0, this.rows.length - 1));
    this.draw();
  }

  draw_now() {
    const {scroller, rows} = this;
    if (scroller.hidden) return;
    const first = Math.max(0, Math.floor(scroller.scrollTop / kRowHeight) - 4);
    const last = Math.min(rows.length, Math.ceil((scroller.scrollTop + scroller.clientHeight) / kRowHeight) + 4);
    const focused = this.body.contains(document.activeElement);
    const made = [];
    if (first > 0) made.push(this.filler(first));
    for (let i = first; i < last; i++) made.push(this.row(rows[i], i));
    if (last < rows.length) made.push(this.filler(rows.length - last));
    this.body.replaceChildren(...made);
    if (focused) this.body.querySelector('[tabindex="0"]')?.focus({preventScroll: true});
  }

  /** @param {number} lines */
  filler(lines) {
    const row = element('tr', {'aria-hidden': 'true'}, element('td', {colspan: this.columns.length}));
    row.style.height = `${lines * kRowHeight}px`;
    return row;
  }

  /** @param {TableRow} row @param {number} i */
  row(row, i) {
    const {app} = this, chip = element('span', {class: 'chip'}), timed = row.histogram.length > 0;
    chip.style.background = css(app.palette.rgb(row.function));
    const time = (/** @type {string} */ id, /** @type {number} */ value) => element('td', {class: id}, timed || value ? duration(value, app.unit) : '–');
    return element('tr', {
      tabindex: i === this.current ? 0 : -1, 'aria-rowindex': i + 2, 'aria-selected': String(app.state.function === row.function),
      'data-function': row.function, title: app.functions.full[row.function],
      onclick: () => this.choose(i),
    },
    element('td', {class: 'name'}, name_element(app.name(row.function), chip)),
    ...this.columns.slice(1).map(({id}) => {
      const value = /** @type {any} */ (row)[id];
      if (id === 'own') return this.own_time(row);
      if (id === 'histogram') return element('td', {class: id}, this.histogram(row));
      if (id === 'calls' || id === 'other_calls') return element('td', {class: id}, count(value));
      if (id === 'change') return element('td', {class: `change ${value > 0 ? 'more' : 'less'}`}, points(value));
      return time(id, value);
    }));
  }

  /** @param {TableRow} row */
  own_time({own, histogram}) {
    if (!own && !histogram.length) return element('td', {class: 'own'}, element('span', {class: 'value'}, '–'), element('span', {class: 'share'}));
    const bar = element('span', {class: 'bar'});
    bar.style.width = `${100 * own / this.most_own}%`;
    return element('td', {class: 'own'}, bar, element('span', {class: 'value'}, duration(own, this.app.unit)),
      element('span', {class: 'share'}, this.own ? percent(own / this.own) : ''));
  }

  /** @param {TableRow} row */
  histogram(row) {
    const svg = document.createElementNS(kSvg, 'svg'), bins = 34;
    svg.setAttribute('viewBox', `0 0 ${bins * 3} 16`);
    svg.setAttribute('role', 'img');
    svg.setAttribute('aria-label', row.histogram.map(([from, calls]) => `${plural(calls, 'call')} from ${duration(from, this.app.unit)}`).join(', '));
    const heights = new Array(bins).fill(0);
    for (const [from, calls] of row.histogram)
      heights[Math.min(bins - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, from)))))] += calls;
    const most = Math.log2(1 + Math.max(...heights));
    heights.forEach((calls, i) => {
      if (!calls) return;
      const high = Math.max(1.5, 15 * Math.log2(1 + calls) / most), rect = document.createElementNS(kSvg, 'rect');
      for (const [name, value] of Object.entries({x: i * 3, y: 16 - high, width: 2.4, height: high})) rect.setAttribute(name, String(value));
      svg.append(rect);
    });
    return svg;
  }

  /** @param {number} i */
  choose(i) {
    const row = this.rows[i];
    if (!row) return;
    this.current = i;
    this.app.set({function: this.app.state.function === row.function ? null : row.function}, true);
    this.draw();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (!(event.target instanceof HTMLTableRowElement)) return;
    const step = {ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity}[event.key];
    if (step !== undefined) {
      this.current = Math.min(this.rows.length - 1, Math.max(0, this.current + step));
      const top = this.current * kRowHeight, view = this.scroller;
      if (top < view.scrollTop) view.scrollTop = top;
      else if (top + 2 * kRowHeight > view.scrollTop + view.clientHeight) view.scrollTop = top + 2 * kRowHeight - view.clientHeight;
      this.draw_now();
      this.body.querySelector('[tabindex="0"]')?.focus({preventScroll: true});
    } else if (event.key === 'Enter') {
      this.choose(this.current);
      this.app.set({tab: 'slowest'});
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}
