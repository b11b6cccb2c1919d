/** The labels that people read in place of the values that reports and messages carry. */
import type { ProtocolComparison } from '../compare/comparison.ts';
import { assertNever } from '../errors.ts';
import { type GatewayVisit, PROBATION, type Withheld } from '../gateway-policy.ts';
import type { Bound } from '../simulate/prediction.ts';
import { type CoreLanguage, IN_ENGLISH } from './figures.ts';
import type { NumberFormat } from './number-format.ts';

/** Protocols as headings name them. */
export const PROTOCOL_LABELS: Readonly<Record<ProtocolComparison['protocol'], string>> = {
  'http/1.1': 'HTTP/1.1',
  'http/2': 'HTTP/2',
  'http/3': 'HTTP/3',
  mixed: 'Several HTTP versions',
  unknown: 'HTTP version not known',
};

/** The protocol within a sentence: `HTTP/1.1`, `several HTTP versions`. */
export function protocolLabel(protocol: ProtocolComparison['protocol']): string {
  if (protocol === 'unknown') return 'an unknown HTTP version';
  return protocol === 'mixed' ? 'several HTTP versions' : PROTOCOL_LABELS[protocol];
}

const RTT = /(\d+) ms/;
const RATE = /(\d+(?:\.\d+)?) (k|M)bit\/s/;

/** Links are named by their figures, `RTT 50 ms, 10 Mbit/s` (`linkName`): written as all other figures are, in the units that a person chose. */
export function linkFigures(name: string, { duration, rate }: Pick<NumberFormat, 'duration' | 'rate'>): string {
  return name
    .replace(RTT, (_, ms: string) => duration(Number(ms)))
    .replace(RATE, (_, value: string, size: string) => rate(Number(value) * (size === 'M' ? 1000 : 1)))
    .replaceAll('\u00a0', ' ');
}

/** The cause of most of a predicted load's time. */
export function boundLabel(bound: Bound): string {
  switch (bound) {
    case 'bandwidth':
      return 'bandwidth';
    case 'queue-wait':
      return 'waiting to be sent';
    case 'round-trips':
      return 'round trips';
    case 'loss':
      return 'loss';
    case 'server':
      return 'the server';
    case 'page':
      return 'the page itself';
    default:
      return assertNever(bound);
  }
}

/** Which gateway figures are of, in a sentence. */
export const formatGatewayVisit = (visit: GatewayVisit, { text }: Pick<CoreLanguage, 'text'> = IN_ENGLISH): string =>
  visit === 'first-visit' ? text('gateway.firstVisit', { answers: PROBATION.answers }) : text('gateway.knownSite');

const WITHHELD_TEXTS = { 'short-round-trips': 'withheld.shortRoundTrips' } as const satisfies Record<Withheld, string>;

/** Stands in place of a change of speed. */
export const formatWithheld = (why: Withheld, { text }: Pick<CoreLanguage, 'text'> = IN_ENGLISH): string => text(WITHHELD_TEXTS[why]);
