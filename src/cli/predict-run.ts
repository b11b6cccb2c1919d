/** The prediction itself: every chosen page over every link, under every profile. */
import { PlumbfoxError } from '../core/errors.ts';
import { didYouMean } from '../core/nearest-name.ts';
import { BASELINE_ID } from '../core/profiles/presets.ts';
import { MODEL_ERROR } from '../core/simulate/model-error.ts';
import type { NamedPage, PredictionFacts } from '../core/simulate/predict-json.ts';
import { predictTypical } from '../core/simulate/predict-typical.ts';
import { predictedProfiles } from '../core/simulate/predicted-profiles.ts';
import { profileReach } from '../core/simulate/profile-reach.ts';
import { recommendPrediction } from '../core/simulate/recommend-prediction.ts';
import type { PredictSource } from './predict/contents.ts';
import { defaultProfiles, type PredictArguments } from './predict-arguments.ts';
import { measureCommand } from './predict-measure.ts';
import { checkWaterfall } from './predict-waterfall.ts';

/** @throws PlumbfoxError `bad-input` when there is no link, no such page, nothing that could be drawn, or the simulator refuses it. */
export function runPrediction(file: PredictSource, options: PredictArguments): PredictionFacts {
  const links = options.links ?? file.links;
  if (links.length === 0) {
    const how = 'give one, such as --link rtt=300,down=2000';
    throw new PlumbfoxError('bad-input', `${file.source.file}: the link cannot be told from it: ${how}`);
  }
  const pages = chosenPages(file.pages, options.pages);
  const reach = profileReach(pages.map(({ page }) => page));
  const profiles = options.profiles ?? defaultProfiles(reach);
  // Before the work: a slip is told at once.
  if (options.svg !== undefined) checkWaterfall({ pages, links, profiles, asked: options.svgProfiles ?? [] });
  const scenarios = pages.flatMap(({ name, page }) =>
    links.map(({ name: linkName, link }) => ({
      page: name,
      link: linkName,
      ...naming(`${file.source.file}: page ${name}`, () => predictTypical({ page, link, profiles, seed: options.seed })),
    })),
  );
  const rows = predictedProfiles(scenarios, { profiles, baseline: BASELINE_ID, pages: pages.map(({ page }) => page) });
  const labPages = file.labPages.filter((name) => pages.some((page) => page.name === name));
  return {
    source: file.source,
    pages,
    links,
    scenarios,
    profiles: rows,
    recommendation: recommendPrediction({
      profiles: rows,
      baseline: BASELINE_ID,
      reach,
      error: MODEL_ERROR,
      measure: (ids) => measureCommand({ labPages, links }, ids),
    }),
    error: MODEL_ERROR,
    notes: [...file.notes, ...(options.links === undefined ? file.linkNotes : [])],
  };
}

/** Says of what the simulator refuses where it comes from. */
function naming<T>(what: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof PlumbfoxError) throw new PlumbfoxError(error.kind, `${what}: ${error.message}`, { cause: error });
    throw error;
  }
}

function chosenPages(pages: readonly NamedPage[], names: readonly string[] | undefined): readonly NamedPage[] {
  if (names === undefined) return pages;
  return names.map((wanted) => {
    const page = pages.find(({ name }) => name === wanted);
    if (page !== undefined) return page;
    const known = pages.map(({ name }) => name);
    throw new PlumbfoxError('bad-input', `--page: there is no page "${wanted}".${didYouMean(wanted, known)} Pages: ${known.join(', ')}`);
  });
}
