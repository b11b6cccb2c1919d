/** A lane as the run sees it: a browser at one end, servers at the other, and a link between them, of whichever kind; the real network is the plainest. */

import { PlumbfoxError } from '../../core/errors.ts';
import type { CongestionControlName, LinkKind } from '../../core/report/report.ts';
import type { LinkMeasurement } from '../link/link-check.ts';
import type { LinkCounters } from '../link/link-counters.ts';
import type { LinkSpec } from '../link/link-spec.ts';
import type { OriginCount } from '../origin/origin-counters.ts';
import type { PageRecipe } from '../pages/page-recipe.ts';
import type { ServedBy } from '../pages/served-by.ts';
import { plainProcess } from '../process/own-process.ts';
import {
  type LaneFacts,
  type LoadOrder,
  type LoadOutcome,
  laneFactsAnswer,
  loadOutcomeAnswer,
  loadPatienceMs,
  type StartLane,
  startPatienceMs,
} from './lane-protocol.ts';

export interface LaneOutcome extends LoadOutcome {
  /** What the servers saw during the load, where they are the lab's. */
  readonly origins?: Readonly<Record<string, OriginCount>>;
  /** What the link carried during the load, where it is emulated per packet. */
  readonly link?: LinkCounters;
}

export interface Lane {
  readonly kind: LinkKind;
  /** TCP congestion control of the emulated ends, for links that name none. Absent: nothing is emulated packet by packet. */
  readonly congestionControl: CongestionControlName | undefined;
  /**
   * Starts the servers that stand in front of the embedded one; once, and before the browser starts, which must trust them.
   * @throws PlumbfoxError `environment` naming what is missing or does not start.
   */
  serve(kinds: readonly ServedBy[]): Promise<void>;
  /** Has the servers serve these beside the built-in pages; of two with one name the later counts. @throws PlumbfoxError `bad-input` naming the one that cannot be served. */
  servePages(recipes: readonly PageRecipe[]): Promise<void>;
  /** Programs that serve besides the embedded server, with their versions. */
  versions(): Readonly<Record<string, string>>;
  start(options: StartLane): Promise<LaneFacts>;
  /** Puts a link in place and measures it with plain TCP. */
  checkLink(link: LinkSpec): Promise<LinkMeasurement>;
  /** Puts a link in place that was checked before. */
  useLink(link: LinkSpec): Promise<void>;
  /** Address of a page of the lab, fresh for every token. @param servedBy - Absent: the embedded server; another must have been asked of `serve`. @param visitor - Of servers with names: has been there before under the same; absent: the token. */
  pageUrl(page: string, token: string, servedBy?: ServedBy, visitor?: string): string;
  load(order: LoadOrder): Promise<LaneOutcome>;
  close(): Promise<void>;
}

/** A lane over the network as it is: no emulation, no servers of ours, no counts at the other end. */
export async function realLane(): Promise<Lane> {
  const client = plainProcess('lane-worker');
  const emulated = async (): Promise<never> => {
    throw new PlumbfoxError('internal', 'The real network is not emulated');
  };
  return {
    kind: 'real',
    congestionControl: undefined,
    serve: emulated,
    servePages: emulated,
    versions: () => ({}),
    start: (start) => client.ask('start', start, { answer: laneFactsAnswer, timeoutMs: startPatienceMs(start) }),
    useLink: async () => {},
    checkLink: emulated,
    pageUrl: () => {
      throw new PlumbfoxError('internal', 'The real network has no pages of the lab');
    },
    load: ({ weather: _weather, ...order }) => client.ask('load', order, { answer: loadOutcomeAnswer, timeoutMs: loadPatienceMs(order) }),
    close: () => client.stop(),
  };
}
