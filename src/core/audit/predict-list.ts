/** What the simulator makes of a list: each line by itself, and all together, against Firefox's own settings, on the pages where they act. */
import { predictTypical } from '../predict/predict.ts';
import type { NamedLink, NamedPage } from '../predict/predict-json.ts';
import { isUnchanged, type PredictedProfile, type PredictedScenario, predictedProfiles } from '../predict/predicted-profiles.ts';
import { findKnob, PER_SERVER } from '../profiles/catalogue.ts';
import type { PreferenceValue } from '../profiles/knob.ts';
import { actingValue } from '../profiles/knob-at.ts';
import { FIREFOX_DEFAULT } from '../profiles/presets.ts';
import { BASELINE_ID, type Profile } from '../profiles/profile.ts';
import { isModelled, mayActOn } from '../simulate/simulated-profile.ts';
import type { ListEffect, ListPrediction } from './audit.ts';
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
  /** `undefined`: the list changes nothing that decides how fast pages load. */
  readonly prediction: ListPrediction | undefined;
}

type Setting = readonly [name: string, value: PreferenceValue];

/** @throws PlumbfoxError `bad-input` where a page cannot be simulated. */
export function withPredictions(lines: readonly AuditedLine[], { pages, links, basis }: PredictListOptions): PredictedList {
  const preferences = actingPreferences(lines);
  const settings = Object.entries(preferences);
  const cannotAct = [...new Set(lines.flatMap(({ name, findings }) => (findings.some(({ kind }) => kind === 'cannot-act') ? [name] : [])))];
  if (settings.length === 0 && cannotAct.length === 0) return { lines, prediction: undefined };
  const simulator = createSimulator(links);
  const modelled = settings.filter(([name]) => isModelled(name));
  const found = new Map(modelled.map((setting) => [setting[0], lineFinding(setting, { pages, simulator })]));
  const inPlay = modelled.filter(([name]) => found.get(name)?.kind === 'predicted');
  const counting = inPlay.length === 0 ? modelled : inPlay;
  const reached = pages.filter(({ page }) => counting.some(([name, value]) => mayActOn(name, value, [page])));
  return {
    lines: lines.map((line) => (line.group === 'acts' ? withFinding(line, found.get(line.name) ?? unknownEffect(line)) : line)),
    prediction: {
      basis,
      pages: (reached.length === 0 ? pages : reached).map(({ name }) => name),
      links: links.map(({ name }) => name),
      effect: listEffect(listProfile(LIST_ID, 'the list', Object.fromEntries(modelled)), { settings, pages: reached, simulator }),
      modelled: modelled.map(([name]) => name),
      notModelled: settings.flatMap(([name]) => (isModelled(name) ? [] : [name])),
      cannotAct,
    },
  };
}

const withFinding = (line: AuditedLine, finding: Finding): AuditedLine => ({ ...line, findings: [...line.findings, finding] });

const unknownEffect = ({ findings }: AuditedLine): Finding => ({
  kind: 'not-modelled',
  isMeasured: findings.some(({ kind }) => kind === 'measured'),
});

/** The prediction on all of these pages, over all links. */
type Simulator = (profile: Profile, pages: readonly NamedPage[]) => PredictedProfile;

function createSimulator(links: readonly NamedLink[]): Simulator {
  const own = new Map<string, PredictedScenario>();
  return (profile, pages) => {
    const scenarios = pages.flatMap(({ name, page }) =>
      links.map((link): PredictedScenario => {
        const simulate = (one: Profile) => predictTypical({ page, link: link.link, profiles: [one] }).predictions;
        const key = JSON.stringify([name, link.name]);
        const baseline = own.get(key) ?? { page: name, link: link.name, predictions: simulate(FIREFOX_DEFAULT) };
        own.set(key, baseline);
        return { ...baseline, predictions: [...baseline.predictions, ...simulate(profile)] };
      }),
    );
    const [row] = predictedProfiles(scenarios, { profiles: [profile], baseline: BASELINE_ID, pages: pages.map(({ page }) => page) });
    if (row === undefined) throw new RangeError('A prediction is missing');
    return row;
  };
}

interface Simulation {
  readonly pages: readonly NamedPage[];
  readonly simulator: Simulator;
}

/** The prediction for a setting that is modelled, on the pages where it can act. */
function lineFinding([name, value]: Setting, { pages, simulator }: Simulation): Finding {
  const reached = pages.filter(({ page }) => mayActOn(name, value, [page]));
  const row = simulator(listProfile(name, name, { [name]: value }), reached);
  if (isUnchanged(row)) return { kind: 'unchanged' };
  const protocol = reached.length === pages.length ? undefined : findKnob(name)?.protocol;
  const on = protocol && { protocol, pages: reached.map((page) => page.name) };
  return { kind: 'predicted', change: changeOf(row), verdict: verdictOf(row), ...(on && { on }) };
}

function listEffect(profile: Profile, { settings, pages, simulator }: Simulation & { readonly settings: readonly Setting[] }): ListEffect {
  if (settings.length === 0) return { state: 'cannot-act' };
  if (pages.length === 0) return { state: 'not-modelled' };
  const row = simulator(profile, pages);
  return isUnchanged(row) ? { state: 'unchanged' } : { state: 'predicted', change: changeOf(row), verdict: verdictOf(row) };
}

function changeOf({ ratio, ratioBand }: PredictedProfile): SpeedChange {
  return { ratio, ...(ratioBand && { low: ratioBand.low, high: ratioBand.high }) };
}

/** Smaller changes are no real difference, as in verdicts of measurements. */
const MIN_CHANGE = 1.03;

function verdictOf({ ratio, ratioBand }: PredictedProfile): PredictedVerdict {
  if (ratioBand === undefined) return 'unsure';
  if (ratioBand.low > 1 && ratio >= MIN_CHANGE) return 'faster';
  if (ratioBand.high < 1 && ratio <= 1 / MIN_CHANGE) return 'slower';
  return ratioBand.low > 1 / MIN_CHANGE && ratioBand.high < MIN_CHANGE ? 'no-difference' : 'unsure';
}
