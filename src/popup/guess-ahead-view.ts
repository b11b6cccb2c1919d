/** Guessing ahead, in words: whether Firefox does it, who says so, and what may be done about it. Pure. */

import type { NetworkPrediction } from '../adapters/network-prediction.ts';
import { assertNever } from '../core/errors.ts';

export interface GuessAheadView {
  readonly state: string;
  /** The permission has to be asked for first. */
  readonly canAllow: boolean;
  /** Absent: it cannot be switched. */
  readonly isOn: boolean | undefined;
  readonly canGoBack: boolean;
}

/** `undefined`: the permission was not given. */
export function guessAheadView(now: NetworkPrediction | undefined): GuessAheadView {
  if (now === undefined) return { state: '', canAllow: true, isOn: undefined, canGoBack: false };
  const { enabled, control, before } = now;
  const isOn = enabled ? 'On' : 'Off';
  switch (control) {
    case 'ours':
      return {
        state: `${isOn}: set by Plumbfox${before === undefined ? '' : `; ${before ? 'on' : 'off'} before`}.`,
        canAllow: false,
        isOn: enabled,
        canGoBack: true,
      };
    case 'free':
      return { state: `${isOn}: not set by Plumbfox.`, canAllow: false, isOn: enabled, canGoBack: false };
    case 'others':
      return {
        state: `${isOn}: another extension has set it, so it cannot be changed here.`,
        canAllow: false,
        isOn: undefined,
        canGoBack: false,
      };
    case 'locked':
      return { state: `${isOn}: an enterprise policy has locked it.`, canAllow: false, isOn: undefined, canGoBack: false };
    default:
      return assertNever(control);
  }
}
