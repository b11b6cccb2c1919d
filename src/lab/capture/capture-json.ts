/** An analysis as it is kept: figures, plain numbers and words, no packets. */
import type { CaptureAnalysis, ConnectionAnalysis } from './capture-analysis.ts';

/** Raised when a member changes its meaning or goes. Members may join. */
export const CAPTURE_JSON_VERSION = 1;

/** Times in ms after the first packet, sizes in bytes. What is not known is absent. The members are described where they are declared. */
export interface CaptureJson extends Omit<CaptureAnalysis, 'connections'> {
  readonly kind: 'plumbfox-capture';
  readonly version: typeof CAPTURE_JSON_VERSION;
  readonly connections: readonly ConnectionJson[];
}

/** Without the packets of its two directions. */
export type ConnectionJson = Omit<ConnectionAnalysis, 'flows'>;

export function captureJson({ connections, ...facts }: CaptureAnalysis): CaptureJson {
  return {
    kind: 'plumbfox-capture',
    version: CAPTURE_JSON_VERSION,
    ...facts,
    connections: connections.map(({ flows: _packets, ...connection }) => connection),
  };
}
