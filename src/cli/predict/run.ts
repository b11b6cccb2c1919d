/** The prediction itself: every chosen page over every link, under every profile. */

import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { PlumbfoxError } from '../../core/errors.ts';
import { didYouMean } from '../../core/nearest-name.ts';
import { errorOf, measuredRegimes, unmeasuredRegimes } from '../../core/predict/model-error.ts';
import type { NamedLink, NamedPage, PredictionResult } from '../../core/predict/predict-json.ts';
import { predictTypical } from '../../core/predict/predict-typical.ts';
import { type PredictedScenario, predictedProfiles } from '../../core/predict/predicted-profiles.ts';
import { profileReach, recommendPrediction } from '../../core/predict/recommend-prediction.ts';
import { compareWithRecord, deviatesFromRecord } from '../../core/predict/recorded-loads.ts';
import { BASELINE_ID, FIREFOX_DEFAULT } from '../../core/profiles/presets.ts';
import type { Profile } from '../../core/profiles/profile.ts';
import { waterfallSvg } from '../../core/report/waterfall-svg.ts';
import { DEFAULT_LINKS } from '../../lab/link/links.ts';
import { defaultProfiles, type PredictArguments } from './arguments.ts';
import type { PredictSource } from './contents.ts';
import { parsePredictLinks, predictLinkWords } from './link.ts';
import { measureCommand } from './measure.ts';

/** @throws PlumbfoxError `bad-input` when there is no such page, nothing that could be drawn, or the simulator refuses it. */
export function runPrediction(file: PredictSource, options: PredictArguments): PredictionResult {
  const own = options.links ?? file.links;
  const links = own.length > 0 ? own : defaultLinks();
  const pages = chosenPages(file.pages, options.pages);
  const reach = profileReach(pages.map(({ page }) => page));
  const profiles = options.profiles ?? defaultProfiles(reach);
  // Before the work: a slip is told at once.
  if (options.svg !== undefined) checkWaterfall({ pages, links, profiles, asked: options.svgProfiles ?? [] });
  const typical = ({ name, page }: NamedPage, link: NamedLink, by: readonly Profile[]) =>
    naming(`${file.source.file}: page ${name}`, () => predictTypical({ page, link: link.link, profiles: by, seed: options.seed }));
  const scenarios = pages.flatMap((page) => links.map((link) => ({ page: page.name, link: link.name, ...typical(page, link, profiles) })));
  const recorded = file.recorded.filter(({ page }) => pages.some(({ name }) => name === page));
  // Over other links than the record's, its own is simulated too: whether the page comes out as recorded shows only there.
  const asRecorded =
    options.links === undefined
      ? scenarios
      : recorded.flatMap(({ page, link }) => {
          const [ofPage, ofLink] = [pages.find(({ name }) => name === page), file.links.find(({ name }) => name === link)];
          return ofPage && ofLink ? [{ page, link: ofLink.name, ...typical(ofPage, ofLink, [FIREFOX_DEFAULT]) }] : [];
        });
  const predictions = scenarios.flatMap((scenario) => scenario.predictions);
  const beside = compareWithRecord(recorded, asRecorded, errorOf);
  const parts = (scenario: Pick<PredictedScenario, 'page' | 'link'>) => deviatesFromRecord(scenario, beside);
  const sound = scenarios.filter((scenario) => !parts(scenario));
  const used = sound.length > 0 ? sound : scenarios;
  const rows = predictedProfiles(used, { profiles, baseline: BASELINE_ID, pages: pages.map(({ page }) => page) });
  const labPages = file.labPages.filter(({ page }) => pages.some(({ name }) => name === page)).map(({ asked }) => asked);
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
      beside,
      measure: (ids) => measureCommand({ loadedBy: file.loadedBy, pages: pages.map(({ name }) => name), labPages, links }, ids),
    }),
    recorded,
    beside,
    error: errorOf(predictions),
    regimes: measuredRegimes(predictions),
    unmeasured: unmeasuredRegimes(predictions),
    notes: [
      ...file.notes,
      ...(options.links === undefined ? file.linkNotes : []),
      ...(own.length > 0 ? [] : [noLinkNote(links)]),
      ...setAside(scenarios.filter(parts), sound.length > 0),
    ],
  };
}

/** What `tune` measures over. */
const defaultLinks = (): readonly NamedLink[] => parsePredictLinks(DEFAULT_LINKS.join(';')).map((link) => ({ ...link, basis: 'default' }));

const noLinkNote = (links: readonly NamedLink[]): string =>
  `The file does not show its link: predicted over ${links.map(({ name }) => name).join(' and ')}, which tune measures. Name yours with --link.`;

function setAside(scenarios: readonly Pick<PredictedScenario, 'page' | 'link'>[], othersStand: boolean): readonly string[] {
  if (scenarios.length === 0 || !othersStand) return [];
  const names = scenarios.map(({ page, link }) => `${page} over ${link}`).join(', ');
  return [`Excluded, because the simulation does not match the recorded loads: ${names}. Means and recommendation use the others.`];
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

interface WaterfallCheck extends Pick<PredictionResult, 'pages' | 'links'> {
  readonly profiles: readonly Profile[];
  /** Names of `--svg-profile`. */
  readonly asked: readonly string[];
}

/** @throws PlumbfoxError `bad-input` when there are several scenarios to choose from, or a profile is not among those predicted. */
function checkWaterfall({ pages, links, profiles, asked }: WaterfallCheck): void {
  if (pages.length > 1 || links.length > 1) {
    const choices = [
      ...(pages.length > 1 ? [`choose a page with --page (${pages.map(({ name }) => name).join(', ')})`] : []),
      ...(links.length > 1 ? ['give one --link'] : []),
    ];
    throw new PlumbfoxError('bad-input', `--svg draws one page over one link: ${choices.join(' and ')}`);
  }
  const known = profiles.map(({ id }) => id);
  const missing = asked.find((id) => !known.includes(id));
  if (missing === undefined) return;
  throw new PlumbfoxError('bad-input', `--svg-profile: ${missing} is not among the profiles. Profiles: ${known.join(', ')}`);
}

/**
 * Writes the file of `--svg`: one page over one link, a panel per profile.
 * @param asked - Profiles to draw; `undefined`: the baseline and what is recommended.
 * @throws PlumbfoxError `bad-input` when the file is there already or cannot be written.
 */
export async function writeWaterfall(path: string, facts: PredictionResult, asked: readonly string[] | undefined): Promise<void> {
  const { pages, links, scenarios, recommendation } = facts;
  const [[page], [link], [scenario]] = [pages, links, scenarios];
  if (page === undefined || link === undefined || scenario === undefined) throw new PlumbfoxError('internal', 'There is nothing to draw');
  const ids = asked ?? [...new Set([BASELINE_ID, recommendation.profileId])];
  const svg = waterfallSvg({
    title: page.name,
    subtitle: predictLinkWords(link),
    page: page.page,
    predictions: ids.flatMap((id) => scenario.predictions.filter(({ profileId }) => profileId === id)),
  });
  try {
    await writeFile(resolve(path), svg, { flag: 'wx' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'EEXIST' ? 'is there already: name another file' : `cannot be written (${code ?? error})`;
    throw new PlumbfoxError('bad-input', `--svg: ${path} ${why}`, { cause: error });
  }
}
