/** The loads of a trial as its verdict needs them: their place, whether they are valid, and how efficient they were. */
import { comparableLoadTime, NO_LINK, ofTheLink } from '../core/field/comparable-figures.ts';
import { asLink, fieldLinks } from '../core/field/field-links.ts';
import { type LoadSummary, loadSummary } from '../core/field/load-summary.ts';
import { loadWindow, MAX_LOAD_MS } from '../core/measure/load-window.ts';
import { type LoadWithIdeal, pageProtocols, withCommonIdeal } from '../core/report/comparable-loads.ts';
import { decisionOn, judgeTrial, type LoadsOfTrial } from '../core/trial/judge-trial.ts';
import { confirmingFrom, type TrialLoad } from '../core/trial/stage-loads.ts';
import type { MarkedPageLoad, TrialMark } from '../core/trial/trial-mark.ts';
import type { TrialDecision, TrialState } from '../core/trial/trial-state.ts';
import type { TrialRecord } from '../protocol/trial-record.ts';
import type { RecordStores } from './record-stores.ts';

interface PlacedLoad {
  readonly mark: TrialMark;
  readonly figures: LoadSummary;
  /** The load had not ended at the time limit. */
  readonly timedOut: boolean;
}

type TrialLoadWithIdeal = Omit<TrialLoad, 'efficiency'> & LoadWithIdeal;

/**
 * Loads with pages and links as opaque names, each page with its protocol (`isReference`), without excluded loads; and what loads before the trial
 * took on these pages. None has a `prediction`: what a load itself shows of its page may depend on its profile
 * (docs/decisions/007-no-prediction-as-covariate.md).
 *
 * @param confirmingFrom - First slot of the confirmation: a page keeps the protocol it had before, or the pages of a verdict would depend on what
 * is tested (Alt-Svc moves a page from HTTP/2 to HTTP/3 in the middle of a trial).
 * @param before - Figures of everyday loads in any order; those from before the first of the trial are taken, the newest of them.
 */
export async function trialLoads(
  loads: readonly MarkedPageLoad[],
  baseline: string,
  { confirmingFrom, before = [] }: { readonly confirmingFrom?: number | undefined; readonly before?: readonly LoadSummary[] } = {},
): Promise<LoadsOfTrial> {
  const placed = (await figuresOf(loads)).toSorted((a, b) => a.figures.startedAt - b.figures.startedAt);
  const known = earlierFigures(before, placed);
  const { links, linkOf: linkOfAll } = fieldLinks([...known, ...placed.map(({ figures }) => figures)]);
  const linkOf = (at: number) => linkOfAll(known.length + at);
  const protocolsOf = (some: readonly PlacedLoad[]) => {
    const protocols = pageProtocols<number>();
    for (const one of some)
      if (one.figures.protocol !== undefined) protocols.add(one.figures.page, one.figures.protocol, isReference(one, baseline));
    return protocols;
  };
  const screened = protocolsOf(placed.filter(({ mark }) => mark.slot < (confirmingFrom ?? Number.POSITIVE_INFINITY)));
  const all = protocolsOf(placed);
  const loadsOfLinks = placed.map(({ mark, figures, timedOut }, at): TrialLoadWithIdeal => {
    const number = linkOf(at);
    const link = number === undefined ? undefined : links[number];
    const inEffect = figures.profileId === mark.profileId && figures.standing !== 'not-as-intended';
    return {
      mark,
      startedAt: figures.startedAt,
      inEffect,
      profileId: mark.profileId,
      page: String(figures.page),
      protocol: screened.of(figures.page) ?? all.of(figures.page),
      link: link === undefined ? NO_LINK : `link-${link.id}`,
      block: mark.block,
      slot: mark.slot,
      valid: inEffect && figures.standing !== 'unmeasurable',
      // Excluding it would favour the profile under which more loads take too long.
      ...(timedOut && figures.standing === 'cut-short'
        ? { loadTimeMs: MAX_LOAD_MS, atBound: true as const }
        : { loadTimeMs: comparableLoadTime(figures) }),
      ...ofTheLink(figures, link && asLink(link)),
    };
  });
  const earlier = known.flatMap((figures, at): LoadWithIdeal[] => {
    const number = linkOfAll(at);
    const link = number === undefined ? undefined : links[number];
    if (link === undefined) return [];
    const place = { profileId: figures.profileId, page: String(figures.page), link: `link-${link.id}`, block: blockBefore(figures) };
    return [{ ...place, valid: true, loadTimeMs: comparableLoadTime(figures), ...ofTheLink(figures, asLink(link)) }];
  });
  const held = withCommonIdeal<TrialLoadWithIdeal | LoadWithIdeal>([...loadsOfLinks, ...earlier]);
  return { loads: held.filter(isOfTrial), earlier: held.slice(loadsOfLinks.length) };
}

/** More would take longer to read than they narrow. Chosen, not measured. */
const MAX_EARLIER = 2_000;

/** Complete loads from before the trial of pages that it has: pages that only they have would say nothing. */
function earlierFigures(before: readonly LoadSummary[], placed: readonly PlacedLoad[]): readonly LoadSummary[] {
  const first = placed[0]?.figures.startedAt ?? Number.NEGATIVE_INFINITY;
  const pages = new Set(placed.map(({ figures }) => figures.page));
  return before
    .filter(({ startedAt, page, standing, trial }) => startedAt < first && standing === 'whole' && trial === undefined && pages.has(page))
    .toSorted((a, b) => a.startedAt - b.startedAt)
    .slice(-MAX_EARLIER);
}

const DAY_MS = 86_400_000;

/** Loads of one day share its conditions; their blocks are below those of a trial. */
const blockBefore = ({ startedAt }: LoadSummary): number => Math.floor(startedAt / DAY_MS) - NEVER_DAYS;
/** Later than any clock that is set, so that blocks come out below 0: 10,000 years. */
const NEVER_DAYS = 3_652_500;

const isOfTrial = (load: object): load is TrialLoad => 'mark' in load;

/**
 * A page has the protocol of its complete loads under the baseline, so that neither a profile that changes the HTTP version nor loads that were
 * left early move it to another one. A page without such loads has the protocol of its other loads.
 */
const isReference = ({ mark, figures }: PlacedLoad, baseline: string): boolean =>
  mark.profileId === baseline && figures.profileId === baseline && figures.standing === 'whole';

/** Loads that are summarised before other work in this process, such as the popup's clicks, gets its turn. Some 10 ms. */
const AT_ONCE = 25;

async function figuresOf(loads: readonly MarkedPageLoad[]): Promise<readonly PlacedLoad[]> {
  const placed: PlacedLoad[] = [];
  for (const [at, load] of loads.entries()) {
    if (at % AT_ONCE === AT_ONCE - 1) await new Promise((done) => setTimeout(done));
    if (load.trial === undefined || load.trial.void !== undefined) continue;
    const window = loadWindow(load);
    placed.push({
      mark: load.trial.mark,
      figures: loadSummary(load),
      timedOut: window?.cutShort === 'time-limit',
    });
  }
  return placed;
}

interface TrialLoadsDeps {
  readonly stores: Pick<RecordStores, 'loadsOfTrial' | 'readFigures'>;
}

export type TrialLoads = ReturnType<typeof createTrialLoads>;

export function createTrialLoads({ stores: { loadsOfTrial, readFigures } }: TrialLoadsDeps) {
  async function loadsOf({ plan, progress }: TrialRecord): Promise<LoadsOfTrial> {
    // The plan's time may be after that of its loads, if the clock was set back (`clockSetBack`).
    const since = Math.min(plan.createdAt, progress.startedAt ?? plan.createdAt);
    const [loads, { figures }] = await Promise.all([loadsOfTrial(plan.id, since), readFigures()]);
    return trialLoads(loads, plan.baseline, { confirmingFrom: confirmingFrom(progress), before: figures });
  }

  /** What the trial does next. */
  async function lookAtLoads(trial: TrialRecord): Promise<TrialDecision> {
    return decisionOn(trial.plan, trial.progress, await loadsOf(trial));
  }

  /** The verdict so far. */
  async function judge(trial: TrialRecord): Promise<TrialState> {
    return judgeTrial(trial.plan, trial.progress, await loadsOf(trial));
  }

  return { lookAtLoads, judge };
}
