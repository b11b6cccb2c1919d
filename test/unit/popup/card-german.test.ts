/** The card in German, as _locales has it: names of settings too. */
import { expect, it } from 'vitest';
import { LOAD_CAUSES } from '../../../src/core/measure/load-causes.ts';
import { milliseconds } from '../../../src/core/units.ts';
import { speakGerman } from '../../support/german.ts';
import { measures, plain } from '../controls/sample-state.ts';

speakGerman();
// What they say is read when they are loaded.
const { cardView } = await import('../../../src/popup/card-view.ts');

it('names connections and depth in German, in the headline and in the rows', () => {
  const found = { profileId: 'c12-d4', carrier: 'none', change: { gain: 0.42, low: 0.23, high: 0.65 } } as const;
  const { headline, rows } = plain(cardView({ kind: 'confirmed', found, loads: 40 }, { now: 0, page: undefined }));
  expect(headline).toBe('12 Verbindungen mit bis zu 4 Anfragen auf jeder sind hier schneller.');
  expect(rows[0]?.label).toBe('12 Verbindungen mit bis zu 4 Anfragen auf jeder');
});

it('says in German on which network, and why', () => {
  const found = { profileId: 'c12-d1', carrier: 'none', change: { gain: 0.42, low: 0.23, high: 0.65 } } as const;
  const basis = { alpha: 0.05, loads: 22, baselineLoads: 18, passed: 5, tooEarly: 0, warned: 0 };
  const networks = [{ name: 'Zuhause', isGiven: true, loads: 40 }];
  const { figure, why } = plain(cardView({ kind: 'confirmed', found, loads: 40, basis, networks }, { now: 0, page: undefined }));
  expect(figure?.label).toMatch(/ In Ihrem Netz „Zuhause“\.$/);
  const estimated = [{ name: 'RTT 50 ms, 1.5 Mbit/s', isGiven: false, loads: 40 }];
  const unnamed = cardView({ kind: 'confirmed', found, loads: 40, networks: estimated }, { now: 0, page: undefined });
  expect(unnamed.figure?.label).toMatch(/ Im Netz mit RTT 50 ms, 1,5 Mbit\/s \(geschätzt\)\.$/);
  expect(why?.[1]).toMatch(/^22 Aufrufe mit 12 Verbindungen, 18 mit dem Firefox-Standard, zufällig abwechselnd\.$/);
});

it('says in German what took the longest part of a load', () => {
  const found = { profileId: 'c12-d4', carrier: 'none', change: { gain: 0.42, low: 0.23, high: 0.65 } } as const;
  const details = LOAD_CAUSES.map((cause) => {
    const page = { measures, longest: { cause, timeMs: milliseconds(900) } };
    return plain(cardView({ kind: 'confirmed', found, loads: 40 }, { now: 0, page })).page.detail;
  });
  expect(details).toEqual([
    'diese Seite · am längsten: Daten empfangen, 900 ms',
    'diese Seite · am längsten: Verbindungsaufbau, 900 ms',
    'diese Seite · am längsten: Warten auf eine freie Verbindung, 900 ms',
    'diese Seite · am längsten: Warten auf Server, 900 ms',
    'diese Seite · am längsten: kein Netzverkehr, 900 ms',
  ]);
});
