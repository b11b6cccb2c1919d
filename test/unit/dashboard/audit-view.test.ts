import { describe, expect, it } from 'vitest';
import { auditList } from '../../../src/core/audit/audit-list.ts';
import { GROUP_HEADINGS } from '../../../src/core/audit/format-finding.ts';
import { NETWORK_ROOTS } from '../../../src/core/audit/network-names.ts';
import { parsePreferenceList } from '../../../src/core/audit/preference-list.ts';
import { auditView } from '../../../src/dashboard/audit-view.ts';
import { english } from '../../support/english.ts';
import { buildFixture, fixtureFacts, READ_BUILDS, tweakList, userJsOf } from '../../support/tweak-lists.ts';

const ESR = { major: 153, platform: 'desktop' } as const;

describe('a pasted list', () => {
  it('is shown by what its lines do', () => {
    const view = auditView(
      'user_pref("network.http.pipelining", true);\nuser_pref("network.http.max-connections", 1800);\nuser_pref("a.é", 1)',
      ESR,
    );
    expect(view.status.replaceAll('\u00a0', ' ')).toBe(
      `${english('audit.basis', { count: 2, version: '153' })} ${english('audit.counts', { acts: 1, own: 0, dead: 1 })} ${english('audit.errors', { count: 1 })}`,
    );
    expect(view.groups.map(({ heading, rows }) => [heading, rows.map(({ line }) => line)])).toEqual([
      ['Can change how fast pages load (1)', ['2']],
      ['Dead: nothing in this Firefox reads them (1)', ['1']],
    ]);
    expect(view.groups[0]?.rows[0]).toMatchObject({
      preference: 'network.http.max-connections = 1800',
      sentence: expect.stringMatching(/^Acts as 992/),
    });
  });

  it('says that nothing is known of what no study measured', () => {
    const view = auditView('user_pref("network.http.http2.enabled", false);\nuser_pref("network.http.http3.enable", false);', ESR);
    const [http2, http3] = view.groups[0]?.rows ?? [];
    expect(http2?.sentence).toMatch(/Nothing is known of its effect on speed: no study measured it, and nothing is predicted here\.$/);
    expect(http3?.sentence).toMatch(/Measured \(docs\/results\/protocols\/findings\.md\): .* while pages loaded\.$/);
  });

  it.each(READ_BUILDS)('gets the judgement that the command gives with Firefox %s', (version) => {
    for (const list of ['folklore', 'betterfox-130', 'betterfox-152'] as const) {
      const text = userJsOf(tweakList(list).filter(([name]) => NETWORK_ROOTS.some((root) => name.startsWith(root))));
      const judged = auditList(parsePreferenceList(text), { build: fixtureFacts(buildFixture(version)) });
      const view = auditView(text, { major: Number.parseInt(version, 10), platform: 'desktop' });
      const shown = view.groups.flatMap(({ heading, rows }) => rows.map(({ line }) => [Number(line), heading.replace(/ \(\d+\)$/, '')]));
      expect(Object.fromEntries(shown), list).toEqual(Object.fromEntries(judged.map(({ line, group }) => [line, GROUP_HEADINGS[group]])));
    }
  });

  it('calls all ten dead lines of a folklore list dead, and says what was meant', () => {
    const { groups, status } = auditView(userJsOf(tweakList('folklore')), ESR);
    const dead = groups.find(({ heading }) => heading.startsWith('Dead'))?.rows ?? [];
    expect(dead).toHaveLength(10);
    expect(dead.find(({ preference }) => preference.startsWith('network.disableIPv6'))?.sentence).toContain(
      'Did you mean network.dns.disableIPv6?',
    );
    expect(status).toContain('Dead: 10.');
  });

  it('is judged for the Firefox that runs', () => {
    const list = 'user_pref("network.http.max-connections", 128);';
    expect(auditView(list, { major: 153, platform: 'android' }).groups[0]?.heading).toBe("Already Firefox's own value (1)");
    expect(auditView(list, ESR).groups[0]?.heading).toBe('Can change how fast pages load (1)');
    const perPlatform = 'user_pref("network.http.http3.max_gso_segments", 1);';
    expect(auditView(perPlatform, { major: 153, platform: 'windows' }).groups[0]?.heading).toBe("Already Firefox's own value (1)");
    expect(auditView(perPlatform, ESR).groups[0]?.heading).toBe('Can change how fast pages load (1)');
  });

  it.each([
    ['', 'is empty'],
    ['hello', 'sets no preference'],
    ['{', 'cannot be read'],
    ['\0\0', 'is no text'],
  ])('that is none is refused: %j', (pasted, why) => {
    const { status, groups } = auditView(pasted, ESR);
    expect(status).toContain(why);
    expect(status).not.toContain('..');
    expect(groups).toEqual([]);
  });
});
