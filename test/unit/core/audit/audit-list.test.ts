import { describe, expect, it } from 'vitest';
import { groupCounts } from '../../../../src/core/audit/audit.ts';
import { auditList, unspokenBy } from '../../../../src/core/audit/audit-list.ts';
import { type BuildFacts, catalogueFacts, type NameState } from '../../../../src/core/audit/build-facts.ts';
import { lineSentences } from '../../../../src/core/audit/format-finding.ts';
import { parsePreferenceList } from '../../../../src/core/audit/preference-list.ts';
import type { PageGraph } from '../../../../src/core/graph/page-graph.ts';

const PER_SERVER = 'network.http.max-persistent-connections-per-server';
const TOTAL = 'network.http.max-connections';

const build = (states: Readonly<Record<string, NameState>>): BuildFacts => ({
  source: 'build',
  version: '153.7.0',
  platform: 'linux',
  stateOf: (name) => states[name] ?? { state: 'absent' },
  knownNames: Object.keys(states),
});

const line = (name: string, value: unknown): string => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`;
const audited = (text: string, states: Readonly<Record<string, NameState>>, pages?: readonly PageGraph[]) =>
  auditList(parsePreferenceList(text), { build: build(states), unspoken: pages && unspokenBy(pages) });
const kinds = (text: string, states: Readonly<Record<string, NameState>>, pages?: readonly PageGraph[]) =>
  audited(text, states, pages).map(({ group, findings }) => [group, ...findings.map(({ kind }) => kind)]);

const SIX: Readonly<Record<string, NameState>> = { [PER_SERVER]: { state: 'default', value: 6 } };

describe('a line', () => {
  it('is dead where the build has neither a default value nor the name', () => {
    const [found] = audited(line('a.gone', 1), {});
    expect(found?.group).toBe('dead');
    expect(found?.findings).toEqual([{ kind: 'dead', platform: 'linux', version: '153.7.0' }]);
  });

  it('is not dead where the name stands in the build', () => {
    expect(kinds(line('a.hidden', 1), { 'a.hidden': { state: 'hidden' } })).toEqual([['other', 'hidden', 'not-catalogued']]);
  });

  it('is the default where the build has the value already', () => {
    expect(kinds(line(PER_SERVER, 6), SIX)).toEqual([['default', 'default']]);
  });

  it('acts as the nearest value that Firefox allows', () => {
    const [found] = audited(line(TOTAL, 1800), { [TOTAL]: { state: 'default', value: 900 } });
    expect(found?.group).toBe('acts');
    expect(found?.findings[0]).toMatchObject({ kind: 'clamped', actsAs: 992 });
    expect(found && lineSentences(found)).toMatch(/^Acts as 992, the nearest value that Firefox allows\. Changes Firefox's own 900\./);
  });

  it('has no effect where its clamp is the default', () => {
    // 0 acts as 1; a build that has 1 gains nothing from it.
    expect(kinds(line(PER_SERVER, 0), { [PER_SERVER]: { state: 'default', value: 1 } })).toEqual([['no-effect', 'clamped']]);
  });

  it('is ignored where its type is another', () => {
    expect(kinds(line(PER_SERVER, '8') + line('x', true), { ...SIX, x: { state: 'default', value: 1 } })).toEqual([
      ['no-effect', 'wrong-type'],
      ['no-effect', 'wrong-type'],
    ]);
  });

  it('is overridden where the machine locks another value', () => {
    const locked = { [PER_SERVER]: { state: 'default', value: 4, lockedTo: 4 } } as const;
    expect(kinds(line(PER_SERVER, 8), locked)).toEqual([['no-effect', 'overridden']]);
    expect(kinds(line(PER_SERVER, 4), locked)).toEqual([['default', 'default']]);
  });

  it('counts only where it is the last of its name', () => {
    const found = audited(line(PER_SERVER, 8) + line(PER_SERVER, 6), SIX);
    expect(found.map(({ group, findings }) => [group, findings[0]])).toEqual([
      ['no-effect', { kind: 'superseded', byLine: 2, value: 6 }],
      ['default', { kind: 'default', version: '153.7.0' }],
    ]);
  });

  it('is refused where its type is another, and the one before it stays in force', () => {
    const found = audited(line(PER_SERVER, 10) + line(PER_SERVER, '10'), SIX);
    expect(found.map(({ group, findings }) => [group, findings[0].kind])).toEqual([
      ['acts', 'changes'],
      ['no-effect', 'wrong-type'],
    ]);
    // Without a default value any type replaces any other.
    expect(kinds(line('a.b', 1) + line('a.b', '1'), { 'a.b': { state: 'hidden' } })[0]).toEqual(['no-effect', 'superseded']);
  });

  it('says that nobody knows the default, where nobody does', () => {
    expect(kinds(line(PER_SERVER, 8), { [PER_SERVER]: { state: 'unknown' } })[0]?.slice(0, 2)).toEqual(['acts', 'own-unknown']);
  });

  it('that reports how far a list was read is a marker and is not judged', () => {
    expect(kinds(line('_user.js.parrot', 'a') + line('_user.js.parrot', 'b'), {})).toEqual([
      ['marker', 'marker'],
      ['marker', 'marker'],
    ]);
  });

  it('costs what the catalogue says of its value', () => {
    const prefetch = { 'network.prefetch-next': { state: 'default', value: false } } as const;
    expect(kinds(line('network.prefetch-next', true), prefetch)).toEqual([['acts', 'changes', 'costs']]);
  });
});

describe('a name that code may read without naming it', () => {
  it.each([
    [{ state: 'joined', branch: 'network.protocol-handler.expose.' }, ['other', 'joined', 'not-catalogued']],
    [{ state: 'foreign' }, ['other', 'foreign']],
  ] as const)('is not dead: %o', (state, found) => {
    expect(kinds(line('a.b', false), { 'a.b': state })).toEqual([found]);
  });

  it('is dead where the catalogue knows since when nothing reads it', () => {
    const joined = { 'network.http.pipelining': { state: 'joined', branch: 'network.http.' } } as const;
    expect(kinds(line('network.http.pipelining', true), joined)).toEqual([['dead', 'dead']]);
  });
});

describe('a misspelt name', () => {
  const known = {
    'network.http.keep-alive.timeout': { state: 'default', value: 115 },
    'network.dns.disableIPv6': { state: 'default', value: false },
    'network.http.http2.enabled': { state: 'default', value: true },
    'network.http.http3.enable': { state: 'default', value: true },
    'network.http.http2.ping-threshold': { state: 'default', value: 58 },
    'network.proxy.max-age': { state: 'default', value: 1 },
    'network.http.speculative-parallel-limit': { state: 'default', value: 20 },
    'network.http.max-persistent-connections-per-server': { state: 'default', value: 6 },
  } as const;
  it.each([
    ['network.http.keep-alive-timeout', 1, 'network.http.keep-alive.timeout'],
    ['network.disableIPv6', true, 'network.dns.disableIPv6'],
    ['network.http.speculative-parallel-limits', 0, 'network.http.speculative-parallel-limit'],
    // Not http2.enabled, which is nearer by letters and another protocol.
    ['network.http.http3.enabled', false, 'network.http.http3.enable'],
    ['network.http.http3.ping-threshold', 1, undefined],
    ['network.dns.disableIPv4', true, undefined],
    ['network.proxy.min-age', 1, undefined],
    // A value of another type.
    ['network.http.keep-alive-timeout', true, undefined],
    ['network.http.something-else', 1, undefined],
  ])('%s = %s is near %s', (name, value, meant) => {
    const [found] = audited(line(name, value), known);
    expect(found?.findings[0]).toEqual({ kind: 'dead', platform: 'linux', version: '153.7.0', ...(meant && { meant }) });
  });

  it.each([
    ['network.http.spdy.enabled', 'network.http.http2.enabled'],
    ['network.http.spdy.enabled.http2', 'network.http.http2.enabled'],
    ['network.http.spdy.ping-threshold', 'network.http.http2.ping-threshold'],
    // The rename took it along, and it is gone since.
    ['network.http.spdy.allow-push', undefined],
  ])('%s is called %s since', (name, to) => {
    const [found] = audited(line(name, false), known);
    expect(found?.findings[0]).toMatchObject({ kind: 'dead', ...(to && { renamed: { to, source: 'bug 1752621, Firefox 100' } }) });
    expect(found && lineSentences(found)).toMatch(to === undefined ? /reads it\.$/ : /It is .* now \(bug 1752621, Firefox 100\)\.$/);
  });
});

describe('pages of the person', () => {
  const page = (protocol: 'http/1.1' | 'http/2'): PageGraph => ({
    requests: [{ id: 'a', bytes: 1000, origin: 'o' }],
    origins: { o: { protocol, tls: '1.3' } },
  });
  it('that use HTTP/2 alone are not reached by a limit of HTTP/1.1', () => {
    const [found] = audited(line(PER_SERVER, 8), SIX, [page('http/2')]);
    expect(found?.group).toBe('no-effect');
    expect(found?.findings[0]).toEqual({ kind: 'cannot-act', protocol: 'http/1.1', requests: 1 });
    expect(kinds(line(PER_SERVER, 8), SIX, [page('http/2'), page('http/1.1')])[0]?.[0]).toBe('acts');
  });
});

describe('a policies.json', () => {
  it('names what the policy engine ignores', () => {
    const text = JSON.stringify({ policies: { Preferences: { 'security.ssl.enable_false_start': true } } });
    expect(auditList(parsePreferenceList(text), { build: build({}) })[0]?.findings).toEqual([{ kind: 'policy-ignores' }]);
  });
});

describe('a policy', () => {
  const PREFETCH = 'network.prefetch-next';
  const judged = (policy: unknown, state: NameState) =>
    auditList(parsePreferenceList(JSON.stringify({ policies: { Preferences: { [PREFETCH]: policy } } })), {
      build: build({ [PREFETCH]: state }),
    })[0];
  const TRUE = { state: 'default', value: true } as const;

  it('of 0 or 1 is false or true where the default is', () => {
    const found = judged({ Value: 0 }, TRUE);
    expect(found).toMatchObject({ group: 'acts', value: false });
    expect(found?.findings.at(-1)).toEqual({ kind: 'policy-converts', from: 0 });
    expect(judged(1, TRUE)).toMatchObject({ group: 'default', value: true });
    expect(judged({ Value: 0, Type: 'number' }, TRUE)?.findings[0].kind).toBe('wrong-type');
    expect(judged({ Value: 0 }, { state: 'default', value: 2 })).toMatchObject({ value: 0 });
  });

  it('by a name of its own sets what no preference of the engine may, and says which it is', () => {
    const text = JSON.stringify({ policies: { SSLVersionMax: 'tls1.2' } });
    const max = { 'security.tls.version.max': { state: 'default', value: 4 } } as const;
    const [found] = auditList(parsePreferenceList(text), { build: build(max) });
    expect(found).toMatchObject({ group: 'other', value: 3, line: 1 });
    expect(found?.findings.at(-1)).toEqual({ kind: 'policy-named', policy: 'SSLVersionMax' });
    expect(found && lineSentences(found)).toMatch(/The policy SSLVersionMax sets it\.$/);
  });

  it('of the default locks it, where it does', () => {
    const last = (policy: unknown) => judged(policy, TRUE)?.findings.at(-1)?.kind;
    expect(last({ Value: true, Status: 'locked' })).toBe('policy-locks');
    // The older form, the value itself, always locks.
    expect(last(true)).toBe('policy-locks');
    expect(last({ Value: true, Status: 'default' })).toBe('costs');
  });
});

describe('without a Firefox', () => {
  it('the catalogue judges what it has, and nothing else', () => {
    const lines = auditList(parsePreferenceList(line(PER_SERVER, 6) + line('network.http.pipelining', true) + line('a.b', 1)), {
      build: catalogueFacts(),
      sourceOf: (name) => (name === 'network.http.pipelining' ? 'all.js; removed by bug 1340655' : undefined),
    });
    expect(lines.map(({ group }) => group)).toEqual(['default', 'dead', 'other']);
    expect(lines[1]?.findings[0]).toMatchObject({ kind: 'dead', gone: { version: 54, source: 'all.js; removed by bug 1340655' } });
    expect(lines[1] && lineSentences(lines[1])).toContain('gone since Firefox 54 (bug 1340655).');
    expect(groupCounts(lines)).toMatchObject({ default: 1, dead: 1, other: 1, acts: 0 });
  });
});
