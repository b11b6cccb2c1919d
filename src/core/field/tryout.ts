/**
 * Trying Plumbfox out: three of the person's open pages are each loaded twice in their own tabs, one load at a time. This is the state machine; the
 * event page carries out its commands.
 */
import * as v from 'valibot';
import { assertNever } from '../errors.ts';
import { count, finite, notNegative, type Shape } from '../schema.ts';

/** Few enough to wait for, and enough for a first answer. Chosen, not measured. */
export const TRYOUT_SITES = 3;
/** Once as the person has the page, and once without its cache. */
export const LOADS_PER_SITE = 2;

/** A navigation that has not begun by then never will: the page, or Firefox, is asking the person something. Chosen, not measured. */
export const START_LIMIT_MS = 15_000;
/** The content script observes a load for at most 60 s; the rest is for a busy machine. */
export const END_LIMIT_MS = 75_000;
/** The clocks of the event page and of a document are read at different moments, and some settings round them to 100 ms. */
const CLOCKS_APART_MS = 500;

/** Why a tab is not loaded: known before, or found out when it was its turn. */
export const REFUSALS = [
  /** It is in a private window. */
  'private',
  /** Its address is not one of the web: about:, file:, moz-extension:. */
  'not-web',
  /** It shows the answer to a form (POST): loading it again could send the form again. */
  'form-answer',
  /** The page would ask whether to leave it. */
  'asks-to-stay',
  /** Firefox has unloaded it, or not yet loaded it after a start. */
  'asleep',
  /** Firefox lets no extension into it, or access to it is missing. */
  'no-access',
  'closed',
  'not-started',
  'failed',
  'not-finished',
] as const;
export type Refusal = (typeof REFUSALS)[number];

const siteSchema = v.object({
  tabId: v.pipe(v.number(), v.integer()),
  /** What the person knows the page by. */
  host: v.string(),
  /** Loads that were asked for, whatever became of them. */
  asked: count,
  /** The recorded loads; without a time where the load has none. */
  loads: v.array(v.object({ loadTimeMs: v.exactOptional(notNegative) })),
  /** Why there are no more; absent: nothing speaks against it. */
  refused: v.exactOptional(v.picklist(REFUSALS)),
});

export const tryoutSchema = v.object({
  sites: v.array(siteSchema),
  step: v.variant('state', [
    /** `site`: its index; `since`: when the load was asked for, wall clock, ms; `begun`: Firefox has sent the request. */
    v.object({ state: v.literal('loading'), site: count, since: finite, begun: v.boolean() }),
    v.object({ state: v.literal('done') }),
    v.object({ state: v.literal('cancelled') }),
  ]),
});
/** Three sites that are loaded twice, as far as that has come. */
export type Tryout = Shape<typeof tryoutSchema>;
export type TryoutSite = Tryout['sites'][number];

/** What happened. Times are of the wall clock, ms since the epoch. */
export type TryoutInput =
  | { readonly kind: 'begun'; readonly tabId: number }
  | {
      readonly kind: 'recorded';
      readonly tabId: number;
      readonly startedAt: number;
      readonly loadTimeMs: number | undefined;
      readonly now: number;
    }
  | { readonly kind: 'refused'; readonly tabId: number; readonly why: Refusal; readonly now: number }
  | { readonly kind: 'time'; readonly now: number }
  | { readonly kind: 'cancel' };

/** `again`: the tab shows what was loaded before, and is loaded anew without its cache; otherwise its address is opened, as by a link. */
export interface LoadCommand {
  readonly tabId: number;
  readonly again: boolean;
}

export interface TryoutStep {
  readonly tryout: Tryout;
  /** Present: the load to ask Firefox for now. */
  readonly load?: LoadCommand;
}

/** Begins with the first site. */
export const beginTryout = (sites: readonly Pick<TryoutSite, 'tabId' | 'host'>[], now: number): TryoutStep =>
  nextLoad(
    sites.map(({ tabId, host }) => ({ tabId, host, asked: 0, loads: [] })),
    now,
  );

/** What follows; the same tryout where the input changes nothing. */
export function advanceTryout(tryout: Tryout, input: TryoutInput): TryoutStep {
  const { sites, step } = tryout;
  if (step.state !== 'loading') return { tryout };
  const site = sites[step.site];
  switch (input.kind) {
    case 'cancel':
      return { tryout: { sites, step: { state: 'cancelled' } } };
    case 'begun':
      return site?.tabId === input.tabId && !step.begun ? { tryout: { sites, step: { ...step, begun: true } } } : { tryout };
    case 'recorded': {
      if (site?.tabId !== input.tabId || input.startedAt < step.since - CLOCKS_APART_MS) return { tryout };
      const load = input.loadTimeMs === undefined ? {} : { loadTimeMs: input.loadTimeMs };
      return nextLoad(changed(sites, step.site, { loads: [...site.loads, load] }), input.now);
    }
    case 'refused': {
      const refused = sites.findIndex(({ tabId, refused: before }) => tabId === input.tabId && before === undefined);
      if (refused === -1) return { tryout };
      const next = changed(sites, refused, { refused: input.why });
      return refused === step.site ? nextLoad(next, input.now) : { tryout: { sites: next, step } };
    }
    case 'time':
      if (input.now < dueAt(step)) return { tryout };
      return nextLoad(changed(sites, step.site, { refused: step.begun ? 'not-finished' : 'not-started' }), input.now);
    default:
      return assertNever(input);
  }
}

/** When a tryout that has not advanced is given up for the site whose turn it is, ms since the epoch; `undefined`: it has ended. */
export const tryoutDueAt = ({ step }: Tryout): number | undefined => (step.state === 'loading' ? dueAt(step) : undefined);

const dueAt = ({ since, begun }: Extract<Tryout['step'], { state: 'loading' }>): number => since + (begun ? END_LIMIT_MS : START_LIMIT_MS);

const changed = (sites: readonly TryoutSite[], at: number, change: Partial<TryoutSite>): readonly TryoutSite[] =>
  sites.map((site, index) => (index === at ? { ...site, ...change } : site));

/** Every site once, then every site again: what one leaves in memory and on the way is older when its turn comes again. */
function nextLoad(sites: readonly TryoutSite[], now: number): TryoutStep {
  const open = sites.map((site, at) => ({ ...site, at })).filter(({ asked, refused }) => refused === undefined && asked < LOADS_PER_SITE);
  const next = open.reduce<(typeof open)[number] | undefined>(
    (first, site) => (first && first.asked <= site.asked ? first : site),
    undefined,
  );
  if (next === undefined) return { tryout: { sites, step: { state: 'done' } } };
  return {
    tryout: {
      sites: changed(sites, next.at, { asked: next.asked + 1 }),
      step: { state: 'loading', site: next.at, since: now, begun: false },
    },
    load: { tabId: next.tabId, again: next.asked > 0 },
  };
}
