import type { Link } from '../link.ts';
import { type Bytes, type Milliseconds, type Ratio, transmissionTime } from '../units.ts';
import { boundedShare } from './efficiency.ts';

interface UtilisationInput {
  readonly bytes: Bytes | undefined;
  readonly loadTime: Milliseconds;
  readonly link: Link | undefined;
}

/**
 * Share of the downlink that responses filled while the page loaded: bytes x 8 / (downlink x loadTime), in [0, 1], never above efficiency.
 * `undefined`: the bytes or the link are unknown, or the load disproves the link's figures (see `boundedShare`).
 */
export function utilisation({ bytes, loadTime, link }: UtilisationInput): Ratio | undefined {
  if (bytes === undefined || link === undefined || link.downKbps === 0 || loadTime <= 0) return undefined;
  return boundedShare(transmissionTime(bytes, link.downKbps) / loadTime);
}
