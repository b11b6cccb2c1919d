/** The section of sites and networks on its page, when what it waits for cannot be read. */
import { afterEach, expect, it, vi } from 'vitest';
import { redrawAll } from '../../../src/dashboard/drawn.ts';
import { createSites } from '../../../src/dashboard/sites.ts';
import { english } from '../../support/english.ts';
import { type FakeElement, fakePage } from '../../support/fake-page.ts';
import { plain } from '../controls/sample-state.ts';

afterEach(() => vi.unstubAllGlobals());

it('no longer says that it reads once that has failed', async () => {
  const page = fakePage();
  for (const [name, global] of Object.entries(page)) vi.stubGlobal(name, global);
  let isReading = true;
  const answer = { rows: [], total: 3, unnamed: { sites: 0, loads: 0 }, pending: true };
  const refresh = createSites({ ask: async () => answer, isReading: () => isReading } as never);
  await refresh();
  const status = () => {
    const { children } = page.document.getElementById('sites-body');
    return plain((children.find(({ id }) => id === 'sites-status') as FakeElement).textContent);
  };
  const shown = english('sites.shown', { shown: 0, all: english('sites.count.site', { count: 3 }) });
  expect(status()).toBe(`${shown} ${english('history.reading')}`);
  isReading = false;
  redrawAll();
  expect(status()).toBe(shown);
});
