/** The links of everyday loads: classes inferred from the loads, under the names that a person has given them or their figures make. */
import type { Link } from '../link.ts';
import { type LinkClass, linkClassFigures } from '../measure/links/class-figures.ts';
import { classifyLinks, UNKNOWN_LINK } from '../measure/links/classify-links.ts';
import type { MarkedPageLoad } from '../trial/trial-mark.ts';
import { type LoadSummary, loadSummary } from './load-summary.ts';

/** A name that a person gave to a link. Its figures identify the link when the load it began with is gone. */
export interface GivenLinkName {
  /** The id of the link class at the time it was named. */
  readonly id: number;
  readonly name: string;
  readonly rttMs: number;
  readonly downKbps?: number | undefined;
}

/** What tells whether a stored name is a link's. */
export type NamedLink = Omit<GivenLinkName, 'name'> & { readonly given?: string | undefined };

/** A network's figures, with the name that a person gave it. */
export interface FieldLink extends LinkClass {
  readonly given?: string;
}

export interface FieldLinks {
  /** In the order in which they were first met. */
  readonly links: readonly FieldLink[];
  /** For each load the position of its link; `undefined`: unknown. */
  readonly linkOf: (load: number) => number | undefined;
}

/** @param figures ordered by `startedAt`. */
export function fieldLinks(figures: readonly LoadSummary[], names: readonly GivenLinkName[] = []): FieldLinks {
  const classes = classifyLinks(figures);
  const found = linkClassFigures(figures, classes);
  const links = withGivenNames(
    found.flatMap((one) => one ?? []),
    names,
  );
  // A class without a round trip is no link: it has no position.
  const positions = found.map((one) => (one === undefined ? -1 : found.slice(0, found.indexOf(one)).filter(Boolean).length));
  return {
    links,
    linkOf: (load) => {
      const number = classes.classOf[load] ?? UNKNOWN_LINK;
      const position = number === UNKNOWN_LINK ? -1 : (positions[number] ?? -1);
      return position === -1 ? undefined : position;
    },
  };
}

/** The link as the ideal time needs it. `undefined`: its rate is unknown. */
export const asLink = ({ rttMs, downKbps }: FieldLink): Link | undefined => (downKbps === undefined ? undefined : { rttMs, downKbps });

/** The link's name on screens and in reports. */
export const shownName = ({ given, name }: FieldLink): string => given ?? name;

/** Within this factor figures are those of the named link: drift is followed, see `LinkCluster`. Chosen, not measured. */
const SAME_WITHIN = 1.5;

/** A name belongs to the link that has its id; where none has, to the one whose figures are nearest to those it was given for. */
function withGivenNames(links: readonly LinkClass[], names: readonly GivenLinkName[]): readonly FieldLink[] {
  const ids = new Set(links.map(({ id }) => id));
  const byId = new Map(names.map(({ id, name }) => [id, name]));
  const orphans = names.filter(({ id }) => !ids.has(id));
  const taken = new Map<number, string>();
  for (const orphan of orphans) {
    const nearest = links
      .filter(({ id }) => !byId.has(id) && !taken.has(id))
      .map((link) => ({ id: link.id, apart: apart(link, orphan) }))
      .reduce<{ id: number; apart: number } | undefined>((best, one) => (best && best.apart <= one.apart ? best : one), undefined);
    if (nearest && nearest.apart <= Math.log(SAME_WITHIN)) taken.set(nearest.id, orphan.name);
  }
  return links.map((link) => {
    const given = byId.get(link.id) ?? taken.get(link.id);
    return given === undefined ? link : { ...link, given };
  });
}

/** The stored name that a link bears: the one of its id; else the one it has taken over from a link whose first load is gone. */
export function nameOfLink(link: NamedLink, names: readonly GivenLinkName[]): GivenLinkName | undefined {
  const taken = names.filter(({ name }) => name === link.given).sort((a, b) => apart(link, a) - apart(link, b));
  return names.find(({ id }) => id === link.id) ?? taken.find((one) => apart(link, one) <= Math.log(SAME_WITHIN));
}

/** The larger of the two differences of the logs. */
function apart(a: Pick<GivenLinkName, 'rttMs' | 'downKbps'>, b: Pick<GivenLinkName, 'rttMs' | 'downKbps'>): number {
  const rtt = Math.abs(Math.log(a.rttMs / b.rttMs));
  if (a.downKbps === undefined || b.downKbps === undefined) return a.downKbps === b.downKbps ? rtt : Number.POSITIVE_INFINITY;
  return Math.max(rtt, Math.abs(Math.log(a.downKbps / b.downKbps)));
}

/** The links of some loads, inferred from the figures of all that are stored, so that they are those that every screen shows. */
export interface LinksOfLoads {
  readonly links: readonly FieldLink[];
  /** The summaries of all loads, in the order of their start. */
  readonly figures: readonly LoadSummary[];
  /** The link of each of `figures`; `undefined`: unknown. */
  readonly linkAt: (figure: number) => FieldLink | undefined;
  /** The link of one of the given loads. */
  readonly linkOf: (load: MarkedPageLoad) => FieldLink | undefined;
  readonly figuresOf: (load: MarkedPageLoad) => LoadSummary;
}

/** @param figures of all stored loads, in any order; missing ones of `loads` are computed. */
export function linksOfLoads(
  loads: readonly MarkedPageLoad[],
  { figures, names }: { readonly figures: readonly LoadSummary[]; readonly names: readonly GivenLinkName[] },
): LinksOfLoads {
  const own = new Map(loads.map((load) => [load, loadSummary(load)]));
  const stored = figures.toSorted(byStart);
  const missing = [...own.values()].filter((one) => positionOf(stored, one) === -1);
  const all = missing.length === 0 ? stored : [...stored, ...missing].sort(byStart);
  const found = fieldLinks(all, names);
  const figuresOf = (load: MarkedPageLoad) => own.get(load) ?? loadSummary(load);
  const linkAt = (at: number) => {
    const position = found.linkOf(at);
    return position === undefined ? undefined : found.links[position];
  };
  return {
    links: found.links,
    figures: all,
    linkAt,
    figuresOf,
    linkOf: (load) => {
      const at = positionOf(all, figuresOf(load));
      return at === -1 ? undefined : linkAt(at);
    },
  };
}

type Started = Pick<LoadSummary, 'startedAt' | 'page'>;

const byStart = (a: Started, b: Started): number => a.startedAt - b.startedAt;

/** The last position of the page with this start; -1: it is not there. By halves: keys of a hundred thousand loads take longer to make. */
function positionOf(ordered: readonly Started[], { startedAt, page }: Started): number {
  let [low, high] = [0, ordered.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((ordered[middle]?.startedAt ?? startedAt) <= startedAt) low = middle + 1;
    else high = middle;
  }
  for (let at = low - 1; ordered[at]?.startedAt === startedAt; at--) if (ordered[at]?.page === page) return at;
  return -1;
}
