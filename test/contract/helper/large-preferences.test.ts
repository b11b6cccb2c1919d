/** A prefs.js of a profile used for years, and filled by its extensions: 18.7 MB were seen. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findProfile } from '../../../src/core/profiles/presets.ts';
import { openProfile } from '../../../src/helper/profile/profile-changes.ts';

const BYTES = 18_700_000;
/**
 * Held against what a processor needs to read the text so often, a character at a time: processors differ, and a busy one is slower. Ten readings
 * took 0.9 s where applying and taking back took 1.7 and 2.5 s (measured); 11.4 s of it were the fault.
 */
const READINGS = 10;
const MOST_OF_READING = 6;

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'plumbfox-large-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** Of this process, whatever else the machine does. */
async function processorMs(work: () => unknown): Promise<number> {
  const began = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
}

/** What comes of it is used, so that it is done. */
function readThrough(text: string, times: number): void {
  let sum = 0;
  for (let time = 0; time < times; time++) for (let at = 0; at < text.length; at++) sum = (sum * 31 + text.charCodeAt(at)) | 0;
  expect(sum).toBeTypeOf('number');
}

const line = (at: number) => `user_pref("extensions.one.number.${at}", "${'v'.repeat(40)}");\n`;
it.each([
  ['many lines', Array.from({ length: Math.ceil(BYTES / line(100_000).length) }, (_, at) => line(at)).join('')],
  ['one long line', `user_pref("extensions.one", "${'{\\"a\\":1},'.repeat(BYTES / 9)}");\n`],
])('of %s it is applied and taken back within the time that a person waits', { timeout: 300_000 }, async (_, text) => {
  const before = `// Mozilla User Preferences\nuser_pref("browser.a", 1);\n${text}user_pref("network.http.max-connections", 333);\n`;
  expect(before.length).toBeGreaterThan(BYTES * 0.9);
  writeFileSync(join(directory, 'prefs.js'), before, 'latin1');
  const changes = await openProfile(directory, { now: () => 0, systemPolicies: join(directory, 'none') });
  const reading = await processorMs(() => readThrough(before, READINGS));
  const work = await processorMs(async () => {
    await changes.apply(findProfile('betterfox') ?? expect.fail());
    await changes.revert();
  });
  expect(work / reading).toBeLessThan(MOST_OF_READING);
  expect(readFileSync(join(directory, 'prefs.js'), 'latin1') === before).toBe(true);
});
