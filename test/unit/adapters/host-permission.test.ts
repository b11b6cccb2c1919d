import { beforeEach, describe, expect, test, vi } from 'vitest';
import { fakeBrowser } from '../../support/fake-browser.ts';

let browser = fakeBrowser();
vi.mock('../../../src/adapters/browser.ts', () => ({
  get browser() {
    return browser;
  },
}));

const AT = 1_800_000_000_000;

async function load() {
  vi.resetModules();
  browser = fakeBrowser();
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
