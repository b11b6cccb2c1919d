import { pageElement } from './page.ts';

/** Runs an action; a failure is put on the page (`#failure`) in words, above everything else. Never rejects. */
export async function attempt(what: string, action: () => Promise<void>): Promise<void> {
  try {
    await action();
    pageElement('failure', HTMLElement).hidden = true;
  } catch (error) {
    tellOnPage(what)(error);
  }
}

/** For `catch`: puts the failure on the page. */
export function tellOnPage(what: string): (error: unknown) => void {
  return (error) => {
    const failure = pageElement('failure', HTMLElement);
    failure.textContent = `${what}: ${error instanceof Error ? error.message : String(error)}`;
    failure.hidden = false;
  };
}

/** The last owner of what fails in a page: a fault of its own, for which nobody waits. To be called before anything else. */
export function handleUnhandledErrors(): void {
  const tell = tellOnPage('Plumbfox made a mistake. Close this page and open it again');
  window.addEventListener('unhandledrejection', ({ reason }) => tell(reason));
  window.addEventListener('error', ({ error, message }) => tell(error ?? message));
}
