// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements in few words. The page's policy allows no markup from strings, so all text is set as text.

import {split_name} from './format.js';

/**
 * @param {string} tag
 * @param {Record<string, any>} attributes `class`, `on…` (a listener), or an attribute; null and false: left out
 * @param {...(Node|string|null|undefined|false)} children
 * @returns {HTMLElement}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of children) if (child !== null && child !== undefined && child !== false) made.append(child);
  return made;
}

/**
 * A function's name for a narrow place: its scopes are cut before its own name is.
 * @param {string} name @param {...Node} before
 */
export function name_element(name, ...before) {
  const [scopes, own] = split_name(name);
  return element('span', {class: 'name'}, ...before, element('span', {class: 'scopes'}, scopes), element('span', {class: 'own-name'}, own));
}

/** @param {string} id @returns {any} */
export const by_id = id => document.getElementById(id);

/**
 * A canvas in device pixels, drawn in CSS pixels. @param {HTMLCanvasElement} canvas
 * @param {number} width @param {number} height @returns {CanvasRenderingContext2D}
 */
export function fit_canvas(canvas, width, height) {
  const scale = devicePixelRatio || 1;
  const wide = Math.max(1, Math.round(width * scale)), high = Math.max(1, Math.round(height * scale));
  if (canvas.width !== wide) canvas.width = wide;
  if (canvas.height !== high) canvas.height = high;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d', {willReadFrequently: true}));
  context.setTransform(scale, 0, 0, scale, 0, 0);
  return context;
}

/** Runs `draw` once in the next frame, however often it is asked. @param {() => void} draw */
export function once_a_frame(draw) {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      draw();
    });
  };
}

/**
 * The longest beginning of a text that fits, with an ellipsis. Widths are kept, because measuring is slow.
 * @param {CanvasRenderingContext2D} context @param {string} text @param {number} room
 */
export function clipped(context, text, room) {
  const whole = text_width(context, text);
  if (whole <= room) return text;
  const letters = Math.floor(text.length * room / whole) - 1;
  return letters >= 2 ? `${text.slice(0, letters)}…` : '';
}

/** @type {Map<string, number>} */
const widths = new Map();

/** @param {CanvasRenderingContext2D} context @param {string} text */
export function text_width(context, text) {
  const key = `${context.font}\n${text}`;
  let width = widths.get(key);
  if (width === undefined) {
    if (widths.size > 20000) widths.clear();
    width = context.measureText(text).width;
    widths.set(key, width);
  }
  return width;
}
