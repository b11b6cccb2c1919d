/** The assumptions of a page graph that is made from a record: a closed set, each with its rule in plain words. */
import * as v from 'valibot';
import { count, type Shape } from '../schema.ts';
import type { PageGraph } from './page-graph.ts';

/** The kinds of assumptions about a page. */
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

export const inferenceSchema = v.object({
  field: v.picklist(INFERRED_FIELDS),
  /** Requests concerned. */
  requests: count,
  /** What was assumed, and why; one sentence. */
  rule: v.string(),
});
/** One assumption: about which field, by which rule, for how many requests. */
export type Inference = Shape<typeof inferenceSchema>;

/** A page with what had to be assumed to make it. */
export interface InferredPage {
  readonly page: PageGraph;
  readonly inferred: readonly Inference[];
}

/** One inference, or none where it concerns no request. */
export const inferenceOf = (field: InferredField, requests: number, rule: string): readonly Inference[] =>
  requests === 0 ? [] : [{ field, requests, rule }];

/**
 * One inference per rule that was used, in the order of `rules`.
 * @param used the rule each request went by; `stated` stands for no assumption and is not counted.
 */
export function tally<Rule extends string>(
  field: InferredField,
  used: Iterable<Rule | 'stated'>,
  rules: Readonly<Record<Rule, string>>,
): readonly Inference[] {
  const counts = new Map<string, number>();
  for (const rule of used) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return (Object.keys(rules) as Rule[]).flatMap((rule) => inferenceOf(field, counts.get(rule) ?? 0, rules[rule]));
}

/** Steps in which a page graph holds times: finer than any record's clock, and free of what arithmetic adds after the sixteenth digit. */
const STEPS_PER_MS = 100;

/** Rounded to these steps. */
export const roundedMs = (ms: number): number => Math.round(ms * STEPS_PER_MS) / STEPS_PER_MS;
