/** The report of everyday loads, as the extension exports it: pages as opaque names, no URL and no host left. */

import type { Answer } from '../answer/answer.ts';
import { answerSentence } from '../answer/format-answer.ts';
import { isMeasurable, measureLoad } from '../measure/measure-load.ts';
import { findProfile } from '../profiles/presets.ts';
import { BASELINE_ID } from '../profiles/profile.ts';
import { buildReport, pageOfLoads } from '../report/build-report.ts';
import type { MeasuredLoad, Provenance, Report, ReportLink, ReportPage, ReportProfile } from '../report/report.ts';
import { withoutSmallCells } from '../report/small-cells.ts';
import type { MarkedPageLoad } from '../trial/trial-mark.ts';
import { fieldProfiles, NO_LINK } from './comparable-figures.ts';
import { asLink, type GivenLinkName, type LinksOfLoads, linksOfLoads, shownName } from './field-links.ts';
import { fieldValidity, type LoadSummary } from './load-summary.ts';

export interface FieldReportInput {
  /** In the order of their start. */
  readonly loads: readonly MarkedPageLoad[];
  /** For all stored loads, so that links match the popup's; missing figures are computed. */
  readonly figures: readonly LoadSummary[];
  readonly names: readonly GivenLinkName[];
  /** Loads recorded in total. */
  readonly total: number;
  readonly provenance: Pick<Provenance, 'plumbfox' | 'firefox' | 'os'>;
  /** ISO 8601. */
  readonly createdAt: string;
  /** The answer as the person sees it; absent: not known. */
  readonly answer?: Answer | undefined;
}

/**
 * The report that leaves the extension: as `fieldReport`, with rarely loaded pages merged. @throws PlumbfoxError bad-input as `compareProfiles` does.
 */
export const fieldExport = (facts: FieldReportInput): Report => withoutSmallCells(fieldReport(facts));

/** @throws PlumbfoxError bad-input as `compareProfiles` does. */
export function fieldReport({ loads, figures, names, total, provenance, createdAt, answer }: FieldReportInput): Report {
  const loadLinks = linksOfLoads(loads, { figures, names });
  const measured = measuredLoads(loads, loadLinks);
  const withKnownLink = measured.filter(({ link }) => link !== undefined).map(({ load }) => load);
  const applier = loads.findLast((load) => load.applied)?.applied?.applier;
  const report = buildReport({
    createdAt,
    provenance: {
      ...provenance,
      ...(applier && { applier }),
      // Nothing is drawn at random in everyday loads.
      seed: 0,
      turns: 'as-they-came',
      notes: [
        'Everyday page loads on the real network. Outside a trial nothing switches profiles at random, so there are figures but no verdict. Links and their figures are estimated from the loads.',
        ...(total > loads.length ? [`The newest ${loads.length} of ${total} loads.`] : []),
        ...(withKnownLink.length < measured.length
          ? [`${measured.length - withKnownLink.length} loads are excluded: their link is unknown.`]
          : []),
      ],
    },
    links: reportLinks(withKnownLink, loadLinks),
    pages: reportPages(loads, measured),
    profiles: reportProfiles(loads, loadLinks),
    loads: withKnownLink,
    baseline: BASELINE_ID,
  });
  return answer === undefined ? report : { ...report, answer: { sentence: answerSentence(answer), finding: answer } };
}

/** Only the pages loaded most often keep their page graph: about 200 kB in total. */
const MAX_GRAPHS = 20;

/** In the order in which they were first loaded. */
function reportPages(records: readonly MarkedPageLoad[], measured: ReturnType<typeof measuredLoads>): readonly ReportPage[] {
  const pages = new Map<string, { readonly whole: MarkedPageLoad[]; loads: number }>();
  measured.forEach(({ load: { page, validity }, link }, at) => {
    const record = records[at];
    if (link === undefined || record === undefined) return;
    const known = pages.get(page) ?? { whole: [], loads: 0 };
    pages.set(page, known);
    known.loads += 1;
    if (validity.state === 'valid') known.whole.push(record);
  });
  const often = [...pages].sort(([, a], [, b]) => b.loads - a.loads).slice(0, MAX_GRAPHS);
  const held = new Set(often.map(([name]) => name));
  return [...pages].map(([name, { whole }]) => (held.has(name) ? pageOfLoads(name, whole) : { name }));
}

/** Block n holds every profile's n-th load of a page over a link. As long as no link can be identified, all are over an unknown one. */
function measuredLoads(
  loads: readonly MarkedPageLoad[],
  { links, linkOf, figuresOf }: LinksOfLoads,
): readonly { readonly load: MeasuredLoad; readonly link: string | undefined }[] {
  const pages = new Map<number, string>();
  const turns = new Map<string, number>();
  return loads.map((load, order) => {
    const key = figuresOf(load).page;
    const page = pages.get(key) ?? `page-${pages.size + 1}`;
    pages.set(key, page);
    const own = linkOf(load);
    const link = own ? shownName(own) : links.length === 0 ? NO_LINK : undefined;
    const profileId = load.applied?.profileId ?? BASELINE_ID;
    const turn = `${page} ${profileId} ${link}`;
    const block = turns.get(turn) ?? 0;
    turns.set(turn, block + 1);
    const measured: MeasuredLoad = {
      profileId,
      page,
      link: link ?? NO_LINK,
      block,
      order,
      startedAt: load.startedAt,
      validity: fieldValidity(load),
      readBack: (load.applied?.readBack ?? []).map((held) => ({ ...held, value: held.value })),
      ...(isMeasurable(load) && { measures: measureLoad(load, { link: own && asLink(own) }) }),
    };
    return { load: measured, link };
  });
}

function reportLinks(loads: readonly MeasuredLoad[], { links }: LinksOfLoads): readonly ReportLink[] {
  const used = new Set(loads.map(({ link }) => link));
  const known = links.filter((link) => used.has(shownName(link)));
  const unknown: ReportLink = { name: NO_LINK, kind: 'real', basis: 'estimated' };
  return [
    ...known.map(
      (link): ReportLink => ({
        name: shownName(link),
        kind: 'real',
        basis: 'estimated',
        ...(link.downKbps !== undefined && { measured: { rttMs: link.rttMs, downKbps: link.downKbps } }),
      }),
    ),
    ...(used.has(NO_LINK) ? [unknown] : []),
  ];
}

/** Roles, carriers and depths are those that the popup compares with. */
function reportProfiles(loads: readonly MarkedPageLoad[], { figuresOf }: LinksOfLoads): readonly ReportProfile[] {
  const intended = new Map(loads.flatMap(({ applied }) => (applied ? [[applied.profileId, applied.intended] as const] : [])));
  return fieldProfiles(loads.map(figuresOf)).map(({ id, carrier, role, connections, depth }) => ({
    id,
    title: findProfile(id)?.title ?? id,
    carrier,
    ...(connections !== undefined && { connections }),
    depth,
    intended: intended.get(id) ?? {},
    role,
  }));
}
