import { describe, expect, it } from 'vitest';
import { manualPrices, manualSteps, manualView, probeAddress } from '../../../src/controls/manual.ts';
import { prefetchView } from '../../../src/controls/prefetch.ts';
import type { ManualFacts } from '../../../src/protocol/page-state.ts';

const offered = ['c4-d1', 'c8-d1', 'c10-d1'].map((id) => ({ id, title: id }));
const facts = (changed: Partial<ManualFacts> = {}): ManualFacts => ({ platform: 'desktop', offered, ...changed });

describe('a profile by hand', () => {
  it('offers profiles where nothing is set, what is proposed first', () => {
    expect(manualView(facts(), 'c10-d1')).toMatchObject({ sets: true, usual: 'c10-d1', profiles: offered, hasWays: false });
    expect(manualView(facts(), 'firefox-default').usual).toBe('c8-d1');
    expect(manualView(facts({ offered: offered.slice(0, 1) })).usual).toBe('c4-d1');
  });
  it('leads back from what is set, and to another once that is taken back', () => {
    const said = { profileId: 'c10-d1', state: 'in-effect' } as const;
    expect(manualView(facts({ said }))).toMatchObject({ sets: false, usual: 'c10-d1', profiles: undefined, summary: 'Undo manually…' });
    expect(manualView(facts({ said: { profileId: 'firefox-default', state: 'going-back' } }))).toMatchObject({
      sets: true,
      profiles: offered,
    });
  });
  it('says that loads count from the next start on', () => {
    expect(manualView(facts({ said: { profileId: 'c8-d1', state: 'waits' } })).standing).toContain(
      'You have set 8 connections. Restart Firefox. Loads until then are excluded.',
    );
    expect(manualView(facts({ said: { profileId: 'c8-d1', state: 'in-effect' } })).standing).toBe(
      'You have set 8 connections. Plumbfox cannot verify it.',
    );
  });
  it('knows adb on Android only', () => {
    expect(manualView(facts({ platform: 'android' })).hasWays).toBe(true);
    const [, , step] = manualSteps('c8-d1', { platform: 'android', way: 'about-config', sets: true });
    expect(step?.text).toContain('set it to 8');
    const adb = manualSteps('c8-d1', { platform: 'android', way: 'nightly', sets: false }).flatMap(({ copies }) => copies);
    expect(adb.map(({ text }) => text)).toContain('adb shell rm /data/local/tmp/org.mozilla.fenix-geckoview-config.yaml');
  });
  it('names what a profile costs before its steps, and nothing where they undo it', () => {
    const id = 'c8-d1+network.prefetch-next=true';
    expect(manualPrices(id, { sets: true })).toEqual([expect.stringMatching(/^network\.prefetch-next = true: When on, pages are fetched/)]);
    expect(manualPrices(id, { sets: false })).toEqual([]);
    expect(manualPrices('c8-d1', { sets: true })).toEqual([]);
  });
  it('has no steps for a profile that this version does not know', () => {
    expect(manualSteps('c0-d1', { platform: 'desktop', way: 'about-config', sets: false })).toEqual([]);
  });
});

describe('guessing ahead', () => {
  it.each([
    [undefined, { canAllow: true, isOn: undefined, canGoBack: false, state: '' }],
    [
      { enabled: true, control: 'free' },
      { canAllow: false, isOn: true, canGoBack: false, state: 'On, not set by Plumbfox.' },
    ],
    [
      { enabled: false, control: 'ours', before: true },
      { isOn: false, canGoBack: true, state: 'Off, set by Plumbfox. Before: On.' },
    ],
    [
      { enabled: true, control: 'others' },
      { isOn: undefined, canGoBack: false },
    ],
    [
      { enabled: false, control: 'locked' },
      { isOn: undefined, canGoBack: false, state: 'Off, locked by an enterprise policy.' },
    ],
  ] as const)('%j', (now, view) => {
    expect(prefetchView(now)).toMatchObject(view);
  });
});

describe('the address of a probe', () => {
  const token = 'abcdefghijklmnop';
  it.each([
    [`http://192.168.1.5:40123/${token}/`, `http://192.168.1.5:40123/${token}/`],
    [` 192.168.1.5:40123/${token} `, `http://192.168.1.5:40123/${token}/`],
    [`http://[fe80::1]:40123/${token}/`, `http://[fe80::1]:40123/${token}/`],
  ])('%j is opened', (typed, address) => {
    expect(probeAddress(typed)).toBe(address);
  });
  it.each([
    '',
    '192.168.1.5',
    `https://192.168.1.5:40123/${token}/`,
    `http://192.168.1.5/${token}/`,
    'http://192.168.1.5:40123/short/',
    `http://u:p@192.168.1.5:40123/${token}/`,
    `http://192.168.1.5:40123/${token}/?x`,
    `javascript:alert(1)//${token}`,
    `file:///etc/${token}/`,
  ])('%j is not', (typed) => {
    expect(probeAddress(typed)).toBeUndefined();
  });
});
