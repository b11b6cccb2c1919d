/** The committed corpus as scenarios. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PlumbfoxError } from '../../../src/core/errors.ts';
import type { SimulatedLink } from '../../../src/core/simulate/link.ts';
import { findPage } from '../../../src/lab/pages/pages.ts';
import { recipeGraph } from '../../../src/lab/pages/recipe-graph.ts';
import { CORPUS_SCENARIOS } from '../corpus/capture-plan.ts';
import { type Corpus, type CorpusTimeline, readLoadsFile, readTimelinesFile } from '../corpus/corpus-files.ts';
import { TIMELINE_FIELDS, type TimelineRow } from '../corpus/corpus-load.ts';
import { type Half, halvesOf } from './halves.ts';
import type { MeasuredProfile, MeasuredRequest, MeasuredScenario } from './measured-scenario.ts';

export interface MeasuredCorpus {
  readonly scenarios: readonly MeasuredScenario[];
  /** Versions of Firefox that were measured. */
  readonly firefox: readonly string[];
}

/** @throws PlumbfoxError bad-input when there is no corpus in the folder, or none that can be read. */
export function readCorpus(folder: string): MeasuredCorpus {
  const corpus = readLoadsFile(contentOf(folder, 'loads.json'));
  const timelines = readTimelinesFile(contentOf(folder, 'timelines.json'));
  const names = [...new Set(corpus.loads.map(({ page, link }) => scenarioName(page, link)))];
  return {
    scenarios: names.map((name) => scenarioOf(name, corpus, timelines)),
    firefox: [...new Set(corpus.sessions.map(({ firefox }) => firefox))],
  };
}

const scenarioName = (page: string, link: string): string => `${page}/${link}`;

/** By the plan, not by what is there: a capture that is not finished must not deal a scenario out otherwise. */
const PLANNED_HALVES = halvesOf(CORPUS_SCENARIOS.map(({ page, link }) => ({ name: scenarioName(page, link), page, link })));

function halfOf(page: string, link: string): Half {
  const half = PLANNED_HALVES.get(scenarioName(page, link));
  if (half === undefined) throw new PlumbfoxError('bad-input', `The corpus has loads of ${page} over ${link}, which its plan has not`);
  return half;
}

function contentOf(folder: string, file: string): string {
  try {
    return readFileSync(join(folder, file), 'utf8');
  } catch (error) {
    throw new PlumbfoxError('bad-input', `There is no corpus in ${folder}: ${file} cannot be read`, { cause: error });
  }
}

function scenarioOf(name: string, corpus: Corpus, timelines: readonly CorpusTimeline[]): MeasuredScenario {
  const ofScenario = <T extends { page: string; link: string }>(all: readonly T[]) =>
    all.filter(({ page, link }) => scenarioName(page, link) === name);
  const loads = ofScenario(corpus.loads);
  const { page = '', link = '' } = loads[0] ?? {};
  const profiles = corpus.profiles.flatMap((profileId): MeasuredProfile[] => {
    const own = loads.filter(({ profile }) => profile === profileId).toSorted((a, b) => a.repeat - b.repeat);
    if (own.length === 0) return [];
    const timeline = ofScenario(timelines).find(({ profile }) => profile === profileId);
    return [
      {
        profileId,
        loads: own.map(({ loadTimeMs, peakConnections, droppedDown }) => ({
          loadTimeMs,
          connections: peakConnections,
          dropped: droppedDown,
        })),
        requests: timeline?.requests.map(measuredRequest) ?? [],
      },
    ];
  });
  return {
    name,
    page,
    link,
    half: halfOf(page, link),
    graph: recipeGraph(findPage(page)),
    simulated: simulatedLink(corpus, link),
    profiles,
  };
}

/** Linux sends TCP timestamps to Linux: 12 bytes of every packet of 1,500 (RFC 7323). */
const SEGMENT_BYTES = 1448;

/** The figures that were asked for; each session was checked against them. */
function simulatedLink(corpus: Corpus, name: string): SimulatedLink {
  const link = corpus.links.find((each) => each.name === name);
  if (link === undefined) throw new PlumbfoxError('bad-input', `The corpus has loads over "${name}", but does not say what it is`);
  const { rttMs, downKbps, upKbps, queue } = link;
  return { rttMs, downKbps, upKbps, queuePackets: queue, segmentBytes: SEGMENT_BYTES, congestionControl: congestionControlOf(corpus) };
}

/** One for all: loads sent with different ones are never of one corpus. */
function congestionControlOf({ sessions }: Corpus): 'reno' | 'cubic' {
  const named = [...new Set(sessions.map(({ congestionControl }) => congestionControl))];
  const [only] = named;
  if (named.length === 1 && (only === 'reno' || only === 'cubic')) return only;
  throw new PlumbfoxError('bad-input', `The corpus must be sent with Reno or with CUBIC, not with ${named.join(' and ')}`);
}

function measuredRequest(row: TimelineRow): MeasuredRequest {
  const at = (field: (typeof TIMELINE_FIELDS)[number]) => row[TIMELINE_FIELDS.indexOf(field)] ?? undefined;
  return {
    askedMs: at('fetchStart'),
    connectStartMs: at('connectStart'),
    connectEndMs: at('connectEnd'),
    sentMs: at('requestStart'),
    firstByteMs: at('responseStart'),
    endMs: at('responseEnd'),
  };
}
