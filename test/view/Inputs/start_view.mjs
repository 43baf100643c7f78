// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import {spawn} from 'node:child_process';

/** Starts `nophook view` without a browser; it prints its address. @param {string} nophook @param {string[]} recording and options */
export async function start_view(nophook, ...recording) {
  const child = spawn(nophook, ['view', '--no-open', '--port', '0', ...recording], {stdio: ['ignore', 'pipe', 'inherit']});
  const ended = new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(signal ?? code));
  });
  const url = await new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', part => {
      text += part;
      const found = /http:\/\/\S+/.exec(text);
      if (found && text.includes('\n')) resolve(found[0]);
    });
    ended.then(status => reject(new Error(`nophook view ended with ${status} and printed: ${text}`)), reject);
  });
  return {
    url,
    /** Waits until it ends by itself, as it does when no page is open. */
    end: () => ended,
    /** Ends it as Ctrl-C does. */
    stop: () => {
      child.kill('SIGINT');
      return ended;
    },
  };
}
