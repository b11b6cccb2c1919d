/** The rows of recorded loads, and a chosen one with what is predicted for its page. Only the network, and with it the efficiency, is estimated. */
import { assertNever } from '../core/errors.ts';
import { duplicateCostText } from '../core/measure/duplicate-cost-text.ts';
import { shortened } from '../core/text/markup.ts';
import { printable } from '../core/text/text-table.ts';
import type { ShownLoad, ShownLoadPrediction } from '../protocol/prediction-answer.ts';
import { linkLabel, type PredictionView, predictionTable } from '../views/prediction-view.ts';
import { settingsText } from '../views/profile-text.ts';
import { coreLanguage, fixedText, format, text } from '../views/text.ts';

interface LoadRow {
  readonly page: string;
  readonly time: string;
  readonly link: string;
  readonly profile: string;
  readonly loadTime: string;
  readonly efficiency: string;
}

type RowLoad = Pick<ShownLoad, 'startedAt' | 'link' | 'standing' | 'profileId' | 'loadTimeMs' | 'efficiency' | 'linkDisproved'>;

/** `now`: wall clock, ms since the epoch; it decides whether the day is shown. */
export function loadRow(load: RowLoad & { readonly url?: string | undefined }, now: number): LoadRow {
  const profile = settingsText(load.profileId);
  return {
    page: pageLabel(load.url ?? ''),
    time: format.clock(load.startedAt, now),
    link: load.link === undefined ? text('figure.unknown') : linkLabel(load.link),
    profile: load.standing === 'not-as-intended' ? text('loads.notInEffect', { profile }) : profile,
    loadTime: loadTimeLabel(load),
    efficiency:
      load.efficiency !== undefined ? format.percent(load.efficiency) : text(load.linkDisproved ? 'figure.networkWrong' : 'figure.unknown'),
  };
}

function loadTimeLabel({ standing, loadTimeMs }: RowLoad): string {
  if (standing === 'unmeasurable' || loadTimeMs === undefined) return text('figure.unknown');
  const time = format.duration(loadTimeMs);
  return standing === 'cut-short' ? text('figure.atLeast', { figure: time }) : time;
}

/** Longer addresses are cut in their middle: a path may have thousands of characters. */
const MAX_LABEL_CHARACTERS = 160;

/** Host and path: what follows `?` and `#` may be private, and says little. */
export function pageLabel(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined) return text('load.noAddress');
  if (parsed.host === '') return text('load.noHost', { protocol: parsed.protocol });
  return shortened(`${parsed.host}${parsed.pathname === '/' ? '' : decoded(parsed.pathname)}`, MAX_LABEL_CHARACTERS);
}

/** The path in readable form, without changes of direction, or unchanged if it is no valid UTF-8. */
function decoded(path: string): string {
  try {
    return printable(decodeURI(path));
  } catch {
    return path;
  }
}

export interface ChosenLoadView {
  readonly title: string;
  /** The load in a few words, told from others of its page. */
  readonly label: string;
  readonly facts: readonly { readonly term: string; readonly value: string }[];
  readonly prediction: PredictionView;
}

export function chosenLoadView({ load, prediction }: ShownLoadPrediction, now: number): ChosenLoadView {
  const { page, time, profile, link, loadTime, efficiency } = loadRow(load, now);
  const facts = [
    { term: text('loads.loadedAt'), value: time },
    { term: text('loads.profile'), value: profile },
    { term: text('loads.measured'), value: loadTime },
    { term: text('load.network'), value: link },
    { term: text('loads.efficiency'), value: efficiency },
    ...(load.duplicates ? [{ term: text('loads.duplicates'), value: fetchedTwice(load.duplicates) }] : []),
  ];
  return { title: page, label: text('timeline.label', { page, time, profile }), facts, prediction: predictionOf(prediction, link) };
}

const fetchedTwice = (duplicates: NonNullable<ShownLoad['duplicates']>): string =>
  duplicateCostText(duplicates, [{ where: text('load.here'), ms: duplicates.ms }], { figures: format, language: coreLanguage });

function predictionOf(prediction: ShownLoadPrediction['prediction'], network: string): PredictionView {
  const none = (status: string): PredictionView => ({ status, table: undefined });
  switch (prediction.state) {
    case 'link-not-known':
      return none(text('load.networkUnknown'));
    case 'rate-not-known':
      return none(text('prediction.rateUnknown'));
    case 'nothing-to-predict':
      return none(text('loads.cannotPredict', { why: fixedText(prediction.because) }));
    case 'predicted':
      return { status: undefined, table: predictionTable(prediction, text('loads.basis', { network })) };
    default:
      return assertNever(prediction);
  }
}
