/** The background's facts together with what the comparison of everyday loads found. */

import { milliseconds, ratio } from '../core/units.ts';
import type { PopupState } from '../protocol/popup-state.ts';
import type { FieldState } from './field-comparison.ts';

export function withField(state: PopupState, { answer, comparing, failure }: FieldState): PopupState {
  if (state.loads === 0) return state;
  return {
    ...state,
    lastLoad: lastLoad(state.lastLoad, answer, comparing !== undefined),
    // A background that has compared the loads itself is believed.
    comparison: state.comparison ?? answer?.comparison,
    ...(comparing && { comparing }),
    ...(failure !== undefined && { comparisonFailure: failure }),
    ...(answer && { unreadable: answer.unreadable, excluded: answer.excluded, withoutLink: answer.withoutLink }),
  };
}

/** The newest load that was compared is the last load, unless that came since. */
function lastLoad(load: PopupState['lastLoad'], answer: FieldState['answer'], isComparing: boolean): PopupState['lastLoad'] {
  const newest = answer?.newest;
  if (load === undefined || load.link !== undefined) return load;
  if (newest?.startedAt !== load.startedAt) return { ...load, ...(isComparing && { linkPending: true }) };
  const { idealTimeMs, efficiency, utilisation, link } = newest;
  return {
    ...load,
    link,
    measures: {
      ...load.measures,
      ...(idealTimeMs !== undefined && { idealTimeMs: milliseconds(idealTimeMs) }),
      ...(efficiency !== undefined && { efficiency: ratio(efficiency) }),
      ...(utilisation !== undefined && { utilisation: ratio(utilisation) }),
    },
  };
}
