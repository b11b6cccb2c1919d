import { describe, expect, it } from 'vitest';
import {
  type ConnectionLoad,
  connectionsWanted,
  type DispatchLimits,
  nextDispatch,
  nextMove,
} from '../../../src/gateway/dispatch-policy.ts';

const busy = (outstanding: number): ConnectionLoad => ({ outstanding, accepting: true });
const idle = busy(0);
const closing: ConnectionLoad = { outstanding: 0, accepting: false };
const limits: DispatchLimits = { connections: 3, depth: 4, mode: 'appended' };

describe('nextDispatch', () => {
  it('has nothing to do without a request', () => {
    expect(nextDispatch(0, [idle], limits)).toBeUndefined();
  });

  it('prefers an idle connection to a new one, and a new one to a pipeline', () => {
    expect(nextDispatch(1, [busy(1), idle], limits)).toEqual({ take: 1, connection: 1 });
    expect(nextDispatch(1, [busy(1), busy(1)], limits)).toEqual({ take: 1, connection: 'new' });
  });

  it('pipelines onto the least loaded connection once all are open, and waits when all are full', () => {
    expect(nextDispatch(1, [busy(3), busy(2), busy(3)], limits)).toEqual({ take: 1, connection: 1 });
    expect(nextDispatch(1, [busy(4), busy(4), busy(4)], limits)).toBeUndefined();
  });

  it('counts a closing connection but gives it nothing', () => {
    expect(nextDispatch(1, [closing, busy(4), busy(4)], limits)).toBeUndefined();
    expect(nextDispatch(1, [closing, busy(4)], limits)).toEqual({ take: 1, connection: 'new' });
  });

  it('bundles no more onto a connection than it may still be given', () => {
    const bundled: DispatchLimits = { ...limits, mode: 'bundled' };
    expect(nextDispatch(5, [{ ...idle, room: 2 }], bundled)).toEqual({ take: 2, connection: 0 });
    expect(nextDispatch(2, [{ ...idle, room: 9 }], bundled)).toEqual({ take: 2, connection: 0 });
  });

  describe('bundled', () => {
    const bundled: DispatchLimits = { ...limits, mode: 'bundled' };
    it('takes up to depth of those waiting onto a freed connection', () => {
      expect(nextDispatch(5, [idle, busy(1), busy(1)], bundled)).toEqual({ take: 4, connection: 0 });
    });
    it('never appends', () => {
      expect(nextDispatch(1, [busy(1), busy(1), busy(1)], bundled)).toBeUndefined();
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
  const open = (outstanding: number) => ({ outstanding, accepting: true, established: true });
  const establishing = { outstanding: 0, accepting: true, established: false };
  const assign = (connections: Parameters<typeof nextDispatch>[1]) => nextDispatch(1, connections, limits);

  it('takes an idle open connection first', () => {
    expect(assign([establishing, open(1), open(0)])).toEqual({ take: 1, connection: 2 });
  });

  it('joins one response under way rather than wait for a handshake', () => {
    expect(assign([establishing, open(2), open(1)])).toEqual({ take: 1, connection: 2 });
  });

  it('waits for the handshake rather than stand behind two', () => {
    expect(assign([open(2), establishing, open(3)])).toEqual({ take: 1, connection: 1 });
  });

  it('never joins at depth 1', () => {
    const next = nextDispatch(1, [open(1), establishing], { ...limits, depth: 1 });
    expect(next).toEqual({ take: 1, connection: 1 });
  });
});
