/**
 * Every page over every link of which loads are published, as `plumbfox predict` would be asked for it: the two parts of the corpus, the exhaustive
 * measurement, and the reports under docs/results. What the simulator does not model (links that vary, profiles of the gateway's other policy, warm connections) is left out.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { reportContents } from '../../../src/cli/predict/contents.ts';
import type { PageGraph } from '../../../src/core/graph/page-graph.ts';
import { BASELINE_ID } from '../../../src/core/profiles/profile.ts';
import type { Report } from '../../../src/core/report/report.ts';
import type { SimulatedLink } from '../../../src/core/simulate/link.ts';
import { modelCoverage, type PredictableProfile } from '../../../src/core/simulate/simulated-profile.ts';
import { findPage } from '../../../src/lab/pages/pages.ts';
import { recipeGraph } from '../../../src/lab/pages/recipe-graph.ts';
import { parseReport } from '../../../src/protocol/parse-report.ts';
import { loadsOf, readLog } from '../../exhaustive/log.ts';
import { ALL_SETS, linkOf, SCENARIOS } from '../../exhaustive/scenarios.ts';
import type { MeasuredScenario } from './measured-scenario.ts';
import { readCorpus } from './read-corpus.ts';

export interface MeasuredPair {
  readonly profile: PredictableProfile;
  /** Of the valid loads, at least one. */
  readonly loadTimesMs: readonly number[];
}

export interface ProductScenario {
  /** Where its loads are published: `test/corpus`, `docs/results/modern-defaults`. */
  readonly source: string;
  /** Versions that loaded it. */
  readonly firefox: readonly string[];
  /** `wiki/far-2m` */
  readonly name: string;
  readonly page: PageGraph;
  readonly link: SimulatedLink;
  readonly profiles: readonly MeasuredPair[];
}

/** What the browser's own work takes was measured on its calibration half, which therefore says nothing here (`recipe-graph.ts`). */
const FITTED = 'test/corpus';
export const CORPORA: readonly string[] = [FITTED, 'test/corpus-cubic'];
const RESULTS = 'docs/results';

const EXHAUSTIVE = 'test/exhaustive';

export const productScenarios = (): readonly ProductScenario[] => [
  ...CORPORA.flatMap(ofCorpus),
  ...exhaustive(),
  ...readdirSync(RESULTS, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(RESULTS, name))
    .sort()
    .flatMap(ofResults),
];

export function ofCorpus(source: string): readonly ProductScenario[] {
  const { scenarios, firefox } = readCorpus(source);
  return scenarios.filter((each) => isReported(source, each)).map((each) => ofScenario(each, { source, firefox }));
}

export const isReported = (source: string, { half }: MeasuredScenario): boolean => source !== FITTED || half === 'reporting';

export const ofScenario = (
  { name, graph, simulated, profiles }: MeasuredScenario,
  from: Pick<ProductScenario, 'source' | 'firefox'>,
): ProductScenario => ({
  ...from,
  name,
  page: graph,
  link: simulated,
  profiles: profiles.map(({ profileId, loads }) => ({
    profile: profileOfId(profileId),
    loadTimesMs: loads.map(({ loadTimeMs }) => loadTimeMs),
  })),
});

/** `c4-d6`: the corpus has no profile but these and Firefox's own settings. */
function profileOfId(id: string): PredictableProfile {
  const [, connections, depth] = /^c(\d+)-d(\d+)$/.exec(id) ?? [];
  return connections === undefined ? { id } : { id, connections: Number(connections), depth: Number(depth) };
}

function exhaustive(): readonly ProductScenario[] {
  const entries = readLog(join(EXHAUSTIVE, 'loads.jsonl.gz'));
  return SCENARIOS.map((scenario) => {
    const page = recipeGraph(findPage(scenario.page), scenario.servedBy);
    const { rttMs, downKbps, upKbps, queue } = linkOf(scenario);
    const loads = loadsOf(entries, scenario.id, 'exhaustive').filter(({ validity }) => validity.state === 'valid');
    const profiles = ALL_SETS.filter((profile) => modelCoverage(profile, [page]).state === 'modelled').map((profile) => ({
      profile,
      loadTimesMs: loads.flatMap(({ profileId, measures }) => (profileId === profile.id ? (measures?.loadTimeMs ?? []) : [])),
    }));
    return { source: EXHAUSTIVE, firefox: [], name: scenario.id, page, link: { rttMs, downKbps, upKbps, queuePackets: queue }, profiles };
  });
}

const ofResults = (source: string): readonly ProductScenario[] =>
  ofReport(source, parseReport(JSON.parse(gunzipSync(readFileSync(join(source, 'report.json.gz'))).toString('utf8'))));

export function ofReport(source: string, report: Report): readonly ProductScenario[] {
  const { pages, links } = reportContents(report);
  const cold = pages.filter(({ name }) => report.pages.find((page) => page.name === name)?.served?.connections !== 'warm');
  return cold.flatMap(({ name: page, page: graph }) =>
    links.flatMap(({ name: link, link: simulated }): readonly ProductScenario[] => {
      const profiles = report.profiles.flatMap((profile): readonly MeasuredPair[] => {
        if (!isModelled(profile, graph)) return [];
        const times = report.loads.flatMap((load) =>
          load.profileId === profile.id && load.page === page && load.link === link && load.validity.state === 'valid'
            ? (load.measures?.loadTimeMs ?? [])
            : [],
        );
        const { id, connections, depth, intended } = profile;
        return times.length === 0 ? [] : [{ profile: { id, connections, depth, preferences: intended }, loadTimesMs: times }];
      });
      return profiles.some(({ profile }) => profile.id === BASELINE_ID)
        ? [
            {
              source,
              firefox: report.provenance.firefox === undefined ? [] : [report.provenance.firefox.version],
              name: `${page}/${link}`,
              page: graph,
              link: simulated,
              profiles,
            },
          ]
        : [];
    }),
  );
}

/** The control goes through the gateway with a depth of 1, and `bundled` is the gateway's other policy: neither is what `predict` predicts. */
function isModelled({ id, title, connections, depth, carrier, intended }: Report['profiles'][number], page: PageGraph): boolean {
  if (carrier === 'gateway' && (depth === 1 || id.endsWith('-bundled'))) return false;
  const profile = { id, title, connections, depth, preferences: intended };
  return modelCoverage(profile as Parameters<typeof modelCoverage>[0], [page]).state === 'modelled';
}
