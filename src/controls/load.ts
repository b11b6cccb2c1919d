/**
 * The section "Last load": how long it took, how efficient it was and why, and the name that the person gives its link. Figures of the link are
 * estimates.
 */
import { writeLinkName } from '../adapters/field-storage.ts';
import { assertNever } from '../core/errors.ts';
import { duplicateCostText } from '../core/measure/duplicate-cost-text.ts';
import { duplicateCost } from '../core/measure/duplicate-fetches.ts';
import { disprovesLink } from '../core/measure/efficiency.ts';
import type { CutShort, LoadMeasures } from '../core/measure/load-measures.ts';
import { MAX_REQUESTS } from '../core/measure/load-measures.ts';
import type { HttpVersion } from '../core/measure/page-load.ts';
import type { ShownLink } from '../protocol/field-answer.ts';
import type { PopupState } from '../protocol/page-state.ts';
import { create, pageElement, setOptionalText, setText, show } from '../views/page.ts';
import { linkLabel } from '../views/prediction-view.ts';
import { coreLanguage, format, text, waitText } from '../views/text.ts';

type LastLoad = NonNullable<PopupState['lastLoad']>;

export interface LoadView {
  /** The page's host, or what the page was where it had none. */
  readonly page: string;
  readonly age: string;
  readonly loadTime: string;
  readonly efficiency: { readonly value: string; readonly explanation: string };
  readonly facts: readonly { readonly term: string; readonly value: string }[];
  readonly findings: readonly Finding[];
}

/** `empty`: what to do to get one. */
export type ShownLoad = { readonly state: 'known'; readonly view: LoadView } | { readonly state: 'empty'; readonly text: string };

/** Pure. */
export function loadView(load: LastLoad, now: number): LoadView {
  const { measures, link } = load;
  const time = format.duration(measures.loadTimeMs);
  return {
    page: pageName(load.url),
    age: format.age(now - load.startedAt),
    loadTime: measures.cutShort === undefined ? time : text('figure.atLeast', { figure: time }),
    efficiency: efficiencyOf(load),
    facts: factsOf(load),
    findings: loadFindings(measures, { rttMs: link?.rttMs, downKbps: link?.downKbps }),
  };
}

function pageName(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined) return text('load.noAddress');
  return parsed.host === '' ? text('load.noHost', { protocol: parsed.protocol }) : parsed.host;
}

function efficiencyOf(load: LastLoad): LoadView['efficiency'] {
  const { measures } = load;
  const { efficiency, idealTimeMs: time } = measures;
  if (efficiency !== undefined) {
    const explanation = time === undefined ? text('load.efficiency') : text('load.efficiency.ideal', { time });
    return { value: format.percent(efficiency), explanation };
  }
  if (measures.cutShort === undefined && disprovesLink(measures)) {
    const explanation = time === undefined ? text('load.networkWrong') : text('load.networkWrong.ideal', { time });
    return { value: text('figure.networkWrong'), explanation };
  }
  return { value: text('figure.unknown'), explanation: unknownEfficiency(load) };
}

function unknownEfficiency({ measures, link, linkPending }: LastLoad): string {
  if (measures.cutShort !== undefined) return text('load.cutShort', { why: cutShortLabel(measures.cutShort) });
  if (linkPending) return text('load.networkPending');
  if (link === undefined) return text('load.networkUnknown');
  return text(measures.bytes === undefined ? 'load.noBytes' : 'load.noIdeal');
}

function cutShortLabel(cutShort: CutShort): string {
  switch (cutShort) {
    case 'document-failed':
      return text('load.documentFailed');
    case 'no-load-event':
      return text('load.noLoadEvent');
    case 'page-left':
      return text('load.pageLeft');
    case 'time-limit':
      return text('load.timeLimit');
    case 'too-many-requests':
      return text('load.tooManyRequests', { most: MAX_REQUESTS });
    default:
      return assertNever(cutShort);
  }
}

function factsOf({ measures, link }: LastLoad): LoadView['facts'] {
  const optional = (term: string, value: string | undefined) => (value === undefined ? [] : [{ term, value }]);
  const duration = (ms: number | undefined) => (ms === undefined ? undefined : format.duration(ms));
  return [
    ...optional(text('load.firstPaint'), duration(measures.firstContentfulPaintMs)),
    ...optional(text('load.largestPaint'), duration(measures.largestContentfulPaintMs)),
    { term: text('load.received'), value: measures.bytes === undefined ? text('figure.unknown') : format.size(measures.bytes) },
    ...optional(text('load.network'), link && linkLabel(link)),
    { term: text('load.roundTrip'), value: estimate(link?.rttMs, link?.rttIntervalMs, format.duration) },
    { term: text('load.rate'), value: estimate(link?.downKbps, link?.downIntervalKbps, format.rate) },
  ];
}

type Bounds = { readonly low?: number | undefined; readonly high?: number | undefined };

/** The figure with its interval, where there are enough samples for one. */
function estimate(value: number | undefined, bounds: Bounds | undefined, label: (value: number) => string): string {
  if (value === undefined) return text('figure.notYet');
  const { low, high } = bounds ?? {};
  if (low === undefined || high === undefined || label(low) === label(high)) return label(value);
  return text('figure.interval', { figure: label(value), low: label(low), high: label(high) });
}

interface Finding {
  readonly text: string;
  /** `cost`: it took time that another profile or page might save; `plain`: a fact; `unknown`: could not be measured. */
  readonly tone: 'cost' | 'plain' | 'unknown';
}

/** The estimated link; `undefined`: not known yet. */
interface Network {
  readonly rttMs: number | undefined;
  readonly downKbps?: number | undefined;
}

/** A wait counts as a cost from the share of the load time that the verdicts call meaningful (3 %). */
const MEANINGFUL_SHARE = 0.03;
const VERSIONS: readonly HttpVersion[] = ['http/1.0', 'http/1.1', 'http/2', 'http/3'];

/** Why a load took as long as it did: one finding per measure, costs first. */
export function loadFindings(measures: LoadMeasures, network: Network): readonly Finding[] {
  const all = [
    queueWait(measures),
    ...connections(measures, network),
    ...duplicates(measures, network),
    ...failures(measures),
    ...renderBlocking(measures),
    outstanding(measures),
    versions(measures),
  ];
  const order = { cost: 0, plain: 1, unknown: 2 } as const;
  return all.toSorted((a, b) => order[a.tone] - order[b.tone]);
}

const cost = (sentence: string): Finding => ({ text: sentence, tone: 'cost' });
const plain = (sentence: string): Finding => ({ text: sentence, tone: 'plain' });
const unknown = (sentence: string): Finding => ({ text: sentence, tone: 'unknown' });

function queueWait({ queueWait: wait, loadTimeMs }: LoadMeasures): Finding {
  if (wait === undefined) return unknown(text('load.wait.unknown'));
  const { maxMs: longest, medianMs: typical } = wait;
  if (longest === 0) return plain(text('load.wait.none'));
  const waited = waitText({ longest, typical });
  return longest >= MEANINGFUL_SHARE * loadTimeMs ? cost(text('load.wait.cost', { wait: waited })) : plain(waited);
}

function connections({ coldConnections: cold, reusedConnections: reused }: LoadMeasures, { rttMs: time }: Network): Finding[] {
  if (cold === undefined && reused === undefined) return [unknown(text('load.opened.unknown'))];
  const found = [
    ...(cold === undefined ? [] : [cold === 0 ? text('load.opened.none') : text('load.opened', { count: cold })]),
    ...(reused === undefined ? [] : [text('load.reused', { count: reused })]),
  ].join(' ');
  if (cold === undefined || cold === 0) return [plain(found)];
  return [cost(`${found} ${time === undefined ? text('load.opened.cost') : text('load.opened.costHere', { time })}`)];
}

function duplicates(measures: LoadMeasures, { rttMs, downKbps }: Network): Finding[] {
  const link = rttMs === undefined || downKbps === undefined ? undefined : { rttMs, downKbps };
  const duplicate = duplicateCost(measures, link);
  if (duplicate === undefined) return [plain(text('load.noDuplicates'))];
  return [
    cost(duplicateCostText(duplicate, [{ where: text('load.here'), ms: duplicate.ms }], { figures: format, language: coreLanguage })),
  ];
}

function failures({ failedRequests: count, requests }: LoadMeasures): Finding[] {
  return count === 0 ? [] : [cost(text('load.failures', { count, requests }))];
}

function renderBlocking({ renderBlockingEndMs: time }: LoadMeasures): Finding[] {
  return time === undefined ? [] : [plain(text('load.renderBlocking', { time }))];
}

function outstanding({ peakOutstanding: peak, peakOutstandingByOrigin, requests: count }: LoadMeasures): Finding {
  const requests = text('count.requests', { count });
  const busiest = Object.entries(peakOutstandingByOrigin).reduce<readonly [string, number] | undefined>(
    (most, entry) => (most === undefined || entry[1] > most[1] ? entry : most),
    undefined,
  );
  if (busiest === undefined) return plain(text('load.outstanding', { peak, requests }));
  const [origin, most] = busiest;
  return plain(text('load.outstanding.server', { peak, requests, busiest: most, server: origin.replace(/^[a-z]+:\/\//, '') }));
}

function versions({ httpVersions }: LoadMeasures): Finding {
  const shares = VERSIONS.flatMap((version) => {
    const share = httpVersions[version];
    return share === undefined || share === 0 ? [] : [text('load.version', { share, version: version.toUpperCase() })];
  });
  if (shares.length === 0) return unknown(text('load.versions.unknown'));
  return plain(text('load.versions', { list: shares.join(', '), reach: reach(httpVersions) }));
}

/** The share of requests that a preference for HTTP/1.1 can affect. */
function reach(httpVersions: LoadMeasures['httpVersions']): string {
  const share = (httpVersions['http/1.0'] ?? 0) + (httpVersions['http/1.1'] ?? 0);
  if (share === 0) return text('load.reach.none');
  return share > 1 - 1e-9 ? text('load.reach.all') : text('load.reach.part', { share });
}

let shown: ShownLink | undefined;
/** Whether the person has typed a name that is not saved yet. */
let isTyped = false;

/** Shows the link's name, but does not touch what is being typed. */
export function showLinkName(link: ShownLink | undefined): void {
  const field = pageElement('link-name', HTMLInputElement);
  if (shown?.id !== link?.id) isTyped = false;
  shown = link;
  pageElement('link-form', HTMLElement).hidden = link === undefined;
  if (!isTyped) field.value = link?.given ?? '';
  field.placeholder = link?.name ?? '';
}

/** @param onNamed - Called with the work of writing a name, so that it is shown everywhere afterwards. */
export function wireLinkName(onNamed: (work: () => Promise<void>) => Promise<void>): void {
  const field = pageElement('link-name', HTMLInputElement);
  field.addEventListener('input', () => {
    isTyped = true;
  });
  pageElement('link-form', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    const link = shown;
    const given = field.value;
    if (link === undefined) return undefined;
    return onNamed(async () => {
      await writeLinkName(link, given);
      if (field.value === given) isTyped = false;
    });
  });
}

export function renderLoad(load: ShownLoad): void {
  setOptionalText('load-empty', load.state === 'empty' ? load.text : undefined);
  show('load', load.state === 'known');
  if (load.state === 'known') renderKnownLoad(load.view);
}

function renderKnownLoad(view: LoadView): void {
  setText('load-page', view.page);
  setText('load-age', view.age);
  setText('load-time', view.loadTime);
  setText('load-efficiency', view.efficiency.value);
  setText('load-explanation', view.efficiency.explanation);
  const findings = view.findings.map((finding) => create('li', { className: finding.tone }, finding.text));
  pageElement('load-findings', HTMLElement).replaceChildren(...findings);
  const facts = view.facts.map(({ term, value }) => create('div', {}, create('dt', {}, term), create('dd', {}, value)));
  pageElement('load-facts', HTMLElement).replaceChildren(...facts);
}
