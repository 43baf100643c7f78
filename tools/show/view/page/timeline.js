// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The timeline: a row for each thread and depth, time from left to right. Two canvases lie on each other, one with the
// calls and one with what follows the pointer, so that moving the pointer draws only a few lines. The names at the left
// are elements, since they are buttons; only those in view exist.

import {by_id, element, fit_canvas, once_a_frame} from './dom.js';
import {draw_calls, draw_events, draw_hits, draw_threads} from './draw_rows.js';
import {count, duration, moment, plural, short_count} from './format.js';
import {at_height, blocks_between} from './layout.js';
import {at_time, by_lane, kInstant, kLeft, kLonger, kOneCall, kOpen, lane_key, row} from './rows.js';
import {WindowCache} from './window_cache.js';

/** @typedef {import('./app.js').App} App */

/** @param {import('./layout.js').Layout} layout */
export const some_expanded = layout => [...layout.by_thread.values()].some(block => block.expanded);

export class Timeline {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.scroller = by_id('scroll');
    this.canvas = by_id('rows');
    this.over = by_id('over');
    this.gutter = by_id('gutter');
    this.spacer = by_id('spacer');
    this.tip = by_id('tip');
    this.width = this.height = 1;
    /** @type {{x: number, y: number}|null} */
    this.pointer = null;
    /** @type {{from: number, to: number, threads: number[]|null}|null} */
    this.selecting = null;
    this.draw = once_a_frame(() => this.draw_now());
    this.draw_over = once_a_frame(() => this.draw_over_now());
    const length = () => app.duration;
    this.rows = new WindowCache(window => app.track(app.source.rows(window)), this.draw, length);
    this.events = new WindowCache(window => app.track(app.source.events(window)), this.draw, length);
    this.hits = new WindowCache(window => app.track(app.source.hits({...window, functions: [...app.found]})), this.draw, length);
    /** @type {WeakMap<object, Map<number, number[]>>} */
    this.lanes = new WeakMap();
    this.listen();
    app.on(['from', 'to', 'palette', 'found', 'search'], this.draw);
    app.on(['selection', 'call'], this.draw_over);
    app.on(['scroll'], () => this.apply_scroll());
    app.on(['layout'], () => {
      this.resize();
      this.draw();
    });
    app.on(['recording'], () => {
      for (const cache of [this.rows, this.events, this.hits]) cache.outdate();
      this.draw();
    });
    new ResizeObserver(() => {
      this.resize();
      this.draw();
    }).observe(this.scroller);
    this.resize();
    this.apply_scroll();
  }

  resize() {
    this.height = Math.max(1, this.scroller.clientHeight);
    this.width = Math.max(1, this.scroller.clientWidth - this.gutter.offsetWidth);
    by_id('stick').style.height = `${this.height}px`;
    for (const canvas of [this.canvas, this.over]) {
      canvas.style.width = `${this.width}px`;
      canvas.style.height = `${this.height}px`;
    }
    this.spacer.style.height = `${Math.max(0, this.app.layout.height - this.height)}px`;
    if (!this.restored && this.app.layout.height > 0) { // once there is a height, the place that the URL names can be shown
      this.restored = true;
      this.apply_scroll();
    }
  }

  apply_scroll() {
    if (Math.abs(this.scroller.scrollTop - this.app.state.scroll) > 1) this.scroller.scrollTop = this.app.state.scroll;
    this.draw();
  }

  /** @param {number} x */
  time_at(x) {
    const {from, to} = this.app.view;
    return from + x / this.width * (to - from);
  }

  /** @param {number} time */
  x_of(time) {
    const {from, to} = this.app.view;
    return (time - from) / (to - from) * this.width;
  }

  get scroll() {
    return this.scroller.scrollTop;
  }

  visible_blocks() {
    return blocks_between(this.app.layout, this.scroll, this.scroll + this.height);
  }

  /** The visible part, as a question to the source. */
  window() {
    const threads_of = (/** @type {import('./layout.js').Block[]} */ blocks) =>
      blocks.map(block => block.thread).filter(thread => thread >= 0);
    const blocks = this.visible_blocks(), depths = Math.max(1, ...blocks.map(block => block.levels));
    // The question includes some threads around, so that scrolling does not wait.
    const around = blocks_between(this.app.layout, this.scroll - this.height / 2, this.scroll + this.height * 1.5);
    return {...this.app.view, columns: Math.round(this.width), threads: threads_of(blocks), around: threads_of(around),
      depths: Math.min(65535, 2 ** Math.ceil(Math.log2(depths)))};
  }

  draw_now() {
    const {app} = this, window = this.window();
    this.shown = window.threads.length ? this.rows.want(window) : null;
    const context = fit_canvas(this.canvas, this.width, this.height);
    const searching = app.state.search !== '';
    const picture = {context, width: this.width, height: this.height, ...app.view, scroll: this.scroll, layout: app.layout,
      blocks: this.visible_blocks(), palette: app.palette, found: searching ? app.found : null};
    const {rectangles} = draw_calls(picture, this.shown);
    draw_threads(picture, id => app.thread(id));
    const events = window.threads.length ? this.events.want({...window, depths: 1}) : null;
    this.shown_events = events;
    draw_events(picture, events);
    if (searching && app.found.size && window.threads.length) {
      const hits = this.hits.want({...window, depths: 1, key: [...app.found].join()});
      if (hits) draw_hits(picture, hits.spans);
    }
    by_id('expand').textContent = some_expanded(app.layout) ? 'Collapse all' : 'Expand all';
    this.canvas.dataset.records = String(this.shown?.count ?? 0);
    this.canvas.dataset.rectangles = String(rectangles);
    this.draw_gutter(picture.blocks);
    this.describe(picture.blocks);
    this.draw_over_now();
  }

  /** @param {import('./layout.js').Block[]} blocks */
  draw_gutter(blocks) {
    const {app} = this, wanted = new Map(blocks.map(block => [block.thread < 0 ? `p${block.process}` : `t${block.thread}`, block]));
    for (const child of [...this.gutter.children])
      if (!wanted.has(/** @type {HTMLElement} */ (child).dataset.key ?? '')) child.remove();
    /** @type {Element|null} */
    let above = null;
    for (const [key, block] of wanted) {
      let item = this.gutter.querySelector(`[data-key="${key}"]`);
      if (!item) {
        item = block.thread < 0 ? this.process_item(block) : this.thread_item(block);
        item.dataset.key = key;
      }
      // The order of the elements is the order of Tab; one that is in its place stays, since it may have the focus.
      if (!item.parentElement || item.previousElementSibling !== above) this.gutter.insertBefore(item, above ? above.nextSibling : this.gutter.firstChild);
      above = item;
      item.style.top = `${block.y - this.scroll}px`;
      item.style.height = `${block.height}px`;
      if (block.thread >= 0) {
        item.setAttribute('aria-expanded', String(block.expanded));
        item.setAttribute('aria-current', String(app.state.call?.thread === block.thread));
      }
    }
  }

  /** @param {import('./layout.js').Block} block */
  process_item(block) {
    const process = this.app.recording.processes.find(process => process.index === block.process);
    return element('div', {class: 'process'}, `${process?.name ?? ''} `, element('span', {class: 'muted'}, String(process?.pid ?? '')));
  }

  /** @param {import('./layout.js').Block} block */
  thread_item(block) {
    const {app} = this, thread = /** @type {import('./source.js').Thread} */ (app.thread(block.thread));
    const lost = thread.lost ? `, ${plural(thread.lost, 'event')} lost` : '';
    return element('button', {
      class: 'thread', type: 'button',
      title: `${app.thread_name(thread.id)}: ${plural(thread.calls, 'call')}, ${plural(thread.depth, 'level')}${lost}${thread.ended ? ', ended' : ''}`,
      onclick: () => this.toggle(thread.id),
    }, element('span', {class: 'caret', 'aria-hidden': 'true'}), element('span', {class: 'name'}, thread.name || 'thread'),
    element('span', {class: 'muted'}, String(thread.tid)), thread.lost ? element('span', {class: 'lost-sign', title: `${plural(thread.lost, 'event')} lost`}, 'lost') : null,
    element('span', {class: 'muted calls'}, short_count(thread.calls)));
  }

  /** @param {number} thread */
  toggle(thread) {
    const toggled = this.app.state.toggled;
    this.app.set({toggled: toggled.includes(thread) ? toggled.filter(id => id !== thread) : [...toggled, thread]});
  }

  /** @param {import('./layout.js').Block[]} blocks */
  describe(blocks) {
    const {app} = this, {from, to} = app.view;
    const threads = blocks.filter(block => block.thread >= 0).length;
    this.canvas.setAttribute('aria-label', `Calls of ${plural(threads, 'thread')} in view, of ${count(app.recording.threads.length)}; ` +
      `from ${moment(from, (to - from) / 1000, app.unit)} to ${moment(to, (to - from) / 1000, app.unit)}`);
  }

  draw_over_now() {
    const {app} = this, context = fit_canvas(this.over, this.width, this.height), {palette} = app;
    context.clearRect(0, 0, this.width, this.height);
    const selection = this.selecting ?? app.state.selection;
    if (selection) this.draw_selection(context, selection);
    const {call: place} = app.state, {call} = app;
    if (place && call) {
      const box = this.call_box(place, call);
      if (box) {
        context.strokeStyle = palette.text;
        context.lineWidth = 2;
        context.strokeRect(box.x - 0.5, box.y - 0.5, Math.max(2, box.width), box.height);
      }
    }
    if (this.pointer) {
      context.fillStyle = palette.muted;
      context.globalAlpha = 0.6;
      context.fillRect(Math.round(this.pointer.x), 0, 1, this.height);
      context.globalAlpha = 1;
      const hover = this.under(this.pointer.x, this.pointer.y);
      if (hover?.record) {
        const {block, depth, record} = hover, x = this.x_of(record.start), end = this.x_of(record.start + record.duration);
        context.strokeStyle = palette.text;
        context.globalAlpha = 0.7;
        context.lineWidth = 1;
        context.strokeRect(Math.max(-2, x) + 0.5, block.top + depth * block.level_height - this.scroll + 0.5,
          Math.max(1, Math.min(this.width + 2, end) - Math.max(-2, x) - 1), block.level_height - 2);
        context.globalAlpha = 1;
      }
    }
  }

  /** @param {CanvasRenderingContext2D} context @param {{from: number, to: number, threads: number[]|null}} selection */
  draw_selection(context, {from, to, threads}) {
    const {palette} = this.app, left = this.x_of(from), right = this.x_of(to);
    context.fillStyle = palette.veil;
    if (left > 0) context.fillRect(0, 0, Math.min(left, this.width), this.height);
    if (right < this.width) context.fillRect(Math.max(0, right), 0, this.width, this.height);
    if (threads)
      for (const block of this.visible_blocks())
        if (!threads.includes(block.thread)) context.fillRect(Math.max(0, left), block.y - this.scroll, Math.min(this.width, right) - Math.max(0, left), block.height);
    context.fillStyle = palette.accent;
    context.fillRect(left - 1, 0, 1, this.height);
    context.fillRect(right, 0, 1, this.height);
  }

  /** @param {{thread: number, depth: number, at: number}} place @param {import('./source.js').Call} call */
  call_box(place, call) {
    const block = this.app.layout.by_thread.get(place.thread);
    if (!block || place.depth >= block.levels) return null;
    const x = Math.max(-3, this.x_of(call.begin ?? 0)), end = Math.min(this.width + 3, this.x_of(call.end ?? this.app.duration));
    return {x, width: end - x, y: block.top + place.depth * block.level_height - this.scroll, height: Math.max(2, block.level_height - 1)};
  }

  /** The record, the mark and the loss under a point. @param {number} x @param {number} y */
  under(x, y) {
    const place = at_height(this.app.layout, y + this.scroll);
    if (!place) return null;
    const time = this.time_at(x), slack = (this.app.view.to - this.app.view.from) / this.width * 2;
    const thread = place.block.thread;
    let record = null;
    if (place.depth >= 0 && this.shown) {
      let lanes = this.lanes.get(this.shown);
      if (!lanes) this.lanes.set(this.shown, lanes = by_lane(this.shown));
      const i = at_time(this.shown, lanes.get(lane_key(thread, place.depth)), time, slack);
      if (i >= 0) record = row(this.shown, i);
    }
    const mark = this.shown_events?.marks.find(mark => mark.thread === thread && Math.abs(mark.time - time) < slack * 2);
    const loss = this.shown_events?.losses.find(loss => loss.thread === thread && time >= loss.from - slack && time <= loss.to + slack);
    return {block: place.block, depth: place.depth, time, record, mark, loss};
  }

  listen() {
    const {app, over} = this;
    this.scroller.addEventListener('scroll', () => {
      app.set({scroll: this.scroller.scrollTop});
      this.draw();
    });
    this.scroller.addEventListener('wheel', (/** @type {WheelEvent} */ event) => this.wheel(event), {passive: false});
    over.addEventListener('pointerdown', (/** @type {PointerEvent} */ event) => this.press(event));
    over.addEventListener('pointermove', (/** @type {PointerEvent} */ event) => {
      this.pointer = {x: event.offsetX, y: event.offsetY};
      app.pointer_time = this.time_at(event.offsetX);
      app.notify(['pointer']);
      this.show_tip(event);
      this.draw_over();
    });
    over.addEventListener('pointerleave', () => {
      this.pointer = null;
      app.pointer_time = null;
      app.notify(['pointer']);
      this.tip.hidden = true;
      this.draw_over();
    });
    over.addEventListener('dblclick', (/** @type {MouseEvent} */ event) => {
      const record = this.under(event.offsetX, event.offsetY)?.record;
      if (record) app.show(record.start - record.duration * 0.1, record.start + record.duration * 1.1, true);
    });
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    const scale = event.deltaMode === 1 ? 16 : 1, {app} = this;
    const box = this.canvas.getBoundingClientRect(), x = event.clientX - box.left;
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      app.zoom(Math.exp(Math.max(-100, Math.min(100, event.deltaY * scale)) / 250), this.time_at(Math.max(0, x)));
    } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      event.preventDefault();
      app.pan((event.shiftKey && !event.deltaX ? event.deltaY : event.deltaX) * scale / this.width);
    }
  }

  /** A drag moves the picture; with Shift it selects. @param {PointerEvent} event */
  press(event) {
    if (event.button !== 0) return;
    const {app, over} = this, x = event.offsetX, y = event.offsetY, view = app.view, scroll = this.scroll;
    const select = event.shiftKey, first = at_height(app.layout, y + scroll)?.block;
    let moved = false;
    over.setPointerCapture(event.pointerId);
    by_id('scroll').focus({preventScroll: true});
    const move = (/** @type {PointerEvent} */ now) => {
      const dx = now.offsetX - x, dy = now.offsetY - y;
      if (!moved && Math.hypot(dx, dy) < 4) return;
      moved = true;
      this.tip.hidden = true;
      if (select) {
        const [from, to] = [this.time_at(x), this.time_at(now.offsetX)].sort((a, b) => a - b);
        const [top, bottom] = [y, now.offsetY].sort((a, b) => a - b);
        const blocks = blocks_between(app.layout, top + scroll, bottom + scroll + 1).filter(block => block.thread >= 0);
        this.selecting = {from, to, threads: blocks.length ? blocks.map(block => block.thread) : first ? [first.thread] : null};
        this.draw_over();
      } else {
        over.classList.add('dragging');
        const shift = dx / this.width * (view.to - view.from);
        app.show(view.from - shift, view.to - shift);
        this.scroller.scrollTop = scroll - dy;
      }
    };
    const release = (/** @type {PointerEvent} */ now) => {
      over.removeEventListener('pointermove', move);
      over.removeEventListener('pointerup', release);
      over.removeEventListener('pointercancel', release);
      over.classList.remove('dragging');
      if (this.selecting) app.set({selection: this.selecting, zoom: []}, true);
      else if (!moved) this.click(now);
      this.selecting = null;
      this.draw_over();
    };
    over.addEventListener('pointermove', move);
    over.addEventListener('pointerup', release);
    over.addEventListener('pointercancel', release);
  }

  /** @param {PointerEvent} event */
  async click(event) {
    const {app} = this, found = this.under(event.offsetX, event.offsetY);
    if (!found || !found.record) return app.set({call: null}, true);
    const {record} = found;
    if (record.flags & kOneCall || record.calls === 1)
      return app.set({call: {thread: record.thread, depth: record.depth, at: record.start}}, true);
    // Many calls in one pixel: the one under the pointer, or nearer.
    const call = await app.track(app.source.call(record.thread, record.depth, found.time)).catch(() => null);
    if (call) app.set({call: {thread: record.thread, depth: record.depth, at: call.begin ?? found.time}}, true);
    else app.show(record.start - record.duration, record.start + 2 * record.duration, true);
  }

  /** @param {PointerEvent} event */
  show_tip(event) {
    const found = event.buttons ? null : this.under(event.offsetX, event.offsetY), {app, tip} = this;
    const lines = [];
    if (found?.mark) lines.push(element('div', {class: 'tip-mark'}, found.mark.text));
    if (found?.loss) lines.push(element('div', {class: 'tip-lost'}, `${plural(found.loss.events, 'event')} lost here`));
    if (found?.record) {
      const {record} = found, one = (record.flags & kOneCall) !== 0;
      const end = record.flags & kLeft ? ', left by an exception or a jump' : record.flags & kOpen ? ', did not return' : '';
      lines.push(element('div', {class: 'tip-name'}, app.name(record.function)), element('div', {class: 'muted'}, one
        ? record.flags & kInstant ? 'entry only' : `${record.flags & kLonger ? 'more than ' : ''}${duration(record.duration, app.unit)}${end}`
        : `the longest of ${plural(record.calls, 'call')} within ${duration(record.duration, app.unit)}`));
    }
    tip.hidden = !lines.length;
    if (!lines.length) return;
    tip.replaceChildren(...lines);
    const left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8);
    const below = event.clientY + 18 + tip.offsetHeight < innerHeight;
    tip.style.left = `${Math.max(4, left)}px`;
    tip.style.top = `${below ? event.clientY + 18 : event.clientY - tip.offsetHeight - 10}px`;
  }

  /** Scrolls so that a thread's depth is in view. @param {number} thread @param {number} depth */
  reveal(thread, depth) {
    const block = this.app.layout.by_thread.get(thread);
    if (!block) return;
    const top = block.top + Math.min(depth, block.levels - 1) * block.level_height, bottom = top + block.level_height;
    if (top < this.scroll + 10) this.scroller.scrollTop = Math.max(0, top - 40);
    else if (bottom > this.scroll + this.height - 10) this.scroller.scrollTop = bottom - this.height + 60;
  }
}
