/** Operations of the native messaging host that change nothing, and note what they were asked for. */

import type { HostOperations } from '../../src/helper/host/session.ts';
import type { HelperRequest, HelperResult, HelperStatus } from '../../src/protocol/helper-messages.ts';

export const NOTHING_APPLIED: HelperStatus = { phase: 'none', starts: 0, restartNeeded: false, preferences: [], changedByOthers: [] };

export function answeringOperations(): { readonly operations: HostOperations; readonly asked: HelperRequest[] } {
  const asked: HelperRequest[] = [];
  const noted =
    <T>(result: T) =>
    async (request: HelperRequest): Promise<T> => {
      asked.push(request);
      return result;
    };
  const hello: HelperResult<'hello'> = { helper: '0.1.0', system: 'linux', profileFound: true };
  return {
    asked,
    operations: {
      hello: noted(hello),
      started: noted(NOTHING_APPLIED),
      status: noted(NOTHING_APPLIED),
      apply: noted(NOTHING_APPLIED),
      confirm: noted(NOTHING_APPLIED),
      revert: noted({ restored: [], leftAlone: [], status: NOTHING_APPLIED }),
      'probe-open': noted({ port: 8080, token: 'probe-token-000000', pieces: 48 }),
      'probe-result': noted({ arrived: 0, connections: 0, depth: 0 }),
      'probe-close': noted({}),
      'gateway-open': noted({ port: 8081, secret: 'gateway-secret-000', connections: 4, depth: 6 }),
      'gateway-carry': noted({}),
      'gateway-doubts': noted({ sites: [] }),
      'gateway-counters': noted({ requests: 0, mostConnections: 0, mostDepth: 0, failures: 0 }),
      'gateway-close': noted({}),
    },
  };
}
