/** The gateway of the benchmark, in a process of its own as people have it: tells where it listens, and what memory it has when asked. */

import type { GatewayRoute } from '../../src/core/profiles/profile.ts';
import { type GatewaySetting, startGateway } from '../../src/gateway/gateway.ts';

export interface GatewayMemory {
  /** Bytes of the whole process, as the system counts them. */
  readonly rss: number;
  /** Bytes in use after everything that nobody needs has been collected. */
  readonly heap: number;
}

export type GatewayAnswer = { readonly route: GatewayRoute } | { readonly memory: GatewayMemory };

const [connections = 6, depth = 6] = process.argv.slice(2).map(Number);
const setting: GatewaySetting = { connections, depth };
const gateway = await startGateway({ ...setting, sites: 'any' }, { probation: 0 });
const tell = (answer: GatewayAnswer) => process.send?.(answer);

process.on('message', () => {
  // Counters keep a value of every request up to a limit; what is looked for is what grows without one.
  gateway.resetCounters();
  (globalThis as { gc?: () => void }).gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  tell({ memory: { rss, heap: heapUsed } });
});
// Whoever started it has gone.
process.on('disconnect', () => process.exit());
tell({ route: gateway.route });
