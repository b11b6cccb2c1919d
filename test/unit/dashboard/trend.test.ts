/** The trend of a site on its page: what is chosen, and what stands under its heading. */
import { beforeEach, expect, it, vi } from 'vitest';
import { redrawAll } from '../../../src/dashboard/drawn.ts';
import { createTrend } from '../../../src/dashboard/trend.ts';
import type { TrendAnswer } from '../../../src/protocol/history-messages.ts';
import { english } from '../../support/english.ts';
import { type FakeElement, fakePage } from '../../support/fake-page.ts';
import { lastLoad } from '../controls/sample-state.ts';

const LINK = lastLoad.link as TrendAnswer['networks'][number]['link'];
const KNOWN: TrendAnswer = {
  days: [{ day: Date.UTC(2026, 0, 1, 12), loadTimeMs: { median: 500, loads: 3 }, profiles: ['firefox-default'], isTrial: false }],
  networks: [{ link: LINK, loads: 3 }],
  pending: false,
};
/** While networks are inferred anew. */
const INFERRED_ANEW: TrendAnswer = { ...KNOWN, days: [], networks: [], pending: true };

let isReading = true;
let answer: () => Promise<TrendAnswer>;
let asked: (number | undefined)[];

beforeEach(() => {
  for (const [name, global] of Object.entries(fakePage())) vi.stubGlobal(name, global);
  asked = [];
  isReading = true;
  answer = async () => KNOWN;
  return () => vi.unstubAllGlobals();
});

function openTrend() {
  const ask = ({ network }: { readonly network?: number }) => {
    asked.push(network);
    return answer();
  };
  const trend = createTrend({ ask, isReading: () => isReading } as never);
  const find = (id: string, within = trend.section as unknown as FakeElement): FakeElement | undefined =>
    within.id === id ? within : within.children.map((child) => find(id, child)).find((found) => found !== undefined);
  const part = (id: string) => find(id) as FakeElement;
  const [, , status, drawn] = (trend.section as unknown as FakeElement).children;
  return {
    ...trend,
    networks: part('trend-network'),
    heading: part('trend-heading'),
    status: () => status?.textContent,
    isDrawn: () => drawn?.hidden === false,
  };
}

it('keeps the chosen network while networks are inferred anew, and begins with all for another site', async () => {
  const { show, refresh, networks } = openTrend();
  await show({ site: 1, name: 'news.test' });
  networks.value = String(LINK.id);
  await networks.dispatch('change');
  answer = async () => INFERRED_ANEW;
  await refresh();
  expect(networks.value).toBe(String(LINK.id));
  answer = async () => KNOWN;
  await refresh();
  expect(asked).toEqual([undefined, LINK.id, LINK.id, LINK.id]);
  expect(networks.children).toHaveLength(2);
  await show({ site: 2, name: 'shop.test' });
  expect(asked.at(-1)).toBeUndefined();
});

it('shows nothing of the former site where another cannot be read', async () => {
  const { show, heading, isDrawn } = openTrend();
  await show({ site: 1, name: 'news.test' });
  expect(isDrawn()).toBe(true);
  answer = () => Promise.reject(new Error('no disk'));
  await show({ site: 2, name: 'shop.test' });
  expect(heading.textContent).toBe('shop.test');
  expect(isDrawn()).toBe(false);
});

it('says that networks are being read only as long as they are', async () => {
  const { show, status } = openTrend();
  answer = async () => INFERRED_ANEW;
  await show({ site: 1, name: 'news.test' });
  expect(status()).toBe(english('history.reading'));
  isReading = false;
  redrawAll();
  expect(status()).toBe('');
});
