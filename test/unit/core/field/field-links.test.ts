/** Which of the stored names is a link's. */
import { describe, expect, it } from 'vitest';
import { type GivenLinkName, nameOfLink } from '../../../../src/core/field/field-links.ts';

const HOME: GivenLinkName = { id: 17, name: 'Home', rttMs: 20, downKbps: 10_000 };
/** Its first load is gone, so it has another id than when it was named. */
const link = { id: 240, given: 'Home', rttMs: 22, downKbps: 11_000 };

describe('the stored name of a link', () => {
  it('is the one of its id', () => {
    const own = { ...HOME, id: 240, name: 'Work' };
    expect(nameOfLink(link, [HOME, own])).toBe(own);
  });

  it('is the one it has taken over, where its first load is gone', () => {
    expect(nameOfLink(link, [{ ...HOME, id: 18, name: 'Work' }, HOME])).toBe(HOME);
  });

  it('is, of two of the same name, the one of its figures', () => {
    const other = { ...HOME, id: 16, rttMs: 30 };
    expect(nameOfLink(link, [other, HOME])).toBe(HOME);
    expect(nameOfLink(link, [{ ...HOME, rttMs: 34 }])).toBeUndefined();
  });

  it('is none, where it was removed since', () => {
    expect(nameOfLink(link, [])).toBeUndefined();
    expect(nameOfLink({ ...link, given: undefined }, [HOME])).toBeUndefined();
  });
});
