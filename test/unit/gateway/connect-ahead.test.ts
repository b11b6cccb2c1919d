import { describe, expect, it } from 'vitest';
import { connectionsWanted } from '../../../src/gateway/connect-ahead.ts';
import { nextAssignment } from '../../../src/gateway/dispatch-policy.ts';

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
  const assign = (connections: Parameters<typeof nextAssignment>[1]) => nextAssignment([{ kind: 'pipelinable' }], connections, limits);

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
    const next = nextAssignment([{ kind: 'pipelinable' }], [open(1), establishing], { ...limits, depth: 1 });
    expect(next).toEqual({ request: 0, take: 1, connection: 1 });
  });

  it('never joins a request that must be alone', () => {
    expect(nextAssignment([{ kind: 'alone' }], [open(1), establishing], limits)).toEqual({ request: 0, take: 1, connection: 1 });
  });
});
