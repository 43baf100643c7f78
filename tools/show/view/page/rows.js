// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows are what the timeline draws: a record is one call, or the calls of one pixel column merged. The bytes are those
// of `api/rows`: a header of 32 bytes and records of 32 bytes, little endian.

const kMagic = 0x5752504e;
const kBytes = 32;

/** Bits of a record's flags. */
export const kOneCall = 1;
export const kBeginUnknown = 2;
export const kOpen = 4;
export const kLeft = 8;
export const kInstant = 16; // an entry without a duration
export const kLonger = 32; // longer than its duration, of which no more was read

/**
 * Columns of the records, in the order in which they came.
 * @typedef {object} Rows
 * @property {number} count
 * @property {number} from
 * @property {number} to
 * @property {number} width nanoseconds a pixel column
 * @property {Uint32Array} thread
 * @property {Uint16Array} depth
 * @property {Uint8Array} flags
 * @property {Uint8Array} busy 255: calls fill the whole time
 * @property {Uint32Array} function
 * @property {Uint32Array} calls
 * @property {Float64Array} start
 * @property {Float64Array} duration
 */

/** @typedef {{thread: number, depth: number, flags: number, busy: number, function: number, calls: number,
 *             start: number, duration: number}} Row */

/** @param {ArrayBuffer} bytes @returns {Rows} */
export function decode_rows(bytes) {
  const view = new DataView(bytes);
  if (bytes.byteLength < kBytes || view.getUint32(0, true) !== kMagic)
    throw new Error('the rows do not begin with their magic number');
  const count = view.getUint32(4, true);
  if (bytes.byteLength < kBytes * (count + 1))
    throw new Error(`${count} rows were announced, ${Math.floor(bytes.byteLength / kBytes) - 1} came`);
  const rows = {
    count, from: view.getFloat64(8, true), to: view.getFloat64(16, true), width: view.getFloat64(24, true),
    thread: new Uint32Array(count), depth: new Uint16Array(count), flags: new Uint8Array(count),
    busy: new Uint8Array(count), function: new Uint32Array(count), calls: new Uint32Array(count),
    start: new Float64Array(count), duration: new Float64Array(count),
  };
  for (let i = 0, at = kBytes; i < count; i++, at += kBytes) {
    rows.thread[i] = view.getUint32(at, true);
    rows.depth[i] = view.getUint16(at + 4, true);
    rows.flags[i] = view.getUint8(at + 6);
    rows.busy[i] = view.getUint8(at + 7);
    rows.function[i] = view.getUint32(at + 8, true);
    rows.calls[i] = view.getUint32(at + 12, true);
    rows.start[i] = view.getFloat64(at + 16, true);
    rows.duration[i] = view.getFloat64(at + 24, true);
  }
  return rows;
}

/** @param {{from: number, to: number, width: number}} window @param {Row[]} records @returns {ArrayBuffer} */
export function encode_rows(window, records) {
  const bytes = new ArrayBuffer(kBytes * (records.length + 1));
  const view = new DataView(bytes);
  view.setUint32(0, kMagic, true);
  view.setUint32(4, records.length, true);
  view.setFloat64(8, window.from, true);
  view.setFloat64(16, window.to, true);
  view.setFloat64(24, window.width, true);
  records.forEach((record, i) => {
    const at = kBytes * (i + 1);
    view.setUint32(at, record.thread, true);
    view.setUint16(at + 4, record.depth, true);
    view.setUint8(at + 6, record.flags);
    view.setUint8(at + 7, record.busy);
    view.setUint32(at + 8, record.function, true);
    view.setUint32(at + 12, record.calls, true);
    view.setFloat64(at + 16, record.start, true);
    view.setFloat64(at + 24, record.duration, true);
  });
  return bytes;
}

/** @param {Rows} rows @param {number} i @returns {Row} */
export function row(rows, i) {
  return {
    thread: rows.thread[i], depth: rows.depth[i], flags: rows.flags[i], busy: rows.busy[i],
    function: rows.function[i], calls: rows.calls[i], start: rows.start[i], duration: rows.duration[i],
  };
}

/** The records of one thread and depth, by start. @param {Rows} rows @returns {Map<number, number[]>} */
export function by_lane(rows) {
  const lanes = new Map();
  for (let i = 0; i < rows.count; i++) {
    const key = lane_key(rows.thread[i], rows.depth[i]);
    const lane = lanes.get(key);
    if (lane) lane.push(i);
    else lanes.set(key, [i]);
  }
  for (const lane of lanes.values()) lane.sort((a, b) => rows.start[a] - rows.start[b]);
  return lanes;
}

/** @param {number} thread @param {number} depth */
export const lane_key = (thread, depth) => thread * 65536 + depth;

/**
 * The record of a lane at a time, or the nearest within `slack`; -1 if there is none.
 * @param {Rows} rows @param {number[]|undefined} lane @param {number} time @param {number} slack
 */
export function at_time(rows, lane, time, slack = 0) {
  if (!lane) return -1;
  let low = 0, high = lane.length; // the first record that starts after `time`
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows.start[lane[middle]] <= time) low = middle + 1;
    else high = middle;
  }
  const before = low > 0 ? lane[low - 1] : -1, after = low < lane.length ? lane[low] : -1;
  const past = before < 0 ? Infinity : Math.max(0, time - rows.start[before] - rows.duration[before]);
  const ahead = after < 0 ? Infinity : rows.start[after] - time;
  if (past === 0) return before;
  if (Math.min(past, ahead) > slack) return -1;
  return past <= ahead ? before : after;
}
