/** What settings change, measured and predicted, in pictures, words and figures. Pure. */
import type { Comparison } from '../core/compare/comparison.ts';
import {
  type ChangeWithBounds,
  type CheckedPrediction,
  type Coverage,
  checkedPredictions,
  coverageOf,
  type MeasuredGroup,
  measuredGroups,
  type SettingsMap,
  settingsMap,
} from '../core/field/settings-map.ts';
import { MIN_HELD } from '../core/predict/model-error.ts';
import { BASELINE_ID } from '../core/profiles/profile.ts';
import { type HeatMapCell, heatMapSvg } from '../core/report/heat-map-svg.ts';
import { predictionCheckSvg } from '../core/report/prediction-check-svg.ts';
import { PROTOCOL_LABELS } from '../core/text/labels.ts';
import type { PlainId } from '../core/text/messages.ts';
import type { CheckedPage, ModelsAnswer } from '../protocol/models-answer.ts';
import { linkLabel } from '../views/prediction-view.ts';
import { profileText } from '../views/profile-text.ts';
import { fixedText, format, text } from '../views/text.ts';
import type { DrawnView, TableView } from './drawn.ts';
import { pageLabel } from './loads-view.ts';

export interface ModelsView {
  /** What the figures rest on, and what is being worked out. */
  readonly notes: readonly string[];
  /** Absent: nothing is measured or predicted. */
  readonly map: DrawnView | undefined;
  /** How predictions held, and settings with both; absent: there is no map. */
  readonly check: { readonly sentence: string; readonly drawn: DrawnView | undefined } | undefined;
  /** Load times of single pages; absent: no page has both. */
  readonly pages: TableView | undefined;
}

export interface ModelsInput {
  /** `undefined`: not made yet. */
  readonly comparison: Pick<Comparison, 'profiles' | 'protocols'> | undefined;
  /** The loads that are compared so far, and all; absent: all are. */
  readonly part?: { readonly newest: number; readonly all: number } | undefined;
  /** `undefined`: not made yet. */
  readonly prediction: ModelsAnswer | undefined;
  /** Why there is no newer comparison, or no prediction. */
  readonly failures: readonly string[];
  /** For the picture of predictions beside measurements, px. */
  readonly width: number;
}

export function modelsView({ comparison, part, prediction, failures, width }: ModelsInput): ModelsView {
  const groups = comparison === undefined ? [] : measuredGroups(comparison);
  const measured = groups[0]?.changes ?? [];
  const predicted = predictedChanges(prediction);
  const isEmpty = measured.length === 0 && predicted.every(({ id }) => id === BASELINE_ID);
  const soFar =
    part === undefined ? [] : [text('comparison.newest', { newest: text('count.loads', { count: part.newest }), all: part.all })];
  return {
    notes: failures.length > 0 ? failures : [...measuredNotes(comparison, groups[0]), ...soFar, ...predictedNotes(prediction)],
    map: isEmpty ? undefined : mapDrawn(groups, predicted),
    check: isEmpty ? undefined : checkView(groups, { predicted, width }),
    pages: prediction?.state === 'predicted' && prediction.checked.length > 0 ? pagesTable(prediction.checked) : undefined,
  };
}

const mapDrawn = (groups: readonly MeasuredGroup[], predicted: readonly ChangeWithBounds[]): DrawnView => ({
  svg: mapSvg(settingsMap(groups[0]?.changes ?? [], predicted)),
  alt: `${text('models.map')}. ${text('models.map.subtitle')}`,
  table: mapTable(groups, predicted),
});

const predictedChanges = (prediction: ModelsAnswer | undefined): readonly ChangeWithBounds[] =>
  prediction?.state === 'predicted' ? prediction.rows.map(({ id, ratio, band }) => ({ id, ratio, low: band?.low, high: band?.high })) : [];

function measuredNotes(comparison: ModelsInput['comparison'], most: MeasuredGroup | undefined): readonly string[] {
  if (comparison === undefined) return [text('comparison.first')];
  if (most === undefined) return [text('models.measured.none')];
  const { changes, baselineLoads, protocol } = most;
  const loads = text('count.loads', { count: changes.reduce((sum, { loads: own }) => sum + own, 0) });
  const own = text('count.loads', { count: baselineLoads });
  const over = protocol === undefined ? [] : [text('models.measured.over', { protocol: protocolText(protocol) })];
  return [[text('models.measured.basis', { loads, own }), ...over, text('models.measured.turns')].join(' ')];
}

/** Within a sentence. */
function protocolText(protocol: NonNullable<MeasuredGroup['protocol']>): string {
  const label = fixedText(PROTOCOL_LABELS[protocol]);
  return label.startsWith('HTTP') ? label : `${label.charAt(0).toLowerCase()}${label.slice(1)}`;
}

const WHY_NONE: Readonly<Record<Exclude<ModelsAnswer['state'], 'predicted'>, PlainId>> = {
  'no-loads': 'prediction.noLoads',
  'link-not-known': 'load.networkUnknown',
  'rate-not-known': 'prediction.rateUnknown',
  'nothing-to-predict': 'models.nothing',
};

function predictedNotes(prediction: ModelsAnswer | undefined): readonly string[] {
  if (prediction === undefined) return [text('prediction.computing')];
  if (prediction.state !== 'predicted') return [text(WHY_NONE[prediction.state])];
  const { pages, link, reach, checked, withheld } = prediction;
  const parting = checked.filter(({ state }) => state === 'parts').length;
  const requests = text('count.requests', { count: reach.requests });
  return [
    text('models.predicted.basis', { count: pages, network: linkLabel(link), held: MIN_HELD }),
    // Where all are that far off, none is left out.
    ...(parting > 0 && parting < checked.length ? [text('prediction.parting', { count: parting })] : []),
    ...(withheld === undefined ? [] : [text('models.withheld')]),
    reach.byConnections === 0
      ? text('prediction.reach.none')
      : reach.byDepth === 0
        ? text('models.depth.none')
        : text('models.depth', { reached: reach.byDepth, requests }),
  ];
}

const about = (figure: string): string => text('prediction.about', { figure });

function mapSvg({ connections, depths, cells }: SettingsMap): string {
  return heatMapSvg({
    title: text('models.map'),
    subtitle: text('models.map.subtitle'),
    shows: 'change',
    isNarrow: true,
    rows: { name: text('models.connections'), labels: connections.map(String) },
    columns: { name: text('models.requests'), labels: depths.map(String) },
    cells: cells.map((row) => row.map(heatCell)),
    words: {
      change: format.change,
      predictedChange: (ratio) => about(format.change(ratio)),
      key: [
        (change) => text('models.key.slower', { change }),
        (change) => text('models.key.upTo', { change }),
        (change) => text('models.key.under', { change }),
        (change) => text('models.key.faster', { change }),
      ],
      measured: text('models.measured'),
      predicted: text('models.predicted'),
      notMeasured: text('models.neither'),
      nothing: '',
    },
  });
}

function heatCell(cell: SettingsMap['cells'][number][number]): HeatMapCell | undefined {
  if (cell === undefined) return undefined;
  if (cell.kind === 'own') return { value: 1, note: 'Firefox', marked: true };
  if (cell.kind === 'predicted') return { value: cell.change.ratio, isPredicted: true };
  return { value: cell.change.ratio, note: `n = ${format.integer(cell.change.loads)}` };
}

/** Everything that was measured, the protocol with most loads first, then what is only predicted. */
function mapTable(groups: readonly MeasuredGroup[], predicted: readonly ChangeWithBounds[]): TableView {
  const known = new Set(groups[0]?.changes.map(({ id }) => id));
  const measuredRows = groups.flatMap(({ changes, protocol }) =>
    changes.map((change) => {
      const loads = text('count.loads', { count: change.loads });
      const over = protocol === undefined ? loads : `${protocolText(protocol)}, ${loads}`;
      const figure = format.change(change.ratio);
      return [
        profileText(change.id),
        change.against === BASELINE_ID ? figure : text('comparison.change', { change: figure, baseline: profileText(change.against) }),
        boundsText(change),
        `${text('models.measured')}, ${over}`,
      ];
    }),
  );
  const predictedRows = predicted
    .filter(({ id }) => !known.has(id) && id !== BASELINE_ID)
    .map((change) => [
      profileText(change.id),
      about(format.change(change.ratio)),
      change.low === undefined ? text('models.errorUnknown') : boundsText(change),
      text('models.predicted'),
    ]);
  return {
    caption: text('models.table.caption'),
    headings: [fixedText('Settings'), text('models.change'), text('models.interval'), text('models.basis')],
    rows: [...measuredRows, ...predictedRows],
  };
}

const boundsText = ({ low, high }: ChangeWithBounds): string =>
  low === undefined || high === undefined
    ? text('models.noInterval')
    : text('models.bounds', { low: format.change(low), high: format.change(high) });

const withBounds = (change: ChangeWithBounds, figure: string): string =>
  change.low === undefined || change.high === undefined
    ? `${figure} (${text('models.noInterval')})`
    : text('figure.interval', { figure, low: format.change(change.low), high: format.change(change.high) });

const HELD: Readonly<Record<Coverage | 'unknown', PlainId>> = {
  covered: 'models.held.yes',
  missed: 'models.held.no',
  open: 'models.held.open',
  unknown: 'models.errorUnknown',
};

function checkView(
  groups: readonly MeasuredGroup[],
  { predicted, width }: { readonly predicted: readonly ChangeWithBounds[]; readonly width: number },
): NonNullable<ModelsView['check']> {
  const checked = groups.flatMap(({ changes, protocol }) =>
    checkedPredictions(changes, predicted).map((one) => ({ ...one, label: checkLabel(one.measured.id, protocol) })),
  );
  if (checked.length === 0) return { sentence: text('models.check.none'), drawn: undefined };
  return { sentence: heldSummary(checked.map(({ coverage }) => coverage)), drawn: checkDrawn(checked, width) };
}

type Labelled = CheckedPrediction & { readonly label: string };

/** The same settings may have been measured over several protocols. */
const checkLabel = (profileId: string, protocol: MeasuredGroup['protocol']): string =>
  [profileText(profileId), ...(protocol === undefined ? [] : [protocolText(protocol)])].join(', ');

function checkDrawn(checked: readonly Labelled[], width: number): DrawnView {
  const [title, subtitle] = [text('models.check'), text('models.map.subtitle')];
  return {
    svg: predictionCheckSvg({
      title,
      subtitle,
      width,
      rows: checked.map(({ label, predicted, measured }) => ({ label, predicted, measured })),
      change: format.change,
      key: { predicted: text('models.key.predicted'), measured: text('models.key.measured') },
    }),
    alt: `${title}. ${subtitle}`,
    table: {
      caption: text('models.check.caption'),
      headings: [fixedText('Settings'), text('models.column.predicted'), text('models.column.measured'), text('models.held')],
      rows: checked.map(({ label, predicted, measured, coverage }) => [
        label,
        withBounds(predicted, about(format.change(predicted.ratio))),
        `${withBounds(measured, format.change(measured.ratio))}, ${text('count.loads', { count: measured.loads })}`,
        text(HELD[coverage]),
      ]),
    },
  };
}

function heldSummary(all: readonly (Coverage | 'unknown')[]): string {
  const count = all.length;
  const of = (wanted: Coverage) => all.filter((one) => one === wanted).length;
  const [held, missed] = [of('covered'), of('missed')];
  return text('models.held.summary', { count, held, missed, open: count - held - missed });
}

function pagesTable(pages: readonly CheckedPage[]): TableView {
  const coverages = pages.map(({ measuredMs, intervalMs, bandMs }) =>
    bandMs === undefined ? 'unknown' : coverageOf(bandMs, { at: measuredMs, low: intervalMs?.low, high: intervalMs?.high }),
  );
  return {
    caption: `${text('models.pages')} ${heldSummary(coverages)}`,
    headings: [text('models.page'), text('models.column.predicted'), text('models.column.measured'), text('models.held')],
    rows: pages.map((page, at) => [
      pageLabel(page.url ?? ''),
      timeText(about(format.duration(page.predictedMs)), page.bandMs),
      `${timeText(format.duration(page.measuredMs), page.intervalMs)}, ${text('count.loads', { count: page.loads })}`,
      text(HELD[coverages[at] ?? 'unknown']),
    ]),
  };
}

const timeText = (figure: string, range: { readonly low: number; readonly high: number } | undefined): string =>
  range === undefined
    ? `${figure} (${text('models.noInterval')})`
    : text('figure.interval', { figure, low: format.duration(range.low), high: format.duration(range.high) });
