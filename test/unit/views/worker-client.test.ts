import { beforeEach, expect, it, vi } from 'vitest';
import { type HistoryAnswers, type HistoryRequest, historyReplySchema } from '../../../src/protocol/history-messages.ts';
import { createWorkerClient } from '../../../src/views/worker-client.ts';
import { useBrowser } from '../../support/browser-global.ts';
import { fakeBrowser } from '../../support/fake-browser.ts';

let posted = 0;
let tell: (data: object) => void = () => undefined;

beforeEach(() => {
  useBrowser(fakeBrowser());
  vi.stubGlobal(
    'Worker',
    class {
      addEventListener(kind: string, listener: (event: object) => void) {
        if (kind === 'message') tell = (data) => listener({ data });
      }
      postMessage() {
        posted += 1;
      }
    },
  );
  return () => vi.unstubAllGlobals();
});

it('tells of a failure that no request waits for, and goes on waiting', async () => {
  const said: string[] = [];
  const client = createWorkerClient<HistoryRequest, HistoryAnswers>({
    ...{ path: 'worker.js', replySchema: historyReplySchema, badReply: 'history.badReply', notStarted: 'history.notStarted' },
    onMore: () => said.push('more'),
    onFailure: ({ message }) => said.push(message),
  });
  const answer = client.ask({ kind: 'trend', site: 1, isNew: false });
  tell({ kind: 'failed', message: 'no disk' });
  tell({ kind: 'more' });
  expect(said).toEqual(['no disk', 'more']);
  await vi.waitFor(() => expect(posted).toBe(1));
  const trend = { days: [], networks: [], pending: false };
  tell({ kind: 'trend', number: 1, answer: trend });
  expect(await answer).toEqual(trend);
});
