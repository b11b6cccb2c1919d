/** Makes the JSON document of `tune --json` (`TuneDocument`) from a report. */

import type {
  ControlCheck,
  PaintEffect,
  ProfileComparison,
  Recommendation,
  RecommendedProfile,
  ScenarioComparison,
  ScenarioRanking,
} from '../../core/compare/comparison.ts';
import { provenanceNotes } from '../../core/report/lab-deviations.ts';
import type { LinkFigures, Provenance, Report, ReportLink } from '../../core/report/report.ts';
import { gatewayNote } from '../../core/report/shown-comparison.ts';
import type { TuneDocument, TunedControl, TunedProfile, TunedRecommendation } from './document.ts';
import { searchJson } from './search/json.ts';

export interface TuneFiles {
  readonly report: string;
  readonly html: string;
  /** `null`, as `userJs`: nothing is proven by settings without the gateway, so there is nothing to set. */
  readonly policies: string | null;
  readonly userJs: string | null;
  readonly loads: string;
}

/** `null`: not written. */
type WrittenFiles = { readonly [File in keyof TuneFiles]: TuneFiles[File] | null };

export function tuneJson(report: Report, files: WrittenFiles): TuneDocument {
  const { comparison, provenance, links } = report;
  const { control, recommendation } = comparison;
  const gateway = gatewayNote(comparison);
  return {
    profiles: comparison.profiles.map(profileJson),
    method: comparison.method,
    scenarios: comparison.scenarios.map(scenarioJson),
    links: links.map(linkJson),
    modes: comparison.modes.map(({ modes, ...where }) => ({ ...where, peaks: modes.peaks, separation: modes.separation })),
    ranking: rankingJson(comparison.ranking),
    control: controlJson(control),
    recommendation: recommendationJson(recommendation),
    setAside: comparison.setAside ?? [],
    protocols: (comparison.protocols ?? []).map((own) => ({
      ...own,
      profiles: own.profiles.map(profileJson),
      control: controlJson(own.control),
      recommendation: recommendationJson(own.recommendation),
    })),
    search: report.search === undefined ? null : searchJson(report.search),
    files,
    seed: provenance.seed,
    firefox: firefoxJson(provenance.firefox),
    applier: provenance.applier ?? null,
    notes: [...(gateway === undefined ? [] : [gateway]), ...provenanceNotes(provenance)],
  };
}

function profileJson({
  id,
  carrier,
  role,
  loads,
  voidLoads,
  efficiency,
  loadTimeMs,
  versusBaseline,
  dropped,
}: ProfileComparison): TunedProfile {
  const { estimate, low, high } = efficiency;
  const { ratio, verdict, reason, against, loadsNeeded } = versusBaseline;
  return {
    id,
    carrier,
    role,
    loads,
    voidLoads,
    efficiency: { estimate: estimate ?? null, low: low ?? null, high: high ?? null },
    loadTimeMs: { median: loadTimeMs.median ?? null },
    dropped: dropped ?? null,
    versusBaseline: {
      ratio: ratio ?? null,
      low: versusBaseline.low ?? null,
      high: versusBaseline.high ?? null,
      verdict,
      reason,
      against,
      loadsNeeded: loadsNeeded ?? null,
      loadsNeededAtMost: versusBaseline.loadsNeededAtMost ?? null,
      pairs: versusBaseline.pairs,
      pairsAhead: versusBaseline.pairsAhead,
      detectableChange: versusBaseline.detectableChange ?? null,
      p: versusBaseline.p ?? null,
      commonEffect: versusBaseline.commonEffect ?? null,
      paints: (versusBaseline.paints ?? []).map(paintJson),
    },
  };
}

const paintJson = ({ ratio, low, high, ...rest }: PaintEffect): TunedProfile['versusBaseline']['paints'][number] => ({
  ...rest,
  ratio: ratio ?? null,
  low: low ?? null,
  high: high ?? null,
});

function scenarioJson({ page, link, profiles }: ScenarioComparison): TuneDocument['scenarios'][number] {
  return {
    page,
    link,
    profiles: profiles.map(({ id, loads, efficiencyMedian, loadTimeMsMedian }) => ({
      id,
      loads,
      efficiencyMedian: efficiencyMedian ?? null,
      loadTimeMsMedian: loadTimeMsMedian ?? null,
    })),
  };
}

function rankingJson({ scenarios, slots, profiles, meanSpread, baselineEfficiency, gain }: ScenarioRanking): TuneDocument['ranking'] {
  return {
    scenarios,
    slots,
    profiles: profiles.map((ranks) => ({ ...ranks, meanEfficiency: ranks.meanEfficiency ?? null })),
    meanSpread: meanSpread ?? null,
    baselineEfficiency: baselineEfficiency ?? null,
    gain: gain ?? null,
    pick: NO_PICK,
  };
}

/** Places select nothing; the member stays for its readers. */
const NO_PICK = { state: 'none', profileId: null, by: null, best: null, reason: 'Places describe; only the verdicts recommend.' } as const;

const controlJson = (control: ControlCheck | undefined): TunedControl | null =>
  control === undefined ? null : { ...control, ratio: control.ratio ?? null };

function recommendationJson({ gateway, settingsAlone, ...overall }: Recommendation): TunedRecommendation {
  return {
    ...recommendedJson(overall),
    gateway: gateway === undefined ? null : { connections: gateway.connections ?? null, depth: gateway.depth },
    settingsAlone: recommendedJson(settingsAlone),
  };
}

const recommendedJson = ({
  gain,
  within,
  bestOf,
  loadsNeeded,
  ...recommended
}: RecommendedProfile): TunedRecommendation['settingsAlone'] => ({
  ...recommended,
  gain: gain ?? null,
  within: within ?? null,
  bestOf: bestOf ?? null,
  loadsNeeded: loadsNeeded ?? null,
});

function linkJson({ name, kind, basis, asked, measured }: ReportLink): TuneDocument['links'][number] {
  return {
    name,
    kind,
    basis,
    asked: asked === undefined ? null : askedJson(asked),
    measured: measured === undefined ? null : { ...measured },
  };
}

/** Optional figures are present where the link has them. */
const askedJson = ({ rttMs, downKbps, upKbps, queue, ...more }: LinkFigures): NonNullable<TuneDocument['links'][number]['asked']> => ({
  ...more,
  rttMs,
  downKbps,
  upKbps: upKbps ?? null,
  queue: queue ?? null,
});

function firefoxJson(firefox: Provenance['firefox']): TuneDocument['firefox'] {
  if (firefox === undefined) return null;
  const { version, buildId, channel } = firefox;
  return { version, buildId: buildId ?? null, channel: channel ?? null };
}
