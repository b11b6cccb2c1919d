/**
 * What the published studies measured of single preferences, for the lines of a list. Each sentence repeats figures of the study's page, and a test
 * holds them against it.
 */
import { HTTP3_ENABLED, PACING_BURST, PACING_ENABLED, PER_SERVER } from '../profiles/catalogue.ts';
import type { PreferenceValue } from '../profiles/knob.ts';
import type { Finding } from './finding.ts';
import { conditionsOf, type PublishedId } from './published-conditions.ts';

type Measured = Extract<Finding, { kind: 'measured' }>;

/** A preference at one value, measured against Firefox's own settings. */
interface MeasuredEffect {
  readonly preference: string;
  readonly value: PreferenceValue;
  readonly study: PublishedId;
  /** What stands on the study's page, for each figure of the sentence; the verdict is the first one's. */
  readonly quotes: readonly string[];
  readonly sentence: string;
  /** The study's verdict over all its pages and links is that it is slower. */
  readonly harmful: boolean;
}

const ELSEWHERE = 'Over HTTP/2 and HTTP/3 no difference was shown.';

const connections = (value: number, change: string, verdict: string, options: { range: string; harmful?: boolean }): MeasuredEffect => ({
  preference: PER_SERVER,
  value,
  study: 'modern-defaults',
  quotes: [`| HTTP/1.1 | c${value}-d1 | ${change} | ${options.range} | 48 | ${verdict} |`],
  sentence: `Over HTTP/1.1 on eight links: ${change} (${options.range}, 48 pairs of loads), ${verdict}. ${ELSEWHERE}`,
  harmful: options.harmful ?? false,
});

const inPacing = (
  setting: { preference: string; value: PreferenceValue; profile: string },
  change: string,
  range: string,
): MeasuredEffect => ({
  ...{ preference: setting.preference, value: setting.value },
  study: 'pacing',
  quotes: [`| ${setting.profile} | ${change} | ${range} | 75 | faster |`],
  sentence: `Over HTTP/1.1, 15 scenarios of news, shop and gallery: ${change} (${range}, 75 pairs of loads), faster.`,
  harmful: false,
});

/** In the order of studies, preferences and values. */
export const MEASURED_EFFECTS: readonly MeasuredEffect[] = [
  connections(1, '−67 %', 'slower', { range: '−72 % to −62 %', harmful: true }),
  connections(2, '−44 %', 'slower', { range: '−51 % to −36 %', harmful: true }),
  connections(4, '−18 %', 'slower', { range: '−31 % to −3.1 %', harmful: true }),
  connections(8, '+13 %', 'not enough data yet', { range: '−4.4 % to +34 %' }),
  connections(10, '+14 %', 'not enough data yet', { range: '−3.4 % to +35 %' }),
  connections(16, '+17 %', 'faster', { range: '+0.3 % to +36 %' }),
  inPacing({ preference: PACING_ENABLED, value: false, profile: 'pacing-off' }, '+10 %', '+4.6 % to +16 %'),
  inPacing({ preference: PACING_BURST, value: 40, profile: 'burst-40' }, '+10 %', '+4.9 % to +16 %'),
  inPacing({ preference: PER_SERVER, value: 10, profile: 'c10-d1' }, '+9.6 %', '+3.5 % to +16 %'),
  inPacing({ preference: PER_SERVER, value: 16, profile: 'c16-d1' }, '+10 %', '+5.1 % to +15 %'),
  {
    preference: HTTP3_ENABLED,
    value: false,
    study: 'protocols',
    quotes: [
      '| all | no-http3 | HTTP/2 | 2.21 s | 2.02 s | −8.6 % | −18 % to +2.4 % | 32 | not enough data yet |',
      '| geo-19m | no-http3 | HTTP/2 | 6.30 s | 4.32 s | −31 % | −35 % to −27 % | 8 | slower |',
    ],
    sentence:
      'Where servers speak HTTP/3, over four links: −8.6 % (−18 % to +2.4 %, 32 pairs of loads), not enough data yet. Over a geostationary satellite: −31 % (−35 % to −27 %, 8 pairs of loads), slower.',
    harmful: false,
  },
];

/** The page of a study's findings. */
export const studyLink = (study: string): string => `docs/results/${study}/findings.md`;

/** What each published study has of this value by itself. */
export const measuredEffects = (preference: string, value: PreferenceValue): readonly Measured[] =>
  MEASURED_EFFECTS.filter((each) => each.preference === preference && each.value === value).map(({ study, sentence, harmful }) => ({
    kind: 'measured',
    study,
    link: studyLink(study),
    sentence,
    harmful,
    made: conditionsOf(study),
  }));
