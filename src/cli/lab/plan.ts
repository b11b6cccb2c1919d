/** What a run of a study is to measure: the study, on other pages where they are asked for, and the part of it that is asked for. */
import { isDeepStrictEqual } from 'node:util';
import { PlumbfoxError } from '../../core/errors.ts';
import { didYouMean } from '../../core/nearest-name.ts';
import { parseRecipe } from '../../lab/pages/recipe-schema.ts';
import { checkDataIsAwaited } from '../../lab/run/network-idle.ts';
import { findStudy } from '../../lab/studies/all-studies.ts';
import type { Study } from '../../lab/studies/study.ts';
import { type OtherPage, withPages } from '../../lab/studies/study-with-pages.ts';
import type { StudyLine } from '../../lab/study-run/study-log.ts';
import { type StudyCut, type StudyPlan, studyPlan } from '../../lab/study-run/study-plan.ts';
import { askedPages } from '../asked-pages.ts';
import type { LabRunArguments } from './arguments.ts';

/** What is measured. */
export interface LabPlan {
  readonly study: Study;
  /** Absent: the study's own. */
  readonly otherPages: readonly OtherPage[] | undefined;
  readonly plan: StudyPlan;
}

/**
 * @throws PlumbfoxError `bad-input`: no such study, a page that cannot be read or awaited, or `--only` names what the study has not, which is
 *   then said.
 */
export function labPlan({ study: id, pages, only, cut, repeats, seed }: LabRunArguments): LabPlan {
  const own = findStudy(id);
  // As the log gives them back, down to the order of their members, which the fingerprint of a run knows.
  const otherPages = pages && askedPages(pages).map((page) => ({ ...page, recipe: parseRecipe(page.recipe) }));
  const study = otherPages ? withPages(own, otherPages) : own;
  const plan = plannedOf(study, { only, cut, repeats, seed });
  if (otherPages)
    checkDataIsAwaited(
      plan.pages.map(({ recipe }) => recipe),
      plan.links,
    );
  return { study, otherPages, plan };
}

function plannedOf(study: Study, { only, cut, repeats, seed }: Pick<LabRunArguments, 'only' | 'cut' | 'repeats' | 'seed'>): StudyPlan {
  const parts: StudyCut = cut ? study.cut : {};
  const pages = chosen('page', { asked: only.page, there: study.pages.map(({ name }) => name), otherwise: parts.pages });
  const links = chosen('link', { asked: only.link, there: study.links.map(({ name }) => name), otherwise: parts.links });
  const profiles = chosen('profile', { asked: only.profile, there: study.profiles.map(({ id }) => id), otherwise: parts.profiles });
  const times = repeats ?? parts.repeats;
  const plan = studyPlan(study, {
    cut: {
      ...(pages && { pages }),
      ...(links && { links }),
      ...(profiles && { profiles }),
      ...(times !== undefined && { repeats: times }),
    },
    seed,
  });
  if (plan.loads === 0) throw new PlumbfoxError('bad-input', `${study.id} measures none of these pages over any of these links`);
  return plan;
}

function chosen(
  what: string,
  { asked, there, otherwise }: { asked: readonly string[] | undefined; there: readonly string[]; otherwise: readonly string[] | undefined },
): readonly string[] | undefined {
  const unknown = asked?.find((name) => !there.includes(name));
  if (unknown !== undefined)
    throw new PlumbfoxError(
      'bad-input',
      `--only: the study has no ${what} "${unknown}".${didYouMean(unknown, there)} It has ${there.join(', ')}`,
    );
  return asked ?? otherwise;
}

/** @throws PlumbfoxError `bad-input` when `--pages` names others than those that the run in the folder was begun with. */
export function checkSamePages(
  asked: readonly OtherPage[] | undefined,
  { folder, begun }: { folder: string; begun: StudyLine | undefined },
): void {
  if (asked === undefined) return;
  const before = begun?.otherPages ?? [];
  const changed = asked.find(({ recipe }) =>
    before.some((each) => each.recipe.name === recipe.name && !isDeepStrictEqual(each.recipe, recipe)),
  );
  const goOn = 'Without --pages it continues with what it began with; without --resume a new one begins';
  if (changed)
    throw new PlumbfoxError('bad-input', `--pages: ${nameOf(changed)} has changed since the run in ${folder} was begun. ${goOn}`);
  const names = (pages: readonly OtherPage[]) => pages.map(({ recipe }) => recipe.name).sort();
  if (isDeepStrictEqual(names(asked), names(before))) return;
  const known = before.length === 0 ? `the pages of ${begun?.id}` : before.map(nameOf).join(', ');
  throw new PlumbfoxError('bad-input', `--pages: the run in ${folder} was begun with ${known}. ${goOn}`);
}

const nameOf = ({ recipe, file }: OtherPage): string => file ?? recipe.name;
