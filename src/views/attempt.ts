import { pageElement } from './page-element.ts';

/** Runs an action; a failure is put on the page (`#failure`) in words, above everything else. */
export async function attempt(what: string, action: () => Promise<void>): Promise<void> {
  const failure = pageElement('failure', HTMLElement);
  try {
    await action();
    failure.hidden = true;
  } catch (error) {
    failure.textContent = `${what}: ${error instanceof Error ? error.message : String(error)}`;
    failure.hidden = false;
  }
}
