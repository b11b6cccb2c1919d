/** What appending and bundling make of the same profile: ratios with intervals over pages, and what blocks rendering. Pure. */
import { counted } from '../../core/compare/plain-words.ts';
import { type DispatchPair, pairsOf } from './fennec-2008-dispatch-pairs.ts';
import { DISPATCH_SHOWN, pairTable, placeTable } from './fennec-2008-dispatch-tables.ts';
import { overPagesFigures } from './fennec-2008-figures.ts';
import { groundsOf, loadsEach, pagesInWords, ratioText, sureness } from './fennec-2008-words.ts';
import type { StudyData } from './study.ts';
import type { StudyFindings } from './study-findings.ts';

export function fennec2008DispatchFindings(data: StudyData): StudyFindings {
  const pairs = pairsOf(data);
  if (pairs.length === 0) return { tables: [], answer: [], besides: [], pictures: [], figures: { pairs: [] } };
  const { links, pages } = data;
  const [grounds, each] = [groundsOf(data.loads), loadsEach(data.loads)];
  return {
    tables: [
      pairTable(pairs, grounds),
      placeTable(pairs, { of: 'link', names: links.map(({ name }) => name), grounds: `n = ${counted(pages.length, 'page')}, ${each}` }),
      placeTable(pairs, { of: 'page', names: pages.map(({ name }) => name), grounds: `n = ${counted(links.length, 'link')}, ${each}` }),
    ],
    answer: [...pairs.map(pairSentence), groundsSentence(pairs, grounds)],
    besides: [
      {
        what: 'requests appended to active connections, against bundles onto freed ones',
        seed: '"significant", not measured',
        ours: `${pairs.map(({ profile, efficiency }) => `${profile.id} ${ratioText(efficiency)}, ${DISPATCH_SHOWN[efficiency.finding]}`).join('; ')} (${grounds})`,
        why: "the memo had no patch to measure; the bundles here are those of our gateway, not of the Firefox of then; the memo's depth counts the requests of all connections together, ours those of each, so only c1-d2 is its {1,2}",
      },
    ],
    pictures: [],
    figures: { pairs: pairs.map(pairFigures) },
  };
}

function pairSentence({ profile, efficiency }: DispatchPair): string {
  const byPage = pagesInWords(efficiency);
  return `${profile.id}, appended against bundled: ${ratioText(efficiency)} efficiency, ${DISPATCH_SHOWN[efficiency.finding]}; ${byPage === undefined ? '' : `${byPage}; `}ahead in ${efficiency.scenariosAhead} of ${counted(efficiency.scenarios, 'scenario')}.`;
}

function groundsSentence(pairs: readonly DispatchPair[], grounds: string): string {
  const bounded = pairs.some(({ efficiency }) => efficiency.low !== undefined);
  const intervals = bounded ? `intervals are over pages such as these, ${sureness(pairs.length)}` : 'too few pages for an interval';
  return `All are geometric means, ${grounds}; ${intervals}.`;
}

function pairFigures({ profile, efficiency, blocking, paint, matched }: DispatchPair) {
  return {
    profileId: profile.id,
    ...overPagesFigures(efficiency),
    timeUntilUnblocked: overPagesFigures(blocking),
    timeUntilFirstPaint: overPagesFigures(paint),
    scenarios: matched.map(({ page, link, logEfficiency }) => ({ page, link, ratio: Math.exp(logEfficiency) })),
  };
}
