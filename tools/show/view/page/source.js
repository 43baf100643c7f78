// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The questions that the page asks of a recording. A recording of a billion events does not fit into a browser, and
// a page that a colleague opens from a mail has no server. So every question goes through the interface Source,
// which has two implementations: RemoteSource asks `nophook view`, EmbeddedSource answers from calls inside the
// page.
//
// Times are nanoseconds from the recording's first event, or numbers of events if the recording has no clock.

/**
 * @typedef {object} Thread
 * @property {number} id
 * @property {number} process index into Recording.processes
 * @property {number} pid
 * @property {number} tid
 * @property {string} name
 * @property {number} depth number of levels of calls
 * @property {number} calls
 * @property {number} events
 * @property {number} first
 * @property {number} last
 * @property {number} lost events that were lost
 * @property {boolean} ended
 */

/**
 * @typedef {object} Recording
 * @property {number} format
 * @property {string} name
 * @property {string} command
 * @property {string} tracer
 * @property {string} clock
 * @property {'ns'|'events'} unit
 * @property {number} duration
 * @property {number} events
 * @property {number} calls
 * @property {number} lost
 * @property {number} overwritten
 * @property {string} damage empty, or what is wrong with the file
 * @property {string[]} [notes] what the user should know of the names
 * @property {string} [index_error] why there is no index
 * @property {number} indexed share of the recording that has been read, 0 to 1
 * @property {number} [functions] how many functions have been met so far
 * @property {{index: number, pid: number, name: string}[]} processes
 * @property {Thread[]} threads
 * @property {{calls: number, from: number, to: number, values?: number}} [left_out] of a single page
 * @property {string} [other] the name of a second recording to compare with; empty: there is none
 */

/** @typedef {{short: string[], full: string[], file: string[], module: string[]}} Functions */

/** @typedef {{from: number, to: number, threads?: number[]|null}} Range */

/** @typedef {{marks: {thread: number, time: number, text: string}[],
 *             losses: {thread: number, from: number, to: number, events: number}[],
 *             ends: {thread: number, time: number}[], left_out: number}} Events */

/**
 * @typedef {object} Call
 * @property {number} function
 * @property {number|null} begin
 * @property {number|null} end
 * @property {string} how
 * @property {number} own
 * @property {string[]} arguments
 * @property {string} result
 * @property {number|null} cpu
 * @property {{function: number, begin: number|null, depth: number}[]} callers outermost first
 * @property {number|null} calls direct callees
 * @property {string} [file] "a.cpp:12"
 */

/** @typedef {{function: number, calls: number, total: number, own: number, p50: number, p90: number, p99: number,
 *             max: number, histogram: [number, number][]}} TableRow */

/** @typedef {{function: number[], parent: number[], calls: number[], total: number[], own: number[]}} Tree */

/** @typedef {{thread: number, depth: number, begin: number, duration: number, function: number}} SlowCall */

/**
 * Times are those within the selection; the calls that are counted end within it.
 * @typedef {{covered: number, table: TableRow[], tree: Tree, slowest: SlowCall[]}} SelectionAnswer
 */

/**
 * The second recording, whole.
 * @typedef {{recording: Recording, functions: Functions, selection: SelectionAnswer}} Other
 */

/**
 * Calls that begin between two times; null: a part that may have some and was not looked at.
 * @typedef {[thread: number, from: number, to: number, calls: number|null]} Hit
 */

/**
 * Hits have one order: by time, thread and depth. Without a thread, in front of all of that time.
 * @typedef {{at: number, thread?: number, depth?: number}} HitPlace
 */

/**
 * @interface Source
 * @typedef {object} Source
 * @property {() => Promise<Recording>} recording
 * @property {() => Promise<Functions>} functions
 * @property {(range: Range & {columns: number, depths: number}) => Promise<import('./rows.js').Rows>} rows
 * @property {(range: Range & {limit?: number}) => Promise<Events>} events
 * @property {(thread: number, depth: number, at: number) => Promise<Call|null>} call
 * @property {(name: string, limit: number) => Promise<{functions: {function: number, calls: number, total: number}[], left_out: number}>} search
 * @property {(range: Range & {functions: number[], columns: number}) => Promise<{spans: Hit[], left_out: number}>} hits
 * @property {(asked: {functions: number[], place: HitPlace, forward: boolean}) => Promise<{thread: number, depth: number, at: number}|null>} hit
 *   the first hit behind a place, or the last one before it
 * @property {(range: Range & {function?: number|null}) => Promise<SelectionAnswer>} selection
 * @property {() => Promise<Other|null>} other
 * @property {(when_gone: () => void) => void} alive calls back when the server has ended
 */

/** An answer that a source cannot give. `gone` means that the server does not answer at all. */
export class SourceError extends Error {
  /** @param {string} message @param {boolean} gone */
  constructor(message, gone = false) {
    super(message);
    this.gone = gone;
  }
}
