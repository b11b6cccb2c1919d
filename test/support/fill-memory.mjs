// @ts-check
// Imported by a program before its own: at SIGUSR2 its memory grows, object by object, so that V8 marks what is reached; says `filled`
// on stderr when it grows no more.
import { isMainThread } from 'node:worker_threads';

const OBJECTS = 1_000_000;
const OBJECTS_OF_TURN = 5000;

/** @type {object[]} */
const kept = [];

function fill() {
  for (let count = 0; count < OBJECTS_OF_TURN; count++) kept.push({ at: kept.length, list: [kept.length] });
  if (kept.length < OBJECTS) setTimeout(fill, 1);
  else process.stderr.write('filled\n');
}

if (isMainThread) process.once('SIGUSR2', fill);
