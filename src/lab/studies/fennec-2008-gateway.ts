/** The 2008 study against what this Firefox ships: the gateway alone, and the pick through it, with intervals over pages. Pure. */
import type { LoadIndex } from '../../core/compare/load-index.ts';
import { BASELINE_ID, CONTROL_ID } from '../../core/profiles/presets.ts';
import { mean } from '../../core/stats/mean.ts';
import { efficiencyRatios, type OverPages, overPages } from './fennec-2008/intervals.ts';
import { pickOf } from './fennec-2008/pick.ts';
import type { RankedStudy } from './fennec-2008/scenarios.ts';
import { changeOf, ratioSentence, SHOWN } from './fennec-2008/words.ts';

export interface AgainstShipped {
  /** The control against what ships. It is in every run to show this, so the comparison is a declared one. */
  readonly alone: OverPages;
  /** The pick, which might have been any of the profiles. Absent: there is none, or it lacks loads. */
  readonly pick?: {
    readonly id: string;
    readonly overShipped: OverPages;
    readonly overControl: OverPages;
  };
}

/** `undefined`: what ships, or the control, was not loaded. */
export function againstShipped(ranked: RankedStudy, index: LoadIndex): AgainstShipped | undefined {
  const alone = overPages(efficiencyRatios(index, { profileId: CONTROL_ID, against: BASELINE_ID }), 1);
  if (alone.ratio === undefined) return undefined;
  const id = pickOf(ranked);
  if (id === undefined) return { alone };
  const pickOver = (against: string) => overPages(efficiencyRatios(index, { profileId: id, against }), ranked.profiles.length);
  const [overShipped, overControl] = [pickOver(BASELINE_ID), pickOver(CONTROL_ID)];
  return overShipped.ratio === undefined ? { alone } : { alone, pick: { id, overShipped, overControl } };
}

/** None where what ships, or the control, was not loaded. */
export function gatewaySentences(against: AgainstShipped | undefined): readonly string[] {
  if (against === undefined) return [];
  const { alone, pick } = against;
  const words = (over: OverPages) => `${ratioSentence(over)}, ${SHOWN[over.finding]}${without(over)}`;
  return [
    `Against ${BASELINE_ID}, today's 6 connections without a gateway, the gateway alone (${CONTROL_ID}: the same 6 through it): ${words(alone)}.`,
    ...(pick === undefined
      ? []
      : [
          `Against ${BASELINE_ID}, ${pick.id} through the gateway: ${words(pick.overShipped)}. Against ${CONTROL_ID}: ${words(pick.overControl)}.`,
        ]),
  ];
}

/** The page that moves the mean most, and the geometric mean without it; `undefined`: no page stays. */
export function withoutMost({ pages }: Pick<OverPages, 'pages'>) {
  if (pages.length < 2) return undefined;
  const centre = mean(pages.map(({ ratio }) => Math.log(ratio)));
  const distance = ({ ratio }: { readonly ratio: number }) => Math.abs(Math.log(ratio) - centre);
  const [most, ...others] = [...pages].sort((a, b) => distance(b) - distance(a));
  return most && { ...most, ratioWithout: Math.exp(mean(others.map(({ ratio }) => Math.log(ratio)))) };
}

function without(over: OverPages): string {
  const most = withoutMost(over);
  return most === undefined ? '' : `; without ${most.page}, which moves it most (${changeOf(most.ratio)}), ${changeOf(most.ratioWithout)}`;
}
