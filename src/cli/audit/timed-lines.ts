/** Which lines of a list a measurement sets, and which of them it times: those that a request of the measured pages reads. */
import type { AuditedLine, NotTimed } from '../../core/audit/finding.ts';
import { type ScreeningPlan, type Setting, screeningPlan } from '../../core/audit/screening-plan.ts';
import { PlumbfoxError } from '../../core/errors.ts';
import { findKnob } from '../../core/profiles/catalogue.ts';
import { checkPreference } from '../../core/profiles/check-profile.ts';
import type { PreferenceValue } from '../../core/profiles/knob.ts';
import { isReadAtStart } from '../../core/profiles/settable.ts';
import { mayActOn } from '../../core/simulate/simulated-profile.ts';
import { recipeGraph } from '../../lab/pages/recipe-graph.ts';
import type { TuneArguments } from '../tune/arguments.ts';

/**
 * The lab sets, in a Firefox that runs, what a profile may hold; what costs privacy or security costs nobody any in its throw-away Firefox.
 * `undefined`: it sets this.
 */
export function whyNotSet(name: string, value: PreferenceValue): NotTimed | undefined {
  const knob = findKnob(name);
  if (knob === undefined || knob.class === 'never' || !knob.appliers.includes('experiment-api')) return 'not-settable';
  if (isReadAtStart(knob)) return 'at-start';
  try {
    checkPreference(name, value);
    return undefined;
  } catch {
    return 'not-settable';
  }
}

/** Whether a request of the measured pages reads a preference of this value. */
export type ReadByPages = (setting: Setting) => boolean;

/** Where servers are negotiated with, names are resolved over DNS and any protocol may be spoken; else the lane's servers are addresses. */
export function readBy({ pages, servedBy }: Pick<TuneArguments, 'pages' | 'servedBy'>): ReadByPages {
  if (servedBy === 'negotiated') return () => true;
  const graphs = pages.map((recipe) => recipeGraph(recipe, servedBy));
  return ([name, value]) => findKnob(name)?.protocol !== 'dns' && mayActOn(name, value, graphs);
}

/** @throws PlumbfoxError `bad-input` where the pages read none of the settings. */
export function eachLinePlan(
  settable: readonly Setting[],
  { reads, lines }: { readonly reads: ReadByPages; readonly lines: readonly AuditedLine[] },
): ScreeningPlan {
  const settings = byGain(settable, lines);
  const [read, beside] = [settings.filter(reads), settings.filter((setting) => !reads(setting))];
  if (read.length === 0)
    throw new PlumbfoxError(
      'bad-input',
      'No line of this list can be timed: no request of the measured pages reads any. --protocol serves them over another protocol',
    );
  return screeningPlan(read, beside);
}

/** Those with the largest predicted change first: where there are more than can be timed, they are the ones. */
function byGain(settings: readonly Setting[], lines: readonly AuditedLine[]): readonly Setting[] {
  const sizes = new Map(
    lines.map(({ name, findings }) => {
      const predicted = findings.find((finding) => finding.kind === 'predicted');
      return [name, predicted === undefined ? 0 : Math.abs(Math.log(predicted.change.ratio))];
    }),
  );
  return settings.toSorted(([a], [b]) => (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0));
}
