/**
 * The tests of one room of witnesses: each preference changes what is counted, as stated, and nothing changes where it is not set.
 * A normal run takes every second witness, and of their scenarios in which nothing is set every second one; PLUMBFOX_FULL=1 takes all.
 * PLUMBFOX_WITNESS=TEXT runs only those of preferences whose name has the text in it; PLUMBFOX_DEBUG=1 prints every count.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WITNESSES, type Witness, type WitnessRoom } from '../../src/core/profiles/witnesses.ts';
import { findFirefox } from '../../src/lab/firefox/find-firefox.ts';
import { makeCertificates } from '../../src/lab/origin/certificates.ts';
import { differsAsStated, isEqual, type MeasureDeps, measuredAs, measureWitness } from '../../src/lab/witness/measure-witness.ts';
import { witnessBrowser } from '../../src/lab/witness/witness-browser.ts';

const FULL = process.env.PLUMBFOX_FULL === '1' || process.env.PLUMBFOX_WITNESS !== undefined;

/** For people: `2 and 6, then 2 and 7`. */
export const describeCounts = (measured: readonly (readonly number[])[]): string =>
  measured.map((counts) => counts.join(' and ')).join(', then ');

/** What had to be measured again is printed, so that nobody takes a restless witness for a steady one. */
export function reportCounts(what: string, measured: readonly (readonly number[])[]): void {
  if (process.env.PLUMBFOX_DEBUG || measured.length > 1) process.stderr.write(`${what}: ${describeCounts(measured)}\n`);
}

export function witnessRoom(room: WitnessRoom): void {
  const only = process.env.PLUMBFOX_WITNESS;
  const witnesses = WITNESSES.filter(
    (witness) => witness.room === room && (only === undefined || witness.preference.includes(only)),
  ).filter((_, at) => FULL || at % 2 === 0);
  let folder: string;
  let deps: Omit<MeasureDeps, 'setting'>;
  beforeAll(async () => {
    const firefox = await findFirefox();
    if (firefox === undefined) throw new Error('No Firefox was found');
    folder = await mkdtemp(join(tmpdir(), 'plumbfox-witness-'));
    const { files, authority } = await makeCertificates(folder, ['127.0.0.1', '*.witness.test']);
    const [key, cert] = await Promise.all([readFile(files.keyPath, 'utf8'), readFile(files.certificatePath, 'utf8')]);
    deps = { browser: await witnessBrowser({ program: firefox.path, authority }), certificate: { key, cert } };
  });
  afterAll(async () => {
    await deps?.browser.close();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  describe(`witnesses of ${room}`, () => {
    it.each(witnesses)('$preference: $values count $direction $counts', async (witness) => {
      const { isAsExpected, measured } = await measuredAs(
        () => measureWitness(witness, { ...deps, setting: 'set' }),
        (counts) => differsAsStated(witness, counts),
      );
      reportCounts(`${witness.preference} ${witness.values}`, measured);
      expect(isAsExpected, `${witness.preference} counted ${describeCounts(measured)}`).toBe(true);
    });

    it('no count differs where the preference is not set', async () => {
      const differing: string[] = [];
      for (const alike of scenarioWitnesses(witnesses).filter((_, at) => FULL || at % 2 === 0)) {
        const [witness] = alike;
        const { isAsExpected, measured } = await measuredAs(
          () => measureWitness(witness, { ...deps, setting: 'skip' }),
          (counts) => alike.every((one) => isEqual(one, counts)),
        );
        reportCounts(`skip ${witness.preference}`, measured);
        if (!isAsExpected) differing.push(`${witness.preference} counted ${describeCounts(measured)}`);
      }
      expect(differing).toEqual([]);
    });
  });
}

/** Where nothing is set, witnesses of one scenario are one: they are measured together. */
function scenarioWitnesses(witnesses: readonly Witness[]): readonly (readonly [Witness, ...Witness[]])[] {
  const scenarios = new Map<string, [Witness, ...Witness[]]>();
  for (const witness of witnesses) {
    const alike = scenarios.get(witness.scenario);
    if (alike) alike.push(witness);
    else scenarios.set(witness.scenario, [witness]);
  }
  return [...scenarios.values()];
}
