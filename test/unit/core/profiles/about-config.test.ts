import { describe, expect, it } from 'vitest';
import { aboutConfigSteps, aboutConfigUndo, type ManualStep } from '../../../../src/core/profiles/about-config.ts';
import { CATALOGUE } from '../../../../src/core/profiles/catalogue.ts';
import {
  geckoviewConfigName,
  geckoviewConfigSteps,
  geckoviewConfigUndo,
  geckoviewConfigYaml,
} from '../../../../src/core/profiles/geckoview-config-yaml.ts';
import { isReadByUxp, legacyPreferences, legacyUserJs } from '../../../../src/core/profiles/legacy-user-js.ts';
import { BETTERFOX, CONTROL, FIREFOX_DEFAULT, findProfile } from '../../../../src/core/profiles/presets.ts';
import type { Profile } from '../../../../src/core/profiles/profile.ts';
import { parsePreferences } from '../../../fixtures/preferences-grammar.ts';

const PER_SERVER = 'network.http.max-persistent-connections-per-server';
const profile = (id: string): Profile => findProfile(id) ?? FIREFOX_DEFAULT;
const copied = (steps: readonly ManualStep[]) => steps.flatMap(({ copies }) => copies.map(({ text }) => text));

describe('steps in about:config', () => {
  it('name each preference and its value once, and say what is shipped on that platform', () => {
    const desktop = aboutConfigSteps(BETTERFOX, { platform: 'desktop' });
    // The address, the note, and one step for each of the eleven preferences.
    expect(desktop).toHaveLength(13);
    expect(copied(desktop).filter((text) => text in BETTERFOX.preferences)).toEqual(Object.keys(BETTERFOX.preferences));
    expect(desktop.map(({ text }) => text)).toContain(
      'Search for network.http.max-connections, press Edit, and set it to 1800 (900 as shipped).',
    );
    expect(aboutConfigSteps(BETTERFOX, { platform: 'android' }).map(({ text }) => text)).toContain(
      'Search for network.http.max-connections, press Edit, and set it to 1800 (128 as shipped).',
    );
  });
  it('leave alone what is as shipped', () => {
    const [, , step] = aboutConfigSteps(CONTROL, { platform: 'desktop' });
    expect(step?.text).toBe(`Search for ${PER_SERVER}. It is to be 6, as shipped: if it shows anything else, press Reset.`);
  });
  it('return to the default of the platform', () => {
    expect(aboutConfigUndo(profile('c8-d1'), { platform: 'desktop' })[1]).toEqual({
      text: `Search for ${PER_SERVER} and press Reset, so that it shows 6; if you had written down a value of your own, set that one instead.`,
      copies: [
        { what: 'the name', text: PER_SERVER },
        { what: 'the value', text: '6' },
      ],
    });
  });
  it('never name pipelining, which no Firefox with about:config heeds', () => {
    expect(copied(aboutConfigSteps(profile('c4-d6'), { platform: 'desktop' }))).toEqual(['about:config', PER_SERVER, '4']);
  });
  it.each([aboutConfigSteps, aboutConfigUndo])('are refused where nothing is set', (steps) => {
    expect(() => steps(FIREFOX_DEFAULT, { platform: 'desktop' })).toThrow('firefox-default sets nothing');
  });
});

describe('the file of GeckoView', () => {
  it('holds the preferences', () => {
    expect(geckoviewConfigYaml(profile('c8-d1'))).toBe(`# Plumbfox: c8-d1\nprefs:\n  ${PER_SERVER}: 8\n`);
  });
  it('writes booleans and integers as YAML has them', () => {
    expect(geckoviewConfigYaml(BETTERFOX)).toContain('\n  network.prefetch-next: false\n');
    // Nothing but "name: integer" and "name: true or false": the same in every YAML.
    expect(
      geckoviewConfigYaml(BETTERFOX)
        .split('\n')
        .slice(2, -1)
        .every((line) => /^ {2}[\w.-]+: (\d+|true|false)$/.test(line)),
    ).toBe(true);
  });
  it.each([
    '',
    'firefox',
    'org..firefox',
    'org.mozilla.firefox; reboot',
    '../org.mozilla',
    'org.mozilla.firefox\n',
    '-x.y',
    `a.${'b'.repeat(200)}`,
  ])('is not for the app %j', (app) => {
    expect(() => geckoviewConfigName(app)).toThrow('Not the name of an Android app');
    expect(() => geckoviewConfigSteps(profile('c8-d1'), { app })).toThrow('Not the name of an Android app');
    expect(() => geckoviewConfigUndo({ app })).toThrow('Not the name of an Android app');
  });
  it('is removed by the name under which it was put there', () => {
    const app = 'org.mozilla.fenix';
    expect(copied(geckoviewConfigSteps(profile('c8-d1'), { app }))).toContain(
      'adb push org.mozilla.fenix-geckoview-config.yaml /data/local/tmp/',
    );
    expect(copied(geckoviewConfigUndo({ app }))).toEqual([
      'adb shell rm /data/local/tmp/org.mozilla.fenix-geckoview-config.yaml',
      'adb shell am clear-debug-app',
      'adb shell am force-stop org.mozilla.fenix',
    ]);
  });
});

describe('user.js for Pale Moon and Basilisk', () => {
  const lines = (one: Profile) => Object.fromEntries(parsePreferences(legacyUserJs(one)));

  it('has the pipelining of the profile', () => {
    expect(lines(profile('c4-d6'))).toEqual({
      [PER_SERVER]: 4,
      'network.http.pipelining': true,
      'network.http.pipelining.ssl': true,
      'network.http.proxy.pipelining': true,
      'network.http.pipelining.maxrequests': 6,
      'network.http.pipelining.max-optimistic-requests': 6,
    });
  });
  it('turns pipelining off for depth 1, which is on there as shipped', () => {
    expect(lines(profile('c8-d1'))).toEqual({
      [PER_SERVER]: 8,
      'network.http.pipelining': false,
      'network.http.pipelining.ssl': false,
      'network.http.proxy.pipelining': false,
    });
  });
  it('leaves out what is unknown there, and says so', () => {
    expect(legacyPreferences(BETTERFOX).leftOut).toEqual([
      'network.http.max-urgent-start-excessive-connections-per-host',
      'network.dns.disablePrefetchFromHTTPS',
    ]);
    expect(lines(BETTERFOX)).not.toHaveProperty('network.dns.disablePrefetchFromHTTPS');
    expect(legacyUserJs(BETTERFOX)).toContain('//   Not included, unknown there: network.dns.disablePrefetchFromHTTPS\n');
  });
  it('knows all of the pipelining of the catalogue, and none of what names HTTP/3 or the new names of HTTP/2', () => {
    const names = CATALOGUE.map(({ preference }) => preference);
    expect(names.filter((name) => name.includes('pipelining')).every(isReadByUxp)).toBe(true);
    expect(names.filter((name) => /http[23]|throttle|tailing|tokens|urgent/.test(name)).some(isReadByUxp)).toBe(false);
  });
  it('is refused where nothing is set', () => {
    expect(() => legacyUserJs(FIREFOX_DEFAULT)).toThrow('firefox-default sets nothing');
  });
});
