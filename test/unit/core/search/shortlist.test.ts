import { expect, it } from 'vitest';
import { HTTP2_ENABLED, HTTP3_ENABLED, PER_SERVER, TOTAL_CONNECTIONS } from '../../../../src/core/profiles/catalogue.ts';
import type { Settings } from '../../../../src/core/search/factorial.ts';
import type { Screened } from '../../../../src/core/search/screen.ts';
import { MAX_CURIOUS, shortlist } from '../../../../src/core/search/shortlist.ts';

it('leaves out no value that was asked for by name, and draws two of others', () => {
  const curious = [{ preference: 'network.http.http3.recvBufferSize', values: [1, 2, 3, 4, 5, 6, 7, 8, 9] }];
  expect(shortlist({ screened: [] }, { curious, allCurious: true, seed: 1 })).toHaveLength(9);
  expect(shortlist({ screened: [] }, { curious, allCurious: false, seed: 1 })).toHaveLength(MAX_CURIOUS);
});

const screened = (settings: Settings, ratio: number, support: Screened['support']): Screened => ({
  settings,
  support,
  predicted: { ratio } as Screened['predicted'],
});

it('sends one of each other protocol on, the simplest of equally fast ones, and leaves no protocol to make one simpler', () => {
  const without3 = { [HTTP3_ENABLED]: false };
  const without2 = { ...without3, [HTTP2_ENABLED]: false };
  const entries = shortlist(
    {
      screened: [
        screened({ [TOTAL_CONNECTIONS]: 128 }, 1, 'no-effect'),
        screened(without3, 0.9, 'possible'),
        screened({ ...without2, [PER_SERVER]: 16 }, 0.85, 'possible'),
        screened({ ...without2, [PER_SERVER]: 16, [TOTAL_CONNECTIONS]: 128 }, 0.85, 'possible'),
        screened({ ...without2, [PER_SERVER]: 12 }, 0.8, 'possible'),
        screened(without2, 0.7, 'no-gain'),
      ],
    },
    { curious: [], allCurious: false, seed: 1 },
  );
  expect(entries.map(({ settings }) => settings)).toEqual([without3, { ...without2, [PER_SERVER]: 16 }]);
});

it('draws preferences about protocols before others', () => {
  const curious = [
    { preference: 'network.http.tailing.enabled', values: [false] },
    { preference: 'network.http.speculative-parallel-limit', values: [0] },
    { preference: 'network.dns.use_https_rr_as_altsvc', values: [false] },
  ];
  for (const seed of [1, 2, 3, 4]) {
    const [first] = shortlist({ screened: [] }, { curious, allCurious: false, seed });
    expect(first?.settings).toEqual({ 'network.dns.use_https_rr_as_altsvc': false });
  }
});
