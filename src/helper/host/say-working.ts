/**
 * Says to Firefox, each second, that work on a request is going on. Files are read and written by calls that let nothing else run in this
 * thread, and so it is said by another one.
 */
import { Worker } from 'node:worker_threads';
import { HELPER_PROTOCOL, type HelperProgress } from '../../protocol/helper-messages.ts';
import { frameOf } from './native-frames.ts';

/** Well below what the extension waits (5 s), and rare enough to be nothing beside the work. Our own choice. */
const EVERY_MS = 1_000;
const STDOUT = 1;

/** A frame is far shorter than PIPE_BUF, so that pipe(7) never mixes it with another one. `turn[0]`: the request under way; 0: none. */
const PROGRAM = `
const { parentPort, workerData: { turn, everyMs, fd } } = require('node:worker_threads');
const { writeSync } = require('node:fs');
parentPort.on('message', ({ frame, mine, maxSaid }) => {
  let said = 0;
  const timer = setInterval(() => {
    if (Atomics.load(turn, 0) !== mine || said++ >= maxSaid) return clearInterval(timer);
    try { writeSync(fd, frame); } catch { clearInterval(timer); }
  }, everyMs);
});`;

const turn = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
let turns = 0;
let worker: Worker | undefined;

/** Begins; what it answers ends it, and so do `longestMs`: then the extension says that it takes too long. A thread that cannot be had leaves the work as it is, and unsaid. */
export function sayWorking(nonce: string, longestMs: number): () => void {
  const progress: HelperProgress = { version: HELPER_PROTOCOL, nonce, working: true };
  turns += 1;
  const mine = turns;
  Atomics.store(turn, 0, mine);
  if (worker === undefined) {
    try {
      worker = new Worker(PROGRAM, { eval: true, workerData: { turn, everyMs: EVERY_MS, fd: STDOUT } });
    } catch {
      // The system has no thread left.
      return () => {};
    }
    worker.on('error', () => {});
    worker.unref();
  }
  worker.postMessage({ frame: frameOf(progress), mine, maxSaid: longestMs / EVERY_MS });
  return () => {
    Atomics.store(turn, 0, 0);
  };
}
