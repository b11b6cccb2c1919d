import { describe, expect, it } from 'vitest';
import { PreferenceRefused } from '../../../src/core/errors.ts';
import { findProfile } from '../../../src/core/profiles/presets.ts';
import { chosenSettings, chosenValue, knobView, ownExpression, settable } from '../../../src/dashboard/own-profile-view.ts';

const PER_SERVER = 'network.http.max-persistent-connections-per-server';
const PACING = 'network.http.pacing.requests.enabled';

describe('settings of one’s own', () => {
  it('are offered with bounds, Firefox’s own value and what they cost', () => {
    expect(knobView(PER_SERVER)).toMatchObject({ bounds: 'From 1 to 255. Firefox’s own value: 6.' });
    expect(knobView(PACING)).toMatchObject({ values: ['true', 'false'], bounds: 'Firefox’s own value: true.' });
    expect(knobView('network.prefetch-next')?.price).toMatch(/^Costs privacy or security\. .*their servers see you/);
    expect(knobView('browser.startup.page')).toBeUndefined();
    expect(settable().some(({ preference }) => preference === 'network.http.pipelining')).toBe(false);
  });

  it('make one expression, whatever the order', () => {
    const chosen = new Map([
      [PACING, chosenValue(PACING, 'false') as boolean | number],
      [PER_SERVER, chosenValue(PER_SERVER, '16') as boolean | number],
    ]);
    expect(findProfile(ownExpression(chosen))?.id).toBe(`c16-d1+${PACING}=false`);
    expect(chosenSettings(chosen).map(({ label }) => label)).toEqual(['no request pacing', 'connections per server 16']);
    expect(() => chosenValue(PER_SERVER, '300')).toThrow(PreferenceRefused);
  });
});
