import { beforeEach, describe, expect, test, vi } from 'vitest';
import { requestGatewayPermission } from '../../../src/adapters/permissions.ts';
import { useBrowser } from '../../support/browser-global.ts';
import { fakeBrowser } from '../../support/fake-browser.ts';

let browser = fakeBrowser();

const AT = 1_800_000_000_000;

async function load() {
  vi.resetModules();
  browser = useBrowser(fakeBrowser());
  const permission = await import('../../../src/adapters/permissions.ts');
  permission.watchHostPermission();
  const fire = (event: string, origins: readonly string[]) => {
    const listener = browser.added.find((one) => one.event === event)?.listener as (change: object) => void;
    listener({ permissions: [], origins });
  };
  return { ...permission, fire };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: AT });
  return () => vi.useRealTimers();
});

describe('the permission for all sites', () => {
  test('once given, covers what happens from then on, not what happened before and is told late', async () => {
    const { hadHostPermission, fire } = await load();
    browser.state.everySite = false;
    expect(await hadHostPermission(AT - 10)).toBe(false);
    browser.state.everySite = true;
    fire('permissions.onAdded', ['<all_urls>']);
    expect(await hadHostPermission(AT - 10)).toBe(false);
    expect(await hadHostPermission(AT)).toBe(true);
  });

  test('taken away, covers nothing', async () => {
    const { hadHostPermission, fire } = await load();
    expect(await hadHostPermission(AT)).toBe(true);
    browser.state.everySite = false;
    fire('permissions.onRemoved', ['<all_urls>']);
    expect(await hadHostPermission(AT)).toBe(false);
  });

  test('another permission that is given leaves it as it was', async () => {
    const { hadHostPermission, fire } = await load();
    fire('permissions.onAdded', []);
    expect(await hadHostPermission(AT - 10)).toBe(true);
  });

  test('a question that fails is asked again', async () => {
    const { hasHostPermission } = await load();
    browser.permissions.contains = () => Promise.reject(new Error('not now'));
    await expect(hasHostPermission()).rejects.toThrow('not now');
    browser.permissions.contains = async () => true;
    expect(await hasHostPermission()).toBe(true);
  });
});

/** Firefox refuses the whole question otherwise. */
test.each([
  ['release', ['webRequest', 'storage'], ['nativeMessaging', 'proxy', 'webRequestAuthProvider', 'webRequestBlocking']],
  ['lab', ['webRequest', 'webRequestAuthProvider'], ['nativeMessaging', 'proxy', 'webRequestBlocking']],
])('for the gateway the %s build asks only for what is optional in it', async (_, permissions, expected) => {
  const asked: (readonly string[])[] = [];
  const request = async ({ permissions: wanted }: { permissions: readonly string[] }) => {
    asked.push(wanted);
    return true;
  };
  useBrowser({ runtime: { getManifest: () => ({ permissions }) }, permissions: { request } });
  expect(await requestGatewayPermission()).toBe(true);
  expect(asked).toEqual([expected]);
});
