/** `plumbfox predict`: what every profile would make of a page, in seconds, by simulation. */

import { PlumbfoxError } from '../../core/errors.ts';
import { didYouMean } from '../../core/nearest-name.ts';
import { errorOf, measuredRegimes, unmeasuredRegimes } from '../../core/predict/model-error.ts';
import { predictTypical } from '../../core/predict/predict.ts';
import { type NamedLink, type NamedPage, type PredictionResult, predictJson } from '../../core/predict/predict-json.ts';
import { type PredictedScenario, predictedProfiles } from '../../core/predict/predicted-profiles.ts';
import { profileReach, recommendPrediction } from '../../core/predict/recommend-prediction.ts';
import { compareWithRecord, deviatesFromRecord } from '../../core/predict/recorded-loads.ts';
import { FIREFOX_DEFAULT, profileExpression } from '../../core/profiles/presets.ts';
import { BASELINE_ID, type Profile } from '../../core/profiles/profile.ts';
import { rankingTable } from '../../core/report/ranking-table.ts';
import { waterfallSvg } from '../../core/report/waterfall-svg.ts';
import { percent } from '../../core/text/figures.ts';
import { DEFAULT_LINKS, linkFigures } from '../../lab/link/links.ts';
import { requestCount } from '../../lab/pages/page-recipe.ts';
import { findSimulatedStudy, type SimulatedStudy, type StudyOutcome, simulateStudy } from '../../lab/studies/simulated-studies.ts';
import { naming } from '../errors.ts';
import { writeNewFile } from '../files.ts';
import { ownCommand } from '../output/own-command.ts';
import { jsonText, print, printNotices, terminalWidth } from '../output/terminal.ts';
import { defaultProfiles, type PredictArguments, parsePredictArguments, predictHelp } from './arguments.ts';
import type { PredictSource } from './contents.ts';
import { linkLabel, parsePredictLinks } from './link.ts';
import { measureCommand } from './measure.ts';
import { readPredictSource } from './source.ts';
import { predictText } from './text.ts';

export async function predict(args: readonly string[]): Promise<number> {
  const options = parsePredictArguments(args);
  if (options.help) return print(predictHelp());
  if (options.study !== undefined) return print(studyOutput(options.study, { json: options.json, width: terminalWidth() }));
  printNotices(options.notices);
  const facts = runPrediction(await readPredictSource(options.file, options.pages), options);
  if (options.svg !== undefined) await writeWaterfall(options.svg, facts, options.svgProfiles);
  return print(
    options.json
      ? jsonText(predictJson(facts))
      : predictText(facts, { width: terminalWidth(), plumbfox: ownCommand(), verbose: options.verbose }),
  );
}

/** @throws PlumbfoxError `bad-input` for a name that is no study's. */
function studyOutput(name: string, { json, width }: { readonly json: boolean; readonly width: number }): string {
  const study = findSimulatedStudy(name);
  const outcome = simulateStudy(study);
  return json ? jsonText(studyJson(study, outcome)) : studyText(study, { outcome, width });
}

function studyJson({ name, title, links, pages, initialWindow, model }: SimulatedStudy, outcome: StudyOutcome) {
  return {
    study: { name, title, pages: pages.map((page) => page.name), links, initialWindow, model },
    basis: 'simulated' as const,
    ...outcome,
  };
}

function studyText(study: SimulatedStudy, { outcome, width }: { outcome: StudyOutcome; width: number }): string {
  const { ranking, averageGain, memoPick, recommended, slotsByConnections, scenarios } = outcome;
  const loads = scenarios.reduce((sum, { profiles }) => sum + profiles.length, 0);
  const places = slotsByConnections.filter((each) => each.slots > 0).map((each) => `${each.slots} with ${each.connections}`);
  return [
    `${study.title}`,
    `${loads} simulated loads, none measured; initial window ${study.initialWindow} segments`,
    '',
    `pages: ${study.pages.map((page) => `${page.name} (${requestCount(page)} requests)`).join(', ')}`,
    'links:',
    ...study.links.map((link) => `  ${link.name.padEnd(12)} ${linkFigures(link)}`),
    '',
    rankingTable(ranking, { width, verdicts: false }),
    '',
    `By the memo's own rule by places: ${memoPick.reason}`,
    `Page by page and link by link, the best profile is ${percent(averageGain)} more efficient than ${study.baseline} on average (above: gain of the averages).`,
    `Top-quartile slots by connections: ${places.join(', ')}.`,
    `Within 3 % of the highest mean efficiency: ${recommended.join(', ')}.`,
    '',
  ].join('\n');
}

/**
 * The prediction: every chosen page over every link, under every profile.
 * @throws PlumbfoxError `bad-input` when there is no such page, nothing that could be drawn, or the simulator refuses it.
 */
export function runPrediction(file: PredictSource, options: PredictArguments): PredictionResult {
  const own = options.links ?? file.links;
  const links = own.length > 0 ? own : defaultLinks();
  const pages = chosenPages(file.pages, options.pages);
  const reach = profileReach(pages.map(({ page }) => page));
  const profiles = options.profiles ?? defaultProfiles(reach);
  // Checked before the work, so that a slip is reported at once.
  if (options.svg !== undefined) checkWaterfall({ pages, links, profiles, asked: options.svgProfiles ?? [] });
  const typical = ({ name, page }: NamedPage, link: NamedLink, by: readonly Profile[]) =>
    naming(`${file.source.file}: page ${name}`, () => predictTypical({ page, link: link.link, profiles: by, seed: options.seed }));
  const scenarios = pages.flatMap((page) => links.map((link) => ({ page: page.name, link: link.name, ...typical(page, link, profiles) })));
  const recorded = file.recorded.filter(({ page }) => pages.some(({ name }) => name === page));
  // Over other links than the record's, its own is simulated too: only there can the simulation be compared with it.
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
  const inLab = file.labPages.filter(({ page }) => pages.some(({ name }) => name === page));
  const labPages = inLab.map(({ asked }) => asked);
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
      measure: (ids) =>
        measureCommand(
          { loadedBy: file.loadedBy, pages: pages.map(({ name }) => name), labPages, protocol: inLab[0]?.protocol, links },
          ids.map((id) => nameForTune(id, profiles)),
        ),
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

/** A name of this run is entered again under the same name. */
function nameForTune(id: string, profiles: readonly Profile[]): string {
  const profile = profiles.find((each) => each.id === id);
  const expression = profile && profileExpression(profile);
  return expression === undefined || expression === id ? id : `${id}=${expression}`;
}

const defaultLinks = (): readonly NamedLink[] => parsePredictLinks(DEFAULT_LINKS.join(';')).map((link) => ({ ...link, basis: 'default' }));

const noLinkNote = (links: readonly NamedLink[]): string =>
  `The file does not show its link: predicted over ${links.map(({ name }) => name).join(' and ')}, which tune measures. Name yours with --link.`;

function setAside(scenarios: readonly Pick<PredictedScenario, 'page' | 'link'>[], othersStand: boolean): readonly string[] {
  if (scenarios.length === 0 || !othersStand) return [];
  const names = scenarios.map(({ page, link }) => `${page} over ${link}`).join(', ');
  return [`Excluded, because the simulation does not match the recorded loads: ${names}. Means and recommendation use the others.`];
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
async function writeWaterfall(path: string, facts: PredictionResult, asked: readonly string[] | undefined): Promise<void> {
  const { pages, links, scenarios, recommendation } = facts;
  const [[page], [link], [scenario]] = [pages, links, scenarios];
  if (page === undefined || link === undefined || scenario === undefined) throw new PlumbfoxError('internal', 'There is nothing to draw');
  const ids = asked ?? [...new Set([BASELINE_ID, recommendation.profileId])];
  const svg = waterfallSvg({
    title: page.name,
    subtitle: linkLabel(link),
    page: page.page,
    predictions: ids.flatMap((id) => scenario.predictions.filter(({ profileId }) => profileId === id)),
  });
  await writeNewFile('--svg', path, svg);
}
