// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bar between the timeline and the panel: dragged, or moved by the arrow keys.

import {by_id} from './dom.js';

const kLeast = 80;

export function make_splitter() {
  const bar = by_id('splitter'), panel = by_id('panel');
  const set = (/** @type {number} */ height) => {
    const most = panel.parentElement.clientHeight - 160, kept = Math.max(kLeast, Math.min(most, height));
    panel.style.height = `${kept}px`;
    bar.setAttribute('aria-valuenow', String(Math.round(100 * kept / panel.parentElement.clientHeight)));
  };
  bar.addEventListener('pointerdown', (/** @type {PointerEvent} */ event) => {
    const y = event.clientY, height = panel.offsetHeight;
    bar.setPointerCapture(event.pointerId);
    const move = (/** @type {PointerEvent} */ now) => set(height + y - now.clientY);
    bar.addEventListener('pointermove', move);
    bar.addEventListener('pointerup', () => bar.removeEventListener('pointermove', move), {once: true});
  });
  bar.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    const step = {ArrowUp: 24, ArrowDown: -24}[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    set(panel.offsetHeight + step);
  });
}
