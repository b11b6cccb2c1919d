import { describe, expect, it } from 'vitest';
import { type AfterLoss, afterLoss, type LosingConnection, type LostRequest, MAX_SENDINGS } from '../../../src/gateway/repetition.ts';

/** A GET that was sent once and waits for its turn. */
const request: LostRequest = {
  abandoned: false,
  begun: false,
  sent: true,
  resumable: false,
  repeatable: true,
  sendings: 1,
  due: false,
};
/** Established and pipelined, closed by the server after it had answered something. */
const connection: LosingConnection = { cause: 'peer', established: true, reused: true, pipelined: true, alternative: false };

type Row = readonly [what: string, request: Partial<LostRequest>, connection: Partial<LosingConnection>, becomes: AfterLoss];
const rows = (...of: readonly Row[]) => of;
const begun = { begun: true, resumable: true } as const;

describe('a request without an answer', () => {
  it.each(
    rows(
      ['nobody waits for it', { abandoned: true }, {}, 'forget'],
      ['nobody waits for it, begun', { abandoned: true, begun: true }, {}, 'forget'],
      ['no connection ever stood', {}, { established: false }, 'fail'],
      ['this connection never stood, another does', {}, { established: false, alternative: true }, 'repeat'],
      ['it was not sent', { sent: false }, {}, 'repeat'],
      ['it was not sent, and may not be repeated', { sent: false, repeatable: false }, {}, 'repeat'],
      ['the gateway closed', {}, { cause: 'ours' }, 'repeat'],
      ['the gateway closed, after the last sending', { sendings: MAX_SENDINGS }, { cause: 'ours' }, 'repeat'],
      ['the server closed', {}, {}, 'repeat-alone'],
      ['the server closed, it was due', { due: true }, {}, 'repeat-alone'],
      ['the server closed, it was due, and nothing was pipelined', { due: true }, { pipelined: false }, 'repeat-alone'],
      ['its own time ran out', { due: true }, { cause: 'timeout' }, 'fail'],
      ['the time of one before it ran out', {}, { cause: 'timeout' }, 'repeat-alone'],
      ['its answer is malformed', { due: true }, { cause: 'malformed', pipelined: false }, 'fail'],
      ['its answer may be another request’s', { due: true }, { cause: 'malformed' }, 'repeat-alone'],
      ['the answer of one before it is malformed', {}, { cause: 'malformed', pipelined: false }, 'repeat-alone'],
      ['a sending is left', { sendings: MAX_SENDINGS - 1 }, {}, 'repeat-alone'],
      ['no sending is left', { sendings: MAX_SENDINGS }, {}, 'fail'],
    ),
  )('%s', (_what, lost, losing, becomes) => {
    expect(afterLoss({ ...request, ...lost }, { ...connection, ...losing })).toBe(becomes);
  });
});

describe('one that may not be repeated', () => {
  it.each(
    rows(
      ['is left to the browser where a used connection closed', {}, {}, 'hand-back'],
      ['fails on a new connection', {}, { reused: false }, 'fail'],
      ['fails where its time ran out', {}, { cause: 'timeout' }, 'fail'],
      ['fails where the gateway closed', {}, { cause: 'ours' }, 'fail'],
    ),
  )('%s', (_what, lost, losing, becomes) => {
    expect(afterLoss({ ...request, repeatable: false, ...lost }, { ...connection, ...losing })).toBe(becomes);
  });
});

describe('one whose answer has begun', () => {
  it.each(
    rows(
      ['is taken up again where pipelining cut it short', {}, {}, 'repeat-alone'],
      ['is cut short where nothing can be taken up', { resumable: false }, {}, 'truncate'],
      ['is cut short where it was alone', {}, { pipelined: false }, 'truncate'],
      ['is cut short where its time ran out', {}, { cause: 'timeout' }, 'truncate'],
      ['is taken up with a sending left', { sendings: MAX_SENDINGS - 1 }, {}, 'repeat-alone'],
      ['is cut short with none left', { sendings: MAX_SENDINGS }, {}, 'truncate'],
    ),
  )('%s', (_what, lost, losing, becomes) => {
    expect(afterLoss({ ...request, ...begun, ...lost }, { ...connection, ...losing })).toBe(becomes);
  });
});

it('sends a request four times at most', () => {
  expect(MAX_SENDINGS).toBe(4);
});
