/** The card in words: numbers with their unit, interval and number of loads, and `predicted` where it is. */
import { describe, expect, it } from 'vitest';
import type { PredictedFaster } from '../../../src/core/answer/answer.ts';
import type { CardState } from '../../../src/core/answer/card.ts';
import { milliseconds } from '../../../src/core/units.ts';
import { cardView } from '../../../src/popup/card-view.ts';
import { measures, NOW, plain } from '../controls/sample-state.ts';

const LONGEST = { cause: 'queue-wait', timeMs: milliseconds(900) } as const;
const view = (state: CardState) => plain(cardView(state, { now: NOW, page: { measures, efficiency: 0.46, longest: LONGEST } }));
const FOUND = { profileId: 'c12-d1', carrier: 'none', change: { gain: 0.42, low: 0.23, high: 0.65 } } as const;

/**
 * The scale of report.html: logarithmic, from a tenth slower (1 / 1.1), or less, to the highest figure, each end 2 % further, within 4 to 96 % of the
 * width.
 */
const onScale = (highest: number) => (ratio: number) =>
  0.04 + (0.92 * Math.log(ratio * 1.1 * 1.02)) / Math.log(1.1 * 1.02 * highest * 1.02);

describe('the answer', () => {
  it('proven: gain, interval, loads, and a row beside the own settings of Firefox', () => {
    const { headline, figure, rows, zero, button } = view({ kind: 'confirmed', found: FOUND, loads: 40 });
    expect(headline).toBe('12 connections are faster here.');
    expect(figure).toEqual({ value: '+42 %', label: '+23 % to +65 %, proven on 40 new page loads against Firefox’s own settings.' });
    const at = onScale(1.65);
    expect(zero).toBeCloseTo(at(1), 10);
    expect(rows[0]).toMatchObject({ id: 'c12-d1', label: '12 connections', isAhead: true });
    expect(rows[0]).not.toHaveProperty('goesOn');
    expect([rows[0]?.from, rows[0]?.at, rows[0]?.to].map((place) => place?.toFixed(9))).toEqual(
      [1.23, 1.42, 1.65].map((ratio) => at(ratio).toFixed(9)),
    );
    expect(rows.at(-1)).toMatchObject({ value: 'baseline', at: zero });
    expect(button).toEqual({ action: 'apply', label: 'Apply', isPrimary: true });
  });

  it('proven: on which network, and "Why?" says how sure it is, on how many page loads, by which checks', () => {
    const basis = { alpha: 0.05, loads: 22, baselineLoads: 18, passed: 4, tooEarly: 1, warned: 0 };
    const home = { name: 'Home', isGiven: true, loads: 40 };
    const confirmed = { kind: 'confirmed', found: FOUND, loads: 40, basis } as const;
    const { figure, why } = view({ ...confirmed, networks: [home, { name: 'Office', isGiven: true, loads: 4 }] });
    expect(figure?.label).toMatch(/ On your network “Home”\.$/);
    expect(why).toEqual([
      'In 95 % of such trials the real gain lies within the interval, however often you look.',
      '22 page loads with 12 connections, 18 with Firefox’s own settings, in random turns.',
      'No check failed (4 passed and 1 needs more pages).',
    ]);
    // 40 of 45 are less than nine in ten.
    const several = view({ ...confirmed, networks: [home, { name: 'Office', isGiven: true, loads: 5 }] });
    expect(several.figure?.label).toMatch(/ On 2 networks, mostly Home\.$/);
    const unnamed = view({ ...confirmed, networks: [{ name: 'RTT 40 ms, 20 Mbit/s', isGiven: false, loads: 40 }] });
    expect(unnamed.figure?.label).toMatch(/ On the network with RTT 40 ms, 20 Mbit\/s \(estimated\)\.$/);
    expect(view({ kind: 'confirmed', found: FOUND, loads: 40 })).not.toHaveProperty('why');
  });

  it('not faster: nothing is drawn as ahead, though its interval lies above no change', () => {
    const found = { profileId: 'c8-d1', carrier: 'none', change: { gain: 0.01, low: 0.004, high: 0.018 } } as const;
    const rowsOf = (answer: Extract<CardState, { kind: 'not-faster' }>['answer']) =>
      view({ kind: 'not-faster', answer }).rows.map(({ isAhead }) => isAhead);
    expect(rowsOf({ from: 'trial', state: 'no-difference', loads: 90, within: 0.03, ...found })).toEqual([false, false]);
    expect(rowsOf({ from: 'trial', state: 'open', loads: 90, closest: found })).toEqual([false, false]);
  });

  it('predicted: says so, and how long a proof takes', () => {
    const { figure, rows, button } = view({
      kind: 'predicted',
      profileId: 'c16-d1',
      change: { gain: 0.09, low: 0.04, high: 0.14 },
      pages: 38,
      rows: [{ profileId: 'c16-d1', change: { gain: 0.09, low: 0.04, high: 0.14 } }],
      proof: { state: 'days', days: 12, loads: 246 },
    });
    expect(figure?.value).toBe('≈ +9 %');
    expect(figure?.label).toBe('faster than Firefox’s own settings (+4 % to +14 %), predicted for 38 recent pages.');
    expect(rows[0]).toMatchObject({ value: '≈ +9 %', detail: '+4 % to +14 %, predicted' });
    expect(button.label).toBe('Prove it: about 12 days');
  });

  it('says what is left to do where there can be no helper app, and what can be done without a proof', () => {
    const missing = view({ kind: 'helper-missing', found: FOUND, loads: 40 });
    const manual = view({ kind: 'manual-step', found: FOUND, loads: 40 });
    expect(missing.hint).toMatch(/Install the helper app/);
    expect(manual).toEqual({
      ...missing,
      kind: 'manual-step',
      hint: 'Firefox for Android has no helper app: change the setting yourself, step by step.',
      button: { action: 'see-manual', label: 'Show me how', isPrimary: true },
    });
    const { change } = FOUND;
    const predicted = { kind: 'predicted', profileId: 'c12-d1', change, pages: 12, rows: [] } as const;
    const unproven = view({ ...predicted, proof: { state: 'restarts', restarts: 106 }, isManual: true });
    expect(unproven.hint).toBe(
      'A proof here would take 106 restarts of Firefox. You can still change the setting yourself and see whether pages get faster.',
    );
    expect(unproven.button).toMatchObject({ action: 'see-manual', label: 'Show me how' });
  });

  it('predicted: why another is not recommended whose figure is higher', () => {
    const row = (profileId: string, gain: number, low: number, high: number) => ({ profileId, change: { gain, low, high } });
    const rows = [row('c16-d1', 0.09, 0.04, 0.14), row('c20-d1', 0.11, 0.06, 0.16), row('c32-d1', 0.12, -0.1, 0.4)];
    const predicted = {
      kind: 'predicted',
      ...row('c16-d1', 0.09, 0.04, 0.14),
      pages: 38,
      rows,
      proof: { state: 'loads', loads: 246 },
    } as const;
    const said = (faster: PredictedFaster) => view({ ...predicted, rows: rows.slice(0, 1), faster }).sentences;
    expect(said({ profileId: 'c20-d1', why: 'dearer' })).toEqual(['Others are less than 3 % faster still, and cost more.']);
    expect(said({ profileId: 'c32-d1', why: 'unsure' })).toEqual(['Others may be faster still, but not for sure.']);
  });

  it('predicted in the first day: a proof is offered by its page loads, and says when its days are known', () => {
    const change = { gain: 0.09, low: 0.04, high: 0.14 };
    const predicted = { kind: 'predicted', profileId: 'c16-d1', change, pages: 3, rows: [] } as const;
    const { button, hint } = view({ ...predicted, proof: { state: 'loads', loads: 246 } });
    expect(button).toMatchObject({ action: 'prove', label: 'Prove it: about 246 page loads' });
    // What a trial does to Firefox is said before it begins.
    expect(hint).toBe('Firefox switches between the two every few pages. Stop it any time. Its days are known tomorrow.');
    const slow = view({ ...predicted, proof: { state: 'too-slow', days: 31, perDay: 8, needed: 9 } });
    expect(slow.button).toMatchObject({ action: 'measure', label: 'Measure anyway…', isPrimary: false });
    const manual = { action: 'see-apply', label: 'Show me how' };
    expect(view({ ...predicted, proof: { state: 'restarts', restarts: 106 } }).button).toMatchObject(manual);
    expect(view({ ...predicted, proof: { state: 'not-possible', why: 'no' } }).button).toMatchObject(manual);
  });

  it('says who is ahead, with its interval, and that it is not proven', () => {
    const rows = [
      { profileId: 'c3-d1', change: { gain: -0.05, low: -0.1, high: 0.01 }, loads: 40 },
      { ...FOUND, loads: 40 },
    ];
    const common = { candidates: ['c3-d1', 'c12-d1'], rows, each: 92, planned: 246, left: { unit: 'days', count: 6 } } as const;
    const ahead = view({ kind: 'leading', leader: FOUND, ...common });
    expect(ahead.headline).toBe('12 connections are ahead, not proven yet.');
    expect(ahead.figure).toMatchObject({ value: '+42 %', label: 'faster than Firefox’s own settings so far (+23 % to +65 %).' });
    expect(ahead.meter?.label).toBe('92 of about 246 page loads');
    expect(view({ kind: 'leading', leader: undefined, ...common })).not.toHaveProperty('figure');
  });
});

describe('a trial in progress', () => {
  const row = (profileId: string, gain: number, low?: number, high?: number) => ({ profileId, change: { gain, low, high }, loads: 12 });
  const rows = [row('c3-d1', 0.5), row('c8-d1', 0.05, -0.03, 0.14), row('c12-d1', 0.09, -0.02, 0.2)];
  const running = {
    kind: 'collecting',
    candidates: ['c3-d1', 'c8-d1', 'c12-d1'],
    each: 92,
    planned: 246,
    left: { unit: 'days', count: 6 },
    loads: 200,
  } as const;

  it('shows the best first, with its interval, and no figure of what is not bounded yet', () => {
    const { status, headline, rows: shown, sentences, meter, same, zero } = view({ ...running, rows });
    expect(status).toBe('Trial · about 6 days left');
    expect(headline).toBe('4 settings take turns.');
    expect(shown.map(({ label, value }) => [label, value])).toEqual([
      ['12 connections', '+9 %'],
      ['8 connections', '+5 %'],
      ['3 connections', 'too early'],
      ['Firefox’s own', 'baseline'],
    ]);
    expect(shown[2]).not.toHaveProperty('at');
    expect(sentences.slice(-2)).toEqual([
      '12 connections: so far +9 % (−2 % to +20 %), not decided.',
      'Look whenever you like: it does not spoil the result.',
    ]);
    expect(meter?.label).toBe('92 of about 246 page loads');
    const at = onScale(1.2);
    expect(zero).toBeCloseTo(at(1), 10);
    expect(same?.from).toBeCloseTo(at(0.97), 10);
    expect(same?.to).toBeCloseTo(at(1.03), 10);
  });

  it('names the best of the settings that still take turns, not one that was dropped', () => {
    const left = { ...running, candidates: ['c3-d1', 'c8-d1'], rows };
    const { rows: shown, sentences } = view(left);
    expect(shown.map(({ id }) => id)).toEqual(['c8-d1', 'c3-d1', 'firefox-default']);
    expect(sentences[0]).toBe('8 connections: so far +5 % (−3 % to +14 %), not decided.');
    // The only one that is left has no interval yet.
    expect(view({ ...left, candidates: ['c3-d1'] }).sentences).toEqual(['Too early to say which is faster.']);
  });

  it('says of an interval that goes on beyond the scale that it does', () => {
    const narrow = ['c8-d1', 'c12-d1', 'c16-d1'].map((id, by) => row(id, 0.01 * (by + 1), 0.01 * by, 0.01 * (by + 2)));
    const wide = { ...running, candidates: ['c3-d1', 'c8-d1', 'c12-d1', 'c16-d1'], rows: [row('c3-d1', 0.02, -0.999, 30), ...narrow] };
    const shown = view(wide).rows.find(({ label }) => label === '3 connections');
    expect(shown).toMatchObject({ goesOn: 'both', from: 0.04, to: 0.96 });
  });

  it('with one candidate says how it stands, and says nothing before it is bounded', () => {
    const one = { ...running, candidates: ['c8-d1'] };
    expect(view({ ...one, rows: rows.slice(1, 2) }).sentences[0]).toBe('So far +5 % (−3 % to +14 %), not decided.');
    const early = view({ ...one, rows: [] });
    expect(early.meter?.label).toBe('92 of about 246 page loads');
    expect(early.sentences).toEqual(['Too early to say which is faster.']);
    expect(early.rows.map(({ label, value }) => [label, value])).toEqual([
      ['8 connections', 'too early'],
      ['Firefox’s own', 'baseline'],
    ]);
  });

  it('says how long it takes: restarts, where these are its turns; once a day has passed, where no pace is known yet', () => {
    expect(view({ ...running, rows, left: { unit: 'restarts', count: 160 } }).status).toBe('Trial · about 160 restarts left');
    const { status, hint } = view({ ...running, rows, left: undefined });
    expect([status, hint]).toEqual(['Trial under way', 'How many days a trial takes is known after a day of browsing.']);
  });

  it('paused, still shows how its settings stand, and how far it is', () => {
    const { rows: shown, meter } = view({
      kind: 'paused',
      because: undefined,
      candidates: ['c8-d1'],
      rows: rows.slice(1, 2),
      each: 92,
      planned: 246,
    });
    expect(shown[0]).toMatchObject({ label: '8 connections', value: '+5 %' });
    expect(meter?.label).toBe('92 of about 246 page loads');
  });
});

describe('applied', () => {
  const applied = { profileId: 'c12-d1', by: 'live', since: NOW - 60_000, wrong: [], locked: [] } as const;

  it('says since when: the time of today, the day of the week, the date', () => {
    const status = (since: number | undefined) => view({ kind: 'applied', applied: { ...applied, since } }).status;
    // 2026-01-01 was a Thursday; at noon, whatever the time zone.
    const noon = new Date(2026, 0, 1, 12).getTime();
    const DAY = 86_400_000;
    const at = (since: number) =>
      plain(cardView({ kind: 'applied', applied: { ...applied, since } }, { now: noon, page: undefined })).status;
    expect(at(noon - 3_600_000)).toBe('In use since 11:00');
    expect(at(noon - 2 * DAY)).toBe('In use since Tuesday');
    expect(at(noon - 7 * DAY)).toBe('In use since Dec 25');
    expect(status(undefined)).toBe('In use');
  });

  it('says what changed since as not proven, without a figure, an interval or a row', () => {
    const changed = { gain: 0.38, days: 9, before: 14 };
    const { figure, rows, sentences } = view({ kind: 'applied', applied: { ...applied, changed } });
    expect([figure, rows]).toEqual([undefined, []]);
    expect(sentences).toEqual([
      'Speed in the 9 days since then: +38 % against the 14 days before. Not proven: days differ, and only a trial allows for that.',
      'Firefox confirms the values.',
    ]);
  });

  it('keeps the figure of the trial, whatever has changed since', () => {
    const proven = { gain: 0.42, low: 0.23, high: 0.65 };
    const changed = { gain: -0.1, days: 9, before: 14 };
    const { figure, rows, sentences, button } = view({ kind: 'applied', applied: { ...applied, changed }, proven });
    expect(figure).toEqual({ value: '+42 %', label: 'faster in your trial (+23 % to +65 %).' });
    expect(rows[0]).toMatchObject({ id: 'c12-d1', value: '+42 %' });
    expect(sentences).toHaveLength(2);
    // To take it back is a link, not the loudest thing.
    expect(button).toEqual({ action: 'undo', label: 'Undo', isPrimary: false });
  });

  it('not in effect: sets it again, or leaves it; loads do not count, whatever is recorded', () => {
    const wrong = { ...applied, wrong: ['network.http.max-connections'] };
    const { status, isOff, button, other } = view({ kind: 'applied-not-in-effect', applied: wrong });
    expect([status, isOff]).toEqual(['Recording, not counted', true]);
    expect(button).toEqual({ action: 'set-again', label: 'Set 12 connections again', isPrimary: true });
    expect(other).toEqual({ action: 'undo', label: 'Leave it and undo' });
  });
});

it('undone, until Firefox restarts: says what ends it, and where it can be followed', () => {
  const { headline, sentences, button, tone } = view({ kind: 'undone-at-restart' });
  expect([headline, ...sentences]).toEqual(['The settings are being undone.', 'Restart Firefox to get your former values back.']);
  expect([button.action, button.label, tone]).toEqual(['see-apply', 'Show the settings', 'problem']);
});

it('set manually: that Plumbfox cannot verify it, and where the steps are that undo it', () => {
  const applied = { profileId: 'c12-d1', by: 'manual', wrong: [], locked: [] } as const;
  const { sentences, button } = view({ kind: 'applied', applied });
  expect(sentences.at(-1)).toBe('Set manually, in about:config or through adb. Plumbfox cannot verify it.');
  expect(button).toEqual({ action: 'see-manual', label: 'Undo manually…', isPrimary: false });
  const waiting = { ...applied, awaitsRestart: 'to-apply' } as const;
  expect(view({ kind: 'applied-not-in-effect', applied: waiting }).button).toEqual(button);
  expect(view({ kind: 'applied', applied: { ...applied, by: 'policy' } }).button.label).toBe('Show me how');
});

it('nothing to gain: the most there is to gain, for which pages, and the sites that settings reach', () => {
  const reach = {
    from: 'reach',
    requests: 200,
    byConnections: 24,
    tried: { preferences: 3, of: 40, requests: 200 },
    pages: 12,
    outside: 8,
    atMost: 0.0101,
    former: { name: 'Home', isGiven: true },
  } as const;
  const sites = [
    { host: 'bank.example', change: { gain: 0.19, low: 0.09, high: 0.28 }, isSimulated: true },
    { host: 'intranet.example', isSimulated: true },
    { host: 'forum.example', isSimulated: false },
    { host: 'more.example', isSimulated: true },
  ];
  const { figure, sentences, sites: shown, button } = view({ kind: 'nothing-to-gain', isSure: true, reach, sites });
  // A bound is rounded up.
  expect(figure).toEqual({
    value: '≤ 1.1 %',
    label: 'is the most a setting could gain you, predicted for 12 of 20 recent pages (8 could not be simulated).',
  });
  expect(sentences).toEqual([
    'Tried by simulation: 3 of 40 preferences that act on your requests.',
    'You are on a new network: this is for “Home”.',
  ]);
  expect(shown?.heading).toBe('4 of your sites still use HTTP/1.1 (12 % of requests)');
  expect(shown?.rows[0]?.detail).toBe('+9 % to +28 %, predicted');
  expect(shown?.rows.map(({ host, value }) => [host, value])).toEqual([
    ['bank.example', '≈ +19 %'],
    ['intranet.example', 'no sure gain'],
    ['forum.example', 'not simulated'],
  ]);
  expect(button).toMatchObject({ label: 'Measure anyway…', isPrimary: false });
});

it('a check that fails is named, whether the trial goes on or has ended', () => {
  const checks = ['12 connections were not in effect in 4 of 20 loads: something else sets the same preferences.'];
  const held = view({ kind: 'invalid', isOver: false, candidates: ['c12-d1'], checks });
  expect(held.sentences[0]).toBe(checks[0]);
  const over = view({ kind: 'invalid', isOver: true, candidates: [], checks });
  expect(over.sentences[0]).toBe(checks[0]);
  expect([held.button.label, over.button.label]).toEqual(['Show the checks', 'Start another trial…']);
});

it('before there are enough pages, says what keeps an answer back', () => {
  const { sentences } = view({ kind: 'fresh', loads: 9, enough: 20, why: 'rate-not-known' });
  expect(sentences).toEqual(['The download rate of your network is not known yet. Open a page with large pictures.']);
});

it('the page in front: time, efficiency as an estimate, and the biggest reason', () => {
  expect(view({ kind: 'fresh', loads: 3, enough: 20 }).page).toEqual({
    time: '3.4 s',
    detail: 'this page · 46 % of the best possible here (estimated) · longest: waiting for a free connection, 900 ms',
  });
  // Behind a page of Plumbfox: the one that the person came from, by its name.
  const behind = plain(cardView({ kind: 'fresh', loads: 3, enough: 20 }, { now: NOW, page: { measures, host: 'news.example' } }));
  expect(behind.page).toEqual({ time: '3.4 s', detail: 'news.example' });
  expect(plain(cardView({ kind: 'no-permission' }, { now: NOW, page: undefined })).page).toEqual({
    time: '–',
    detail: 'this page · not recorded',
  });
});
