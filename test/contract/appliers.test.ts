import { vi } from 'vitest';
import { type ApplierHarness, applierContract } from '../support/applier-contract.ts';
import { fakeApplier } from '../support/fake-applier.ts';
import { fakeBrowser } from '../support/fake-browser.ts';
import { FakePreferences } from '../support/fake-preferences.ts';

const held = vi.hoisted(() => ({ browser: undefined as unknown }));
vi.mock('../../src/adapters/browser.ts', () => ({
  get browser() {
    return held.browser;
  },
}));
const { experimentApiApplier } = await import('../../src/adapters/applier-experiment-api.ts');

function around(preferences: FakePreferences): Omit<ApplierHarness, 'applier'> {
  return {
    effective: async (name) => preferences.effective(name),
    hasUserValue: async (name) => preferences.hasUserValue(name),
    setByUser: async (name, value) => preferences.setUser(name, value),
    setLocked: async (name, locked) => preferences.setLocked(name, locked),
  };
}

applierContract(
  'the fake',
  async () => {
    const preferences = new FakePreferences();
    return { ...around(preferences), applier: fakeApplier(preferences) };
  },
  { live: true },
);

applierContract(
  'experiment-api, over preferences in memory',
  async () => {
    held.browser = fakeBrowser();
    const preferences = new FakePreferences();
    return { ...around(preferences), applier: experimentApiApplier(preferences.asNetworkPreferences()) };
  },
  { live: true },
);
