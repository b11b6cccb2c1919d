/** The sections "Recording" and "Loss": asks for access to sites, saves what can be read of damaged records, and resets them. */
import { browser } from '../adapters/browser.ts';
import { sendRequest } from '../adapters/messaging.ts';
import { salvageLoads } from '../adapters/record-salvage.ts';
import { attempt, pageElement, setOptionalText, setText, show, wireQuestion } from '../views/page.ts';
import type { RecordingView } from '../views/recording-view.ts';
import { fileTime, saveText } from '../views/save-text.ts';
import { text } from '../views/text.ts';

const EVERY_SITE = { origins: ['<all_urls>'] };

export function renderRecording(view: RecordingView): void {
  const section = pageElement('recording', HTMLElement);
  section.classList.toggle('good', view.tone === 'good');
  section.classList.toggle('problem', view.tone === 'problem');
  setText('recording-title', view.title);
  setText('recording-detail', view.detail);
  show('grant', view.offerPermission);
  show('rescue', view.offerSalvage);
  if (!view.offerPermission) show('grant-hint', false);
}

/** `undefined`: Firefox has lost nothing. */
export function renderLoss(loss: string | undefined): void {
  setOptionalText('loss-text', loss);
  show('loss', loss !== undefined);
}

export function wireRecording(refresh: () => Promise<void>): void {
  pageElement('grant', HTMLButtonElement).addEventListener('click', () => {
    // Called straight from the click: Firefox does not ask otherwise.
    const answer = browser.permissions.request(EVERY_SITE);
    const hint = pageElement('grant-hint', HTMLElement);
    hint.hidden = false;
    // On desktop the question can lie behind the panel: https://bugzilla.mozilla.org/show_bug.cgi?id=1432083
    hint.textContent = text('permission.asks');
    return attempt('failed.ask', async () => {
      if (await answer) await refresh();
      else hint.textContent = text('permission.refused');
    });
  });
  browser.permissions.onAdded.addListener(refresh);
  browser.permissions.onRemoved.addListener(refresh);
  wireRescue(refresh);
  pageElement('loss-dismiss', HTMLButtonElement).addEventListener('click', () =>
    attempt('failed.dismiss', async () => {
      await sendRequest({ kind: 'dismiss-loss' });
      await refresh();
    }),
  );
}

/** For damaged records: saves what can still be read to a file, and resets them. */
function wireRescue(refresh: () => Promise<void>): void {
  const rescued = pageElement('rescue-outcome', HTMLElement);
  pageElement('salvage', HTMLButtonElement).addEventListener('click', () =>
    attempt('failed.save', async () => {
      rescued.textContent = text('rescue.reading');
      const { loads, unreadable } = await salvageLoads().catch((reason: unknown) => {
        rescued.textContent = '';
        throw reason;
      });
      const createdAt = new Date().toISOString();
      const name = `plumbfox-salvage-${fileTime(createdAt)}.json`;
      saveText(name, `${JSON.stringify({ kind: 'plumbfox-salvage', format: 1, createdAt, unreadable, loads })}\n`);
      rescued.textContent = text('rescue.saved', { loads: text('count.loads', { count: loads.length }), name });
    }),
  );
  wireQuestion('reset', () =>
    attempt('failed.reset', async () => {
      await sendRequest({ kind: 'reset-records' });
      rescued.textContent = text('rescue.reset');
      await refresh();
    }),
  );
}
