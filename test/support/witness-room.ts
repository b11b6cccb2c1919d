/**
 * The tests of one room of witnesses: each preference changes what is counted, as stated, and nothing changes where it is not set.
 * PLUMBFOX_WITNESS=TEXT runs only those of preferences whose name has the text in it; PLUMBFOX_DEBUG=1 prints every count.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WITNESSES, type WitnessRoom } from '../../src/core/profiles/witnesses.ts';
import { findFirefox } from '../../src/lab/firefox/find-firefox.ts';
import { makeCertificates } from '../../src/lab/origin/certificates.ts';
import { differsAsStated, isEqual, type MeasureDeps, measureWitness, type WitnessCounts } from '../../src/lab/witness/measure-witness.ts';
import { witnessBrowser } from '../../src/lab/witness/witness-browser.ts';

export function witnessRoom(room: WitnessRoom): void {
  const only = process.env.PLUMBFOX_WITNESS;
  const witnesses = WITNESSES.filter((witness) => witness.room === room && (only === undefined || witness.preference.includes(only)));
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
      const { counts } = await measureWitness(witness, { ...deps, setting: 'set' });
      if (process.env.PLUMBFOX_DEBUG) process.stderr.write(`${witness.preference} ${witness.values}: ${counts}\n`);
      expect(differsAsStated(witness, counts), `${witness.preference} counted ${counts}`).toBe(true);
    });

    it('no count differs where the preference is not set', async () => {
      // Where nothing is set, witnesses of one scenario are one.
      const unset = new Map<string, WitnessCounts['counts']>();
      const differing: string[] = [];
      for (const witness of witnesses) {
        const counts = unset.get(witness.scenario) ?? (await measureWitness(witness, { ...deps, setting: 'skip' })).counts;
        unset.set(witness.scenario, counts);
        if (process.env.PLUMBFOX_DEBUG) process.stderr.write(`skip ${witness.preference}: ${counts}\n`);
        if (!isEqual(witness, counts)) differing.push(`${witness.preference} counted ${counts}`);
      }
      expect(differing).toEqual([]);
    });
  });
}
