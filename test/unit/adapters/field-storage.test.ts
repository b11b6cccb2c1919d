import { expect, it } from 'vitest';
import { readLinkNames, writeLinkName } from '../../../src/adapters/field-storage.ts';
import { useBrowser } from '../../support/browser-global.ts';
import { fakeBrowser } from '../../support/fake-browser.ts';

const HOME = { id: 17, name: 'Home', rttMs: 20, downKbps: 10_000 };
const WORK = { id: 18, name: 'Work', rttMs: 80, downKbps: 2_000 };
/** The network named `Home`, since its first load is gone. */
const link = { id: 240, given: 'Home', rttMs: 22, downKbps: 11_000 };

it('a network has one name, also when its first load is gone', async () => {
  const { storage } = useBrowser(fakeBrowser());
  await storage.local.set({ linkNames: [HOME, WORK] });
  await writeLinkName(link, ' Flat ');
  const flat = { id: 240, name: 'Flat', rttMs: 22, downKbps: 11_000 };
  expect(await readLinkNames()).toEqual([WORK, flat]);
  await storage.local.set({ linkNames: [HOME, WORK] });
  expect(await writeLinkName(link, '')).toEqual([WORK]);
});
