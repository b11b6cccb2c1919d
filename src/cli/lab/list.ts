/** `plumbfox lab list`: the studies, and what each comes to. */
import { counted } from '../../core/text/figures.ts';
import { STUDIES } from '../../lab/studies/all-studies.ts';
import { studyPlan } from '../../lab/study-run/study-plan.ts';

interface ListedStudy {
  readonly id: string;
  readonly question: string;
  readonly pages: readonly string[];
  readonly links: readonly string[];
  readonly profiles: readonly string[];
  readonly loads: number;
  /** On two processors; absent where nobody has published a run. */
  readonly tookMinutes?: number;
}

/** With the loads of the whole study; `--cut` and `--only` make fewer. */
export const listedStudies = (): readonly ListedStudy[] =>
  STUDIES.map((study) => {
    const { pages, links, profiles, loads } = studyPlan(study, { cut: {}, seed: 1 });
    return {
      id: study.id,
      question: study.question,
      pages: pages.map(({ name }) => name),
      links: links.map(({ name }) => name),
      profiles: profiles.map(({ id }) => id),
      loads,
      ...(study.tookMinutes === undefined ? {} : { tookMinutes: study.tookMinutes }),
    };
  });

/** Three lines for each study, a blank one between. */
export const listText = (studies: readonly ListedStudy[]): string =>
  studies
    .map(({ id, question, pages, links, profiles, loads, tookMinutes }) => {
      const size = [counted(pages.length, 'page'), counted(links.length, 'link'), counted(profiles.length, 'profile')].join(', ');
      const time = tookMinutes === undefined ? '' : `; took ${tookMinutes} min on two processors`;
      return `${id}\n  ${question}\n  ${counted(loads, 'load')}: ${size}${time}\n`;
    })
    .join('\n');
