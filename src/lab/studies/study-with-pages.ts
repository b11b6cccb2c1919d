/** A study on other pages than its own (`lab run --pages`): its links, profiles, servers and rules stay. Pure. */
import { PlumbfoxError } from '../../core/errors.ts';
import type { PageRecipe } from '../pages/page-recipe.ts';
import type { ServedBy } from '../pages/served-by.ts';
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
const PREFIXES: Readonly<Record<ServedBy, string>> = { embedded: 'plain', nginx: 'nginx', https: 'h1', http2: 'h2', http3: 'h3' };

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
