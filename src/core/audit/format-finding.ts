/** What an audit finds, in sentences. */
import type { Verdict } from '../compare/comparison.ts';
import { assertNever } from '../errors.ts';
import type { PreferenceValue } from '../profiles/knob.ts';
import { type CoreLanguage, formatRange, IN_ENGLISH } from '../text/figures.ts';
import type { BuildPlatform } from './build-facts.ts';
import type { AuditedLine, Finding, GoneSince, LineGroup, NotTimed, PredictedVerdict, SpeedChange } from './finding.ts';
import { conditionsSentences } from './published-conditions.ts';

/** The headings of a report, by group. */
export const GROUP_HEADINGS: Readonly<Record<LineGroup, string>> = {
  acts: 'Can change how fast pages load',
  'no-effect': 'Set without effect',
  default: "Already Firefox's own value",
  dead: 'Dead: nothing in this Firefox reads them',
  other: 'Outside the catalogue',
  marker: 'Markers',
};

const NOT_TIMED: Readonly<Record<NotTimed, string>> = {
  'too-many': 'Not timed: the measurement takes no more lines.',
  'not-settable': 'Not timed: the lab does not set this value.',
  'at-start': 'Not timed: Firefox reads it only as it starts, and the lab sets it later.',
  'not-read': 'Not timed: no request of the measured pages reads it. --protocol serves them over another protocol.',
};

const PLATFORM_LABELS: Readonly<Record<BuildPlatform, string>> = {
  linux: 'Linux',
  mac: 'macOS',
  windows: 'Windows',
  desktop: 'the desktop',
  android: 'Android',
};

/** `Linux`, within a sentence. */
export const platformLabel = (platform: BuildPlatform): string => PLATFORM_LABELS[platform];

/** `user.js 12`, or `12` where the list is one file. */
export const linePlace = ({ file, line }: Pick<AuditedLine, 'file' | 'line'>): string =>
  file === undefined ? `${line}` : `${file} ${line}`;

/** Longer values hide what is said of them. */
const MAX_VALUE = 60;

/** A value as user.js has it, shortened. */
export function valueLabel(value: PreferenceValue): string {
  const text = JSON.stringify(value);
  return text.length <= MAX_VALUE ? text : `${text.slice(0, MAX_VALUE)}…`;
}

/** All sentences of a line, what decides about it first. */
export const lineSentences = ({ findings }: Pick<AuditedLine, 'findings'>, language: CoreLanguage = IN_ENGLISH): string =>
  findings.map((finding) => findingSentence(finding, language)).join(' ');

/** One finding as a sentence. */
export function findingSentence(finding: Finding, language: CoreLanguage = IN_ENGLISH): string {
  const { text, label } = language;
  switch (finding.kind) {
    case 'marker':
      return label('A marker by which the list reports how far Firefox read it; it is not a preference and is not judged.');
    case 'superseded':
      return text('line.superseded', { line: finding.byLine, value: valueLabel(finding.value) });
    case 'dead':
      return deadSentence(finding, language);
    case 'hidden':
      return label('Firefox has no value of its own for it, but its code names it, whole or in parts: it may be read.');
    case 'joined':
      return text('line.joined', { branch: finding.branch });
    case 'foreign':
      return label('Not a preference of Firefox itself: a style sheet, a script or an extension of yours may read it.');
    case 'default':
      return text(finding.underPolicy ? 'line.default.underPolicy' : 'line.default', { version: finding.version });
    case 'own-unknown':
      return label("Firefox's own value is not known.");
    case 'wrong-type':
      return text('line.wrongType', { type: label(TYPE_LABELS[finding.expected]) });
    case 'clamped':
      return text('line.clamped', { value: String(finding.actsAs) });
    case 'refused-value':
      return finding.keeps === undefined
        ? label('Firefox ignores this value.')
        : text('line.refused', { value: valueLabel(finding.keeps) });
    case 'overridden':
      return text('line.overridden', { value: valueLabel(finding.to) });
    case 'policy-ignores':
      return label("Firefox's policy engine accepts no preference of this name; user.js would.");
    case 'policy-converts':
      return text('line.converts', { from: String(finding.from), value: String(finding.from !== 0) });
    case 'policy-named':
      return text('line.policyNamed', { policy: finding.policy });
    case 'policy-locks':
      return label('It is locked: nobody can set another value.');
    case 'cannot-act':
      return text('line.cannotAct', { protocol: protocolName(finding.protocol), requests: finding.requests });
    case 'predicted':
      return text('line.predicted', {
        change: changeLabel(finding.change, language),
        verdict: label(PREDICTED_LABELS[finding.verdict]),
        on: finding.on === undefined ? '' : text('line.predicted.on', { protocol: protocolName(finding.on.protocol) }),
      });
    case 'unchanged':
      return text('line.unchanged');
    case 'not-modelled':
      return text(finding.isMeasured ? 'line.notModelled' : 'line.notKnown');
    case 'not-known':
      return text('line.notMeasured');
    case 'measured':
      return text('line.measured', {
        ...{ link: label(finding.link), sentence: label(finding.sentence) },
        made: conditionsSentences(finding.made, language),
      });
    case 'timed':
      return timedSentence(finding, language);
    case 'not-timed':
      return label(NOT_TIMED[finding.why]);
    case 'costs':
      return text('line.costs', { price: label(finding.price) });
    case 'not-catalogued':
      return label('Outside the catalogue, so not judged further.');
    case 'changes':
      return text('line.changes', { value: valueLabel(finding.from) });
    default:
      return assertNever(finding);
  }
}

function timedSentence({ change, verdict, pairs: count }: Extract<Finding, { kind: 'timed' }>, language: CoreLanguage): string {
  const { text, label } = language;
  const found = label(VERDICT_LABELS[verdict]);
  if (change === undefined) return text('line.timed.none', { verdict: found });
  return text('line.timed', { change: changeLabel(change, language), count, verdict: found });
}

/** Verdicts as people read them. */
export const VERDICT_LABELS: Readonly<Record<Verdict, string>> = {
  better: 'faster',
  worse: 'slower',
  'no-meaningful-difference': 'no real difference',
  'need-more-loads': 'not enough data yet',
  baseline: 'the baseline',
  'no-verdict': 'no verdict',
};

const TYPE_LABELS = { integer: 'a whole number', boolean: 'true or false', string: 'text in quotation marks' } as const;

const PREDICTED_LABELS: Readonly<Record<PredictedVerdict, string>> = {
  faster: ', faster',
  slower: ', slower',
  'no-difference': ', no real difference',
  unsure: ', which is within the error of the prediction',
};

function deadSentence(
  { platform, version, gone, lastSeen, meant, renamed }: Extract<Finding, { kind: 'dead' }>,
  { text, label }: CoreLanguage,
): string {
  const since =
    gone !== undefined
      ? text('line.dead.since', { version: String(gone.version), source: sourceLabel(gone) })
      : lastSeen === undefined
        ? ''
        : text('line.dead.seen', { version: version.split('.')[0] ?? version, lastSeen });
  const hint =
    renamed !== undefined
      ? text('line.dead.renamed', { preference: renamed.to, source: renamed.source })
      : meant === undefined
        ? ''
        : text('line.dead.meant', { preference: meant });
  return text('line.dead', { version, platform: label(platformLabel(platform)), since, hint });
}

/** ` (bug 1340655)`. */
const sourceLabel = ({ source }: GoneSince): string => (source === undefined ? '' : ` (${/bug \d+/.exec(source)?.[0] ?? source})`);

const protocolName = (protocol: string): string => (protocol === 'tls' ? 'TLS' : protocol.toUpperCase());

/** `+12 % (+5 % to +18 %)`. */
export function changeLabel({ ratio, low, high }: SpeedChange, language: CoreLanguage = IN_ENGLISH): string {
  const range = low === undefined || high === undefined ? '' : ` (${formatRange(low, high, language)})`;
  return `${language.gain(ratio - 1)}${range}`;
}
