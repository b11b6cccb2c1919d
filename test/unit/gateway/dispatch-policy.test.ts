import { describe, expect, it } from 'vitest';
import {
  type ConnectionLoad,
  connectionsWanted,
  type DispatchLimits,
  nextDispatch,
  nextMove,
  type WaitingRequest,
} from '../../../src/gateway/dispatch-policy.ts';

const get: WaitingRequest = { kind: 'pipelinable' };
const post: WaitingRequest = { kind: 'alone' };
const busy = (outstanding: number): ConnectionLoad => ({ outstanding, exclusive: false, accepting: true });
const idle = busy(0);
const posting: ConnectionLoad = { outstanding: 1, exclusive: true, accepting: true };
const closing: ConnectionLoad = { outstanding: 0, exclusive: false, accepting: false };
const limits: DispatchLimits = { connections: 3, depth: 4, mode: 'appended' };

describe('nextDispatch', () => {
  it('has nothing to do without a request', () => {
    expect(nextDispatch([], [idle], limits)).toBeUndefined();
  });

  it('prefers an idle connection to a new one, and a new one to a pipeline', () => {
    expect(nextDispatch([get], [busy(1), idle], limits)).toEqual({ request: 0, take: 1, connection: 1 });
    expect(nextDispatch([get], [busy(1), busy(1)], limits)).toEqual({ request: 0, take: 1, connection: 'new' });
  });

  it('pipelines onto the least loaded connection once all are open, and waits when all are full', () => {
    expect(nextDispatch([get], [busy(3), busy(2), busy(3)], limits)).toEqual({ request: 0, take: 1, connection: 1 });
    expect(nextDispatch([get], [busy(4), busy(4), busy(4)], limits)).toBeUndefined();
  });

  it('counts a closing connection but gives it nothing', () => {
    expect(nextDispatch([get], [closing, busy(4), busy(4)], limits)).toBeUndefined();
    expect(nextDispatch([get], [closing, busy(4)], limits)).toEqual({ request: 0, take: 1, connection: 'new' });
  });

  it('bundles no more onto a connection than it may still be given', () => {
    const bundled: DispatchLimits = { ...limits, mode: 'bundled' };
    expect(nextDispatch([get, get, get, get, get], [{ ...idle, room: 2 }], bundled)).toEqual({ request: 0, take: 2, connection: 0 });
    expect(nextDispatch([get, get], [{ ...idle, room: 9 }], bundled)).toEqual({ request: 0, take: 2, connection: 0 });
  });

  it('puts nothing behind a request that is alone', () => {
    expect(nextDispatch([get], [posting, posting, busy(4)], limits)).toBeUndefined();
  });

  it('gives a request that is alone only an idle or a new connection', () => {
    expect(nextDispatch([post], [busy(1), busy(1), busy(1)], limits)).toBeUndefined();
    expect(nextDispatch([post], [busy(1), busy(1)], limits)).toEqual({ request: 0, take: 1, connection: 'new' });
    expect(nextDispatch([post], [busy(1), idle, busy(1)], limits)).toEqual({ request: 0, take: 1, connection: 1 });
  });

  it('lets later requests pass one that waits to be alone, but not onto the connection that is emptying for it', () => {
    expect(nextDispatch([post, get], [busy(1), busy(2), busy(3)], limits)).toEqual({ request: 1, take: 1, connection: 1 });
    expect(nextDispatch([post, get], [busy(1)], { ...limits, connections: 1 })).toBeUndefined();
    expect(nextDispatch([post, post, post, get], [busy(1), busy(2), busy(3)], limits)).toBeUndefined();
  });

  it('does not wait for a connection that is itself held by a request alone', () => {
    expect(nextDispatch([post, get], [posting, busy(2), busy(3)], limits)).toEqual({ request: 1, take: 1, connection: 2 });
  });

  describe('bundled', () => {
    const bundled: DispatchLimits = { ...limits, mode: 'bundled' };
    it('takes up to depth of those waiting onto a freed connection', () => {
      expect(nextDispatch([get, get, get, get, get], [idle, busy(1), busy(1)], bundled)).toEqual({ request: 0, take: 4, connection: 0 });
      expect(nextDispatch([get, get, post, get], [idle, busy(1), busy(1)], bundled)).toEqual({ request: 0, take: 2, connection: 0 });
      expect(nextDispatch([post, get], [idle, busy(1), busy(1)], bundled)).toEqual({ request: 0, take: 1, connection: 0 });
    });
    it('never appends', () => {
      expect(nextDispatch([get], [busy(1), busy(1), busy(1)], bundled)).toBeUndefined();
    });
  });
});

describe('nextMove', () => {
  const establishing = (outstanding: number) => ({ ...busy(outstanding), established: false });
  const established = (outstanding: number) => ({ ...busy(outstanding), established: true });
  it('moves what waits for a connection being established to one with nothing to do', () => {
    expect(nextMove([establishing(1), established(0)])).toEqual({ from: 0, to: 1 });
    expect(nextMove([establishing(0), established(0)])).toBeUndefined();
    expect(nextMove([establishing(1), established(1)])).toBeUndefined();
    expect(nextMove([established(2), established(0)])).toBeUndefined();
    expect(nextMove([establishing(1), { ...established(0), accepting: false }])).toBeUndefined();
  });
});

describe('connections opened ahead of demand', () => {
  it.each([
    ['a document alone opens one', { count: 1, document: true }, 1],
    ['what follows a document opens them all', { count: 2, document: false }, 4],
    ['a first request for something else opens them all', { count: 1, document: false }, 4],
    ['a second document opens them all: a page with frames', { count: 2, document: true }, 4],
  ])('%s', (_, arrival, wanted) => {
    expect(connectionsWanted(arrival, { mode: 'ahead', limit: 4 })).toBe(wanted);
  });

  it('asks for none on demand', () => {
    expect(connectionsWanted({ count: 2, document: false }, { mode: 'on-demand', limit: 4 })).toBe(0);
  });
});

describe('a request while connections are being established', () => {
  const limits = { connections: 3, depth: 6, mode: 'appended' } as const;
  const open = (outstanding: number) => ({ outstanding, exclusive: false, accepting: true, established: true });
  const establishing = { outstanding: 0, exclusive: false, accepting: true, established: false };
  const assign = (connections: Parameters<typeof nextDispatch>[1]) => nextDispatch([{ kind: 'pipelinable' }], connections, limits);

  it('takes an idle open connection first', () => {
    expect(assign([establishing, open(1), open(0)])).toEqual({ request: 0, take: 1, connection: 2 });
  });

  it('joins one response under way rather than wait for a handshake', () => {
    expect(assign([establishing, open(2), open(1)])).toEqual({ request: 0, take: 1, connection: 2 });
  });

  it('waits for the handshake rather than stand behind two', () => {
    expect(assign([open(2), establishing, open(3)])).toEqual({ request: 0, take: 1, connection: 1 });
  });

  it('never joins at depth 1', () => {
    const next = nextDispatch([{ kind: 'pipelinable' }], [open(1), establishing], { ...limits, depth: 1 });
    expect(next).toEqual({ request: 0, take: 1, connection: 1 });
  });

  it('never joins a request that must be alone', () => {
    expect(nextDispatch([{ kind: 'alone' }], [open(1), establishing], limits)).toEqual({ request: 0, take: 1, connection: 1 });
  });
});
