import { describe, expect, it } from 'vitest';
import { idealTime } from '../../../src/core/measure/ideal-time.ts';
import type { RequestRecord } from '../../../src/core/measure/page-load.ts';
import { bytes, kilobitsPerSecond, milliseconds } from '../../../src/core/units.ts';

const at = milliseconds;

/** Connect times of 0: reused, or a connection over loopback, as a relay or a proxy on this machine gives. */
const document: RequestRecord = {
  url: 'http://page.test/',
  origin: 'http://page.test',
  type: 'main_frame',
  timing: { fetchStart: at(0), connectStart: at(0), connectEnd: at(0), requestStart: at(1), responseStart: at(301), responseEnd: at(302) },
  wire: { responseBytes: bytes(25_000), fromCache: false, httpVersion: 'http/1.1', proxied: false },
  outcome: { state: 'completed' },
};
const input = { requests: [document], bytes: bytes(25_000), link: { rttMs: at(300), downKbps: kilobitsPerSecond(2000) } };

describe('the ideal time of a load whose connections were all closed before', () => {
  // 25,000 bytes are 200,000 bits: 100 ms at 2,000 kbit/s; one round trip for the first byte.
  it('counts no set-up where the record shows an open connection', () => {
    expect(idealTime(input)).toBe(300 + 100);
  });

  it('counts one round trip of set-up where the caller knows that the connection is new', () => {
    expect(idealTime({ ...input, documentConnection: 'new' })).toBe(300 + 300 + 100);
  });
});
