/** The links of several reports as one list, in which a name stands for one link. */
import { PlumbfoxError } from '../../errors.ts';
import { LINK_FIGURES, linkVariation } from '../link-variation.ts';
import { CONGESTION_CONTROLS, type ReportLink } from '../report.ts';
import type { NamedReport } from './checks.ts';

interface MergedLinks {
  readonly links: readonly ReportLink[];
  /** For each report, its links' names in the merged one. */
  readonly linkNames: readonly ReadonlyMap<string, string>[];
}

/**
 * Links are the same when name, kind and the figures requested are. On the real network, where nothing is requested, the estimates
 * must be within a factor of two. The measured figures kept are those of the first report that has them.
 *
 * @throws PlumbfoxError bad-input when the reports do not have the same links, unless `mixed`.
 */
export function mergeLinks(given: readonly NamedReport[], { mixed }: { readonly mixed: boolean }): MergedLinks {
  const reports = given.length === 1 ? given : given.map(withSenders);
  if (!mixed) checkSameLinks(reports);
  const links: ReportLink[] = [];
  const formerNames = new Map<ReportLink, string>();
  const linkNames = reports.map(({ report }) => {
    const names = new Map<string, string>();
    for (const link of report.links) {
      let known = links.find((each) => formerNames.get(each) === link.name && isSameLink(each, link));
      if (known === undefined) {
        known = { ...link, name: freeName(link.name, [...links, ...report.links.filter((each) => each !== link)]) };
        links.push(known);
        formerNames.set(known, link.name);
      }
      names.set(link.name, known.name);
    }
    return names;
  });
  return { links, linkNames };
}

/** Links of older reports do not name their congestion control: it is the run's, where that has one. */
function withSenders({ report, ...named }: NamedReport): NamedReport {
  const usual = CONGESTION_CONTROLS.find((name) => name === report.provenance.congestionControl);
  const links = report.links.map((link) =>
    usual === undefined || link.kind !== 'packet' || link.asked === undefined
      ? link
      : { ...link, asked: { congestionControl: usual, ...link.asked } },
  );
  return { ...named, report: { ...report, links } };
}

function checkSameLinks([first, ...others]: readonly NamedReport[]): void {
  if (first === undefined) return;
  for (const other of others) {
    for (const link of other.report.links) {
      const own = first.report.links.find(({ name }) => name === link.name);
      if (own !== undefined && !isSameLink(own, link)) {
        refuse(`Link ${link.name} is ${figuresOf(own)} in ${first.name} and ${figuresOf(link)} in ${other.name}`);
      }
    }
    const [own, their] = [namesOf(first), namesOf(other)];
    if (own !== their) refuse(`The links of ${first.name} are ${own}, those of ${other.name} ${their}`);
  }
}

function refuse(what: string): never {
  throw new PlumbfoxError(
    'bad-input',
    `${what}: a profile may gain on one and lose on the other. --mixed-links merges them, each kept apart`,
  );
}

const namesOf = ({ report }: NamedReport): string =>
  report.links
    .map(({ name }) => name)
    .sort()
    .join(', ') || 'none';

/** Estimates of one network at different hours differ by less, kinds of network (fibre, mobile, satellite) by more. Chosen, not measured. */
const SAME_NETWORK_FACTOR = 2;

function isSameLink(a: ReportLink, b: ReportLink): boolean {
  if (a.kind !== b.kind || (a.asked === undefined) !== (b.asked === undefined)) return false;
  if (a.asked !== undefined && b.asked !== undefined) {
    const [own, other] = [a.asked, b.asked];
    return LINK_FIGURES.every((figure) => own[figure] === other[figure]);
  }
  if (a.measured === undefined || b.measured === undefined) return true;
  return isNear(a.measured.rttMs, b.measured.rttMs) && isNear(a.measured.downKbps, b.measured.downKbps);
}

const isNear = (a: number, b: number): boolean => Math.max(a, b) <= SAME_NETWORK_FACTOR * Math.min(a, b);

function figuresOf({ kind, asked, measured }: ReportLink): string {
  const figures = asked ?? measured;
  if (figures === undefined) return kind;
  const { rttMs, downKbps, upKbps } = figures;
  const queue = asked?.queue === undefined ? '' : `, queue ${asked.queue}`;
  const up = upKbps === undefined ? '' : `, ${Math.round(upKbps)} up`;
  const variation =
    asked === undefined
      ? ''
      : linkVariation(asked)
          .map((words) => `, ${words}`)
          .join('');
  return `RTT ${Math.round(rttMs)} ms, ${Math.round(downKbps)} kbit/s down${up}${queue}${variation} (${kind})`;
}

/** `far-2m (2)` where the name is taken. */
function freeName(name: string, taken: readonly ReportLink[]): string {
  const isTaken = (candidate: string) => taken.some((link) => link.name === candidate);
  if (!isTaken(name)) return name;
  let number = 2;
  while (isTaken(`${name} (${number})`)) number += 1;
  return `${name} (${number})`;
}
