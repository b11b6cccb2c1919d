/** Turns what was assumed of each request into one inference per rule. */
import type { Inference, InferredField } from './inference.ts';

/** One inference, or none where it concerns no request. */
export const inferenceOf = (field: InferredField, requests: number, rule: string): readonly Inference[] =>
  requests === 0 ? [] : [{ field, requests, rule }];

/**
 * One inference per rule that was used, in the order of `rules`.
 * @param used the rule each request went by; `told` stands for no assumption and is not counted.
 */
export function tally<Rule extends string>(
  field: InferredField,
  used: Iterable<Rule | 'told'>,
  rules: Readonly<Record<Rule, string>>,
): readonly Inference[] {
  const counts = new Map<string, number>();
  for (const rule of used) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return (Object.keys(rules) as Rule[]).flatMap((rule) => inferenceOf(field, counts.get(rule) ?? 0, rules[rule]));
}
