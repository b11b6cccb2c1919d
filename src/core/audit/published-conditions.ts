/**
 * What every published measurement was made with: its figures are said with this until it is made again. A test holds each entry against the page
 * or the file of its measurement.
 */
import type { GatewayVisit } from '../gateway-policy.ts';
import { type CoreLanguage, IN_ENGLISH } from '../text/figures.ts';
import { formatGatewayVisit } from '../text/labels.ts';

/** A study, a corpus or the exhaustive search, by the name of its folder. */
export type PublishedId =
  | 'fennec-2008'
  | 'fennec-2008-dispatch'
  | 'h2-large-objects'
  | 'modern-defaults'
  | 'pacing'
  | 'pipelining-10x150k'
  | 'protocols'
  | 'read-size'
  | 'tweak-lists'
  | 'warm-up'
  | 'corpus'
  | 'corpus-cubic'
  | 'exhaustive';

export interface PublishedConditions {
  readonly id: PublishedId;
  readonly kind: 'study' | 'corpus' | 'search';
  /** The day of its first load, UTC. */
  readonly day: string;
  /** Version of Firefox ESR. */
  readonly firefox: string;
  /** The congestion control of its servers. */
  readonly sender: 'reno' | 'cubic';
  /** Load averages of a minute while other programs ran beside it; absent: none were noted. */
  readonly loadAverage?: { readonly low: number; readonly high: number };
  /** What its gateway knew of the sites; absent: nothing of it went through one. */
  readonly gateway?: GatewayVisit;
  /** `before-repair`: the emulated links were off as `LINK_REPAIR` says. */
  readonly links: 'before-repair' | 'repaired';
}

/** Why earlier round trips were off, and by how much: handshakes while a page loaded, by packet captures, over a link of `askedMs`. */
export const LINK_REPAIR = { day: '2026-11-28', askedMs: 30, lowMs: 26.5, highMs: 30.9 } as const;

type Made = Pick<PublishedConditions, 'kind' | 'day' | 'sender' | 'loadAverage' | 'gateway'>;

/** All were made in one Firefox, and before the links were repaired. */
const before = (made: Made): Omit<PublishedConditions, 'id'> => ({ firefox: '153.7.0', links: 'before-repair', ...made });

const RENO_STUDY = before({ kind: 'study', day: '2026-11-21', sender: 'reno' });

/** Before the lab's gateway had probation. */
const GATEWAY_STUDY: Omit<PublishedConditions, 'id'> = { ...RENO_STUDY, gateway: 'known-site' };

const besideOthers = (low: number, high: number) =>
  before({ kind: 'study', day: '2026-11-23', sender: 'cubic', loadAverage: { low, high } });

const CONDITIONS: Readonly<Record<PublishedId, Omit<PublishedConditions, 'id'>>> = {
  'fennec-2008': GATEWAY_STUDY,
  'fennec-2008-dispatch': GATEWAY_STUDY,
  'warm-up': RENO_STUDY,
  'read-size': RENO_STUDY,
  'h2-large-objects': RENO_STUDY,
  'pipelining-10x150k': GATEWAY_STUDY,
  'modern-defaults': RENO_STUDY,
  pacing: besideOthers(1.4, 17.8),
  protocols: besideOthers(10.4, 18.7),
  'tweak-lists': besideOthers(11.8, 31.5),
  corpus: before({ kind: 'corpus', day: '2026-11-21', sender: 'reno', gateway: 'known-site' }),
  'corpus-cubic': before({ kind: 'corpus', day: '2026-11-22', sender: 'cubic', gateway: 'known-site' }),
  // Its log holds no times: between its scenarios and its results stand three hours of this day.
  exhaustive: before({ kind: 'search', day: '2026-11-23', sender: 'cubic' }),
};

/** All there are, in the order in which they stand in docs/results, then the corpora and the exhaustive search. */
export const PUBLISHED: readonly PublishedConditions[] = Object.entries(CONDITIONS).map(([id, made]) => ({
  id: id as PublishedId,
  ...made,
}));

/** What one of them was made with. */
export const conditionsOf = (id: PublishedId): PublishedConditions => ({ id, ...CONDITIONS[id] });

/** When and with what, in sentences: what follows a published figure. */
export function conditionsSentences(
  { day, firefox, sender, loadAverage, gateway, links }: PublishedConditions,
  language: Pick<CoreLanguage, 'text' | 'day'> = IN_ENGLISH,
): string {
  const { text } = language;
  return [
    text('published.made', { day: language.day(day), version: firefox, sender: sender === 'reno' ? 'Reno' : 'CUBIC' }),
    ...(loadAverage === undefined ? [] : [text('published.load', loadAverage)]),
    ...(gateway === undefined ? [] : [formatGatewayVisit(gateway, language)]),
    ...(links === 'repaired' ? [] : [linksSentence(language)]),
  ].join(' ');
}

/** How far off the links were of everything that was published before they were repaired. */
export function linksSentence({ text, day }: Pick<CoreLanguage, 'text' | 'day'> = IN_ENGLISH): string {
  const { askedMs: asked, lowMs: low, highMs: high } = LINK_REPAIR;
  return text('published.links', { day: day(LINK_REPAIR.day), asked, low, high });
}
