/** Where the figures of merged reports come from: what all have in common, and in notes what each has of its own. */
import { counted } from '../../text/figures.ts';
import { hasWeather } from '../link-variation.ts';
import type { Provenance, Report, ReportProfile } from '../report.ts';

export interface MergedParts {
  readonly baseline: string;
  readonly profiles: readonly ReportProfile[];
  /** For each report, its links' names in the merged one. */
  readonly linkNames: readonly ReadonlyMap<string, string>[];
}

/** The seed is that of the first report; the notes have those of all. A single report keeps what it has. */
export function mergeProvenance(reports: readonly Report[], merged: MergedParts): Provenance {
  const all = reports.map(({ provenance }) => provenance);
  const [first] = all;
  const left = leftOut(reports, merged);
  if (first !== undefined && all.length === 1) return { ...first, notes: [...left, ...first.notes] };
  return {
    plumbfox: distinct(all.map(({ plumbfox }) => plumbfox)).join(', '),
    ...common(all, 'firefox'),
    os: distinct(all.map(({ os }) => os)).join(', '),
    ...common(all, 'node'),
    ...common(all, 'applier'),
    seed: first?.seed ?? 0,
    ...(all.some(({ turns }) => turns === 'as-they-came') && { turns: 'as-they-came' as const }),
    ...commonWeather(reports),
    ...earliestEnd(all),
    ...common(all, 'congestionControl'),
    ...common(all, 'gateway'),
    ...common(all, 'labPreferences'),
    notes: distinct([
      `Merged from ${reports.length} reports. Only loads of one report are paired with each other.`,
      ...reports.map(ownFacts),
      ...differences(reports),
      ...renamed(merged),
      ...left,
      ...all.flatMap(({ notes }) => notes),
    ]),
  };
}

const isVaried = ({ links }: Report): boolean => links.some(({ asked }) => asked !== undefined && hasWeather(asked));

/** The weather of those reports that have any, where it is the same. */
function commonWeather(reports: readonly Report[]): Pick<Provenance, 'weather'> {
  const varied = reports.filter(isVaried);
  return varied.length > 0 && varied.every(({ provenance }) => provenance.weather === 'by-block') ? { weather: 'by-block' } : {};
}

/**
 * The first planned end of any of them: whoever merges has seen the reports, so merged loads that go beyond it are judged by the rest of alpha, and
 * runs that were interrupted before it may end there together.
 */
function earliestEnd(all: readonly Provenance[]): Pick<Provenance, 'plannedBlocks'> {
  const planned = all.flatMap(({ plannedBlocks }) => plannedBlocks ?? []);
  return planned.length === 0 ? {} : { plannedBlocks: Math.min(...planned) };
}

function renamed({ linkNames }: MergedParts): readonly string[] {
  return linkNames.flatMap((names, at) =>
    [...names]
      .filter(([name, now]) => name !== now)
      .map(([name, now]) => `${name} of report ${at + 1} is another link: here it is called ${now}.`),
  );
}

function leftOut(reports: readonly Report[], { baseline, profiles }: MergedParts): readonly string[] {
  const ids = distinct(reports.flatMap((report) => report.profiles.map(({ id }) => id)));
  const missing = ids.filter((id) => !profiles.some((profile) => profile.id === id));
  if (missing.length === 0) return [];
  return [
    `Excluded: ${missing.join(', ')}. Against ${baseline} it does not show what the gateway itself costs, so the gains of profiles that use the gateway include that cost.`,
  ];
}

function ownFacts({ createdAt, provenance: { plumbfox, seed, firefox, os }, loads }: Report, at: number): string {
  const browser = firefox === undefined ? '' : `, Firefox ${firefox.version}`;
  return `Report ${at + 1}: made ${createdAt} by Plumbfox ${plumbfox}, seed ${seed}, ${counted(loads.length, 'load')}${browser}, ${os}.`;
}

/** Differences that may change what a profile gains, though the loads of a pair never differ in them. */
function differences(reports: readonly Report[]): readonly string[] {
  const facts: readonly (readonly [what: string, of: (report: Report) => string | undefined])[] = [
    ['major version of Firefox', ({ provenance }) => provenance.firefox?.version.split('.')[0]],
    ['system', ({ provenance }) => provenance.os],
    ['applier', ({ provenance }) => provenance.applier],
    ['congestion control', ({ provenance }) => provenance.congestionControl],
    ['visits through the gateway', ({ provenance }) => provenance.gateway],
    ['preferences set for every profile', ({ provenance }) => provenance.labPreferences && sortedText(provenance.labPreferences)],
    ['profiles', ({ profiles }) => sortedText(Object.fromEntries(profiles.map(({ id }) => [id, true])))],
  ];
  const drawn = distinct(reports.filter(isVaried).map(({ provenance }) => provenance.weather ?? ''));
  const differing = [
    ...facts.filter(([, of]) => distinct(reports.map((report) => of(report) ?? '')).length > 1).map(([what]) => what),
    ...(drawn.length > 1 ? ['how losses, jitter and traces were drawn'] : []),
  ];
  const real = reports.some(({ links }) => links.some(({ kind }) => kind === 'real'));
  return [
    ...(differing.length === 0
      ? []
      : [`The reports differ in: ${differing.join(', ')}. Loads that are paired never do, but what a profile gains may depend on it.`]),
    ...(real
      ? ['On the real network pages are numbered by each report: merge only reports of the same list of pages over the same network.']
      : []),
  ];
}

const sortedText = (members: Readonly<Record<string, unknown>>): string =>
  JSON.stringify(Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1)));

/** The member where it is the same in all; left out where it is not. */
function common<Key extends keyof Provenance>(all: readonly Provenance[], key: Key): Partial<Pick<Provenance, Key>> {
  const value = all[0]?.[key];
  const same = value !== undefined && all.every((each) => textOf(each[key]) === textOf(value));
  return same ? ({ [key]: value } as Partial<Pick<Provenance, Key>>) : {};
}

const textOf = (value: unknown): string =>
  typeof value === 'object' && value !== null ? sortedText(value as Readonly<Record<string, unknown>>) : JSON.stringify(value ?? null);

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}
