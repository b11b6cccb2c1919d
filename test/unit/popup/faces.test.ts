/** The card and the sentence of welcome tab, More and dashboard are made of one answer: no figure of the one is missing from the other. */
import { expect, it } from 'vitest';
import { dashboardStateOf } from '../../../src/background/page-state.ts';
import { cardState } from '../../../src/core/answer/card.ts';
import { cardInput } from '../../../src/popup/card-input.ts';
import { cardView } from '../../../src/popup/card-view.ts';
import { type PredictionStanding, shownAnswer } from '../../../src/protocol/prediction-answer.ts';
import { dashboardAnswer } from '../../../src/views/answer-view.ts';
import { useBrowser } from '../../support/browser-global.ts';
import { endedTrial, FASTER, NOW, PREDICTED, popupState } from '../controls/sample-state.ts';

useBrowser({ runtime: { id: 'plumbfox@test' } });

const changesIn = (text: string): readonly string[] => [...text.matchAll(/[+−]\d+(?:\.\d+)?/g)].map(([change]) => change);
const PAGES = /\d+(?: of \d+)? recent pages(?: \(\d+ could not be simulated\))?/;

/** @returns What both say. */
function faces(prediction: PredictionStanding, state = popupState({ loads: 9, trial: endedTrial(undefined) })) {
  const answer = shownAnswer(state, prediction);
  const known = {
    state,
    facts: {},
    answer,
    prediction,
    helper: undefined,
    compared: undefined,
    lengths: undefined,
    refusedLocked: undefined,
  };
  const view = cardView(cardState(cardInput(known)), { now: NOW, page: undefined });
  const card = JSON.stringify(view).replaceAll('\u00a0', ' ');
  const { sentence } = dashboardAnswer(dashboardStateOf(state, { live: true }), prediction);
  return { card, kind: view.kind, sentence: sentence.replaceAll('\u00a0', ' ') };
}

const recommended = { id: 'c8-d1', change: { gain: 0.2, low: 0.016, high: 0.4 } };
const row = { id: 'c8-d1', loadTimeMs: 900, ratio: 1.2, ratioBand: { low: 1.016, high: 1.4 }, bound: 'queue-wait' as const };
const { recommended: _, ...UNSURE } = PREDICTED;

it.each<[string, PredictionStanding, string]>([
  // The first answer of three sites, with nine loads: the card said "Browse as usual. 9 of 20".
  ['a gain', { ...PREDICTED, recommended, rows: [row] }, 'predicted'],
  [
    'a gain on some of the pages, of the network before',
    { ...PREDICTED, recommended, rows: [row], outside: 8, isFormer: true },
    'predicted',
  ],
  ['a gain predicted before the newest loads', { ...PREDICTED, recommended, rows: [row], loadsSince: 2 }, 'predicted'],
  ['nothing to gain', { ...UNSURE, atMost: 0.01, outside: 8 }, 'nothing-to-gain'],
  ['nothing that is sure', { ...UNSURE, atMost: 0.0942 }, 'nothing-to-gain'],
  ['a gain on one of three pages', { ...PREDICTED, recommended, rows: [row], pages: 1, outside: 2 }, 'predicted'],
])('%s is said alike', (_, prediction, kind) => {
  const said = faces(prediction);
  expect(said.kind).toBe(kind);
  for (const change of changesIn(said.sentence)) expect(said.card).toContain(change);
  const atMost = /at most ([\d.]+ %)/.exec(said.sentence)?.[1];
  if (atMost !== undefined) expect(said.card).toContain(`≤ ${atMost}`);
  expect(said.card).toContain(PAGES.exec(said.sentence)?.[0]);
  for (const limit of said.sentence.match(/(?:You are on|Predicted before)[^.]*\./g) ?? []) expect(said.card).toContain(limit);
});

it('no answer is none on either, and says why on both', () => {
  for (const why of ['link-not-known', 'no-loads'] as const) expect(faces({ state: why }).kind).toBe('fresh');
  const { card, sentence } = faces({ state: 'link-not-known' });
  expect(card).toContain(sentence);
});

it('a trial’s verdict has the same figures, also when its settings are applied', () => {
  const trial = endedTrial({ from: 'trial', state: 'confirmed', ...FASTER, loads: 40 });
  const before = faces(PREDICTED, popupState({ trial }));
  expect(changesIn(before.sentence).length).toBeGreaterThan(1);
  for (const change of changesIn(before.sentence)) expect(before.card).toContain(change);
  const preferences = [{ name: 'network.http.max-connections', intended: 4, found: 4, locked: false }];
  const live = { applied: { profileId: FASTER.profileId, preferences, since: NOW - 60_000 }, canRevert: true };
  const applied = faces(PREDICTED, popupState({ trial, live }));
  expect(applied.kind).toBe('applied');
  for (const change of changesIn(applied.sentence)) expect(applied.card).toContain(change);
});
