/** What was assumed of several pages, each rule once. */

import type { Inference } from '../graph/inference.ts';
import { groupBy } from '../group-by.ts';

/** In the order in which the rules were first met; `requests` added up. */
export function mergeInferences(inferred: readonly Inference[]): readonly Inference[] {
  return [...groupBy(inferred, ({ field, rule }) => `${field} ${rule}`).values()].flatMap((own) => {
    const [first] = own;
    return first === undefined ? [] : [{ ...first, requests: own.reduce((sum, { requests }) => sum + requests, 0) }];
  });
}
