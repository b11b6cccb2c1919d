/** What is said of lines that cannot act on the pages at hand, and of those that the simulator has no model of: never that they change nothing. */
import { describe, expect, it } from 'vitest';
import { auditText } from '../../../../src/cli/audit/text.ts';
import { type Audit, groupCounts } from '../../../../src/core/audit/audit.ts';
import { auditHtml } from '../../../../src/core/audit/audit-html.ts';
import { auditList, unspokenBy } from '../../../../src/core/audit/audit-list.ts';
import { auditMarkdown } from '../../../../src/core/audit/audit-markdown.ts';
import { catalogueFacts } from '../../../../src/core/audit/build-facts.ts';
import { withPredictions } from '../../../../src/core/audit/predict-list.ts';
import { parsePreferenceList } from '../../../../src/core/audit/preference-list.ts';
import type { PageGraph } from '../../../../src/core/graph/page-graph.ts';

const PER_SERVER = 'network.http.max-persistent-connections-per-server';
const TOTAL = 'network.http.max-connections';
const OVER_TLS_OR_HTTP2 = {
  'security.ssl.enable_false_start': false,
  'security.ssl.disable_session_identifiers': true,
  'network.ssl_tokens_cache_capacity': 10_240,
  'security.tls.enable_0rtt_data': false,
  'network.http.http3.enable': false,
  'network.http.http2.enabled': false,
  'network.http.altsvc.enabled': false,
};

/** A document and forty pictures, all of one server. */
const page = (protocol: 'http/1.1' | 'http/2', tls: 'none' | '1.3'): PageGraph => ({
  requests: [
    { id: 'document', bytes: 8000 },
    ...Array.from({ length: 40 }, (_, at) => ({ id: `${at}`, bytes: 4000, after: [{ id: 'document', bytes: 100 }] })),
  ],
  origins: { origin: { protocol, tls } },
});
const PLAIN = { name: 'plain', page: page('http/1.1', 'none'), inferred: [] };
const HTTP2 = { name: 'http2', page: page('http/2', '1.3'), inferred: [] };
const LINK = { name: 'near', basis: 'given' as const, link: { rttMs: 100, downKbps: 10_000 } };

function audited(preferences: Readonly<Record<string, unknown>>, pages: readonly (typeof PLAIN)[]): Audit {
  const list = parsePreferenceList(
    Object.entries(preferences)
      .map(([name, value]) => `user_pref("${name}", ${value});\n`)
      .join(''),
  );
  const judged = auditList(list, { build: catalogueFacts(), unspoken: unspokenBy(pages.map((each) => each.page)) });
  const { lines, prediction } = withPredictions(judged, { pages, links: [LINK], basis: 'yours' });
  const { source, version, platform } = catalogueFacts();
  return {
    ...{
      list: { file: 'user.js', format: list.format },
      build: { source, version, platform },
      counts: groupCounts(lines),
      lines,
      errors: [],
    },
    ...(prediction && { prediction }),
  };
}

const found = (audit: Audit, name: string) => audit.lines.find((line) => line.name === name)?.findings ?? [];
const texts = (audit: Audit): readonly string[] => [auditText(audit, { width: 1000 }), auditMarkdown(audit), auditHtml(audit)];

describe('a line of a protocol that no page speaks', () => {
  const audit = audited(OVER_TLS_OR_HTTP2, [PLAIN]);

  it('cannot act, in every output, and is never called without effect', () => {
    for (const { findings } of audit.lines) expect(findings[0]).toMatchObject({ kind: 'cannot-act', requests: 41 });
    for (const text of texts(audit)) {
      expect(text).toContain('Cannot act on these pages, so nothing is predicted: it acts on TLS');
      expect(text).not.toMatch(/Predicted|no real difference|0 %/);
    }
  });

  it('is not in the sum of the list, which says how many there are', () => {
    expect(audit.prediction).toMatchObject({ effect: { state: 'cannot-act' }, modelled: [], notModelled: [] });
    const mixed = audited({ ...OVER_TLS_OR_HTTP2, [PER_SERVER]: 16 }, [PLAIN]);
    expect(mixed.prediction).toMatchObject({ effect: { state: 'predicted' }, modelled: [PER_SERVER], notModelled: [] });
    expect(mixed.prediction?.cannotAct).toEqual(Object.keys(OVER_TLS_OR_HTTP2));
    for (const text of texts(mixed)) expect(text).toContain('7 preferences of it cannot act on these pages and are not counted.');
  });
});

describe('a line that acts', () => {
  it('has no prediction where the simulator has no model of it', () => {
    const audit = audited(OVER_TLS_OR_HTTP2, [HTTP2]);
    const name = 'security.tls.enable_0rtt_data';
    expect(found(audit, name).at(-1)).toEqual({ kind: 'not-modelled', isMeasured: false });
    expect(audit.prediction?.effect).toEqual({ state: 'not-modelled' });
    for (const text of texts(audit)) expect(text).not.toMatch(/Predicted|no real difference|0 % \(/);
  });

  it('is predicted on the pages where it acts alone, and so is the list', () => {
    const both = audited({ [PER_SERVER]: 16 }, [PLAIN, HTTP2]);
    const alone = audited({ [PER_SERVER]: 16 }, [PLAIN]);
    const { on, ...predicted } = found(both, PER_SERVER).find(({ kind }) => kind === 'predicted') as { on?: unknown };
    expect(on).toEqual({ protocol: 'http/1.1', pages: ['plain'] });
    expect(found(alone, PER_SERVER)).toContainEqual(predicted);
    expect(both.prediction).toEqual(alone.prediction);
    expect(texts(both)[0]).toContain('Predicted over HTTP/1.1, where it acts: +');
  });

  it('is said to change nothing where every simulated load is the same, and not by a figure', () => {
    // Six connections to one server are never as many as 500.
    const audit = audited({ [TOTAL]: 500 }, [PLAIN]);
    expect(found(audit, TOTAL).at(-1)).toEqual({ kind: 'unchanged' });
    expect(audit.prediction?.effect).toEqual({ state: 'unchanged' });
    for (const text of texts(audit)) expect(text).not.toMatch(/Predicted|no real difference|0 % \(/);
  });
});
