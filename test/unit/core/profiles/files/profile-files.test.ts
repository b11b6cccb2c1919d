import { describe, expect, it } from 'vitest';
import { PlumbfoxError } from '../../../../../src/core/errors.ts';
import { policiesPreferences, userJsPreferences } from '../../../../../src/core/profiles/files/listed-preferences.ts';
import { profilesInFile } from '../../../../../src/core/profiles/files/profiles-json.ts';

const PER_SERVER = 'network.http.max-persistent-connections-per-server';
const PACING = 'network.http.pacing.requests.enabled';

function refusalOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(PlumbfoxError);
    const { message } = error as Error;
    expect(message).not.toContain('\n');
    expect(message.length).toBeLessThan(600);
    return message;
  }
  return 'nothing';
}

describe('a user.js', () => {
  it('gives its active lines of catalogued preferences, and names the rest', () => {
    const text = [
      '// user_pref("network.http.http3.enable", false);',
      'user_pref("_user.js.parrot", "START: Oh yes, the Norwegian Blue");',
      `user_pref("${PER_SERVER}", 10); // twice 5`,
      '/* user_pref("network.prefetch-next", true); */',
      `user_pref('${PACING}', false);`,
      'user_pref("browser.startup.page", 0); user_pref("_user.js.parrot", "SUCCESS");',
    ].join('\r\n');
    expect(userJsPreferences(text)).toEqual({
      preferences: { [PER_SERVER]: 10, [PACING]: false },
      notices: ['2 preferences outside the catalogue are neither measured nor written: _user.js.parrot, browser.startup.page'],
    });
  });

  it('has the last of contradictory lines count, as Firefox does, and says so', () => {
    const text = `user_pref("${PER_SERVER}", 999);\n\nuser_pref("${PACING}", true);\nuser_pref("${PER_SERVER}", 8);\nuser_pref("${PACING}", true);\n`;
    expect(userJsPreferences(text)).toEqual({
      preferences: { [PER_SERVER]: 8, [PACING]: true },
      notices: [`${PER_SERVER} is set to several values; the last counts, as in Firefox (line 4: 8)`],
    });
  });

  it('continues after a line that Firefox cannot read, and says so', () => {
    const { preferences, notices } = userJsPreferences(`user_pref("a", nonsense);\nuser_pref("${PACING}", false);\n`);
    expect(preferences).toEqual({ [PACING]: false });
    expect(notices).toEqual(['line 1: Firefox cannot read it (unknown keyword) and continues after the next semicolon']);
  });

  it('leaves out what Firefox ignores since 54, by name', () => {
    const { preferences, notices } = userJsPreferences(`user_pref("network.http.pipelining", true);\nuser_pref("${PACING}", false);`);
    expect(preferences).toEqual({ [PACING]: false });
    expect(notices).toEqual(['network.http.pipelining is not set: Firefox 54 and later ignore it; pipelining is a depth, such as c4-d6']);
  });

  it('of 5,000 lines takes the one that counts, in one notice', () => {
    const lines = Array.from({ length: 4999 }, (_, at) => `user_pref("some.other.${at}", ${at});`);
    expect(userJsPreferences([...lines, `user_pref("${PACING}", false);`].join('\n'))).toEqual({
      preferences: { [PACING]: false },
      notices: [
        '4999 preferences outside the catalogue are neither measured nor written: some.other.0, some.other.1, some.other.2 and 4996 more',
      ],
    });
  });

  it.each([
    ['a value out of bounds', `user_pref("a", 1);\nuser_pref("${PER_SERVER}", 300);`, `line 2: ${PER_SERVER}: 300 is not within 1 to 255`],
    ['a value of another type', `user_pref("${PACING}", 0);`, `line 1: ${PACING}: 0 is not true or false`],
    ['a number as text', `user_pref("${PER_SERVER}", "10");`, `line 1: ${PER_SERVER}: "10" is not a whole number`],
    ['nothing', '', 'Firefox would read no preference from it: it has no user_pref line'],
    ['comments alone', '// nothing\n', 'it has no user_pref line'],
    ['nothing of the catalogue', 'user_pref("a.b", 1);', "It sets no preference of Plumbfox's catalogue (it has 1 outside of it: a.b)"],
    ['markers alone', 'user_pref("_user.js.parrot", "START");', "It sets no preference of Plumbfox's catalogue"],
    ['1 MB of garbage', '\x7f(;\0ELF{}"\n'.repeat(100_000), 'Firefox would read no preference from it: line 1: unexpected character'],
    ['1 MB on one line', 'a'.repeat(1_000_000), 'Firefox would read no preference from it: line 1: unknown keyword'],
    ['a name that would break a line', 'user_pref("a\\nb\\u202e", 1);', String.raw`it has 1 outside of it: "a\nb`],
  ])('is refused with %s', (_, text, message) => {
    expect(refusalOf(() => userJsPreferences(text))).toContain(message);
  });
});

describe('a policies.json', () => {
  const policies = (preferences: object) => JSON.stringify({ policies: { DisableTelemetry: true, Preferences: preferences } });

  it('gives the values of its Preferences, in both forms', () => {
    const text = policies({
      [PER_SERVER]: { Value: 10, Status: 'locked', Type: 'number' },
      [PACING]: false,
      'network.prefetch-next': { Status: 'clear' },
      'browser.startup.page': { Value: 0 },
    });
    expect(policiesPreferences(text)).toEqual({
      preferences: { [PER_SERVER]: 10, [PACING]: false },
      notices: ['1 preference outside the catalogue is neither measured nor written: browser.startup.page'],
    });
  });

  it.each([
    ['no Preferences', '{"policies": {}}', 'Its policies have no Preferences'],
    ['Preferences that are a list', '{"policies": {"Preferences": []}}', 'Its policies have no Preferences'],
    ['a value out of bounds', policies({ [PER_SERVER]: { Value: 0 } }), `policies.Preferences: ${PER_SERVER}: 0 is not within 1 to 255`],
    ['an object as value', policies({ [PER_SERVER]: { Value: {} } }), 'an object is not a whole number'],
    ['no value', policies({ [PER_SERVER]: { Status: 'locked' } }), 'undefined is not a whole number'],
    ['a name twice', `{"policies": {"Preferences": {"${PACING}": true, "${PACING}": false}}}`, `It names "${PACING}" twice in one object`],
    ['garbage', '{"policies":', 'It is not valid JSON'],
    ['__proto__', '{"policies": {"Preferences": {"__proto__": 1}}}', 'It sets no preference of'],
  ])('is refused with %s', (_, text, message) => {
    expect(refusalOf(() => policiesPreferences(text))).toContain(message);
  });
});

describe('a profiles.json', () => {
  const file = (...profiles: object[]) => JSON.stringify({ format: 'plumbfox-profiles', version: 1, profiles });

  it('gives profiles by name, each on its base', () => {
    const text = file(
      { name: 'fast', base: 'c16-d1', preferences: { [PACING]: false } },
      { name: 'wide', preferences: { [PER_SERVER]: 10 } },
      { name: 'deep', base: 'c4-d6' },
    );
    expect(profilesInFile(text).map(({ name, profile }) => [name, profile.id])).toEqual([
      ['fast', `c16-d1+${PACING}=false`],
      ['wide', 'c10-d1'],
      ['deep', 'c4-d6'],
    ]);
  });

  it.each([
    [
      'a preference outside the catalogue',
      file({ name: 'a', preferences: { 'browser.startup.page': 1 } }),
      '"a": browser.startup.page: Plumbfox sets no preference outside',
    ],
    ['a value out of bounds', file({ name: 'a', preferences: { [PER_SERVER]: 300 } }), `"a": ${PER_SERVER}: 300 is not within 1 to 255`],
    ['a value of another type', file({ name: 'a', preferences: { [PACING]: 1 } }), `"a": ${PACING}: 1 is not true or false`],
    ['a list as value', file({ name: 'a', preferences: { [PACING]: [] } }), `profiles.0.preferences.${PACING}: Invalid type`],
    ['what Firefox ignores', file({ name: 'a', preferences: { 'network.http.pipelining': true } }), 'Firefox 54 and later ignore it'],
    ['an unknown base', file({ name: 'a', base: 'nothing' }), '"a": there is no profile "nothing" to begin with'],
    ['the control as base', file({ name: 'a', base: 'control', preferences: { [PACING]: false } }), 'sets nothing further'],
    ['a name that is none', file({ name: 'Aa' }), 'profiles.0.name: Invalid format'],
    ['a name twice', file({ name: 'a' }, { name: 'a', base: 'c8-d1' }), 'It names "a" twice'],
    ['an unknown member', file({ name: 'a', values: {} }), 'profiles.0.values: Invalid key'],
    ['no profile', file(), 'profiles: Invalid length'],
    ['another version', JSON.stringify({ format: 'plumbfox-profiles', version: 2, profiles: [] }), 'version: Invalid type'],
    ['garbage', '[', 'It is not valid JSON'],
  ])('is refused with %s', (_, text, message) => {
    expect(refusalOf(() => profilesInFile(text))).toContain(message);
  });
});
