/** The screening of `tune --search`: the pages and links as the simulator takes them, and its work in slices, so that Ctrl-C is heard. */
import { setImmediate } from 'node:timers/promises';
import { profileReach } from '../../../core/predict/recommend-prediction.ts';
import { profileOf } from '../../../core/profiles/presets.ts';
import { factorial } from '../../../core/search/factorial.ts';
import { formatScreening } from '../../../core/search/format-search.ts';
import { type Screening, type ScreenScenario, screen } from '../../../core/search/screen.ts';
import { type SearchSpace, searchSpace } from '../../../core/search/search-space.ts';
import { type Entry, shortlist } from '../../../core/search/shortlist.ts';
import { recipeGraph } from '../../../lab/pages/recipe-graph.ts';
import type { Progress } from '../../output/terminal.ts';
import { canBeSimulated, simulatedFigures } from '../../predict/link.ts';
import type { TuneArguments } from '../arguments.ts';

/** The simulation gets this share of the minutes, and at most three of them. */
const SHARE_TO_SIMULATE = 0.25;
const MAX_SIMULATING_MS = 3 * 60_000;

export interface Screened {
  readonly space: SearchSpace;
  readonly screening: Screening;
  readonly entries: readonly Entry[];
  /** No request of the pages can use another connection. */
  readonly isOutOfReach: boolean;
  /** Sentences about what the simulator leaves out of these links. */
  readonly notes: readonly string[];
}

/** Prints what it found. @param now - Monotonic, ms. @throws PlumbfoxError `interrupted`. */
export async function screenPages(options: TuneArguments, { bar, interruption }: Progress, now: () => number): Promise<Screened> {
  const { pages, links, servedBy, seed, search } = options;
  const graphs = new Map(pages.map((page) => [page.name, recipeGraph(page, servedBy)]));
  const scenarios = links.flatMap((link) =>
    [...graphs].map(([page, graph]): ScreenScenario => ({ page, link: link.name, graph, simulated: simulatedFigures(link) })),
  );
  const space = searchSpace([...graphs.values()], search?.knobs);
  const deadlineMs = now() + Math.min(MAX_SIMULATING_MS, (search?.minutes ?? 1) * 60_000 * SHARE_TO_SIMULATE);
  const work = screen({ scenarios, settings: factorial(space.modelled), seed });
  let step = work.next();
  while (step.done !== true) {
    await setImmediate();
    interruption.check('Interrupted before the first load; nothing is kept');
    bar.show({ ...step.value, label: 'simulated loads' });
    step = work.next(now() > deadlineMs);
  }
  const screening = step.value;
  const entries = shortlist(screening, { curious: space.curious, allCurious: search?.knobs !== undefined, seed });
  const goingOn = entries.map(({ settings }) => profileOf({ depth: 1, preferences: settings }).id);
  const isOutOfReach = profileReach([...graphs.values()]).byConnections === 0;
  for (const line of formatScreening(screening, { space, goingOn, isOutOfReach })) bar.log(line);
  const rough = links.filter((link) => !canBeSimulated(link)).map(({ name }) => name);
  return {
    space,
    screening,
    entries,
    isOutOfReach,
    notes:
      rough.length === 0 ? [] : [`Simulated without what varies or is limited about ${rough.join(', ')}: the screening is rougher there.`],
  };
}
