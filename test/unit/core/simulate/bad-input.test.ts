import { describe, expect, it } from 'vitest';
import { PlumbfoxError } from '../../../../src/core/errors.ts';
import { predict } from '../../../../src/core/predict/predict.ts';
import { findKnob } from '../../../../src/core/profiles/catalogue.ts';
import { simulatedProfiles } from '../../../../src/core/simulate/simulated-profile.ts';

const PAGE = { requests: [{ id: 'a', bytes: 1000 }] };
const LINK = { rttMs: 100, downKbps: 1000 };
const PROFILES = ['c1-d1'];

/** The one line that is said of it. */
function refusal(options: unknown): string {
  try {
    predict(options as never);
  } catch (error) {
    expect(error).toBeInstanceOf(PlumbfoxError);
    expect((error as PlumbfoxError).kind).toBe('bad-input');
    expect((error as PlumbfoxError).message).not.toContain('\n');
    return (error as PlumbfoxError).message;
  }
  throw new Error('not refused');
}

const page = (...requests: unknown[]) => refusal({ page: { requests }, link: LINK, profiles: PROFILES });
const link = (figures: object) => refusal({ page: PAGE, link: { ...LINK, ...figures }, profiles: PROFILES });

describe('refused, in one line:', () => {
  it('pages without requests, ids or sizes', () => {
    expect(refusal({ link: LINK, profiles: PROFILES })).toBe('A page needs at least one request');
    expect(page()).toBe('A page needs at least one request');
    expect(page({ bytes: 1 })).toBe('Request 1 of the page needs an id, as text');
    expect(page({ id: 'a', bytes: 1 }, { id: 7, bytes: 1 })).toBe('Request 2 of the page needs an id, as text');
    expect(refusal({ page: { requests: new Array(2) }, link: LINK, profiles: PROFILES })).toBe(
      'Request 1 of the page needs an id, as text',
    );
    expect(page({ id: 'a', bytes: 1 }, { id: 'a', bytes: 1 })).toBe('Two requests have the id "a"');
    expect(page({ id: 'a' })).toBe('Request "a": bytes must be a number from 0 to 1073741824');
    expect(page({ id: 'a', bytes: -1 })).toContain('bytes must be');
    expect(page({ id: 'a', bytes: Number.NaN })).toContain('bytes must be');
    expect(page({ id: 'a', bytes: 1, serverMs: Number.POSITIVE_INFINITY })).toContain('serverMs must be');
    expect(page({ id: 'a', bytes: 2 ** 29 }, { id: 'b', bytes: 2 ** 29 }, { id: 'c', bytes: 1 })).toContain('beyond what is simulated');
    expect(page({ id: 'a', bytes: 1, class: 'picture' })).toContain('its class must be one of document, ');
    expect(page(...Array.from({ length: 20_001 }, (_, at) => ({ id: `${at}`, bytes: 1 })))).toContain('20001 requests');
  });

  it('requests that wait for what is not there, or for themselves', () => {
    expect(page({ id: 'a', bytes: 1, after: { id: 'b' } })).toBe('Request "a" comes after "b", which is not on the page');
    expect(page({ id: 'a', bytes: 1, after: { id: 'a' } })).toBe('Request "a" waits, by way of others, for itself');
    const circle = ['a', 'b', 'c'].map((id, at, all) => ({ id, bytes: 1, after: { id: all[(at + 1) % 3] } }));
    expect(page({ id: 'start', bytes: 1 }, ...circle)).toBe('Request "a" waits, by way of others, for itself');
    expect(page({ id: 'a', bytes: 1 }, { id: 'b', bytes: 1, after: { id: 'a', delayMs: -1 } })).toContain('after.delayMs must be');
  });

  it('what a request comes after, or blocks, told in another form', () => {
    const form = 'Request "b": after must be {id, bytes?, delayMs?}, or a list of them';
    for (const after of ['a', null, 7, {}, ['a'], { id: 7 }]) expect(page({ id: 'a', bytes: 1 }, { id: 'b', bytes: 1, after })).toBe(form);
    expect(page({ id: 'a', bytes: 1, blocking: 'no' })).toBe('Request "a": blocking must be true or false');
  });

  // Else `HTTP/1.1` would be simulated as HTTP/2.
  it('servers of which something is said that cannot be', () => {
    const server = (facts: unknown) => refusal({ page: { ...PAGE, origins: { s: facts } }, link: LINK, profiles: PROFILES });
    for (const protocol of ['HTTP/1.1', 'h2', 'http/1.0', null])
      expect(server({ protocol })).toBe('Origin "s": its protocol must be one of http/1.1, http/2, http/3');
    for (const tls of [1.3, 'TLS 1.3', true, null])
      expect(server({ tls })).toBe('Origin "s": its tls must be one of none, 1.2, 1.3, as text');
    expect(server({ resumed: 'no' })).toBe('Origin "s": resumed must be true or false');
    expect(server({ dnsMs: -1 })).toContain('dnsMs must be 0 to');
    expect(server({ maxStreams: 0 })).toContain('maxStreams must be a whole number from 1');
    expect(server(null)).toBe('Origin "s" must be an object, such as {protocol: "http/2"}');
    expect(server('http/2')).toContain('must be an object');
    expect(refusal({ page: { ...PAGE, origins: null }, link: LINK, profiles: PROFILES })).toContain('origins of a page must be an object');
  });

  it('links whose figures cannot be', () => {
    expect(link({ rttMs: -1 })).toBe('Link: rttMs must be a number from 0 to 60000, not -1');
    expect(link({ downKbps: 0 })).toContain('downKbps must be');
    expect(link({ upKbps: '384' })).toContain('upKbps must be');
    expect(link({ lossDown: 1 })).toContain('lossDown must be a number from 0 to 0.5');
    expect(link({ initialWindow: 0 })).toContain('initialWindow must be');
    expect(link({ loss: 0.1 })).toBe('Link: there is no loss; lossDown and lossUp is meant');
    expect(refusal({ page: PAGE, profiles: PROFILES })).toBe('A link needs rttMs and downKbps');
  });

  it('profiles that are none', () => {
    expect(refusal({ page: PAGE, link: LINK, profiles: [] })).toBe('No profile is given to predict');
    expect(refusal({ page: PAGE, link: LINK, profiles: ['c4d6'] })).toContain('There is no profile "c4d6". Did you mean c4-d6?');
    expect(refusal({ page: PAGE, link: LINK, profiles: [{ id: 'mine', connections: 0 }] })).toContain('mine: connections per server');
    expect(refusal({ page: PAGE, link: LINK, profiles: [{ id: 'mine', depth: 1.5 }] })).toContain('mine: a depth is a whole number');
    expect(refusal({ page: PAGE, link: LINK, profiles: [{ connections: 4 }] })).toBe('A profile to predict needs an id');
  });
});

describe('refused too:', () => {
  const model = (members: object) => refusal({ page: PAGE, link: LINK, profiles: PROFILES, model: members });

  it('models of no browser there is, and seeds that are none', () => {
    expect(model({ dispatch: 'nope' })).toBe('Model: dispatch must be appended or bundled, not nope');
    expect(model({ requestWorkMs: -5 })).toBe('Model: requestWorkMs must be a number from 0 to 10000, not -5');
    expect(model({ holdsBack: 'yes' })).toContain('holdsBack must be true or false');
    expect(model({ requestWork: 5 })).toBe('Model: there is no requestWork');
    expect(refusal({ page: PAGE, link: LINK, profiles: PROFILES, seed: 'x' })).toBe('A seed is a whole number, not x');
  });
});

it('takes what Firefox ships from the catalogue of knobs, where a profile is silent', () => {
  const shipped = (preference: string) => findKnob(preference)?.defaults.desktop as number;
  const [silent] = simulatedProfiles(['firefox-default']);
  expect(silent).toMatchObject({
    connections: shipped('network.http.max-persistent-connections-per-server'),
    totalConnections: shipped('network.http.max-connections'),
    urgentStart: shipped('network.http.max-urgent-start-excessive-connections-per-host'),
    streams: shipped('network.http.http2.default-concurrent'),
    streamWindow: shipped('network.http.http2.pull-allowance'),
    pacing: {
      above: shipped('network.http.pacing.requests.min-parallelism'),
      perSecond: shipped('network.http.pacing.requests.hz'),
      burst: shipped('network.http.pacing.requests.burst'),
    },
  });
});

it('is efficient even where nothing takes any time', () => {
  const [prediction] = predict({
    page: { requests: [{ id: 'nothing', bytes: 0 }] },
    link: { rttMs: 0, downKbps: 1000 },
    profiles: PROFILES,
  });
  expect(prediction?.efficiency).toBeGreaterThan(0);
});

it('takes profiles by id, by set and by their numbers', () => {
  const ids = predict({ page: PAGE, link: LINK, profiles: ['fennec-18', { id: 'mine', connections: 3, depth: 2 }] }).map(
    ({ profileId }) => profileId,
  );
  expect(ids).toHaveLength(19);
  expect(ids[0]).toBe('c1-d2');
  expect(ids[18]).toBe('mine');
});

it('takes an answer without bytes for one that still comes', () => {
  const [prediction] = predict({ page: { requests: [{ id: 'empty', bytes: 0 }] }, link: LINK, profiles: PROFILES });
  expect(prediction?.bytes).toBe(0);
  expect(prediction?.loadTimeMs).toBeGreaterThanOrEqual(200);
});
