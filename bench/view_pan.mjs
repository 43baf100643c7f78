// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The time that the page of `nophook view` takes to pan and zoom, in headless Chromium:
//   node view_pan.mjs URL STEPS
// Each step is a wheel event on the timeline, as a user sends it, at random places and zooms. It prints JSON: for each
// step the milliseconds from the event to the frame that shows it ("frame"), and to the frame that shows it with all
// that the server has for it ("refined"), and the most rectangles and records of a frame.

const [, , url, steps] = process.argv;
const {chromium} = await import(new URL('../build/src/playwright-core/index.mjs', import.meta.url));
const browser = await chromium.launch({executablePath: process.env.NOPHOOK_CHROMIUM ?? '/usr/bin/chromium', chromiumSandbox: false});
try {
  const page = await browser.newPage({viewport: {width: 1600, height: 900}});
  await page.goto(url);
  await page.waitForFunction(() => document.documentElement.dataset.ready && document.documentElement.dataset.waiting === '0');
  const result = await page.evaluate(async steps => {
    const {app, timeline} = globalThis.nophook, {scroller, canvas} = timeline, result = {frame: [], refined: [], rectangles: 0, records: 0};
    let state = 1;
    const random = () => (state = Math.imul(state, 48271) >>> 0) / 2 ** 32;
    // The page draws in a callback of the same frame, which was asked for earlier.
    const frame = () => new Promise(resolve => requestAnimationFrame(() => resolve(performance.now())));
    const refined = async () => {
      let time = await frame();
      while (document.documentElement.dataset.waiting !== '0') time = await frame();
      return time;
    };
    const wheel = keys => scroller.dispatchEvent(new WheelEvent('wheel', {...keys, bubbles: true, cancelable: true,
      clientX: canvas.getBoundingClientRect().left + random() * canvas.clientWidth, clientY: canvas.getBoundingClientRect().top + 50}));
    const whole = app.duration;
    for (let i = 0; i < steps; i++) {
      if (i % 20 === 0) { // elsewhere
        const span = whole * 10 ** (-5 * random()), from = random() * (whole - span);
        scroller.scrollTop = random() * (scroller.scrollHeight - scroller.clientHeight);
        app.show(from, from + span);
        await refined();
        await refined();
      }
      const begin = performance.now();
      if (random() < 0.5) wheel({ctrlKey: true, deltaY: random() < 0.5 ? -100 : 100});
      else wheel({shiftKey: true, deltaY: (random() < 0.5 ? -1 : 1) * 0.15 * canvas.clientWidth});
      result.frame.push(await frame() - begin);
      result.rectangles = Math.max(result.rectangles, Number(canvas.dataset.rectangles));
      result.refined.push(await refined() - begin);
      result.rectangles = Math.max(result.rectangles, Number(canvas.dataset.rectangles));
      result.records = Math.max(result.records, Number(canvas.dataset.records));
    }
    return result;
  }, Number(steps));
  console.log(JSON.stringify(result));
} finally {
  await browser.close();
}
