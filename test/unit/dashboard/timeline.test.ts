/** The waterfall on its page: which answer is drawn where several were asked for. */
import { beforeEach, expect, it, vi } from 'vitest';
import { drawChosen, wireTimeline } from '../../../src/dashboard/timeline.ts';
import type { DrawnLoads } from '../../../src/protocol/prediction-answer.ts';
import { english } from '../../support/english.ts';
import { fakePage } from '../../support/fake-page.ts';

const page = fakePage();
const element = page.document.getElementById;

beforeEach(() => {
  for (const [name, global] of Object.entries(page)) vi.stubGlobal(name, global);
  return () => vi.unstubAllGlobals();
});

it('does not draw two loads, asked for before, once one was asked for alone', async () => {
  const answers: ((drawn: DrawnLoads | undefined) => void)[] = [];
  const asked: number[] = [];
  const ask = ({ loads }: { readonly loads: readonly object[] }) => {
    asked.push(loads.length);
    return new Promise((resolve) => answers.push(resolve));
  };
  wireTimeline({ ask } as never);
  const first = drawChosen({ id: 'a', label: 'first' });
  answers.shift()?.(undefined);
  await first;
  await element('timeline-compare').dispatch('click');
  const two = drawChosen({ id: 'b', label: 'second' });
  const alone = element('timeline-alone').dispatch('click');
  expect(asked).toEqual([1, 2, 1]);
  const [ofTwo, ofOne] = answers;
  ofTwo?.(undefined);
  await two;
  // The load alone is still being drawn.
  expect(element('timeline-status').textContent).toBe(english('timeline.drawing'));
  ofOne?.(undefined);
  await alone;
  expect(element('timeline-status').textContent).toBe(english('timeline.gone'));
});
