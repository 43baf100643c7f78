// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Uses the page in Chromium as a person would:
//   node browse.mjs SCENARIO FOLDER              with a made-up recording that FOLDER gets as a single page (file://)
//   node browse.mjs SCENARIO FOLDER --url URL    with a page that is already there
//   node browse.mjs SCENARIO FOLDER --view NOPHOOK RECORDING...   with what `nophook view` serves
// Scenarios are in scenarios.mjs; several are given with commas. A message on the page's console, such as one of its policy, fails each of them.

import fs from 'node:fs';
import path from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {single_page} from './make_page.mjs';
import * as recordings from './recordings.mjs';
import {serve} from './serve.mjs';
import {scenarios} from './scenarios.mjs';
import {start_view} from './start_view.mjs';

const kPage = fileURLToPath(new URL('../../../tools/show/view/page', import.meta.url));
const kImages = fileURLToPath(new URL('../../../docs/images', import.meta.url));
const kOtherFonts = 0.04; // the part of the pixels that another version of the browser may draw otherwise
const kPatience = Number(process.env.NOPHOOK_PATIENCE ?? 120) * 1000; // for machines that do much else

const [, , names, folder, how, what, ...recording] = process.argv;
const {chromium} = await import(new URL('../../../build/src/playwright-core/index.mjs', import.meta.url));

/** The browser, the server and the files of a scenario. */
class Session {
  constructor(browser, url) {
    this.browser = browser;
    this.url = url;
    this.complaints = [];
    this.contexts = [];
    /** Lines that a scenario expects on the console. @type {RegExp|null} */
    this.expected = null;
    this.folder = folder;
    this.served = how !== undefined;
  }

  /** Opens the page, or another one with the same content. @param {string} hash */
  async open(hash = '', {url = this.url, width = 1400, height = 900, idle = true, ...options} = {}) {
    const context = await this.browser.newContext({viewport: {width, height}, ...options});
    this.contexts.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(kPatience);
    page.on('console', message => {
      if (['error', 'warning'].includes(message.type()) && !this.expected?.test(message.text())) this.complaints.push(message.text());
    });
    page.on('pageerror', error => this.complaints.push(error.stack));
    await page.goto(url + hash);
    await page.waitForFunction(() => document.documentElement.dataset.ready);
    if (idle) await this.idle(page);
    return page;
  }

  /** Waits until nothing is asked for or to be drawn. */
  async idle(page) {
    await page.evaluate(async () => {
      const frame = () => new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)));
      for (let quiet = 0; quiet < 3;) {
        await frame();
        quiet = (document.documentElement.dataset.waiting ?? '0') === '0' ? quiet + 1 : 0;
      }
    });
  }

  state(page) {
    return page.evaluate(() => structuredClone(globalThis.nophook.app.state));
  }

  view(page) {
    return page.evaluate(() => ({...globalThis.nophook.app.view}));
  }

  /** The shade of each pixel of the calls, for comparing pictures. */
  picture(page, id = 'rows') {
    return page.evaluate(id => document.getElementById(id).toDataURL(), id);
  }

  /** How many pixels of a canvas have a colour variable's colour. */
  pixels(page, id, variable) {
    return page.evaluate(([id, variable]) => {
      const hex = getComputedStyle(document.documentElement).getPropertyValue(`--${variable}`).trim();
      const [r, g, b] = [1, 3, 5].map(at => parseInt(hex.slice(at, at + 2), 16)), canvas = document.getElementById(id);
      const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
      let count = 0;
      for (let i = 0; i < data.length; i += 4) if (data[i] === r && data[i + 1] === g && data[i + 2] === b) count++;
      return count;
    }, [id, variable]);
  }

  /** Where a call is on the screen, from the URL's form thread,depth,at. */
  place_of(page, thread, depth, time) {
    return page.evaluate(([thread, depth, time]) => {
      const {app, timeline} = globalThis.nophook, block = app.layout.by_thread.get(thread), box = timeline.canvas.getBoundingClientRect();
      return {x: box.left + timeline.x_of(time), y: box.top + block.top + (depth + 0.5) * block.level_height - timeline.scroll};
    }, [thread, depth, time]);
  }

  /** Waits until something holds of the page's state. */
  until(page, condition, argument) {
    return page.waitForFunction(condition, argument);
  }

  /** A server with a made-up recording. */
  serve(content, behaviour) {
    return serve(kPage, content, behaviour);
  }

  single_page(name, content) {
    const file = path.join(folder, `${name}.html`);
    fs.mkdirSync(folder, {recursive: true});
    fs.writeFileSync(file, single_page(kPage, content));
    return pathToFileURL(file).href;
  }

  /**
   * A picture for the documents: it must be about that of docs/images. If NOPHOOK_SCREENSHOTS names a folder, it is
   * written there instead. A recording that is made again each time has other times: more pixels may differ then.
   */
  async screenshot(page, name, most = kOtherFonts) {
    const file = `view-${name}.png`, folder = process.env.NOPHOOK_SCREENSHOTS, documented = path.join(kImages, file);
    const picture = await page.screenshot(folder ? {path: path.join(folder, file)} : {});
    if (folder || !fs.existsSync(documented)) return;
    const different = await page.evaluate(async texts => {
      const [a, b] = await Promise.all(texts.map(async text => {
        const image = Object.assign(new Image(), {src: `data:image/png;base64,${text}`});
        await image.decode();
        const canvas = Object.assign(document.createElement('canvas'), {width: image.width, height: image.height}), context = canvas.getContext('2d');
        context.drawImage(image, 0, 0);
        return context.getImageData(0, 0, image.width, image.height);
      }));
      if (a.width !== b.width || a.height !== b.height) return 1;
      let count = 0;
      for (let i = 0; i < a.data.length; i += 4)
        if ([0, 1, 2].some(c => Math.abs(a.data[i + c] - b.data[i + c]) > 40)) count++;
      return count / (a.width * a.height);
    }, [picture, fs.readFileSync(documented)].map(bytes => bytes.toString('base64')));
    if (different > most)
      throw new Error(`${(100 * different).toFixed(1)} % of docs/images/${file} differ from the page; NOPHOOK_SCREENSHOTS=docs/images takes it again`);
  }
}

const chosen = names.split(',');
for (const name of chosen)
  if (!scenarios[name]) throw new Error(`no scenario ${name}; there are ${Object.keys(scenarios).join(', ')}`);
const view = how === '--view' ? await start_view(what, ...recording) : null;
const browser = await chromium.launch({
  executablePath: process.env.NOPHOOK_CHROMIUM ?? '/usr/bin/chromium', timeout: kPatience,
  chromiumSandbox: false, // the page is ours, and neither root nor a container can have the sandbox
});
try {
  // The server ends when no page is open: one stays.
  if (view) await (await browser.newPage()).goto(view.url);
  for (const name of chosen) {
    const made_up = scenarios[name].recording ?? 'server';
    const session = new Session(browser, view?.url ?? (how === '--url' ? what : ''));
    if (!session.url) session.url = session.single_page(made_up, await recordings[made_up]());
    await scenarios[name].run(session);
    if (session.complaints.length) throw new Error(`${name}, on the page's console:\n${session.complaints.join('\n')}`);
    await Promise.all(session.contexts.map(context => context.close()));
    console.log(`${name}: passed`);
  }
} finally {
  await browser.close();
}
if (view) console.log(`nophook view ended with status ${await view.end()}`);
