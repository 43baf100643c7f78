// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The flame graph of the selection. A click on a frame makes it as wide as the graph; the frames above it lead back. The
// arrow keys move from frame to frame, and each is read out.

import {by_id, clipped, element, fit_canvas, once_a_frame} from './dom.js';
import {callees_first, callers_first, flame_rectangles, frame_at, path_of} from './flame_layout.js';
import {frame_changes, points, renumbered, sum_of} from './comparison.js';
import {duration, last_part, percent, plural} from './format.js';
import {change_colour, css, mix} from './palette.js';

const kHeight = 18;

/** @typedef {import('./app.js').App} App */
/** @typedef {import('./flame_layout.js').Frame} Frame */

export class FlameGraph {
  /** @param {App} app @param {import('./panel.js').Panel} panel */
  constructor(app, panel) {
    this.app = app;
    this.panel = panel;
    this.scroller = by_id('panel-flame');
    this.canvas = by_id('flame');
    this.tip = by_id('tip');
    /** @type {ReturnType<typeof flame_rectangles>} */
    this.rectangles = [];
    /** @type {Frame|null} */
    this.root = null;
    /** @type {Frame|null} */
    this.current = null;
    /** @type {ReturnType<typeof frame_changes>|null} against the second recording */
    this.changes = null;
    this.draw = once_a_frame(() => this.draw_now());
    app.on(['answer', 'inverted'], () => this.build());
    app.on(['zoom', 'shown', 'palette', 'found', 'search'], this.draw);
    new ResizeObserver(this.draw).observe(this.scroller);
    for (const id of ['callers', 'callees'])
      by_id(`flame-${id}`).addEventListener('click', () => app.set({inverted: id === 'callees', zoom: []}, true));
    by_id('flame-all').addEventListener('click', () => app.set({zoom: []}, true));
    this.canvas.addEventListener('click', (/** @type {MouseEvent} */ event) => {
      const frame = this.at(event.offsetX, event.offsetY)?.frame;
      if (frame) this.zoom(frame);
    });
    this.canvas.addEventListener('pointermove', (/** @type {PointerEvent} */ event) => this.show_tip(event));
    this.canvas.addEventListener('pointerleave', () => {
      this.tip.hidden = true;
    });
    this.canvas.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => this.key(event));
    this.canvas.addEventListener('focus', this.draw);
    this.canvas.addEventListener('blur', this.draw);
    this.build();
  }

  build() {
    const {app} = this, tree = this.panel.answer?.tree;
    const make = app.state.inverted ? callees_first : callers_first, other = this.panel.compared();
    this.root = tree ? make(tree) : null;
    this.changes = this.root && other ? frame_changes(this.root, make(renumbered(other.selection.tree, this.panel.numbers))) : null;
    this.current = null;
    for (const id of ['callers', 'callees'])
      by_id(`flame-${id}`).setAttribute('aria-pressed', String(app.state.inverted === (id === 'callees')));
    this.draw();
  }

  /** @param {Frame} frame */
  zoom(frame) {
    this.current = frame;
    this.app.set({zoom: path_of(frame)}, true);
    this.draw();
  }

  /** @param {number} x @param {number} y */
  at(x, y) {
    const level = Math.floor(y / kHeight);
    return this.rectangles.find(r => r.level === level && x >= r.x && x < r.x + r.width);
  }

  draw_now() {
    const {app, root, scroller} = this, {palette} = app;
    if (scroller.hidden) return;
    const width = Math.max(1, scroller.clientWidth), zoomed = root ? frame_at(root, app.state.zoom) : null;
    this.rectangles = zoomed && root && root.total > 0 ? flame_rectangles(zoomed, width) : [];
    const levels = this.rectangles.reduce((most, r) => Math.max(most, r.level + 1), 1);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${levels * kHeight}px`;
    by_id('flame-all').disabled = !app.state.zoom.length;
    const context = fit_canvas(this.canvas, width, levels * kHeight);
    context.clearRect(0, 0, width, levels * kHeight);
    context.font = `11px ${palette.font}`;
    context.textBaseline = 'middle';
    const searching = app.state.search !== '';
    for (const {frame, x, width: wide, level, above} of this.rectangles) {
      const y = level * kHeight, dimmed = above || (searching && !app.found.has(frame.function));
      context.fillStyle = frame.function < 0 ? palette.line : this.changes ? this.change_fill(frame, dimmed) : palette.fill(frame.function, dimmed);
      context.fillRect(x, y, Math.max(0.5, wide - (wide > 3 ? 1 : 0)), kHeight - 1);
      if (wide < 26) continue;
      const name = this.name(frame);
      let text = clipped(context, name, wide - 8);
      if (text !== name) text = clipped(context, last_part(name), wide - 8);
      context.fillStyle = dimmed ? palette.muted : palette.label;
      context.fillText(text, x + 4, y + kHeight / 2);
    }
    const current = document.activeElement === this.canvas && this.rectangles.find(r => r.frame === this.current);
    if (current) {
      context.strokeStyle = palette.text;
      context.lineWidth = 2;
      context.strokeRect(current.x + 1, current.level * kHeight + 1, Math.max(2, current.width - 3), kHeight - 3);
    }
    this.canvas.dataset.frames = String(this.rectangles.length);
    this.canvas.setAttribute('aria-label', this.rectangles.length
      ? `Flame graph, ${app.state.inverted ? 'callees' : 'callers'} first, ${plural(this.rectangles.length, 'frame')}; the tab Functions has the same times as a table`
      : 'Flame graph, empty');
  }

  /** Small changes are to be seen, too, so the colour grows with the square root. @param {Frame} frame @param {boolean} dimmed */
  change_fill(frame, dimmed) {
    const {palette, dark} = this.app, {change} = /** @type {{change: number}} */ (this.changes?.changes.get(frame));
    const colour = change_colour(Math.sign(change) * Math.sqrt(Math.abs(change) / (this.changes?.most || 1)), dark);
    return css(dimmed ? mix(palette.background, colour, 0.4) : colour);
  }

  /** @param {Frame} frame */
  name(frame) {
    return frame.function < 0 ? 'all' : this.app.name(frame.function);
  }

  /** @param {Frame} frame */
  describe(frame) {
    const {unit} = this.app, all = this.root?.total ?? 0;
    const before = this.changes?.changes.get(frame);
    return `${duration(frame.total, unit)}, ${percent(all ? frame.total / all : 0)}, ${plural(frame.calls, 'call')}` +
      (this.app.state.inverted ? '' : `, own ${duration(frame.own, unit)}`) +
      (before ? `; before ${duration(sum_of(before.other), this.panel.other?.recording.unit)}: ${points(before.change)}` : '');
  }

  /** @param {PointerEvent} event */
  show_tip(event) {
    const frame = this.at(event.offsetX, event.offsetY)?.frame;
    this.tip.hidden = !frame;
    if (!frame) return;
    this.tip.replaceChildren(element('div', {class: 'tip-name'}, this.name(frame)), element('div', {class: 'muted'}, this.describe(frame)));
    this.tip.style.left = `${Math.max(4, Math.min(event.clientX + 14, innerWidth - this.tip.offsetWidth - 8))}px`;
    this.tip.style.top = `${Math.max(4, event.clientY - this.tip.offsetHeight - 10)}px`;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (!this.root || event.ctrlKey || event.metaKey || event.altKey) return;
    const zoomed = frame_at(this.root, this.app.state.zoom), frame = this.current ?? zoomed;
    const beside = (/** @type {number} */ step) => frame.parent?.children[frame.parent.children.indexOf(frame) + step];
    /** @type {Record<string, () => Frame|null|undefined>} */
    const moves = {
      ArrowDown: () => frame.children[0], ArrowUp: () => frame.parent, ArrowRight: () => beside(1), ArrowLeft: () => beside(-1),
    };
    if (event.key in moves) {
      const next = moves[event.key]();
      if (next && this.rectangles.some(r => r.frame === next)) {
        this.current = next;
        this.app.announce(`${this.name(next)}, ${this.describe(next)}`);
        this.draw();
      }
    } else if (event.key === 'Enter') {
      this.zoom(frame);
    } else if (event.key === 'Backspace') {
      if (zoomed.parent) this.zoom(zoomed.parent);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}
