/** A study on other pages (`lab run --pages`) or with other profiles than its own (`--profiles`): the rest stays; its findings are those of the comparison. Pure. */

import { comparisonOf } from '../../core/compare/by-protocol.ts';
import type { Comparison } from '../../core/compare/comparison.ts';
import { PlumbfoxError } from '../../core/errors.ts';
import { didYouMean } from '../../core/nearest-name.ts';
import type { Profile } from '../../core/profiles/profile.ts';
import { distinctProfiles, resolveProfiles } from '../../core/profiles/resolve-profiles.ts';
import { rankingSentence } from '../../core/report/ranking-table.ts';
import { soundnessNotes, verdictLabel } from '../../core/report/shown-comparison.ts';
import { formatLoads, formatSeconds, withInterval } from '../../core/text/figures.ts';
import { PROTOCOL_LABELS } from '../../core/text/labels.ts';
import type { PageRecipe } from '../pages/page-recipe.ts';
import type { ServedBy } from '../pages/served-by.ts';
import { figureColumn as figure, type StudyFindings, type StudyTable, tableOf, textColumn as text } from './findings.ts';
import type { Study, StudyPage } from './study.ts';

/** A page that is measured in place of a study's own. */
export interface OtherPage {
  readonly recipe: PageRecipe;
  /** Name of the file it is from, without folders; absent: it is a page of the lab. */
  readonly file?: string;
}

/** Every recipe is served in each way in which the study serves its own pages; `--cut` keeps the ways of its cut. */
export function withPages(study: Study, others: readonly OtherPage[]): Study {
  checkNames(study, others);
  const ways = waysOf(study.pages);
  const pages = (wanted: readonly Way[]) => others.flatMap(({ recipe }) => wanted.map((way) => servedPage(recipe, { way, ways })));
  const cutWays = waysOf(study.pages.filter(({ name }) => study.cut.pages.includes(name)));
  return {
    ...study,
    question: study.holdsForOtherPages ? study.question : plainQuestion(study, others),
    pages: pages(ways),
    cut: { ...study.cut, pages: pages(cutWays).map(({ name }) => name) },
  };
}

type Way = Pick<StudyPage, 'servedBy' | 'connections'>;

/** In the order of the study's pages, each once. */
function waysOf(pages: readonly StudyPage[]): readonly Way[] {
  const ways = pages.map(({ servedBy, connections }) => ({ servedBy, connections }));
  return ways.filter((way, at) => ways.findIndex((each) => isSame(each, way)) === at);
}

const isSame = (a: Way, b: Way): boolean => a.servedBy === b.servedBy && a.connections === b.connections;

/** The studies name their pages so. */
const PREFIXES: Readonly<Record<ServedBy, string>> = {
  embedded: 'plain',
  nginx: 'nginx',
  https: 'h1',
  http2: 'h2',
  http3: 'h3',
  negotiated: 'agreed',
};

/** A name says only what differs: `mine`, `h2-mine`, `mine-warm`. */
function servedPage(recipe: PageRecipe, { way, ways }: { readonly way: Way; readonly ways: readonly Way[] }): StudyPage {
  const { servedBy, connections } = way;
  const prefix = ways.some((each) => each.servedBy !== servedBy) ? `${PREFIXES[servedBy]}-` : '';
  const suffix = ways.some((each) => each.connections !== connections) ? `-${connections}` : '';
  return { name: `${prefix}${recipe.name}${suffix}`, recipe, ...way };
}

/** A report in which one name means a page of the study in one run, and another page in the next, would be misread. */
function checkNames(study: Study, others: readonly OtherPage[]): void {
  const own = new Set(study.pages.flatMap(({ name, recipe }) => [name, recipe.name]));
  const taken = others.find(({ recipe, file }) => file !== undefined && own.has(recipe.name));
  if (taken)
    throw new PlumbfoxError(
      'bad-input',
      `--pages: ${taken.file} is named "${taken.recipe.name}" like a page of ${study.id}: change its "name"`,
    );
}

const plainQuestion = ({ id }: Study, others: readonly OtherPage[]): string =>
  `How do the profiles of ${id} do over its links on ${others.map(({ recipe }) => recipe.name).join(', ')}, instead of its own pages?`;

/** Which pages they are and where from, in one sentence. */
export function otherPagesNote({ id }: Pick<Study, 'id'>, others: readonly OtherPage[]): string {
  const named = others.map(({ recipe, file }) => `${recipe.name} (${file ?? 'of the lab'}; ${recipe.title})`);
  return `Pages instead of those of ${id}: ${named.join('; ')}.`;
}

/** The study with its baseline and these profiles. @throws PlumbfoxError `bad-input` for a name that neither the study nor anyone knows. */
export function withProfiles(study: Study, texts: readonly string[]): Study {
  const own = (id: string) => study.profiles.filter((profile) => profile.id === id);
  const asked = texts.flatMap((text) => (own(text).length > 0 ? own(text) : otherProfiles(text, study)));
  const profiles = distinctProfiles([...own(study.baseline), ...asked]);
  return { ...study, profiles, cut: { ...study.cut, profiles: profiles.map(({ id }) => id) } };
}

function otherProfiles(text: string, { id, profiles }: Study): readonly Profile[] {
  try {
    return resolveProfiles([text]);
  } catch (error) {
    if (!(error instanceof PlumbfoxError)) throw error;
    const there = profiles.map((profile) => profile.id);
    const hint = didYouMean(text, there);
    throw new PlumbfoxError(error.kind, `--profiles: ${error.message} ${id} has ${there.join(', ')}.${hint}`, { cause: error });
  }
}

/** Which profiles they are, in one sentence. */
export const otherProfilesNote = ({ id }: Pick<Study, 'id'>, texts: readonly string[]): string =>
  `Profiles instead of those of ${id}: ${texts.join(', ')}.`;

/** @param study - Its own answer and figures are about its own pages or profiles, and left out. */
export function comparisonFindings(comparison: Comparison, study: Pick<Study, 'id'>, own: 'pages' | 'profiles' = 'pages'): StudyFindings {
  const { ranking } = comparison;
  const parts = comparison.protocols?.map(({ protocol, control }) => ({ label: `${PROTOCOL_LABELS[protocol]}: `, control })) ?? [
    { label: '', control: comparison.control },
  ];
  return {
    tables: [...profileTables(comparison), ...(ranking.scenarios === 0 ? [] : [placesTable(comparison)]), scenarioTable(comparison)],
    answer: [
      `What ${study.id} asks, and the figures it was prompted by, are about its own ${own}; nothing is said of them here. This compares ${own === 'pages' ? 'its profiles on the pages' : 'the profiles'} that were measured, as plumbfox tune does.`,
      ...parts.flatMap(({ label, control }) => (control === undefined ? [] : [`${label}${control.sentence}`])),
      ...(ranking.scenarios === 0 ? [] : [rankingSentence(ranking)]),
      ...soundnessNotes(comparison),
    ],
    comparisonWithOriginal: [],
    pictures: [],
    figures: {},
  };
}

const profileTables = (comparison: Comparison): readonly StudyTable[] =>
  comparison.protocols?.map((own) => profileTable(comparisonOf(comparison, own), `${PROTOCOL_LABELS[own.protocol]}: efficiency`)) ?? [
    profileTable(comparison, 'Efficiency'),
  ];

const profileTable = ({ baseline, profiles }: Comparison, efficiency: string): StudyTable =>
  tableOf(`${efficiency} and load time against ${baseline}, over all pages and links`, profiles, [
    text('profile', ({ id }) => id),
    text('depth by', ({ carrier }) => (carrier === 'none' ? undefined : carrier)),
    figure('loads', formatLoads),
    text('efficiency', (profile) => withInterval(profile.efficiency, 3)),
    figure('load time', ({ loadTimeMs }) => formatSeconds(loadTimeMs.median)),
    text('ratio', ({ versusBaseline: { verdict, ratio, low, high } }) =>
      verdict === 'baseline' ? '1' : withInterval({ estimate: ratio, low, high }, 2),
    ),
    text('against', ({ versusBaseline: { verdict, against } }) => (verdict === 'baseline' ? undefined : against)),
    text('verdict', verdictLabel),
  ]);

const placesTable = ({ ranking }: Comparison): StudyTable =>
  tableOf('Places by median efficiency on each page and link', ranking.profiles, [
    text('profile', ({ id }) => id),
    figure('firsts', ({ firsts }) => firsts),
    figure('top quartile', ({ topQuartile }) => topQuartile),
    figure('lasts', ({ lasts }) => lasts),
  ]);

function scenarioTable({ baseline, scenarios }: Comparison): StudyTable {
  const rows = scenarios.map(({ page, link, profiles }) => {
    const timed = profiles
      .flatMap(({ id, loadTimeMsMedian }) => (loadTimeMsMedian === undefined ? [] : [{ id, ms: loadTimeMsMedian }]))
      .sort((a, b) => a.ms - b.ms);
    return { page, link, profiles, own: timed.find(({ id }) => id === baseline), shortest: timed[0], longest: timed.at(-1) };
  });
  return tableOf('By page and link: median load times, the shortest chosen after the fact', rows, [
    text('page', ({ page }) => page),
    text('link', ({ link }) => link),
    figure('loads', ({ profiles }) => profiles.reduce((sum, { loads }) => sum + loads, 0)),
    figure(baseline, ({ own }) => formatSeconds(own?.ms)),
    figure('shortest', ({ shortest }) => formatSeconds(shortest?.ms)),
    text('with', ({ shortest }) => shortest?.id),
    figure('longest', ({ longest }) => formatSeconds(longest?.ms)),
    text('with', ({ longest }) => longest?.id),
  ]);
}
