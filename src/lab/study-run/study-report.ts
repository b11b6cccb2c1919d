/** The report of a study, made from its log: the same format as that of a tuning. */

import type { ScenarioComparison, ScenarioRanking } from '../../core/compare/comparison.ts';
import { PlumbfoxError } from '../../core/errors.ts';
import type { GatewayVisit } from '../../core/gateway-policy.ts';
import { carrierFor } from '../../core/profiles/carrier.ts';
import { CONTROL_ID } from '../../core/profiles/presets.ts';
import { BASELINE_ID, type Profile } from '../../core/profiles/profile.ts';
import { buildReport } from '../../core/report/build-report.ts';
import type { Provenance, Report, ReportLink, ReportPage, ReportProfile } from '../../core/report/report.ts';
import { mean } from '../../core/stats/mean.ts';
import { labPreferences } from '../firefox/lab-preferences.ts';
import { congestionControlNamed, congestionControlOf, congestionControlsOf, fallbackNotes, type LinkSpec } from '../link/link-spec.ts';
import { weatherOf } from '../link/weather.ts';
import { bodyBytes, originCount, requestCount } from '../pages/page-recipe.ts';
import { recipeGraph } from '../pages/recipe-graph.ts';
import { type ServedBy, spokenWith } from '../pages/served-by.ts';
import { otherPagesNote, otherProfilesNote } from '../studies/other-pages.ts';
import type { Study, StudyPage } from '../studies/study.ts';
import { interferenceNotes } from './run-notes.ts';
import { intended } from './study-lane.ts';
import { type SessionLine, type StudyRecord, standingLoads } from './study-log.ts';
import { planFingerprint, type StudyPlan } from './study-plan.ts';

interface StudyReportInput {
  readonly study: Study;
  readonly plan: StudyPlan;
  readonly record: StudyRecord;
  readonly seed: number;
}

/** What the verdicts compare with: what Firefox ships, where it was measured. */
const verdictBaseline = (profiles: readonly Profile[], study: Study): string =>
  profiles.some(({ id }) => id === BASELINE_ID) ? BASELINE_ID : study.baseline;

/** @throws PlumbfoxError `run-void` when nothing was measured yet. */
export function studyReport({ study, plan, record, seed }: StudyReportInput): Report {
  const session = record.sessions.at(-1);
  if (!session) throw new PlumbfoxError('run-void', 'Nothing was measured yet');
  const links = sentLinks(plan, { record, session });
  const baseline = verdictBaseline(plan.profiles, study);
  const loads = standingLoads(record).map(
    ({ lane: _lane, lanes: _lanes, intended: _intended, requests: _requests, dropped: _dropped, deliveredBytes: _delivered, ...load }) =>
      load,
  );
  return buildReport({
    createdAt: session.startedAt,
    provenance: provenanceOf(record, {
      session,
      seed,
      links,
      declared: plan.links,
      servedBy: plan.pages.map((page) => page.servedBy),
      ...gatewayOf(plan),
    }),
    links: links.map((link) => reportLink(link, record)),
    pages: plan.pages.map(reportPage),
    profiles: plan.profiles.map((profile) => reportProfile(profile, baseline)),
    loads,
    baseline,
  });
}

/**
 * The links with what they were sent with, as the log has it. Older logs name it for their session alone: it held for links that declare none, and
 * for all of them where the study has changed since, for links had none of their own then.
 */
function sentLinks(
  plan: StudyPlan,
  { record, session }: { readonly record: StudyRecord; readonly session: SessionLine },
): readonly LinkSpec[] {
  const usual = congestionControlNamed(session.congestionControl);
  const isAsDeclared = record.study === undefined || record.study.fingerprint === planFingerprint(plan);
  return plan.links.map((link) => {
    const logged = record.links.findLast(({ name, congestionControl }) => name === link.name && congestionControl !== undefined);
    if (logged?.congestionControl !== undefined) return { ...link, congestionControl: logged.congestionControl };
    return { ...link, ...congestionControlOf(isAsDeclared || usual === undefined ? link : {}, usual) };
  });
}

const gatewayOf = ({ profiles, gatewayVisit }: StudyPlan): { readonly gateway?: GatewayVisit } =>
  profiles.some((profile) => carrierFor(profile, { gateway: true }) === 'gateway') ? { gateway: gatewayVisit } : {};

function provenanceOf(
  { study, sessions, interference }: StudyRecord,
  {
    session,
    seed,
    links,
    declared,
    servedBy,
    gateway,
  }: {
    readonly session: SessionLine;
    readonly seed: number;
    readonly links: readonly LinkSpec[];
    readonly declared: readonly LinkSpec[];
    readonly servedBy: readonly ServedBy[];
    readonly gateway?: GatewayVisit;
  },
): Provenance {
  const unless = congestionControlNamed(session.congestionControl);
  const congestionControl = congestionControlsOf(links, unless);
  const servers = Object.entries(session.servers).map(([name, version]) => `${name} ${version}`);
  return {
    plumbfox: session.plumbfox,
    firefox: session.firefox,
    os: session.os,
    node: session.node,
    applier: session.applier,
    seed,
    ...(study !== undefined && { plannedBlocks: study.repeats }),
    ...(session.weather && weatherOf(links)),
    ...(congestionControl !== undefined && { congestionControl }),
    ...(gateway !== undefined && { gateway }),
    labPreferences: labPreferences(servedBy),
    notes: [
      ...(study?.otherPages ? [otherPagesNote(study, study.otherPages)] : []),
      ...(study?.otherProfiles ? [otherProfilesNote(study, study.otherProfiles)] : []),
      ...(sessions.length > 1 ? [`Measured in ${sessions.length} sessions.`] : []),
      ...fallbackNotes(declared, unless),
      ...interferenceNotes(interference),
      ...(servers.length > 0 ? [`Servers: ${servers.join(', ')}.`] : []),
    ],
  };
}

/** With the last check that passed; every one is in the log. */
function reportLink({ name, ...asked }: LinkSpec, { links }: StudyRecord): ReportLink {
  const measured = links.findLast((each) => each.name === name && each.ok)?.measured;
  return { name, kind: 'packet', basis: 'configured', asked, ...(measured && { measured }) };
}

const reportPage = ({ name, recipe, servedBy, connections }: StudyPage): ReportPage => ({
  name,
  served: { ...spokenWith(servedBy), connections },
  requests: requestCount(recipe),
  origins: originCount(recipe),
  bytes: bodyBytes(recipe),
  graph: recipeGraph(recipe, servedBy),
});

function reportProfile(profile: Profile, baseline: string): ReportProfile {
  const { carrier, connections, depth, preferences } = intended(profile);
  const role = profile.id === baseline ? 'baseline' : profile.id === CONTROL_ID ? 'control' : 'candidate';
  return {
    id: profile.id,
    title: profile.title,
    carrier,
    ...(connections !== undefined && { connections }),
    depth,
    intended: preferences,
    role,
  };
}

/** Places of the profiles over a study's scenarios, as `lab run --json` gives them. */
export interface StudyPlaces {
  readonly profileId: string;
  readonly firsts: number;
  readonly topQuartile: number;
  readonly lasts: number;
  /** `null`: none of its loads is valid. */
  readonly meanEfficiency: number | null;
  /** Gain in efficiency over the study's baseline, averaged over scenarios; .58 is 58 %. `null`: nothing to compare. */
  readonly meanGain: number | null;
}

/** In the order of the ranking. */
export function studyPlaces(
  { profiles }: Pick<ScenarioRanking, 'profiles'>,
  { scenarios, baseline }: { readonly scenarios: readonly ScenarioComparison[]; readonly baseline: string },
): readonly StudyPlaces[] {
  return profiles.map(({ id, firsts, topQuartile, lasts, meanEfficiency }) => {
    const gains = scenarios.flatMap((scenario) => gainOf(scenario, { id, baseline }) ?? []);
    const meanGain = gains.length === 0 ? null : mean(gains);
    return { profileId: id, firsts, topQuartile, lasts, meanEfficiency: meanEfficiency ?? null, meanGain };
  });
}

function gainOf({ profiles }: ScenarioComparison, { id, baseline }: { id: string; baseline: string }): number | undefined {
  const efficiency = (wanted: string) => profiles.find((each) => each.id === wanted)?.efficiencyMedian;
  const own = efficiency(id);
  const base = efficiency(baseline);
  return own === undefined || base === undefined ? undefined : own / base - 1;
}
