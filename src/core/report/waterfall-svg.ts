/** The predicted loads of one page as timelines in an SVG file, and the bars of a predicted load. */
import { DEFAULT_ORIGIN, type PageGraph, type PageRequest } from '../graph/page-graph.ts';
import { bandOf } from '../predict/run-band.ts';
import type { PredictedRequest, Prediction } from '../simulate/prediction.ts';
import { counted, formatSeconds, percent } from '../text/figures.ts';
import { boundLabel } from '../text/labels.ts';
import { shortened, xmlText } from '../text/markup.ts';
import type { TimelineBar } from './timeline-bar.ts';
import { timelinesSvg } from './timelines-svg.ts';

interface WaterfallInput {
  readonly title: string;
  readonly subtitle: string;
  readonly page: PageGraph;
  /** From top to bottom, each of this page. */
  readonly predictions: readonly Prediction[];
}

const MAX_NAME_CHARACTERS = 24;
const MAX_ORIGIN_CHARACTERS = 16;

/** The predicted loads of one page. @returns a whole file of well-formed XML. */
export function waterfallSvg({ title, subtitle, page, predictions }: WaterfallInput): string {
  return timelinesSvg({
    title,
    subtitle: `${subtitle}. Predicted by simulation, not measured.`,
    label: `Predicted timeline of ${title} under ${predictions.map(({ profileId }) => profileId).join(' and ')}`,
    panels: predictions.map((prediction) => ({
      heading: heading(prediction),
      loadTimeMs: prediction.loadTimeMs,
      bars: predictedBars(prediction, page),
    })),
  });
}

/** The bars of a predicted load. */
export const predictedBars = ({ requests }: Prediction, page: PageGraph): readonly TimelineBar[] =>
  requests.map(({ id, discoveredMs, startMs, firstByteMs, endMs, connection }, at) => ({
    phases: 'known',
    name: nameOf({ id }, page.requests[at]),
    class: page.requests[at]?.class ?? 'other',
    connection: connection + 1,
    discoveredMs,
    startMs,
    firstByteMs,
    endMs,
  }));

function heading({ profileId, loadTimeMs, runsMs = [], efficiency, connections, bound, boundShares }: Prediction): string {
  const band = bandOf(runsMs);
  const range = band === undefined ? '' : ` (${formatSeconds(band.low)} to ${formatSeconds(band.high)} if the link varies slightly)`;
  return `${profileId}: load time ${formatSeconds(loadTimeMs)}${range}, efficiency ${efficiency.toFixed(2)}, ${counted(connections, 'connection')}, mostly ${boundLabel(bound)} (${percent(boundShares[bound])})`;
}

function nameOf({ id }: Pick<PredictedRequest, 'id'>, request: PageRequest | undefined): string {
  const name = shortened(xmlText(id), MAX_NAME_CHARACTERS);
  const origin = request?.origin;
  return origin === undefined || origin === DEFAULT_ORIGIN
    ? name
    : `${name} (${shortened(hostOf(xmlText(origin)), MAX_ORIGIN_CHARACTERS)})`;
}

/** Scheme and usual port are the same for most servers. */
const hostOf = (origin: string): string => origin.replace(/^https?:\/\//, '').replace(/:(80|443)$/, '');
