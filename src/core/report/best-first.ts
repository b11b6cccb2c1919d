/** The order in which a comparison's profiles are shown: the fastest first. */
import type { Comparison, ProfileComparison } from '../compare/comparison.ts';

/** By the ratio to the baseline, the baseline among them as 1; profiles that were never compared come last, in the order they were given. */
export function bestFirst({
  baseline,
  profiles,
  control,
}: Pick<Comparison, 'baseline' | 'profiles' | 'control'>): readonly ProfileComparison[] {
  const ratioOf = ({ versusBaseline: { ratio, against } }: ProfileComparison): number => {
    if (ratio === undefined) return 0;
    // Against the control, the control's own ratio leads on to the baseline.
    return against === baseline ? ratio : ratio * (control?.ratio ?? 1);
  };
  return [...profiles].sort((a, b) => ratioOf(b) - ratioOf(a));
}
