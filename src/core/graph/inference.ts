/** What a page graph made from a record had to assume: a closed set, each with its rule in plain words. */
import type { PageGraph } from './page-graph.ts';

/** What may have been assumed of a page. */
export const INFERRED_FIELDS = [
  'sizes',
  'request-sizes',
  'server-delays',
  'discovery',
  'protocols',
  'classes',
  'blocking',
  'link',
  'left-out',
  'redirects',
] as const;
export type InferredField = (typeof INFERRED_FIELDS)[number];

export interface Inference {
  readonly field: InferredField;
  /** Requests concerned. */
  readonly requests: number;
  /** What was assumed, and why; one sentence. */
  readonly rule: string;
}

/** A page with what had to be assumed to make it. */
export interface InferredPage {
  readonly page: PageGraph;
  readonly inferred: readonly Inference[];
}
