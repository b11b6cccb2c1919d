import { describe, expect, it } from 'vitest';
import { parsePreferenceList } from '../../../../src/core/audit/preference-list.ts';

const refused = (bytes: string): string => {
  try {
    parsePreferenceList(bytes);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('It was taken');
};

describe('user.js', () => {
  it('gives names, values and the lines they stand in', () => {
    const { format, lines, errors } = parsePreferenceList(
      '// a\r\nuser_pref("a.b", 1);\r\n\r\nuser_pref("c", "x"); user_pref("d", true);\n',
    );
    expect(format).toBe('preferences');
    expect(errors).toEqual([]);
    expect(lines.map(({ name, value, line }) => [name, value, line])).toEqual([
      ['a.b', 1, 2],
      ['c', 'x', 4],
      ['d', true, 4],
    ]);
  });

  it('keeps what Firefox would report, and reads on', () => {
    const { lines, errors } = parsePreferenceList('user_pref("a", 1)\nuser_pref("b", 2);\nuser_pref("c", 3);\n');
    expect(lines.map(({ name }) => name)).toEqual(['c']);
    expect(errors).toHaveLength(1);
  });

  it('reads text as UTF-8', () => {
    const bytes = String.fromCharCode(...new TextEncoder().encode('user_pref("a", "100 % é");'));
    expect(parsePreferenceList(bytes).lines[0]?.value).toBe('100 % é');
  });
});

describe('a mistake', () => {
  it('names every statement that it costs: with a missing semicolon Firefox (ESR 153, measured) loses the next one too', () => {
    const { lines, errors } = parsePreferenceList('user_pref("a", 1)\nuser_pref("b", 2);\nuser_pref("c", 3);\n');
    expect(lines.map(({ name }) => name)).toEqual(['c']);
    expect(errors).toEqual([{ line: 2, message: "expected ';' after ')'", lost: [1, 2] }]);
  });

  it('may leave nothing of the user.js of a profile, and comments alone set nothing', () => {
    for (const bytes of ['', '// nothing\n', 'user_pref("a"']) expect(parsePreferenceList(bytes, { mayBeEmpty: true }).lines).toEqual([]);
    expect(refused('// nothing\n')).toMatch(/sets no preference/);
  });

  it.each(['\xff\xfeu\0s\0e\0r\0', 'u\0s\0e\0r\0', '\xfe\xff\0u\0s'])('in its encoding is refused with what to do', (bytes) => {
    expect(refused(bytes)).toBe('is UTF-16: save it as UTF-8');
  });
});

describe('a file of default values', () => {
  it('has attributes, of which one locks', () => {
    const { format, lines, errors } = parsePreferenceList(
      'pref("a", 10);\nsticky_pref("b", false);\npref("c", true, locked);\npref("d", 1, sticky, locked);',
    );
    expect([format, errors]).toEqual(['defaults', []]);
    expect(lines.map(({ name, value, policy }) => [name, value, policy?.locks])).toEqual([
      ['a', 10, false],
      ['b', false, false],
      ['c', true, true],
      ['d', 1, true],
    ]);
  });
});

describe('an AutoConfig file', () => {
  it('is read for its calls, and a script in it is named and not run', () => {
    const text = [
      'pref("first", 1); // Firefox skips this line',
      'defaultPref("a", 1);',
      "lockPref('b', true)",
      'pref("c", "x"); clearPref("d"); unlockPref("e");',
      'if (getenv("USER") == "x") {',
      '  defaultPref("f", 2);',
      '}',
      'defaultPref("g", getenv("HOME"));',
    ].join('\n');
    const { format, lines, errors, scripts } = parsePreferenceList(text);
    expect(format).toBe('autoconfig');
    expect(lines.map(({ name, value, line, policy }) => [name, value, line, policy?.locks])).toEqual([
      ['a', 1, 2, false],
      ['b', true, 3, true],
      ['c', 'x', 4, false],
      ['f', 2, 6, false],
    ]);
    expect(errors).toMatchObject([{ line: 1, lost: [1] }]);
    expect(scripts).toEqual([5, 7, 8]);
  });
});

/** Names, values and whether they are locked. */
const held = (text: string) => parsePreferenceList(text).lines.map(({ name, value, policy }) => [name, value, policy?.locks]);

describe('policies by a name of their own', () => {
  it.each([
    [
      { NetworkPrediction: false },
      [
        ['network.dns.disablePrefetch', true, true],
        ['network.dns.disablePrefetchFromHTTPS', true, true],
      ],
    ],
    [
      { SSLVersionMax: 'tls1.2', SSLVersionMin: 'tls1.3' },
      [
        ['security.tls.version.max', 3, true],
        ['security.tls.version.min', 4, true],
      ],
    ],
    [{ DNSOverHTTPS: { Enabled: true, Locked: true } }, [['network.trr.mode', 2, true]]],
    [{ DNSOverHTTPS: { Enabled: true, Fallback: false } }, [['network.trr.mode', 3, false]]],
    [{ DNSOverHTTPS: { Enabled: false } }, [['network.trr.mode', 5, false]]],
    [{ CaptivePortal: false, HttpAllowlist: ['http://a'] }, [['network.captive-portal-service.enabled', false, true]]],
    [
      { Proxy: { Mode: 'manual', HTTPProxy: 'proxy.example:8080', Locked: true } },
      [
        ['network.proxy.type', 1, true],
        ['network.proxy.http', 'proxy.example', true],
        ['network.proxy.http_port', 8080, true],
      ],
    ],
  ])('%j hold what Firefox sets by them', (policies, expected) => {
    expect(held(JSON.stringify({ policies }))).toEqual(expected);
  });

  it('are named at their own line', () => {
    const { lines } = parsePreferenceList(JSON.stringify({ policies: { X: 1, CaptivePortal: false } }, null, 1));
    expect(lines).toMatchObject([{ line: 4, policy: { named: 'CaptivePortal' } }]);
  });

  it('that hold none are no list', () => {
    expect(refused('{ "policies": { "DisableTelemetry": true } }')).toMatch(/none by name/);
  });
});

describe('policies in other forms', () => {
  const PREFETCH = [['network.prefetch-next', false, true]];
  it('Preferences may be the text of an object', () => {
    const Preferences = JSON.stringify({ 'network.prefetch-next': { Value: false, Status: 'locked' } });
    expect(held(JSON.stringify({ policies: { Preferences } }))).toEqual(PREFETCH);
    expect(refused('{ "policies": { "Preferences": "{" } }')).toMatch(/not valid JSON, which Firefox ignores/);
  });

  it('a property list of macOS, also a configuration profile', () => {
    const preferences =
      '<dict><key>network.prefetch-next</key><dict><key>Value</key><false/><key>Status</key><string>locked</string></dict></dict>';
    const dict = `<dict><key>EnterprisePoliciesEnabled</key><true/><key>Preferences</key>${preferences}<key>Proxy__Mode</key><string>none</string></dict>`;
    const plist = (body: string) => `<?xml version="1.0"?>\n<plist version="1.0">${body}</plist>\n`;
    const found = [...PREFETCH, ['network.proxy.type', 0, false]];
    expect(held(plist(dict))).toEqual(found);
    const payload = dict.replace('<dict>', '<dict><key>PayloadType</key><string>org.mozilla.firefox</string>');
    expect(held(plist(`<dict><key>PayloadContent</key><array>${payload}</array></dict>`))).toEqual(found);
    expect(refused('<?xml version="1.0"?><plist><dict><key>a</key></dict></plist>')).toMatch(/cannot be read/);
  });

  it('a registry file of Windows, with 1 for true and JSON in lines of UTF-16', () => {
    const json = '{ "network.prefetch-next": { "Value": false, "Status": "locked" } }';
    const hex = [...json].map((c) => `${c.charCodeAt(0).toString(16)},00`).join(',');
    const text = [
      'Windows Registry Editor Version 5.00',
      '[HKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\Mozilla\\Firefox]',
      '"CaptivePortal"=dword:00000000',
      `"Preferences"=hex(7):${hex.slice(0, 60)}\\`,
      `  ${hex.slice(60)},00,00`,
      '[HKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\Mozilla\\Firefox\\DNSOverHTTPS]',
      '"Enabled"=dword:00000001',
      '"Locked"=dword:00000001',
      '[HKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\Google\\Chrome]',
      '"CaptivePortal"=dword:00000001',
    ].join('\r\n');
    expect(held(text)).toEqual([['network.captive-portal-service.enabled', false, true], ...PREFETCH, ['network.trr.mode', 2, true]]);
  });
});

describe('policies.json', () => {
  it('gives the preferences that it sets, in both forms', () => {
    const text = JSON.stringify(
      { policies: { Preferences: { a: { Value: 1, Status: 'locked' }, b: true, c: { Status: 'clear', Value: 2 } } } },
      null,
      1,
    );
    const { format, lines } = parsePreferenceList(text);
    expect(format).toBe('policies');
    expect(lines.map(({ name, value, line }) => [name, value, line])).toEqual([
      ['a', 1, 4],
      ['b', true, 8],
    ]);
  });

  it('finds the line of a name that stands above as well, and of each of 3,000', () => {
    const names = ['a', ...Array.from({ length: 2999 }, (_, at) => `b.${at}`)];
    const policies = { a: 1, Preferences: Object.fromEntries(names.map((name) => [name, 1])) };
    const { lines } = parsePreferenceList(JSON.stringify({ policies }, null, 1));
    // A brace, the policies, the other "a" and the preferences stand before the first.
    expect(lines.map(({ line }) => line)).toEqual(names.map((_, at) => at + 5));
  });
});

describe('what is no list', () => {
  it.each([
    ['an empty file', '', 'is empty'],
    ['blanks', ' \n\t\r\n', 'is empty'],
    ['a byte order mark', '\xef\xbb\xbf', 'is empty'],
    ['an ELF program', '\x7fELF\x02\x01\x01\0\0', 'is no text'],
    ['a comment', '// nothing\n', 'sets no preference'],
    ['1 MB of garbage', 'q#(;"\\)x'.repeat(125_000), 'sets no preference'],
    ['JSON without policies', '{"a": 1}', 'sets no preference'],
    ['damaged JSON', '{"policies": ', 'cannot be read'],
  ])('%s is refused in one line', (_, bytes, why) => {
    const message = refused(bytes);
    expect(message).toContain(why);
    expect(message).not.toContain('\n');
  });
});
