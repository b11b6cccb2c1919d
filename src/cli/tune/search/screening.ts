/** The screening of `tune --search`: the pages and links as the simulator takes them, and its work in slices, so that Ctrl-C is heard. */
import { setImmediate } from 'node:timers/promises';
import type { OriginOptions, PageGraph } from '../../../core/graph/page-graph.ts';
import { profileReach } from '../../../core/predict/recommend-prediction.ts';
import { profileOf } from '../../../core/profiles/presets.ts';
import { factorial, type Settings } from '../../../core/search/factorial.ts';
import { formatScreening } from '../../../core/search/format-search.ts';
import { agreedProtocol, negotiatedFactorial, PROTOCOL_CHOICES } from '../../../core/search/protocol-knobs.ts';
import { type Screening, type ScreenScenario, screen } from '../../../core/search/screen.ts';
import { type SearchSpace, searchSpace } from '../../../core/search/search-space.ts';
import { type Entry, shortlist } from '../../../core/search/shortlist.ts';
import { nameDelayMs } from '../../../lab/lane/lane-names.ts';
import type { LinkSpec } from '../../../lab/link/link-spec.ts';
import type { PageRecipe } from '../../../lab/pages/page-recipe.ts';
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

function screenScenario(page: PageRecipe, link: LinkSpec, { servedBy, visit }: Pick<TuneArguments, 'servedBy' | 'visit'>): ScreenScenario {
  const common = { page: page.name, link: link.name, simulated: simulatedFigures(link) };
  if (servedBy !== 'negotiated') return { ...common, graph: recipeGraph(page, servedBy) };
  const graphs = { 'http/3': recipeGraph(page, 'http3'), 'http/2': recipeGraph(page, 'http2'), 'http/1.1': recipeGraph(page, 'https') };
  // Caddy takes up a session of QUIC with early data, and none of TCP.
  const known = (protocol: keyof typeof graphs): OriginOptions =>
    visit === 'second' ? { resumed: protocol === 'http/3' } : { dnsMs: nameDelayMs(link) };
  const as = (protocol: keyof typeof graphs): PageGraph => withOrigins(graphs[protocol], known(protocol));
  const [third, second, first] = [as('http/3'), as('http/2'), as('http/1.1')];
  const byProtocol = { 'http/3': third, 'http/2': second, 'http/1.1': first };
  return { ...common, graph: third, servedUnder: (settings) => byProtocol[agreedProtocol(settings)] };
}

const withOrigins = ({ requests, origins = {} }: PageGraph, more: OriginOptions): PageGraph => ({
  requests,
  origins: Object.fromEntries(Object.entries(origins).map(([name, options]) => [name, { ...options, ...more }])),
});

/** Prints what it found. @param now - Monotonic, ms. @throws PlumbfoxError `interrupted`. */
export async function screenPages(options: TuneArguments, { bar, interruption }: Progress, now: () => number): Promise<Screened> {
  const { pages, links, servedBy, seed, search } = options;
  const scenarios = links.flatMap((link) => pages.map((page) => screenScenario(page, link, options)));
  const graphsUnder = (settings: Settings) => scenarios.map(({ graph, servedUnder }) => servedUnder?.(settings) ?? graph);
  const negotiation = servedBy === 'negotiated' ? { visit: options.visit, pages: graphsUnder } : undefined;
  const spoken = negotiation ? PROTOCOL_CHOICES.flatMap(graphsUnder) : graphsUnder({});
  const space = searchSpace(spoken, search?.knobs, negotiation);
  const settings = negotiation ? negotiatedFactorial(space.modelled, negotiation) : factorial(space.modelled);
  const deadlineMs = now() + Math.min(MAX_SIMULATING_MS, (search?.minutes ?? 1) * 60_000 * SHARE_TO_SIMULATE);
  const work = screen({ scenarios, settings, seed });
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
  const isOutOfReach = profileReach(spoken).byConnections === 0;
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
