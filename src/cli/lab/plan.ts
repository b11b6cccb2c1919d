/** The plan of a study's run: the study, on other pages where they are requested, and the part of it that is requested. */
import { isDeepStrictEqual } from 'node:util';
import { PlumbfoxError } from '../../core/errors.ts';
import { didYouMean } from '../../core/nearest-name.ts';
import { parseRecipe } from '../../lab/pages/page-recipe.ts';
import { checkDataIsAwaited } from '../../lab/run/network-idle.ts';
import { findStudy } from '../../lab/studies/all-studies.ts';
import { type OtherPage, withPages, withProfiles } from '../../lab/studies/other-pages.ts';
import type { Study } from '../../lab/studies/study.ts';
import type { StudyLine, StudyRecord } from '../../lab/study-run/study-log.ts';
import { type StudyCut, type StudyPlan, studyPlan } from '../../lab/study-run/study-plan.ts';
import { askedPages } from '../arguments.ts';
import type { LabRunArguments } from './arguments.ts';

/** The part of a study that is measured. */
export interface LabPlan {
  readonly study: Study;
  /** Absent: the study's own. */
  readonly otherPages: readonly OtherPage[] | undefined;
  /** The names that were given; absent: only the study's own are measured. */
  readonly otherProfiles: readonly string[] | undefined;
  readonly plan: StudyPlan;
}

/**
 * @throws PlumbfoxError `bad-input`: no such study, a page that cannot be read or awaited, no such profile, or `--only` names what the study has not, which is
 *   then said.
 */
export function labPlan({ study: id, pages, profiles, only, cut, repeats, seed }: LabRunArguments): LabPlan {
  const own = findStudy(id);
  // As the log gives them back, down to the order of their members, which the fingerprint of a run knows.
  const otherPages = pages && askedPages(pages).map((page) => ({ ...page, recipe: parseRecipe(page.recipe) }));
  const onPages = otherPages ? withPages(own, otherPages) : own;
  const isPart = profiles?.every((name) => own.profiles.some((profile) => profile.id === name)) ?? true;
  const otherProfiles = isPart ? undefined : profiles;
  const study = otherProfiles ? withProfiles(onPages, otherProfiles) : onPages;
  const plan = plannedOf(study, { only: isPart && profiles ? { ...only, profile: profiles } : only, cut, repeats, seed });
  if (otherPages)
    checkDataIsAwaited(
      plan.pages.map(({ recipe }) => recipe),
      plan.links,
    );
  return { study, otherPages, otherProfiles, plan };
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

/**
 * A lane waits for its link most of the time. Measured on two cores: the check by which lanes are made fewer lets so many pass for
 * mobile links.
 */
const LANES_PER_PROCESSOR = 5;

export interface RunSettings {
  /** Longest a load may take. */
  readonly timeoutS: number;
  /** Whether packets are recorded. */
  readonly capture: boolean;
  /** Largest number side by side. */
  readonly lanes: number;
  /** The reason, where there are fewer than usual and that was not requested. */
  readonly lanesWhy?: string;
}

interface Asked {
  readonly options: Pick<LabRunArguments, 'lanes' | 'timeoutS' | 'capture'>;
  readonly study: Pick<Study, 'timeoutS'>;
  readonly processors: number;
  /** The run that is continued; absent for a new one. An early log lacks the time-out and whether packets were captured. */
  readonly record?: Pick<StudyRecord, 'study' | 'interference'>;
}

export function runSettings({ options, study, processors, record }: Asked): RunSettings {
  const usual = LANES_PER_PROCESSOR * processors;
  const passed = record?.interference.findLast(({ ok }) => ok)?.lanes;
  const isLimited = options.lanes === undefined && passed !== undefined && passed < usual;
  return {
    timeoutS: record?.study?.timeoutS ?? options.timeoutS ?? study.timeoutS,
    capture: record?.study?.capture ?? options.capture,
    lanes: options.lanes ?? (isLimited ? passed : usual),
    ...(isLimited && {
      lanesWhy: `At most ${passed} lanes, as many as were found earlier not to disturb each other; --lanes allows more`,
    }),
  };
}

/**
 * Loads with another time limit, or with captures of some cells only, would stand beside those that were made before.
 * @throws PlumbfoxError `bad-input` where something is requested that differs from what the run in the folder was begun with.
 */
export function checkSameSettings(
  { timeoutS, capture }: Pick<LabRunArguments, 'timeoutS' | 'capture'>,
  { folder, begun }: { readonly folder: string; readonly begun: StudyLine | undefined },
): void {
  const differing = [
    ...(timeoutS !== undefined && begun?.timeoutS !== undefined && timeoutS !== begun.timeoutS
      ? [{ option: '--timeout', was: `--timeout ${begun.timeoutS}` }]
      : []),
    ...(capture && begun?.capture === false ? [{ option: '--capture', was: 'no --capture' }] : []),
  ];
  const [first] = differing;
  if (first === undefined) return;
  const { option, was } = first;
  throw new PlumbfoxError(
    'bad-input',
    `${option}: the run in ${folder} was begun with ${was}. Without ${option} it continues with that; without --resume a new one begins`,
  );
}

interface Resumed {
  readonly options: Pick<LabRunArguments, 'study' | 'lanes' | 'timeoutS' | 'capture'>;
  readonly folder: string;
  /** What the log began with. */
  readonly begun: StudyLine | undefined;
}

/** The command that continues a run, with the options that its log does not hold. */
export function resumeCommand({ options, folder, begun }: Resumed): string {
  const { study, lanes, timeoutS, capture } = options;
  return [
    `plumbfox lab run ${study} --resume --out ${folder}`,
    ...(lanes === undefined ? [] : [`--lanes ${lanes}`]),
    ...(timeoutS === undefined || begun?.timeoutS !== undefined ? [] : [`--timeout ${timeoutS}`]),
    ...(capture && begun?.capture === undefined ? ['--capture'] : []),
  ].join(' ');
}
