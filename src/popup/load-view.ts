/** The last load, in words: how long it took, how efficient it was, and why. Link figures of the field are estimates and say so. */
import { assertNever } from '../core/errors.ts';
import { disprovesLink } from '../core/measure/efficiency.ts';
import type { CutShort } from '../core/measure/load-measures.ts';
import { MAX_REQUESTS } from '../core/measure/max-requests.ts';
import type { PopupState } from '../protocol/popup-state.ts';
import { type Figures, LINK_DISPROVED } from '../views/figures.ts';
import { type Finding, loadFindings } from './load-findings.ts';

type LastLoad = NonNullable<PopupState['lastLoad']>;

export interface LoadView {
  /** The page's host; what the page was where it had none. */
  readonly page: string;
  readonly age: string;
  readonly loadTime: string;
  readonly efficiency: { readonly value: string; readonly explanation: string };
  readonly facts: readonly { readonly term: string; readonly value: string }[];
  readonly findings: readonly Finding[];
}

export function loadView(load: LastLoad, options: { readonly now: number; readonly figures: Figures }): LoadView {
  const { now, figures } = options;
  return {
    page: pageName(load.url),
    age: figures.age(now - load.startedAt),
    loadTime: `${load.measures.cutShort === undefined ? '' : 'at least '}${figures.duration(load.measures.loadTimeMs)}`,
    efficiency: efficiencyWords(load, figures),
    facts: facts(load, figures),
    findings: loadFindings(load.measures, { rttMs: load.link?.rttMs, downKbps: load.link?.downKbps, figures }),
  };
}

function pageName(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined) return 'a page without an address';
  return parsed.host === '' ? `a page without a host (${parsed.protocol})` : parsed.host;
}

function efficiencyWords(load: LastLoad, figures: Figures): LoadView['efficiency'] {
  const { measures } = load;
  const { efficiency, idealTimeMs } = measures;
  if (efficiency !== undefined) {
    const ideal =
      idealTimeMs === undefined ? '' : ` No transport could have been faster than ${figures.duration(idealTimeMs)} (estimated).`;
    return {
      value: figures.percent(efficiency),
      explanation: `Estimated share of the speed that this link allows.${ideal}`,
    };
  }
  if (measures.cutShort === undefined && disprovesLink(measures)) {
    return {
      value: LINK_DISPROVED,
      explanation: `The load was faster than the ${idealTimeMs === undefined ? '' : `${figures.duration(idealTimeMs)} that the `}estimated link allows, so the estimate is wrong for it.`,
    };
  }
  return { value: 'not known', explanation: unknownEfficiency(load) };
}

function unknownEfficiency({ measures, link, linkPending }: LastLoad): string {
  if (measures.cutShort !== undefined) return `${cutShortWords(measures.cutShort)} Without its end, a load has no efficiency.`;
  if (linkPending) return 'The link is being told from all loads.';
  if (link === undefined) return 'The link has not been estimated yet; a few more loads that open new connections are needed.';
  if (measures.bytes === undefined) return 'Firefox did not report how many bytes the page took.';
  return 'The fastest possible time of this load cannot be worked out.';
}

function cutShortWords(cutShort: CutShort): string {
  switch (cutShort) {
    case 'document-failed':
      return 'The page itself could not be fetched.';
    case 'no-load-event':
      return 'The page never finished loading.';
    case 'page-left':
      return 'You left the page before it went quiet.';
    case 'time-limit':
      return 'The page was still fetching after a minute.';
    case 'too-many-requests':
      return `The page made more than ${MAX_REQUESTS} requests; the rest was not recorded.`;
    default:
      return assertNever(cutShort);
  }
}

function facts({ measures, link }: LastLoad, figures: Figures): LoadView['facts'] {
  const optional = (term: string, value: string | undefined) => (value === undefined ? [] : [{ term, value }]);
  const duration = (value: number | undefined) => (value === undefined ? undefined : figures.duration(value));
  return [
    ...optional('First content shown', duration(measures.firstContentfulPaintMs)),
    ...optional('Largest content shown', duration(measures.largestContentfulPaintMs)),
    { term: 'Received', value: measures.bytes === undefined ? 'not known' : figures.size(measures.bytes) },
    ...optional('Link (estimated)', link && linkWords(link)),
    { term: 'Round trip (estimated)', value: estimate(link?.rttMs, link?.rttIntervalMs, figures.duration) },
    { term: 'Download rate (estimated)', value: estimate(link?.downKbps, link?.downIntervalKbps, figures.rate) },
  ];
}

/** A name that a person gave says nothing of the figures. */
function linkWords({ given, name }: NonNullable<LastLoad['link']>): string {
  return given === undefined ? name : `${given} (${name})`;
}

type Bounds = { readonly low?: number | undefined; readonly high?: number | undefined };

/** The figure with the interval that its samples allow, where there are enough of them. */
function estimate(value: number | undefined, bounds: Bounds | undefined, words: (value: number) => string): string {
  if (value === undefined) return 'not known yet';
  const { low, high } = bounds ?? {};
  const [from, to] = [low === undefined ? undefined : words(low), high === undefined ? undefined : words(high)];
  if (from === undefined || to === undefined || from === to) return words(value);
  return `${words(value)} (${from} to ${to})`;
}
