/** What a page does for the person, and what becomes of failures: they stand on the page (`#failure`), above everything else. */
import type { PlainId } from '../core/text/messages.ts';
import { pageElement } from './page.ts';
import { text } from './text.ts';

/** Runs an action; a failure is put on the page. Never rejects. @param what - What failed then. */
export async function attempt(what: PlainId, action: () => Promise<void>): Promise<void> {
  try {
    await action();
    pageElement('failure', HTMLElement).hidden = true;
  } catch (error) {
    reportOnPage(what)(error);
  }
}

/** For `catch`: puts the failure on the page. */
export function reportOnPage(what: PlainId): (error: unknown) => void {
  return (error) => {
    const failure = pageElement('failure', HTMLElement);
    failure.textContent = failureText(what, error);
    failure.hidden = false;
  };
}

/** What failed, and why. */
export const failureText = (what: PlainId, error: unknown): string => text('failed', { what: text(what), why: reasonOf(error) });

/** Of whatever was thrown. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Handles what fails in a page when nobody waits for it: a fault of its own. To be called before anything else. */
export function handleUnhandledErrors(): void {
  const report = reportOnPage('failed.mistake');
  window.addEventListener('unhandledrejection', ({ reason }) => report(reason));
  window.addEventListener('error', ({ error, message }) => report(error ?? message));
}
