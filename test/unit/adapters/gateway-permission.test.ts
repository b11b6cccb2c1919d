/** What is asked for must be optional in the build that asks: Firefox refuses the whole question otherwise. */
import { expect, test, vi } from 'vitest';

const manifest = vi.hoisted(() => ({ permissions: [] as string[] }));
const asked = vi.hoisted(() => [] as (readonly string[])[]);

vi.mock('../../../src/adapters/browser.ts', () => ({
  browser: {
    runtime: { getManifest: () => manifest },
    permissions: {
      request: async ({ permissions }: { permissions: readonly string[] }) => {
        asked.push(permissions);
        return true;
      },
    },
  },
}));

const { requestGatewayPermission } = await import('../../../src/adapters/gateway-permission.ts');

test.each([
  ['release', ['webRequest', 'storage'], ['nativeMessaging', 'proxy', 'webRequestAuthProvider', 'webRequestBlocking']],
  ['lab', ['webRequest', 'webRequestAuthProvider'], ['nativeMessaging', 'proxy', 'webRequestBlocking']],
])('the %s build asks for what it does not have', async (_, permissions, expected) => {
  manifest.permissions = permissions;
  expect(await requestGatewayPermission()).toBe(true);
  expect(asked.at(-1)).toEqual(expected);
});
