/** What the simulator makes of a list: each line by itself, and all together, against Firefox's own settings. */
import type { PageGraph } from '../graph/page-graph.ts';
import { predictTypical } from '../predict/predict.ts';
import type { NamedLink, NamedPage } from '../predict/predict-json.ts';
import { isUnchanged, type PredictedProfile, predictedProfiles } from '../predict/predicted-profiles.ts';
import { findKnob, PER_SERVER } from '../profiles/catalogue.ts';
import type { PreferenceValue } from '../profiles/knob.ts';
import { actingValue } from '../profiles/knob-at.ts';
import { FIREFOX_DEFAULT } from '../profiles/presets.ts';
import { BASELINE_ID, type Profile } from '../profiles/profile.ts';
import type { ListPrediction } from './audit.ts';
import type { AuditedLine, Finding, PredictedVerdict, SpeedChange } from './finding.ts';

/** The id of a list in results. */
export const LIST_ID = 'list';

/** The preferences of a list that can act, by the values by which Firefox acts: the last line of each counts. */
export function actingPreferences(lines: readonly AuditedLine[]): Readonly<Record<string, PreferenceValue>> {
  return Object.fromEntries(lines.filter(({ group }) => group === 'acts').map(({ name, value }) => [name, valueInForce(name, value)]));
}

function valueInForce(name: string, value: PreferenceValue): PreferenceValue {
  const knob = findKnob(name);
  const acting = knob === undefined ? undefined : actingValue(knob, value);
  return acting?.state === 'clamped' ? acting.actsAs : value;
}

/** A profile that sets these preferences and nothing else. */
export function listProfile(id: string, title: string, preferences: Readonly<Record<string, PreferenceValue>>): Profile {
  const perServer = preferences[PER_SERVER];
  return { id, title, connections: typeof perServer === 'number' ? perServer : undefined, depth: 1, preferences };
}

interface PredictListOptions {
  readonly pages: readonly NamedPage[];
  readonly links: readonly NamedLink[];
  readonly basis: ListPrediction['basis'];
}

interface PredictedList {
  /** The lines, each that acts with its prediction. */
  readonly lines: readonly AuditedLine[];
  /** `undefined`: no line acts. */
  readonly prediction: ListPrediction | undefined;
}

/** @throws PlumbfoxError `bad-input` where a page cannot be simulated. */
export function withPredictions(lines: readonly AuditedLine[], { pages, links, basis }: PredictListOptions): PredictedList {
  const preferences = actingPreferences(lines);
  if (Object.keys(preferences).length === 0) return { lines, prediction: undefined };
  const list = listProfile(LIST_ID, 'the list', preferences);
  const single = Object.entries(preferences).map(([name, value], at) => listProfile(`line-${at}`, name, { [name]: value }));
  const graphs = pages.map(({ page }) => page);
  const rows = predicted([list, ...single], { pages, links, graphs });
  const byName = new Map(rows.map((row) => [row.profile.title, row]));
  const whole = byName.get(list.title);
  return {
    lines: lines.map((line) => {
      const row = line.group === 'acts' ? byName.get(line.name) : undefined;
      return row === undefined ? line : { ...line, findings: [...line.findings, lineFinding(row)] };
    }),
    prediction: whole && listPrediction(whole, { preferences, pages, links, basis }),
  };
}

function predicted(
  profiles: readonly Profile[],
  { pages, links, graphs }: Pick<PredictListOptions, 'pages' | 'links'> & { readonly graphs: readonly PageGraph[] },
): readonly PredictedProfile[] {
  const all = [FIREFOX_DEFAULT, ...profiles];
  const scenarios = pages.flatMap(({ name, page }) =>
    links.map((link) => ({ page: name, link: link.name, ...predictTypical({ page, link: link.link, profiles: all }) })),
  );
  return predictedProfiles(scenarios, { profiles: all, baseline: BASELINE_ID, pages: graphs });
}

function lineFinding(row: PredictedProfile): Finding {
  return row.coverage.state === 'not-modelled'
    ? { kind: 'not-modelled' }
    : { kind: 'predicted', change: changeOf(row), verdict: verdictOf(row) };
}

function changeOf({ ratio, ratioBand }: PredictedProfile): SpeedChange {
  return { ratio, ...(ratioBand && { low: ratioBand.low, high: ratioBand.high }) };
}

/** Smaller changes are no real difference, as in verdicts of measurements. */
const MIN_CHANGE = 1.03;

function verdictOf(row: PredictedProfile): PredictedVerdict {
  const { ratio, ratioBand } = row;
  if (isUnchanged(row)) return 'no-difference';
  if (ratioBand === undefined) return 'unsure';
  if (ratioBand.low > 1 && ratio >= MIN_CHANGE) return 'faster';
  if (ratioBand.high < 1 && ratio <= 1 / MIN_CHANGE) return 'slower';
  return ratioBand.low > 1 / MIN_CHANGE && ratioBand.high < MIN_CHANGE ? 'no-difference' : 'unsure';
}

function listPrediction(
  row: PredictedProfile,
  { preferences, pages, links, basis }: PredictListOptions & { readonly preferences: Readonly<Record<string, PreferenceValue>> },
): ListPrediction {
  const notModelled = row.coverage.state === 'modelled' ? [] : row.coverage.notModelled;
  return {
    basis,
    pages: pages.map(({ name }) => name),
    links: links.map(({ name }) => name),
    change: changeOf(row),
    verdict: verdictOf(row),
    modelled: Object.keys(preferences).filter((name) => !notModelled.includes(name)),
    notModelled,
  };
}
