/** A database that was emptied behind Plumbfox's back is told apart from one that Plumbfox emptied itself. */

import { beforeEach, describe, expect, it } from 'vitest';
import { createRecordMirror, dismissLoss, forgetMirror, recordLosses } from '../../../src/adapters/record-mirror.ts';
import { useBrowser } from '../../support/browser-global.ts';
import { fakeBrowser } from '../../support/fake-browser.ts';

/** The database as far as the mirror reads it. */
const there: { generation: string | undefined; totals: { loads: number; forgotten?: number } | undefined; newestKey: number | undefined } =
  {
    generation: undefined,
    totals: undefined,
    newestKey: undefined,
  };

const stores = {
  about: {
    get: async () => there.generation,
    put: async (value: string) => {
      there.generation = value;
    },
  },
  totals: { get: async () => there.totals },
  loads: { openKeyCursor: async () => (there.newestKey === undefined ? null : { primaryKey: there.newestKey }) },
};
const transaction = { objectStore: (name: keyof typeof stores) => stores[name] };

const browser = useBrowser(fakeBrowser());
const { checkRecords } = createRecordMirror({
  withRecords: async (work) => work({ transaction: () => transaction } as never),
  writeRecords: async (_, work) => work(transaction as never),
  trimRecords: async () => true,
});

beforeEach(() => {
  browser.storage.local.held.clear();
  Object.assign(there, { generation: undefined, totals: { loads: 5 }, newestKey: 5 });
});

describe('the mirror of the records', () => {
  it('misses nothing where it sees them for the first time, nor where loads are added', async () => {
    await checkRecords();
    there.totals = { loads: 9 };
    await checkRecords();
    expect((await recordLosses()).recordLoss).toBeUndefined();
  });

  it.each([
    ['a database that was made anew', { generation: undefined, totals: undefined, newestKey: undefined }, 5],
    ['a new one that has loads again', { generation: 'another', totals: { loads: 2 }, newestKey: 2 }, 5],
    ['the same with fewer loads', { totals: { loads: 3 } }, 2],
  ])('notes the loss in %s, once, whoever asks at the same time', async (_, now, loads) => {
    await checkRecords();
    Object.assign(there, now);
    await Promise.all([checkRecords(), checkRecords(), checkRecords()]);
    expect((await recordLosses()).recordLoss).toMatchObject({ loads });
    await checkRecords();
    expect((await recordLosses()).recordLoss).toMatchObject({ loads });
  });

  it('adds a second loss to one that has not been read of, and forgets one that has', async () => {
    await checkRecords();
    there.totals = { loads: 3 };
    await checkRecords();
    there.totals = { loads: 2 };
    await checkRecords();
    expect((await recordLosses()).recordLoss).toMatchObject({ loads: 3 });
    await dismissLoss();
    await checkRecords();
    expect((await recordLosses()).recordLoss).toBeUndefined();
  });

  it('misses none that Plumbfox let go of itself, nor those of records that were reset', async () => {
    await checkRecords();
    there.totals = { loads: 1, forgotten: 4 };
    await checkRecords();
    there.totals = { loads: 0, forgotten: 5 };
    await checkRecords();
    await forgetMirror();
    Object.assign(there, { generation: undefined, totals: undefined, newestKey: undefined });
    await checkRecords();
    expect((await recordLosses()).recordLoss).toBeUndefined();
  });

  it('takes what it cannot read for nothing', async () => {
    browser.storage.local.held.set('recordMirror', { loads: 'many' });
    browser.storage.local.held.set('recordLoss', 7);
    await checkRecords();
    expect((await recordLosses()).recordLoss).toBeUndefined();
  });
});
