// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The strip at the top: the whole recording as a thumbnail, with the part in view, and a ruler of that part. A drag in
// the thumbnail chooses what is in view; a drag on the ruler selects a time.

import {by_id, fit_canvas, once_a_frame} from './dom.js';
import {hatched} from './draw_rows.js';
import {count, duration, moment, ruler_ticks} from './format.js';
import {sample} from './layout.js';
import {css} from './palette.js';
import {kInstant, kOneCall} from './rows.js';

const kMostThreads = 64;
const kMostRecords = 20000;

/** @typedef {import('./app.js').App} App */

export class Overview {
  /** @param {App} app @param {import('./timeline.js').Timeline} timeline */
  constructor(app, timeline) {
    this.app = app;
    this.timeline = timeline;
    this.canvas = by_id('overview');
    this.ruler = by_id('ruler');
    this.picture = document.createElement('canvas');
    /** @type {import('./rows.js').Rows|null} */
    this.rows = null;
    /** @type {import('./source.js').Events|null} */
    this.events = null;
    /** @type {import('./source.js').Hit[]} */
    this.hits = [];
    this.under_way = this.asked_again = false;
    /** @type {{from: number, to: number}|null} */
    this.choosing = null;
    this.draw = once_a_frame(() => this.draw_now());
    app.on(['from', 'to', 'selection', 'pointer'], this.draw);
    app.on(['palette'], () => this.paint());
    app.on(['recording'], () => this.load());
    app.on(['found'], () => this.load_hits());
    new ResizeObserver(() => this.load_soon()).observe(this.canvas.parentElement);
    this.listen();
    this.load();
  }

  get width() {
    return this.timeline.width;
  }

  load_soon() {
    this.paint();
    clearTimeout(this.loading);
    if (this.loaded_width !== this.width) this.loading = setTimeout(() => this.load(), 100);
  }

  /** While one answer is under way, no other is asked for: the index may be made faster than the page gets answers. */
  async load() {
    this.asked_again = this.under_way;
    if (this.under_way) return;
    this.under_way = true;
    await this.load_now();
    this.under_way = false;
    if (this.asked_again) this.load();
  }

  async load_now() {
    const {app} = this, threads = sample(app.recording.threads, kMostThreads).map(thread => thread.id);
    this.threads = threads;
    this.loaded_width = this.width;
    if (!threads.length) return this.paint();
    const levels = this.levels = Math.max(1, Math.min(12, Math.floor(this.height() / threads.length / 2)));
    const columns = Math.max(50, Math.min(Math.round(this.width), Math.floor(kMostRecords / threads.length / levels)));
    const range = {from: 0, to: app.duration};
    try {
      this.rows = await app.track(app.source.rows({...range, columns, threads, depths: levels}));
      this.events = await app.track(app.source.events(range));
    } catch {
      return; // the failure is shown by track()
    }
    this.load_hits();
    this.paint();
  }

  async load_hits() {
    const {app} = this, functions = [...app.found];
    this.hits = [];
    if (functions.length)
      try {
        const asked = {functions, from: 0, to: app.duration, columns: Math.round(this.width)};
        const {spans} = await app.track(app.source.hits(asked));
        if (functions.join() === [...app.found].join()) this.hits = spans;
      } catch {
        return;
      }
    this.canvas.dataset.hits = String(this.hits.length);
    this.draw();
  }

  height() {
    return this.canvas.clientHeight || 56;
  }

  /** Paints the thumbnail itself, which changes seldom. */
  paint() {
    const {app, rows, width} = this, {palette} = app, high = this.height();
    const context = fit_canvas(this.picture, width, high);
    context.fillStyle = css(palette.background);
    context.fillRect(0, 0, width, high);
    const threads = this.threads ?? [], room = (high - 2) / Math.max(1, threads.length), place = new Map(threads.map((id, i) => [id, i]));
    if (rows) {
      const per_ns = width / app.duration;
      for (let i = 0; i < rows.count; i++) {
        const lane = place.get(rows.thread[i]), levels = Math.min(this.levels ?? 1, Math.max(1, app.thread(rows.thread[i])?.depth ?? 1));
        if (lane === undefined || rows.depth[i] >= levels) continue;
        const level = Math.min(room / levels, 8), w = rows.duration[i] * per_ns;
        const share = rows.flags[i] & kInstant ? 1 : rows.flags[i] & kOneCall ? Math.min(1, w) : rows.busy[i] / 255;
        context.fillStyle = palette.fill(rows.function[i], false, 0.35 + 0.65 * share);
        context.fillRect(rows.start[i] * per_ns, 1 + lane * room + rows.depth[i] * level, Math.max(1, w),
          Math.max(1, level - (level >= 4 ? 1 : 0)));
      }
    }
    if (this.events) {
      const per_ns = width / app.duration;
      context.fillStyle = hatched(context, palette);
      for (const {thread, from, to} of this.events.losses) {
        const lane = place.get(thread) ?? 0, few = threads.length <= 8;
        context.fillRect(from * per_ns, few ? 1 + lane * room : 0, Math.max(2, (to - from) * per_ns), few ? room : high);
      }
      context.fillStyle = palette.mark;
      for (const {time} of this.events.marks) context.fillRect(time * per_ns, 0, 1, 5);
    }
    this.draw();
  }

  draw_now() {
    const {app, width} = this, {palette} = app, high = this.height(), context = fit_canvas(this.canvas, width, high);
    this.canvas.style.width = `${width}px`;
    context.drawImage(this.picture, 0, 0, width, high);
    const per_ns = width / app.duration, {from, to} = this.choosing ?? app.view;
    context.fillStyle = palette.hit;
    for (const [, begin, end] of this.hits) context.fillRect(Math.round(begin * per_ns), high - 6, Math.max(1, Math.round((end - begin) * per_ns)), 6);
    const left = from * per_ns, right = Math.max(left + 2, to * per_ns);
    if (app.state.selection) {
      context.fillStyle = palette.accent_veil;
      const {from: begin, to: end} = app.state.selection;
      context.fillRect(begin * per_ns, 0, Math.max(1, (end - begin) * per_ns), high);
    }
    if (right - left < width - 1) {
      context.fillStyle = palette.veil;
      context.fillRect(0, 0, left, high);
      context.fillRect(right, 0, width, high);
      context.fillStyle = palette.accent;
      context.fillRect(left - 1, 0, 1.5, high);
      context.fillRect(right, 0, 1.5, high);
    }
    const sampled = app.recording.threads.length > kMostThreads ? `, ${kMostThreads} of ${count(app.recording.threads.length)} threads` : '';
    this.canvas.setAttribute('aria-label', `The whole recording, ${duration(app.duration, app.unit)}${sampled}`);
    this.draw_ruler();
  }

  draw_ruler() {
    const {app, width} = this, {palette, unit} = app, {from, to} = app.view, high = this.ruler.clientHeight || 22;
    const context = fit_canvas(this.ruler, width, high), per_ns = width / (to - from);
    this.ruler.style.width = `${width}px`;
    context.clearRect(0, 0, width, high);
    context.font = `11px ${palette.font}`;
    context.textBaseline = 'middle';
    const {step, ticks} = ruler_ticks(from, to, width, 110);
    for (const tick of ticks) {
      const x = Math.round((tick - from) * per_ns);
      context.fillStyle = palette.line;
      context.fillRect(x, 0, 1, high);
      context.fillStyle = palette.muted;
      context.fillText(moment(tick, step, unit), x + 4, high / 2 + 1);
    }
    const selection = this.selecting ?? app.state.selection;
    if (selection) {
      const left = (selection.from - from) * per_ns, right = (selection.to - from) * per_ns;
      context.fillStyle = palette.accent_veil;
      context.fillRect(left, 0, right - left, high);
      context.fillStyle = palette.accent;
      context.fillRect(left, high - 2, right - left, 2);
    }
    if (typeof app.pointer_time === 'number') {
      const text = moment(app.pointer_time, (to - from) / width, unit), x = (app.pointer_time - from) * per_ns;
      const wide = context.measureText(text).width + 10, left = Math.max(0, Math.min(width - wide, x - wide / 2));
      context.fillStyle = palette.text;
      context.fillRect(left, 2, wide, high - 4);
      context.fillStyle = css(palette.background);
      context.fillText(text, left + 5, high / 2 + 1);
    }
  }

  listen() {
    const {app} = this;
    drag(this.canvas, {
      move: (from, to) => {
        const per_ns = this.width / app.duration;
        this.choosing = {from: from / per_ns, to: to / per_ns};
        this.draw();
      },
      end: () => {
        if (this.choosing) app.show(this.choosing.from, this.choosing.to, true);
        this.choosing = null;
      },
      click: x => {
        const {from, to} = app.view, at = x / this.width * app.duration;
        app.show(at - (to - from) / 2, at + (to - from) / 2, true);
      },
    });
    const time = (/** @type {number} */ x) => Math.max(0, Math.min(app.duration, this.timeline.time_at(x)));
    drag(this.ruler, {
      move: (from, to) => {
        this.timeline.selecting = this.selecting = {from: time(from), to: time(to), threads: null};
        this.timeline.draw_over();
        this.draw();
      },
      end: () => {
        const selection = this.selecting;
        this.selecting = this.timeline.selecting = null;
        if (selection) app.set({selection, zoom: []}, true);
      },
      click: () => app.set({selection: null, zoom: []}, true),
    });
    for (const [canvas, at] of [[this.canvas, undefined], [this.ruler, 'pointer']])
      /** @type {HTMLElement} */ (canvas).addEventListener('wheel', event => {
        event.preventDefault();
        app.zoom(Math.exp(Math.max(-100, Math.min(100, event.deltaY)) / 250), at ? time(event.offsetX) : undefined);
      }, {passive: false});
  }
}

/**
 * @param {HTMLElement} target
 * @param {{move: (from: number, to: number) => void, end: () => void, click: (x: number) => void}} react
 */
function drag(target, {move, end, click}) {
  target.addEventListener('pointerdown', event => {
    if (event.button !== 0) return;
    const x = event.offsetX;
    let moved = false;
    target.setPointerCapture(event.pointerId);
    const moving = (/** @type {PointerEvent} */ now) => {
      if (!moved && Math.abs(now.offsetX - x) < 4) return;
      moved = true;
      move(Math.min(x, now.offsetX), Math.max(x, now.offsetX));
    };
    const release = (/** @type {PointerEvent} */ now) => {
      target.removeEventListener('pointermove', moving);
      target.removeEventListener('pointerup', release);
      if (moved) end();
      else click(now.offsetX);
    };
    target.addEventListener('pointermove', moving);
    target.addEventListener('pointerup', release);
  });
}
