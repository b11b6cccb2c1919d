/** What captures look like: the loads of a page side by side, the rows of each, and the time-sequence graph of its busiest connection. Pure. */

import { groupBy } from '../../core/group-by.ts';
import type { ConnectionAnalysis } from '../capture/capture-analysis.ts';
import { connectionRowsSvg } from '../capture/connection-rows-svg.ts';
import { type ComparedLoad, loadComparisonSvg } from '../capture/load-comparison-svg.ts';
import { connectionsInWindow } from '../capture/load-window.ts';
import { timeSequenceSvg } from '../capture/time-sequence-svg.ts';
import { linkFigures } from '../link/links.ts';
import type { StudyPicture } from '../studies/findings.ts';
import type { StudyCapture } from '../studies/study.ts';
import type { StudyPlan } from './study-plan.ts';

export function capturePictures(captures: readonly StudyCapture[], plan: Pick<StudyPlan, 'pages' | 'links'>): readonly StudyPicture[] {
  return [...comparisons(captures, plan), ...captures.flatMap(picturesOf)];
}

/** Cold and warm connections are columns of one picture. */
function comparisons(captures: readonly StudyCapture[], { pages, links }: Pick<StudyPlan, 'pages' | 'links'>): readonly StudyPicture[] {
  const recipeOf = ({ page }: StudyCapture) => pages.find(({ name }) => name === page)?.recipe.name ?? page;
  return [...groupBy(captures, (capture) => `${recipeOf(capture)}-${capture.link}`)].flatMap(([key, own]) => {
    const [first] = own;
    const link = links.find(({ name }) => name === first?.link);
    if (!first || !link || own.length < 2) return [];
    const loads = own.map(({ page, profileId, analysis, window }): ComparedLoad => {
      const group = pages.find(({ name }) => name === page)?.connections ?? 'cold';
      return { label: profileId, group, analysis, ...(window && { window }) };
    });
    const title = `${recipeOf(first)} over ${link.name}: one load of each profile`;
    return [{ name: `captures-${key}`, title, svg: loadComparisonSvg(loads, { title, subtitle: linkFigures(link) }) }];
  });
}

function picturesOf({ page, link, profileId, analysis, window }: StudyCapture): readonly StudyPicture[] {
  const name = `${page}-${link}-${profileId}`;
  const rows = connectionRowsSvg(analysis, { title: `${page} over ${link}, ${profileId}`, ...(window && { window }) });
  const shown = window ? connectionsInWindow(analysis, window).map(({ connection }) => connection) : analysis.connections;
  const busiest = shown.reduce<ConnectionAnalysis | undefined>(
    (most, each) => (most && most.down.dataBytes >= each.down.dataBytes ? most : each),
    undefined,
  );
  const sequence = busiest && timeSequenceSvg(busiest, { title: `${page} over ${link}, ${profileId}`, ...window });
  return [
    { name: `rows-${name}`, title: `Connections of ${profileId} on ${page} over ${link}`, svg: rows },
    ...(sequence === undefined
      ? []
      : [
          {
            name: `sequence-${name}`,
            title: `Time and sequence: ${profileId} on ${page} over ${link}`,
            svg: sequence,
          },
        ]),
  ];
}
