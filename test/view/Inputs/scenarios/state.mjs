// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The keyboard, and the state that the URL holds.

import assert from 'node:assert/strict';
import {row_texts} from './acting.mjs';

export const state = {
  state: {
    async run(session) {
      const page = await session.open();
      const [first, second] = await row_texts(page);
      await page.keyboard.press('w');
      await page.keyboard.press('w');
      await page.keyboard.press('d');
      await page.keyboard.press('v');
      await page.keyboard.press('2');
      await page.keyboard.press('u');
      await page.keyboard.press('t');
      await page.keyboard.press('j');
      await session.until(page, () => globalThis.nophook.app.call);
      await page.keyboard.press('x');
      await page.keyboard.press('/');
      await page.keyboard.type(second);
      await page.keyboard.press('Enter');
      await session.until(page, () => globalThis.nophook.app.found.size > 0);
      await page.locator('#search').blur();
      await page.mouse.move(1, 1);
      await session.until(page, () => location.hash.includes('t=') && location.hash.includes('q=') && location.hash.includes('theme=') && location.hash.includes('xt='));
      await session.idle(page);

      // A second page with the same URL has the same state and the same picture.
      const hash = new URL(page.url()).hash, other = await session.open(hash);
      await other.mouse.move(1, 1);
      await session.idle(other);
      assert.deepEqual(await session.state(other), await session.state(page));
      // (A server's answer about a part depends on which part was asked for; a page's own calls are always the same.)
      for (const id of session.served ? ['flame'] : ['rows', 'overview', 'flame']) assert.ok(await session.picture(other, id) === await session.picture(page, id), `${id} differs`);

      // Back undoes one step after the other; forward does it again.
      const before = await session.state(page);
      await page.locator('#tab-functions').click();
      await page.keyboard.press('3');
      await page.goBack();
      await session.until(page, () => globalThis.nophook.app.state.tab === 'functions');
      await page.goBack();
      await session.until(page, () => globalThis.nophook.app.state.tab === 'flame');
      assert.deepEqual(await session.state(page), before);
      await page.goForward();
      await session.until(page, () => globalThis.nophook.app.state.tab === 'functions');

      // A link may hold anything.
      session.expected = /status of 404/; // the call that the link names is not there
      const odd = await session.open('#t=5,5&c=99999,3,1&s=x&tab=?&q=%&z=9.9.9&f=88888888&xt=4444');
      assert.match(await odd.locator('#details').textContent(), /no call at this place/);
      assert.ok(first);
    },
  },

  keyboard: {
    async run(session) {
      const page = await session.open();
      session.expected = /status of 404/; // where no call is, which the page asks
      const state = () => session.state(page), press = async (...keys) => {
        for (const key of keys) await page.keyboard.press(key);
        await session.idle(page);
      };
      // The keys that `?` shows are the page's; the dialog closes by Escape.
      await press('?');
      assert.ok(await page.locator('#keys').isVisible());
      assert.ok(await page.locator('#keys dt').count() > 20);
      await session.screenshot(page, 'keys');
      await press('Escape');
      assert.ok(!await page.locator('#keys').isVisible());

      // From call to call: into it, to the next one, out of it.
      await press('j');
      assert.equal((await state()).call.depth, 0);
      await page.evaluate(async () => { // a call that has callees
        const {app, panel, timeline} = globalThis.nophook, deep = panel.answer.slowest.find(call => call.depth > 0);
        const {callers} = await app.source.call(deep.thread, deep.depth, deep.begin);
        app.set({call: {thread: deep.thread, depth: 0, at: callers[0].begin}});
        timeline.reveal(deep.thread, 0);
      });
      await session.until(page, () => globalThis.nophook.app.call);
      const outer = (await state()).call;
      await press('j');
      const inner = (await state()).call;
      assert.equal(inner.depth, 1);
      assert.ok(inner.at >= outer.at);
      await press('l');
      const next = (await state()).call;
      if (next.at !== inner.at) {
        assert.equal(next.depth, 1);
        assert.ok(next.at > inner.at);
        await press('h');
        assert.deepEqual((await state()).call, inner);
      }
      await press('k');
      assert.deepEqual((await state()).call, outer);
      assert.match(await page.locator('#announce').textContent(), /depth 0$/);
      await press('j', 'Enter');
      const {from, to} = await session.view(page);
      assert.ok(inner.at >= from && inner.at < to);
      await press('e');
      assert.deepEqual((await state()).selection.threads, [inner.thread]);

      // The tabs and what is in them.
      await press('2');
      assert.equal((await state()).tab, 'flame');
      await page.locator('#flame').focus();
      await press('ArrowDown', 'Enter');
      assert.equal((await state()).zoom.length, 1);
      assert.match(await page.locator('#announce').textContent(), /%/);
      await press('Backspace');
      assert.equal((await state()).zoom.length, 0);
      await press('3');
      await page.locator('.jump').first().focus();
      await press('Enter');
      await session.until(page, () => globalThis.nophook.app.call);
      await press('1');
      await page.locator('#tab-functions').focus();
      await press('ArrowRight');
      assert.equal((await state()).tab, 'flame');
      assert.equal(await page.evaluate(() => document.activeElement.id), 'tab-flame');
      await press('ArrowLeft');
      await page.locator('#table-body tr[tabindex="0"]').focus();
      await press('ArrowDown', 'ArrowDown', 'Enter');
      assert.equal((await state()).tab, 'slowest');
      assert.notEqual((await state()).function, null);

      // Escape: first the selection, then the search, then the call.
      await page.locator('#scroll').focus();
      await press('Escape');
      assert.equal((await state()).selection, null);
      await press('Escape');
      assert.equal((await state()).call, null);

      // Threads are buttons, and Tab reaches everything with a visible focus.
      // (Collapsing a thread may bring others into view, so it is known by its number.)
      const thread = Number((await page.locator('.thread').first().getAttribute('data-key')).slice(1));
      const expanded = () => page.evaluate(id => globalThis.nophook.app.layout.by_thread.get(id).expanded, thread), before = await expanded();
      assert.equal(await page.locator('.thread').first().getAttribute('aria-expanded'), String(before));
      await page.locator('.thread').first().focus();
      await press('Enter');
      assert.equal(await expanded(), !before);
      await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement).blur());
      const reached = new Set();
      for (let i = 0; i < 60; i++) {
        await page.keyboard.press('Tab');
        const {id, outlined} = await page.evaluate(() => {
          const element = document.activeElement, style = getComputedStyle(element), inner = getComputedStyle(document.getElementById('stick'), '::after');
          const shown = element.id === 'scroll' ? inner.outlineStyle : style.outlineStyle;
          return {id: element.id || element.className, outlined: element === document.body || shown !== 'none'};
        });
        assert.ok(outlined, `the focus on ${id} is not to be seen`);
        reached.add(id);
      }
      for (const id of ['search', 'theme', 'help', 'expand', 'scroll', 'splitter', 'tab-slowest']) assert.ok(reached.has(id), `Tab does not reach ${id}`);
      const height = await page.locator('#panel').evaluate(panel => panel.clientHeight);
      await page.locator('#splitter').focus();
      await press('ArrowUp');
      assert.ok(await page.locator('#panel').evaluate(panel => panel.clientHeight) > height);
      for (const canvas of await page.locator('canvas:not([aria-hidden])').all())
        assert.ok(await canvas.getAttribute('aria-label'), 'each canvas has a text');
      const unnamed = await page.locator('button').evaluateAll(all => all.filter(b => !b.textContent.trim() && !b.getAttribute('aria-label')).length);
      assert.equal(unnamed, 0);
    },
  },
};
