/** What a file holds for a prediction: its pages, and the links it knows. */
import { basename } from 'node:path';
import { PlumbfoxError } from '../core/errors.ts';
import type { Report, ReportLink } from '../core/report/report.ts';
import type { NamedLink, NamedPage, PredictionFacts } from '../core/simulate/predict-json.ts';
import { PAGES } from '../lab/pages/pages.ts';
import { parseReport } from '../protocol/report-schema.ts';
import { readJsonFile } from './predict-file.ts';
import { harContents } from './predict-har.ts';
import { canBeSimulated, simulatedFigures } from './simulated-figures.ts';

export interface PredictContents {
  /** At least one. */
  readonly pages: readonly NamedPage[];
  /** Empty: the file knows none whose figures could be used. */
  readonly links: readonly NamedLink[];
  /** Pages that the lab can load. */
  readonly labPages: readonly string[];
  readonly notes: readonly string[];
  /** What must be known of its links, where they are used. */
  readonly linkNotes: readonly string[];
}

export interface PredictSource extends PredictContents {
  readonly source: PredictionFacts['source'];
}

/**
 * @param pageIds - Of a HAR with several pages those to take; `undefined`: its first. Those of a report are all taken.
 * @throws PlumbfoxError `bad-input`, one line that names the file and says what to do.
 */
export async function readPredictSource(path: string, pageIds: readonly string[] | undefined): Promise<PredictSource> {
  const json = await readJsonFile(path);
  const kind = kindOf(json, path);
  try {
    const contents = kind === 'har' ? harContents(json, { name: basename(path), pageIds }) : reportContents(parseReport(json));
    return { ...contents, source: { kind, file: path } };
  } catch (error) {
    if (error instanceof PlumbfoxError) throw new PlumbfoxError(error.kind, `${path}: ${error.message}`, { cause: error });
    throw error;
  }
}

function kindOf(json: unknown, path: string): 'har' | 'report' {
  const members = typeof json === 'object' && json !== null && !Array.isArray(json) ? json : {};
  if ('log' in members) return 'har';
  if ('format' in members) return 'report';
  const slip = 'recommendation' in members ? ': it looks like what --json prints; the report is the file report.json' : '';
  throw new PlumbfoxError('bad-input', `${path} is neither a HAR nor a report of Plumbfox${slip}`);
}

const HOW = 'Measure again with npm run tune, or give a HAR, which the network panel of the developer tools saves';

function reportContents({ pages, links }: Report): PredictContents {
  const graphs = pages.flatMap(({ name, graph, inferred = [] }): readonly NamedPage[] =>
    graph === undefined ? [] : [{ name, page: graph, inferred }],
  );
  if (graphs.length === 0) throw new PlumbfoxError('bad-input', `This report holds no page that could be predicted. ${HOW}`);
  const without = pages.filter(({ graph }) => graph === undefined).map(({ name }) => name);
  const known = new Set(PAGES.map(({ name }) => name));
  const usable = links.flatMap(reportLink);
  const relays = links.filter(({ kind }) => kind === 'relay').map(({ name }) => name);
  return {
    pages: graphs,
    links: usable,
    labPages: links.some(({ kind }) => kind === 'real') ? [] : graphs.map(({ name }) => name).filter((name) => known.has(name)),
    notes: without.length === 0 ? [] : [`Left out, as the report does not hold what is on them: ${without.join(', ')}.`],
    linkNotes: [
      ...(relays.length === 0
        ? []
        : [`Measured through the relay, which knows no packets, while the prediction goes by packets: link ${relays.join(', ')}.`]),
      ...links
        .filter((link) => reportLink(link).length === 0)
        .map(({ name }) => `Left out, as the report gives it no figures that could be simulated: link ${name}.`),
    ],
  };
}

/** Both ends of a lane are Linux, which sends timestamps to its like: 12 bytes of every packet of 1,500 (RFC 7323). */
const LAB_SEGMENT_BYTES = 1448;

/** What was asked for, as the lab held to it; on the real network what was estimated. */
function reportLink({ name, kind, basis, asked, measured }: ReportLink): readonly NamedLink[] {
  const figures = asked ?? measured;
  if (figures === undefined || figures.rttMs <= 0 || figures.downKbps <= 0 || (asked && !canBeSimulated(asked))) return [];
  return [
    {
      name,
      basis: basis === 'estimated' ? 'estimated' : 'configured',
      link: {
        ...simulatedFigures(figures),
        ...(kind === 'packet' && { segmentBytes: LAB_SEGMENT_BYTES }),
      },
    },
  ];
}
