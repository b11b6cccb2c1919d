/** The reasons why reports cannot be merged. Every message names the two reports that disagree. */
import { PlumbfoxError } from '../../errors.ts';
import type { MeasuredLoad, Report, ReportPage, ReportProfile } from '../report.ts';

export interface NamedReport {
  readonly report: Report;
  /** What messages call it. */
  readonly name: string;
}

interface CheckOptions {
  readonly baseline: string;
  /** Whether every report must have been made with this baseline. */
  readonly sameBaseline: boolean;
}

/** @throws PlumbfoxError bad-input for the first obstacle. */
export function checkMergeable(reports: readonly NamedReport[], { baseline, sameBaseline }: CheckOptions): void {
  const [first, ...others] = reports;
  if (first === undefined) return;
  checkSameLoads(reports);
  for (const other of others) {
    checkMetricVersion(first, other);
    checkKinds(first, other);
    if (sameBaseline) checkBaseline(first, other);
  }
  for (const each of reports) checkHasBaseline(each, baseline);
  checkProfiles(reports);
  checkPages(reports);
}

function refuse(message: string): never {
  throw new PlumbfoxError('bad-input', message);
}

/** A load is identified by when it began and how long it took: fractions of a millisecond do not agree by chance. */
function checkSameLoads(reports: readonly NamedReport[]): void {
  const owners = new Map<string, NamedReport>();
  for (const each of reports) {
    const keys = new Set(each.report.loads.map(loadKey));
    const shared = [...keys].find((key) => owners.has(key));
    const owner = shared === undefined ? undefined : owners.get(shared);
    if (owner !== undefined) {
      const count = [...keys].filter((key) => owners.get(key) === owner).length;
      const what = count === 1 ? 'a load' : `${count} loads`;
      refuse(`${owner.name} and ${each.name} hold the same loads (${what}): each load counts once: omit one of them`);
    }
    for (const key of keys) owners.set(key, each);
  }
}

const loadKey = ({ startedAt, profileId, measures, validity }: MeasuredLoad): string =>
  JSON.stringify([startedAt, profileId, measures?.loadTimeMs, validity]);

function checkMetricVersion(a: NamedReport, b: NamedReport): void {
  const [own, other] = [a.report.metricVersion, b.report.metricVersion];
  if (own !== other) {
    refuse(`${a.name} has measures version ${own}, ${b.name} version ${other}: figures of different versions cannot be compared`);
  }
}

/** The relay has no packets, hence no slow start and no queue: a profile's gain there is another quantity. */
function checkKinds(a: NamedReport, b: NamedReport): void {
  const [own, other] = [kindsOf(a.report), kindsOf(b.report)];
  if (own !== '' && other !== '' && own !== other) {
    refuse(`The links of ${a.name} are of kind ${own}, those of ${b.name} ${other}: compare them separately`);
  }
}

const kindsOf = ({ links }: Report): string => [...new Set(links.map(({ kind }) => kind))].sort().join(' and ');

function checkBaseline(a: NamedReport, b: NamedReport): void {
  const [own, other] = [a.report.comparison.baseline, b.report.comparison.baseline];
  if (own !== other) refuse(`${a.name} compares with ${own}, ${b.name} with ${other}: name one baseline for all (--baseline)`);
}

function checkHasBaseline({ name, report }: NamedReport, baseline: string): void {
  if (report.profiles.some(({ id }) => id === baseline)) return;
  refuse(`${name} has no profile ${baseline} to compare with. Its profiles: ${report.profiles.map(({ id }) => id).join(', ')}`);
}

function checkProfiles(reports: readonly NamedReport[]): void {
  const known = new Map<string, { readonly profile: ReportProfile; readonly name: string }>();
  for (const { name, report } of reports) {
    for (const profile of report.profiles) {
      const before = known.get(profile.id);
      if (before === undefined) known.set(profile.id, { profile, name });
      else {
        const difference = differenceOf(before.profile, profile);
        if (difference !== undefined) refuse(`${profile.id} is not the same profile in ${before.name} and ${name}: ${difference}`);
      }
    }
  }
}

/** `undefined`: the two do the same. */
function differenceOf(a: ReportProfile, b: ReportProfile): string | undefined {
  if (a.carrier !== b.carrier) return `depth by ${a.carrier} and by ${b.carrier}`;
  if (a.connections !== b.connections) return `${a.connections ?? 'no number of'} and ${b.connections ?? 'no number of'} connections`;
  if (a.depth !== b.depth) return `depth ${a.depth} and ${b.depth}`;
  if ((a.role === 'control') !== (b.role === 'control')) return 'the control in one of them only';
  const names = [...new Set([...Object.keys(a.intended), ...Object.keys(b.intended)])];
  const preference = names.find((name) => a.intended[name] !== b.intended[name]);
  if (preference === undefined) return undefined;
  const valueIn = ({ intended }: ReportProfile) => (intended[preference] === undefined ? 'not set' : String(intended[preference]));
  return `${preference} is ${valueIn(a)} and ${valueIn(b)}`;
}

/** Each version of the lab generates its own pages; those of the real network have no figures to compare. */
function checkPages(reports: readonly NamedReport[]): void {
  const known = new Map<string, { readonly page: ReportPage; readonly name: string }>();
  for (const { name, report } of reports) {
    for (const page of report.pages) {
      const before = known.get(page.name);
      if (before === undefined) known.set(page.name, { page, name });
      else {
        const figure = PAGE_FIGURES.find((each) => differs(before.page[each], page[each]));
        if (figure === undefined) continue;
        refuse(
          `Page ${page.name} has ${before.page[figure]} ${figure} in ${before.name} and ${page[figure]} in ${name}: it is not the same page`,
        );
      }
    }
  }
}

const PAGE_FIGURES = ['requests', 'origins', 'bytes'] as const;

const differs = (a: number | undefined, b: number | undefined): boolean => a !== undefined && b !== undefined && a !== b;
