/** What an audit finds, in sentences. */
import type { Verdict } from '../compare/comparison.ts';
import { assertNever } from '../errors.ts';
import type { PreferenceValue } from '../profiles/knob.ts';
import { counted, formatRange, signedPercent } from '../text/figures.ts';
import type { BuildPlatform } from './build-facts.ts';
import type { AuditedLine, Finding, GoneSince, LineGroup, PredictedVerdict, SpeedChange } from './finding.ts';

/** The headings of a report, by group. */
export const GROUP_HEADINGS: Readonly<Record<LineGroup, string>> = {
  acts: 'Can change how fast pages load',
  'no-effect': 'Set without effect',
  default: "Already Firefox's own value",
  dead: 'Dead: nothing in this Firefox reads them',
  other: 'Not about the network, as far as the catalogue knows',
  marker: 'Markers',
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

/** Longer values hide what is said of them. */
const MAX_VALUE = 60;

/** A value as user.js has it, shortened. */
export function valueLabel(value: PreferenceValue): string {
  const text = JSON.stringify(value);
  return text.length <= MAX_VALUE ? text : `${text.slice(0, MAX_VALUE)}…`;
}

/** All sentences of a line, what decides about it first. */
export const lineSentences = ({ findings }: Pick<AuditedLine, 'findings'>): string => findings.map(findingSentence).join(' ');

/** One finding as a sentence. */
export function findingSentence(finding: Finding): string {
  switch (finding.kind) {
    case 'marker':
      return 'A marker by which the list reports how far Firefox read it; it is not a preference and is not judged.';
    case 'superseded':
      return `Line ${finding.byLine} sets it again, to ${valueLabel(finding.value)}, and the last one counts.`;
    case 'dead':
      return deadSentence(finding);
    case 'hidden':
      return 'Firefox has no value of its own for it, but its code names it, whole or in parts: it may be read.';
    case 'default':
      return `Firefox ${finding.version} has this value already${finding.underPolicy ? '; a policy of this machine may set another' : ''}.`;
    case 'own-unknown':
      return "Firefox's own value is not known.";
    case 'wrong-type':
      return `Firefox ignores it: the value must be ${TYPE_LABELS[finding.expected]}.`;
    case 'clamped':
      return `Acts as ${finding.actsAs}, the nearest value that Firefox allows.`;
    case 'refused-value':
      return finding.keeps === undefined
        ? 'Firefox ignores this value.'
        : `Firefox ignores this value and keeps ${valueLabel(finding.keeps)}.`;
    case 'overridden':
      return `A policy or configuration of this machine locks it to ${valueLabel(finding.to)}.`;
    case 'policy-ignores':
      return "Firefox's policy engine accepts no preference of this name; user.js would.";
    case 'policy-converts':
      return `A policy's ${finding.from} is taken as ${finding.from !== 0}.`;
    case 'policy-locks':
      return 'It is locked: nobody can set another value.';
    case 'cannot-matter':
      return `Cannot matter for your pages: it acts on ${protocolName(finding.protocol)}, and none of their ${finding.requests} requests uses that.`;
    case 'predicted':
      return `Predicted: ${changeLabel(finding.change)}${PREDICTED_LABELS[finding.verdict]}.`;
    case 'not-modelled':
      return 'The simulator has no model of it, so nothing is predicted.';
    case 'measured':
      return `Measured (${finding.link}): ${finding.sentence}`;
    case 'timed':
      return timedSentence(finding);
    case 'not-timed':
      return finding.why === 'too-many' ? 'Not timed: the measurement takes no more lines.' : 'Not timed: the lab does not set this value.';
    case 'costs':
      return `Costs: ${finding.price}`;
    case 'not-catalogued':
      return 'Outside the catalogue, so not judged further.';
    case 'changes':
      return `Changes Firefox's own ${valueLabel(finding.from)}.`;
    default:
      return assertNever(finding);
  }
}

function timedSentence({ change, verdict, pairs }: Extract<Finding, { kind: 'timed' }>): string {
  const figure = change === undefined ? '' : `${changeLabel(change)}, ${counted(pairs, 'round')} of loads, `;
  return `Measured here: ${figure}${VERDICT_LABELS[verdict]}.`;
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

function deadSentence({ platform, version, gone, lastSeen, meant }: Extract<Finding, { kind: 'dead' }>): string {
  const where = `Nothing in Firefox ${version} for ${platformLabel(platform)} reads it`;
  const since = gone === undefined ? '' : `: gone since Firefox ${gone.version}${sourceLabel(gone)}`;
  const seen = gone === undefined && lastSeen !== undefined ? `: gone by ${version.split('.')[0]}, present in ${lastSeen}` : '';
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
  return `${where}${since}${seen}.${hint}`;
}

/** ` (bug 1340655)`. */
const sourceLabel = ({ source }: GoneSince): string => (source === undefined ? '' : ` (${/bug \d+/.exec(source)?.[0] ?? source})`);

const protocolName = (protocol: string): string => (protocol === 'tls' ? 'TLS' : protocol.toUpperCase());

/** `+12 % (+5 % to +18 %)`. */
export function changeLabel({ ratio, low, high }: SpeedChange): string {
  const range = low === undefined || high === undefined ? '' : ` (${formatRange(low, high)})`;
  return `${signedPercent(ratio - 1)}${range}`;
}
