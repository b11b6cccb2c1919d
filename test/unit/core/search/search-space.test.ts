import { expect, it } from 'vitest';
import type { PageGraph } from '../../../../src/core/graph/page-graph.ts';
import { HTTP2_PULL_ALLOWANCE, PACING_ENABLED, PER_SERVER } from '../../../../src/core/profiles/catalogue.ts';
import { readSearchKnob, searchSpace } from '../../../../src/core/search/search-space.ts';

const page = (protocol: 'http/1.1' | 'http/2'): PageGraph => ({
  requests: [{ id: 'document', origin: 'o', bytes: 1000, requestBytes: 100, class: 'document', blocking: false, serverMs: 0 }],
  origins: { o: { protocol, tls: protocol === 'http/2' ? '1.3' : 'none' } },
});
const names = (knobs: readonly { preference: string }[]) => knobs.map(({ preference }) => preference);

it('searches the connections of an HTTP/1.1 page, and the windows of an HTTP/2 page', () => {
  const first = searchSpace([page('http/1.1')]);
  expect(names(first.modelled)).toContain(PER_SERVER);
  expect(names(first.outOfReach)).toContain(HTTP2_PULL_ALLOWANCE);
  const second = searchSpace([page('http/2')]);
  expect(names(second.modelled)).not.toContain(PER_SERVER);
  expect(names(second.outOfReach)).toEqual(expect.arrayContaining([PER_SERVER, PACING_ENABLED]));
  expect(names(second.modelled)).toContain(HTTP2_PULL_ALLOWANCE);
});

it('puts what is not modelled apart', () => {
  const { modelled, curious } = searchSpace(
    [page('http/1.1')],
    [readSearchKnob('network.http.tailing.enabled'), readSearchKnob(PER_SERVER)],
  );
  expect(names(modelled)).toEqual([PER_SERVER]);
  expect(curious).toEqual([{ preference: 'network.http.tailing.enabled', values: [false] }]);
});

it('reads values, Firefox’s own among them or not', () => {
  expect(readSearchKnob(`${PER_SERVER}=6|8|16`)).toEqual({ preference: PER_SERVER, values: [8, 16] });
  // Of a decimal there is one spelling, or one setting had two ids.
  const ratio = 'network.http.focused_window_transaction_ratio';
  expect(readSearchKnob(`${ratio}=0.50|0.5|0.7`)).toEqual({ preference: ratio, values: ['0.5', '0.7'] });
  expect(readSearchKnob(` ${PACING_ENABLED} = false `)).toEqual({ preference: PACING_ENABLED, values: [false] });
});

it.each([
  ['network.http.pacing.request.enabled', /there is no preference .* Did you mean/],
  [`${PER_SERVER}=6`, /is 6 in Firefox already/],
  ['network.dns.max_high_priority_threads=60', /reads it only as it starts/],
  [`${PER_SERVER}=0`, /not within 1 to 255/],
  [`${PER_SERVER}=many`, /not a whole number/],
  [`${PACING_ENABLED}=1`, /not true or false/],
  [`${PER_SERVER}=${Array.from({ length: 9 }, (_, at) => at + 7).join('|')}`, /at most 8 values/],
  ['network.http.pipelining', /Firefox 54 and later ignore it/],
  ['network.http.keep-alive.timeout', /say which values/],
])('refuses %s in one line', (text, message) => {
  expect(() => readSearchKnob(text)).toThrow(message);
});
