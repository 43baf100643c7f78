// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// flame_graph.mjs FOLDED SVG: draws a flame graph of stacks by d3-flame-graph in Chromium, and writes its SVG.

import fs from 'node:fs';
import {fileURLToPath} from 'node:url';

const kPatience = Number(process.env.NOPHOOK_PATIENCE ?? 120) * 1000; // for machines that do much else
const [, , folded, svg] = process.argv, source = new URL('../../../../build/src/', import.meta.url);
const {chromium} = await import(new URL('playwright-core/index.mjs', source));

const root = {name: 'all', value: 0, children: []};
for (const line of fs.readFileSync(folded, 'utf8').trimEnd().split('\n')) {
  const [, stack, count] = line.match(/^(.*) (\d+)$/);
  let node = root;
  for (const name of stack.split(';')) {
    let child = node.children.find(child => child.name === name);
    if (!child) node.children.push(child = {name, value: 0, children: []});
    node = child;
  }
  node.value += Number(count);
}

const browser = await chromium.launch({
  executablePath: process.env.NOPHOOK_CHROMIUM ?? '/usr/bin/chromium', timeout: kPatience, chromiumSandbox: false,
});
try {
  const page = await browser.newPage(), complaints = [];
  page.on('pageerror', error => complaints.push(error.stack));
  for (const name of ['d3/dist/d3.min.js', 'd3-flame-graph/dist/d3-flamegraph.umd.js'])
    await page.addScriptTag({path: fileURLToPath(new URL(name, source))});
  const drawn = await page.evaluate(root => {
    const {d3} = globalThis, flamegraph = globalThis.flamegraph.flamegraph ?? globalThis.flamegraph.default ?? globalThis.flamegraph;
    const chart = flamegraph().width(100000).selfValue(true).minFrameSize(0).transitionDuration(0);
    d3.select(document.body).append('div').datum(root).call(chart);
    return new XMLSerializer().serializeToString(document.querySelector('svg'));
  }, root);
  if (complaints.length) throw new Error(complaints.join('\n'));
  fs.writeFileSync(svg, drawn);
} finally {
  await browser.close();
}
