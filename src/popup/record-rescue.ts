/** Where Firefox has lost or damaged the records: what can still be read goes into a file, and the records begin anew. */
import { sendRequest } from '../adapters/messaging.ts';
import { salvageLoads } from '../adapters/record-salvage.ts';
import { pageElement } from '../views/page-element.ts';
import { wireQuestion } from './question.ts';
import { saveText } from './save-text.ts';

interface RescueDeps {
  readonly attempt: (what: string, action: () => Promise<void>) => Promise<void>;
  readonly refresh: () => Promise<void>;
}

export function wireRecordRescue({ attempt, refresh }: RescueDeps): void {
  const outcome = pageElement('rescue-outcome', HTMLElement);
  pageElement('salvage', HTMLButtonElement).addEventListener('click', () =>
    attempt('The records could not be saved', async () => {
      outcome.textContent = 'Reading…';
      const { loads, unreadable } = await salvageLoads();
      const createdAt = new Date().toISOString();
      const name = `plumbfox-salvage-${createdAt.replaceAll(/[^0-9TZ-]+/g, '-')}.json`;
      saveText(name, `${JSON.stringify({ kind: 'plumbfox-salvage', format: 1, createdAt, unreadable, loads })}\n`);
      const words = loads.length === 1 ? '1 load' : `${loads.length} loads`;
      outcome.textContent = `Saved ${words} as ${name}. It holds addresses of pages: keep it to yourself.`;
    }),
  );
  wireQuestion('reset', () =>
    attempt('The records could not be reset', async () => {
      await sendRequest({ kind: 'reset-records' });
      outcome.textContent = 'The records begin anew.';
      await refresh();
    }),
  );
  pageElement('loss-dismiss', HTMLButtonElement).addEventListener('click', () =>
    attempt('It could not be noted that you have read this', async () => {
      await sendRequest({ kind: 'dismiss-loss' });
      await refresh();
    }),
  );
}
