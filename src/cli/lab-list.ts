/** `plumbfox lab list`: the studies, and what each comes to. */

import { STUDIES } from '../lab/studies/all-studies.ts';
import { studyPlan } from '../lab/study-run/study-plan.ts';

interface ListedStudy {
  readonly id: string;
  readonly question: string;
  readonly pages: readonly string[];
  readonly links: readonly string[];
  readonly profiles: readonly string[];
  readonly loads: number;
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
    };
  });

/** Three lines for each study, a blank one between. */
export const listText = (studies: readonly ListedStudy[]): string =>
  studies
    .map(({ id, question, pages, links, profiles, loads }) => {
      const size = `${loads} loads: ${pages.length} pages, ${links.length} links, ${profiles.length} profiles`;
      return `${id}\n  ${question}\n  ${size}\n`;
    })
    .join('\n');
