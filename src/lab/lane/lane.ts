/** A lane as the run sees it: a browser at one end, servers at the other, and a link between them, of whichever kind. */
import type { LinkKind } from '../../core/report/report.ts';
import type { LinkMeasurement } from '../link/link-check.ts';
import type { LinkSpec } from '../link/link-spec.ts';
import type { OriginCount } from '../origin/origin-counters.ts';
import type { LaneFacts, LoadOrder, LoadOutcome, StartLane } from './lane-protocol.ts';

export interface Lane {
  readonly kind: LinkKind;
  /** TCP congestion control of the emulated ends. */
  readonly congestionControl: string | undefined;
  start(options: StartLane): Promise<LaneFacts>;
  /** Puts a link in place and measures it with plain TCP. */
  checkLink(link: LinkSpec): Promise<LinkMeasurement>;
  /** Puts a link in place that was checked before. */
  useLink(link: LinkSpec): Promise<void>;
  /** Address of a page of the lab, fresh for every token. */
  pageUrl(page: string, token: string): string;
  /** Loads once; the counts are what the servers saw meanwhile, where they are the lab's. */
  load(order: LoadOrder): Promise<LoadOutcome & { readonly origins?: Readonly<Record<string, OriginCount>> }>;
  close(): Promise<void>;
}
