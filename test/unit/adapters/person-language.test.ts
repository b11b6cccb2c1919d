/** What core words, in German: answers, trials and their checks, lines of a tweak list, and sentences that were made in English. */
import { describe, expect, it } from 'vitest';
import { answerSentence } from '../../../src/core/answer/format-answer.ts';
import { findingSentence, GROUP_HEADINGS, VERDICT_LABELS } from '../../../src/core/audit/format-finding.ts';
import { MEASURED_EFFECTS } from '../../../src/core/audit/measured-effects.ts';
import { conditionsOf, conditionsSentences } from '../../../src/core/audit/published-conditions.ts';
import { controlSentence, formatFault, noVerdictSentence, versusSentence } from '../../../src/core/compare/format-verdict.ts';
import type { VerdictFault } from '../../../src/core/compare/verdict.ts';
import { aboutConfigSteps, aboutConfigUndo } from '../../../src/core/profiles/about-config.ts';
import { CATALOGUE, placeOf } from '../../../src/core/profiles/catalogue.ts';
import { ANDROID_PACKAGES, geckoviewConfigSteps, geckoviewConfigUndo } from '../../../src/core/profiles/geckoview-config-yaml.ts';
import { findProfile } from '../../../src/core/profiles/presets.ts';
import { formatRange, formatSpeed, speedComparison } from '../../../src/core/text/figures.ts';
import { profileName } from '../../../src/core/text/profile-name.ts';
import { checkSentence } from '../../../src/core/trial/format-checks.ts';
import { droppedBecause } from '../../../src/core/trial/format-trial.ts';
import { speakGerman } from '../../support/german.ts';
import { plain } from '../controls/sample-state.ts';

speakGerman();
const { coreLanguage, fixedText, preferenceText } = await import('../../../src/adapters/person-language.ts');

const change = { gain: 0.42, low: 0.23, high: 0.65 };

describe('the answer', () => {
  const said = (answer: Parameters<typeof answerSentence>[0]) => plain(answerSentence(answer, coreLanguage));

  it('is worded for one and for several, with a decimal comma where figures have one', () => {
    const found = { from: 'trial', state: 'confirmed', carrier: 'none', change, loads: 40, protocol: 'http/1.1' } as const;
    expect(said({ ...found, profileId: 'c12-d1' })).toBe(
      '12 Verbindungen sind hier über HTTP/1.1 schneller: +42 % (+23 bis +65 %), 40 Aufrufe.',
    );
    expect(said({ ...found, profileId: 'c1-d1', loads: 1 })).toBe(
      '1 Verbindung ist hier über HTTP/1.1 schneller: +42 % (+23 bis +65 %), 1 Aufruf.',
    );
  });

  it('says how much settings can reach', () => {
    expect(said({ from: 'reach', requests: 200, byConnections: 24, tried: { preferences: 3, of: 40, requests: 200 }, atMost: 0.012 })).toBe(
      'Die Standardeinstellungen von Firefox sind für Sie richtig. Verbindungseinstellungen erreichen 12 % Ihrer Anfragen (HTTP/1.1); vorhergesagter Gewinn höchstens 1,2 %. Durch Simulation erprobt: 3 von 40 Einstellungen, die auf Ihre Anfragen wirken.',
    );
    expect(said({ from: 'reach', requests: 200, byConnections: 1, tried: { preferences: 3, of: 40, requests: 200 }, loadsSince: 1 })).toBe(
      'Verbindungseinstellungen erreichen unter 1 % Ihrer Anfragen (HTTP/1.1). Ob vorhergesagte Gewinne für solche Seiten zutreffen, ist nicht erwiesen. Sicher sagen kann es nur ein Versuch. Ihr neuester Aufruf ist in dieser Vorhersage noch nicht enthalten.',
    );
  });

  it('says how a trial stands', () => {
    const running = { from: 'trial', state: 'running', isPaused: true, loads: 31 } as const;
    expect(said({ ...running, stage: 'collecting' })).toBe(
      'Bisher 31 Aufrufe, noch zu früh, um zu sagen, was schneller ist. Im Popup geht es weiter.',
    );
    expect(said({ from: 'nothing', why: 'no-loads' })).toBe('Öffnen Sie einige Seiten und sehen Sie dann wieder nach.');
  });
});

describe('settings', () => {
  const named = (profileId: string) => plain(profileName(profileId, coreLanguage));

  it('go by their German names, with value and unit, on or off', () => {
    expect(named('firefox-default+network.http.connection-retry-timeout=500')).toBe('Wartezeit vor einer Ersatzverbindung (500 ms)');
    expect(named('c8-d1+network.http.pacing.requests.hz=320')).toBe('8 Verbindungen, Taktung (320 Anfragen/s)');
    expect(named('c8-d1+network.http.pacing.requests.enabled=false')).toBe('8 Verbindungen, ohne Taktung der Anfragen');
    expect(named('c8-d1+network.dns.disableIPv6=true')).toBe('8 Verbindungen, ohne IPv6');
    expect(named('c8-d1+network.dns.disableIPv6=false')).toBe('8 Verbindungen, IPv6');
    expect(named('firefox-default+browser.cache.disk.preload_chunk_count=8')).toBe(
      'Zahl vorausgelesener Stücke zu 256 KiB im Festplatten-Cache (8)',
    );
  });

  it('are counted where there are many', () => {
    const many = ['network.preconnect', 'network.modulepreload', 'network.early-hints.enabled', 'network.http.http2.enabled'];
    expect(named(['c8-d1', ...many.map((preference) => `${preference}=false`)].join('+'))).toBe(
      '8 Verbindungen, ohne HTTP/2, ohne Vorabverbindung (preconnect) und 2 weitere',
    );
  });

  it('keep their name where they have no other, and what no profile may set has none', () => {
    expect(named('betterfox')).toBe('betterfox');
    expect(preferenceText('names', placeOf('network.http.pipelining'))).toBe('');
    expect(preferenceText('names', placeOf('a.b'))).toBe('');
  });
});

describe('a trial', () => {
  it('says what a check found', () => {
    const arms = [
      { profileId: 'c8-d1', attempted: 40, usable: 20, lost: 20, evidence: 200 },
      { profileId: 'firefox-default', attempted: 40, usable: 38, lost: 2, evidence: 1 },
    ];
    expect(plain(checkSentence({ kind: 'lost-loads', outcome: 'failed', arms }, coreLanguage))).toBe(
      '20 von 40 Aufrufen (8 Verbindungen) fehlen oder sind nicht verwendbar, bei den anderen 5 %: Das ist kein Zufall.',
    );
  });

  it('says why a profile is out, also where an earlier version kept the words', () => {
    const found = { profileId: 'c2-d1', ratio: 0.88, low: 0.8, high: 0.97, finding: 'worse', loads: 24, baselineLoads: 20 } as const;
    expect(plain(droppedBecause({ profileId: 'c2-d1', reason: 'worse', found, block: 1 }, 'firefox-default', coreLanguage))).toBe(
      '12 % langsamer als Firefox-Standard (−20 % bis −3 %), aus 24 Aufrufen (2 Verbindungen) und 20 (Firefox-Standard)',
    );
    const because = 'this profile could not be put in effect: network.http.max-connections did not take the value';
    expect(droppedBecause({ profileId: 'c2-d1', reason: 'not-applicable', because, block: 1 }, 'firefox-default', coreLanguage)).toBe(
      'dieses Profil ließ sich nicht in Kraft setzen: network.http.max-connections hat den Wert nicht angenommen',
    );
  });
});

describe('figures', () => {
  it('have the words of the language', () => {
    expect(plain(formatSpeed(0.969, coreLanguage))).toBe('3,1 % langsamer');
    expect(plain(speedComparison(1.24, 'c6-d1', coreLanguage))).toBe('24 % schneller als c6-d1');
    expect(plain(speedComparison(1, 'c6-d1', coreLanguage))).toBe('so schnell wie c6-d1');
    expect(plain(formatRange(0.5, 12, coreLanguage))).toBe('−50 % bis 12-mal so schnell');
  });
});

describe('verdicts and lines of a list', () => {
  it('are worded from what was found', () => {
    expect(plain(formatFault({ kind: 'most-loads-lost', profileId: 'c8-d1', lost: 11, attempted: 20 }, coreLanguage))).toMatch(
      /^11 von 20 Aufrufen/,
    );
    const fault = { kind: 'unrandomised' } as const;
    const separation = {} as Parameters<typeof controlSentence>[0]['separation'];
    const control = { controlId: 'control', baselineId: 'firefox-default', separation, fault, used: false };
    expect(controlSentence(control, coreLanguage)).toBe(
      'Was das Gateway selbst kostet, ist nicht bekannt (diese Einstellungen waren zu verschiedenen Zeiten in Gebrauch). Profile, die das Gateway brauchen, bekommen kein Urteil.',
    );
    expect(findingSentence({ kind: 'clamped', actsAs: 1800 }, coreLanguage)).toBe(
      'Wirkt wie 1800, der nächstgelegene Wert, den Firefox zulässt.',
    );
    expect(findingSentence({ kind: 'costs', price: 'Without it, a certificate that was revoked may be accepted.' }, coreLanguage)).toBe(
      'Kostet: Ohne dies wird ein widerrufenes Zertifikat womöglich angenommen.',
    );
  });
});

describe('the reason for a verdict', () => {
  const figures = { ratio: 1.24, low: 1.18, high: 1.31, pairs: 14, pairsAhead: 12, detectableChange: 0.03, p: 0.01, reason: '' };
  const found = { ...figures, against: 'firefox-default', loadsNeeded: undefined, loadsNeededAtMost: undefined } as const;
  const reason = (other: Partial<Parameters<typeof versusSentence>[1]>) =>
    plain(versusSentence('c8-d1', { ...found, verdict: 'better', ...other }, coreLanguage));

  it('is made of the figures', () => {
    expect(reason({})).toBe('c8-d1 war in 12 von 14 Paaren schneller: 24 % schneller als firefox-default (+18 % bis +31 %).');
    expect(reason({ verdict: 'no-meaningful-difference', ratio: 1, low: 0.99, high: 1.015 })).toBe(
      'c8-d1 und firefox-default liegen weniger als 3 % auseinander: gleich schnell (−1 % bis +1,5 %), 14 Paare.',
    );
    expect(reason({ verdict: 'need-more-loads', low: 0.9 })).toBe(
      'c8-d1 wirkt 24 % schneller als firefox-default, doch das Intervall (−10 % bis +31 %) lässt es offen.',
    );
    expect(reason({ verdict: 'need-more-loads', low: undefined, pairs: 1 })).toBe(
      'c8-d1 wirkt 24 % schneller als firefox-default, doch diese Aufrufe ergeben noch kein Intervall.',
    );
    // Before the third block, or with a change below 3 %.
    expect(reason({ verdict: 'need-more-loads' })).toBe(
      'c8-d1 wirkt 24 % schneller als firefox-default (+18 % bis +31 %), doch ein Urteil steht noch aus.',
    );
    expect(reason({ verdict: 'need-more-loads', ratio: undefined })).toBe('c8-d1 und firefox-default lassen sich noch nicht vergleichen.');
  });

  it('is the check that failed, whatever the figures are', () => {
    const because = (fault: VerdictFault) => reason({ verdict: 'no-verdict', reason: noVerdictSentence(fault) });
    expect(because({ kind: 'gateway-cost-not-known', controlId: 'control' })).toBe(
      'Kein Urteil: Was das Gateway selbst kostet, ist nicht bekannt, denn die Kontrolle hat noch kein Paar von Aufrufen.',
    );
    expect(because({ kind: 'gateway-cost-not-known', controlId: 'c6-d1' })).toBe(
      'Kein Urteil: Was das Gateway selbst kostet, ist nicht bekannt, denn c6-d1 hat noch kein Paar von Aufrufen.',
    );
    const [own, others] = [
      { lost: 6, attempted: 20 },
      { lost: 1, attempted: 21 },
    ];
    expect(because({ kind: 'unequal-losses', profileId: 'c8-d1', against: 'firefox-default', own, others })).toBe(
      'Kein Urteil: 6 von 20 Aufrufen mit c8-d1 und 1 von 21 mit firefox-default sind aus Gründen nicht gewertet, die von der Ladezeit abhängen können.',
    );
  });
});

it('says when and with what a published figure was made', () => {
  expect(plain(conditionsSentences(conditionsOf('protocols'), coreLanguage))).toBe(
    'Gemessen am 23. November 2026 mit Firefox ESR 153.7.0; die Server sendeten mit CUBIC. Nebenher liefen andere Programme (Systemlast 10,4 bis 18,7). Vor dem 28. November 2026 waren emulierte Strecken ungenauer: Statt der verlangten 30 ms dauerten Handshakes, während Seiten luden, 26,5 bis 30,9 ms.',
  );
});

describe('what core has in English as a whole', () => {
  const untranslated = (texts: readonly string[]) => [...new Set(texts)].filter((text) => fixedText(text) === text);

  it('is translated: what preferences cost, and what was measured of them', () => {
    expect(untranslated(CATALOGUE.flatMap(({ price }) => price ?? []))).toEqual([]);
    expect(untranslated(MEASURED_EFFECTS.map(({ sentence }) => sentence))).toEqual([]);
    expect(untranslated([...Object.values(GROUP_HEADINGS), ...Object.values(VERDICT_LABELS)])).toEqual([]);
  });

  it.each(['c8-d1', 'betterfox', 'c8-d1+network.http.pacing.requests.enabled=false+network.prefetch-next=true'])(
    'is translated: each step that sets or undoes %s manually',
    (id) => {
      const profile = findProfile(id);
      if (profile === undefined) throw new Error(id);
      const steps = (['desktop', 'android'] as const).flatMap((platform) => [
        ...aboutConfigSteps(profile, { platform }),
        ...aboutConfigUndo(profile, { platform }),
      ]);
      const app = ANDROID_PACKAGES.release;
      const all = [...steps, ...geckoviewConfigSteps(profile, { app }), ...geckoviewConfigUndo({ app })];
      expect(untranslated(all.flatMap(({ text, copies }) => [text, ...copies.map(({ what }) => what)]))).toEqual([]);
    },
  );
});

describe('a sentence that was made in English', () => {
  it('of a report is said with its figures', () => {
    expect(plain(fixedText('+24 % (+18 % to +31.5 %)'))).toBe('+24 % (+18 % bis +31,5 %)');
    expect(fixedText('3 to 4')).toBe('3 to 4');
    expect(plain(fixedText('1.30 s'))).toBe('1,30 s');
    expect(fixedText('24 (3 excluded)')).toBe('24 (3 nicht gewertet)');
    expect(fixedText('control: slower')).toBe('Kontrolle: langsamer');
    expect(
      plain(
        fixedText(
          "HTTP/1.1: Nothing is faster than Firefox's own settings. The closest is 8 connections (c8-d1), +1.2 % (−3 % to +5.8 %, 48 pairs of loads).",
        ),
      ),
    ).toBe(
      'HTTP/1.1: Nichts ist schneller als der Firefox-Standard. Am nächsten kommen 8 Verbindungen (c8-d1): +1,2 % (−3 % bis +5,8 %, 48 Paare von Aufrufen).',
    );
  });

  it('of a refusal is said with what was typed', () => {
    expect(fixedText('network.http.max-connections: "" is not a whole number')).toBe(
      'network.http.max-connections: "" ist keine ganze Zahl',
    );
    expect(fixedText('sets no preference: it has no line such as user_pref("name", 1);')).toBe(
      'keine Einstellung ist darin: Es fehlt eine Zeile wie user_pref("name", 1);',
    );
  });

  it('is said with its names and numbers', () => {
    expect(fixedText('No verdict: 11 of the 20 loads of c8-d1 were excluded or have no efficiency.')).toBe(
      'Kein Urteil: 11 von 20 Aufrufen mit c8-d1 sind nicht gewertet oder ohne Effizienz.',
    );
    expect(fixedText('network.prefetch-next was false and is true now: someone else has changed it.')).toBe(
      'network.prefetch-next war false und ist jetzt true: Jemand anders hat es geändert.',
    );
  });

  it('is said up to a colon and after it, or in parts, or stays as it is', () => {
    expect(fixedText('network.http.max-connections: an enterprise policy or a configuration file has locked it')).toBe(
      'network.http.max-connections: eine Unternehmensrichtlinie oder Konfigurationsdatei hat es gesperrt',
    );
    expect(fixedText('The helper app cannot write: EACCES.')).toBe('Das Hilfsprogramm kann nicht schreiben: EACCES.');
    expect(fixedText('Something else.')).toBe('Something else.');
    expect(
      fixedText(
        'Over HTTP/1.1 on eight links: −18 % (−31 % to −3.1 %, 48 pairs of loads), slower. Over HTTP/2 and HTTP/3 no difference was shown.',
      ),
    ).toBe(
      'Über HTTP/1.1 auf acht Strecken: −18\u00a0% (−31\u00a0% bis −3,1\u00a0%, 48 Paare von Aufrufen), langsamer. Über HTTP/2 und HTTP/3 zeigte sich kein Unterschied.',
    );
  });
});
