/** The links of some loads, told from the figures of all that are stored, so that they are those that every screen shows. */
import type { MarkedPageLoad } from '../trial/trial-mark.ts';
import { type FieldLink, fieldLinks, type GivenLinkName } from './field-links.ts';
import { type LoadFigures, loadFigures } from './load-figures.ts';

export interface LinksOfLoads {
  readonly links: readonly FieldLink[];
  /** All figures there are, in the order of their start. */
  readonly figures: readonly LoadFigures[];
  /** For each of the figures its link; `undefined`: it cannot be told. */
  readonly linkAt: (figure: number) => FieldLink | undefined;
  /** Of one of the loads asked for. */
  readonly linkOf: (load: MarkedPageLoad) => FieldLink | undefined;
  readonly figuresOf: (load: MarkedPageLoad) => LoadFigures;
}

/** @param figures of all stored loads, in any order; those of `loads` that are missing are worked out. */
export function linksOfLoads(
  loads: readonly MarkedPageLoad[],
  { figures, names }: { readonly figures: readonly LoadFigures[]; readonly names: readonly GivenLinkName[] },
): LinksOfLoads {
  const keyOf = ({ startedAt, page }: Pick<LoadFigures, 'startedAt' | 'page'>) => `${startedAt} ${page}`;
  const own = new Map(loads.map((load) => [load, loadFigures(load)]));
  const stored = new Set(figures.map(keyOf));
  const all = [...figures, ...[...own.values()].filter((one) => !stored.has(keyOf(one)))].sort((a, b) => a.startedAt - b.startedAt);
  const told = fieldLinks(all, names);
  const positions = new Map(all.map((one, at) => [keyOf(one), at]));
  const figuresOf = (load: MarkedPageLoad) => own.get(load) ?? loadFigures(load);
  const linkAt = (at: number) => {
    const position = told.linkOf(at);
    return position === undefined ? undefined : told.links[position];
  };
  return {
    links: told.links,
    figures: all,
    linkAt,
    figuresOf,
    linkOf: (load) => {
      const at = positions.get(keyOf(figuresOf(load)));
      return at === undefined ? undefined : linkAt(at);
    },
  };
}
