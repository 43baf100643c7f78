// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Draws calls. A browser without a GPU fills about 10,000 rectangles in a frame. Records that are thinner than a pixel
// and a half, of which there may be five times as many, are therefore written as pixels into an image. The wider ones are
// rectangles, if they are at most as many; otherwise the narrowest of these are pixels, too.

import {clipped} from './dom.js';
import {last_part} from './format.js';
import {kBeginUnknown, kInstant, kLeft, kLonger, kOneCall, kOpen} from './rows.js';
import {pixel_of} from './palette.js';

const kThin = 1.5;
export const kMostRectangles = 10000; // in a frame
const kLabelHeight = 12;
const kLabelWidth = 22;

/**
 * @typedef {object} Picture
 * @property {CanvasRenderingContext2D} context
 * @property {number} width CSS pixels
 * @property {number} height
 * @property {number} from
 * @property {number} to
 * @property {number} scroll
 * @property {import('./layout.js').Layout} layout
 * @property {import('./layout.js').Block[]} blocks
 * @property {import('./palette.js').Palette} palette
 * @property {Set<number>|null} found functions that a search has found; null: there is no search
 */

/** The least width of those that are drawn as rectangles: the widest ones, at most `most`. @param {number[]} widths */
export function least_width(widths, most = kMostRectangles) {
  if (widths.length <= most) return 0;
  const rest = Float64Array.from(widths).sort()[widths.length - most - 1]; // the widest one that finds no room
  return rest + 1e-9 * Math.max(1, rest);
}

/** Draws the background and the calls. @param {Picture} picture @param {import('./rows.js').Rows|null} rows */
export function draw_calls(picture, rows) {
  const {context, palette} = picture, scale = context.getTransform().a;
  const image = context.createImageData(Math.max(1, Math.round(picture.width * scale)), Math.max(1, Math.round(picture.height * scale)));
  const pixels = new Uint32Array(image.data.buffer);
  pixels.fill(pixel_of(palette.background));
  picture.blocks.forEach(block => {
    if (block.thread >= 0) return;
    const top = Math.max(0, Math.round((block.y - picture.scroll) * scale));
    const bottom = Math.min(image.height, Math.round((block.y + block.height - picture.scroll) * scale));
    if (bottom > top) pixels.fill(pixel_of(palette.stripe), top * image.width, bottom * image.width);
  });
  const wide = rows ? draw_thin(picture, rows, pixels, image.width, image.height, scale) : [];
  context.putImageData(image, 0, 0);
  if (rows) draw_wide(picture, rows, wide);
  return {rectangles: wide.length};
}

/** @param {Picture} picture @param {import('./rows.js').Rows} rows @param {Uint32Array} pixels
 *  @param {number} image_width @param {number} image_height @param {number} scale @returns {number[]} the other records */
function draw_thin(picture, rows, pixels, image_width, image_height, scale) {
  const {palette, layout, from, scroll, found} = picture;
  const per_ns = picture.width / (picture.to - from), wide = [], widths = [];
  const write = (/** @type {number} */ i, /** @type {number} */ x, /** @type {number} */ w, /** @type {import('./layout.js').Block} */ block) => {
    const y = block.top + rows.depth[i] * block.level_height - scroll;
    const x0 = Math.floor(x * scale), x1 = Math.max(x0 + 1, Math.floor((x + w) * scale));
    const y0 = Math.round(y * scale), gap = block.level_height >= 4 ? Math.max(1, Math.round(scale)) : 0;
    const y1 = Math.max(y0 + 1, Math.round((y + block.level_height) * scale) - gap);
    const share = rows.flags[i] & kInstant ? 1 : rows.flags[i] & kOneCall ? Math.min(1, w) : rows.busy[i] / 255;
    const dimmed = found !== null && !found.has(rows.function[i]);
    const colour = palette.pixel(rows.function[i], dimmed, 0.45 + 0.55 * share);
    for (let line = Math.max(0, y0); line < Math.min(image_height, y1); line++)
      pixels.fill(colour, line * image_width + Math.max(0, x0), line * image_width + Math.max(0, Math.min(image_width, x1)));
  };
  for (let i = 0; i < rows.count; i++) {
    const block = layout.by_thread.get(rows.thread[i]);
    if (!block || rows.depth[i] >= block.levels) continue;
    const x = (rows.start[i] - from) * per_ns, w = rows.duration[i] * per_ns;
    if (x > picture.width || x + w < 0) continue;
    const y = block.top + rows.depth[i] * block.level_height - scroll;
    if (y > picture.height || y + block.level_height < 0) continue;
    if (w > kThin) {
      wide.push(i);
      widths.push(w);
    } else {
      write(i, x, w, block);
    }
  }
  const least = least_width(widths);
  return wide.filter((i, at) => {
    if (widths[at] >= least) return true;
    write(i, (rows.start[i] - from) * per_ns, widths[at], /** @type {import('./layout.js').Block} */ (layout.by_thread.get(rows.thread[i])));
    return false;
  });
}

/** @param {Picture} picture @param {import('./rows.js').Rows} rows @param {number[]} wide */
function draw_wide(picture, rows, wide) {
  const {context, palette, layout, from, scroll, found} = picture;
  const per_ns = picture.width / (picture.to - from);
  context.textBaseline = 'middle';
  context.font = `11px ${palette.font}`;
  for (const i of wide) {
    const block = /** @type {import('./layout.js').Block} */ (layout.by_thread.get(rows.thread[i]));
    const fn = rows.function[i], flags = rows.flags[i];
    const x = (rows.start[i] - from) * per_ns, end = x + rows.duration[i] * per_ns;
    const left = Math.max(-2, x), right = Math.min(picture.width + 2, end);
    const y = block.top + rows.depth[i] * block.level_height - scroll;
    const high = block.level_height >= 4 ? block.level_height - 1 : Math.max(1, block.level_height);
    const hit = found?.has(fn) ?? false, dimmed = found !== null && !hit;
    const one = (flags & kOneCall) !== 0;
    const gap = right - left > 4 ? 1 : 0.5;
    context.fillStyle = palette.fill(fn, dimmed, one ? 1 : 0.35 + 0.65 * rows.busy[i] / 255);
    context.fillRect(left, y, Math.max(1, right - left - gap), high);
    if (block.level_height < kLabelHeight) continue;
    if (hit) {
      context.fillStyle = palette.hit;
      context.fillRect(left, y + high - 2, Math.max(1, right - left - gap), 2);
    }
    draw_edges(picture, flags, x, end, y, high);
    if (one && right - left > kLabelWidth) {
      const begin = Math.max(left, 0) + 4, room = Math.min(right, picture.width) - begin - 4;
      const name = palette.names[fn] ?? '';
      let text = clipped(context, name, room);
      if (text !== name) text = clipped(context, last_part(name), room);
      if (!text) continue;
      context.fillStyle = dimmed ? palette.muted : palette.label;
      context.fillText(text, begin, y + high / 2 + 0.5);
    }
  }
}

/** Marks the special ends of a call. @param {Picture} picture @param {number} flags @param {number} x @param {number} end
 *  @param {number} y @param {number} high */
function draw_edges(picture, flags, x, end, y, high) {
  const {context, palette} = picture;
  context.fillStyle = palette.muted;
  if (flags & kBeginUnknown) // torn: the start is not in the recording
    for (let at = y; at < y + high; at += 4) context.fillRect(x, at, 2, 2);
  if (flags & (kOpen | kLonger)) // torn: the call had not returned, or its end has not been read
    for (let at = y; at < y + high; at += 4) context.fillRect(end - 3, at, 2, 2);
  if (flags & kLeft && end - x > 3) { // a corner: an exception or a longjmp left the call
    context.fillStyle = palette.left;
    context.beginPath();
    context.moveTo(end - 1, y);
    context.lineTo(end - 1, y + 7);
    context.lineTo(end - Math.min(8, end - x), y);
    context.fill();
  }
}

/** Lines between threads, and the time before and after a thread. @param {Picture} picture
 *  @param {(id: number) => import('./source.js').Thread|undefined} thread_of */
export function draw_threads(picture, thread_of) {
  const {context, palette, width, scroll, from} = picture;
  const per_ns = width / (picture.to - from);
  for (const block of picture.blocks) {
    const y = block.y - scroll, thread = thread_of(block.thread);
    if (thread) {
      context.fillStyle = palette.dead;
      const first = (thread.first - from) * per_ns, last = (thread.last - from) * per_ns;
      if (first > 0) context.fillRect(0, y, Math.min(first, width), block.height);
      if (last < width) context.fillRect(Math.max(0, last + 1), y, width, block.height);
    }
    context.fillStyle = palette.line;
    context.fillRect(0, y + block.height - 1, width, 1);
  }
}

/** @param {Picture} picture @param {import('./source.js').Events|null} events */
export function draw_events(picture, events) {
  if (!events) return;
  const {context, palette, width, layout, scroll, from} = picture;
  const per_ns = width / (picture.to - from), seen = new Set(picture.blocks.map(block => block.thread));
  const block_of = (/** @type {number} */ thread) => seen.has(thread) ? layout.by_thread.get(thread) : undefined;
  const hatch = hatched(context, palette);
  for (const loss of events.losses) {
    const block = block_of(loss.thread);
    if (!block) continue;
    const x = (loss.from - from) * per_ns, w = Math.max(2, (loss.to - loss.from) * per_ns);
    if (x > width || x + w < 0) continue;
    const left = Math.max(0, x), right = Math.min(width, x + w);
    context.fillStyle = hatch;
    context.fillRect(left, block.y - scroll, right - left, block.height - 1);
  }
  for (const end of events.ends) {
    const block = block_of(end.thread), x = (end.time - from) * per_ns;
    if (!block || x < -2 || x > width + 2) continue;
    context.fillStyle = palette.muted;
    context.fillRect(Math.round(x), block.y - scroll + 1, 1.5, block.height - 3);
    context.fillRect(Math.round(x) - 3, block.y - scroll + block.height - 4, 7, 1.5);
  }
  for (const mark of events.marks) {
    const block = block_of(mark.thread), x = (mark.time - from) * per_ns;
    if (!block || x < -5 || x > width + 5) continue;
    const y = block.y - scroll;
    context.fillStyle = palette.mark;
    context.fillRect(Math.round(x), y, 1, block.height - 1);
    context.beginPath();
    context.moveTo(x - 3.5, y);
    context.lineTo(x + 4.5, y);
    context.lineTo(x + 0.5, y + 6);
    context.fill();
  }
}

/** @param {CanvasRenderingContext2D} context @param {import('./palette.js').Palette} palette */
export function hatched(context, palette) {
  const tile = document.createElement('canvas');
  tile.width = tile.height = 8;
  const pen = /** @type {CanvasRenderingContext2D} */ (tile.getContext('2d'));
  pen.strokeStyle = palette.lost;
  pen.lineWidth = 2;
  for (const shift of [-8, 0, 8]) {
    pen.beginPath();
    pen.moveTo(shift, 8);
    pen.lineTo(shift + 8, 0);
    pen.stroke();
  }
  return /** @type {CanvasPattern} */ (context.createPattern(tile, 'repeat'));
}

/** Where calls that a search has found begin, for those that are too thin to be seen. @param {Picture} picture
 *  @param {import('./source.js').Hit[]} spans */
export function draw_hits(picture, spans) {
  const {context, palette, width, layout, scroll, from} = picture;
  const per_ns = width / (picture.to - from), seen = new Set(picture.blocks.map(block => block.thread));
  context.fillStyle = palette.hit;
  for (const [thread, begin, end] of spans) {
    const block = seen.has(thread) ? layout.by_thread.get(thread) : undefined;
    if (!block) continue;
    const left = Math.round(Math.max(0, (begin - from) * per_ns)), right = Math.round(Math.min(width, (end - from) * per_ns));
    if (left <= width && right >= 0) context.fillRect(left, block.y - scroll, Math.max(1, right - left), 3);
  }
}
