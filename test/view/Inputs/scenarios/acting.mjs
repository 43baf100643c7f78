// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Acts and looks of several scenarios.

import assert from 'node:assert/strict';

export const near = (a, b, slack) => assert.ok(Math.abs(a - b) <= slack, `${a} is not near ${b}`);

/** The middle of an element. */
export const middle = async locator => {
  const box = await locator.boundingBox();
  return {x: box.x + box.width / 2, y: box.y + box.height / 2};
};

export const drag = async (page, from, to) => {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2);
  await page.mouse.move(to.x, to.y);
  await page.mouse.up();
};

/** The names in the page's table. */
export const row_texts = page => page.locator('#table-body tr[data-function]').evaluateAll(rows => rows.map(row => row.querySelector('.name').textContent));

export const dataset = (page, id) => page.locator(`#${id}`).evaluate(element => ({...element.dataset}));
