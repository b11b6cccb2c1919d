/**
 * A page's question to the background, asked again whenever something may have changed. Only one is under way; what happens meanwhile leads
 * to one more. Out of sight nothing is asked: answering takes time from the very loads that are being measured.
 */
export function refresher(ask: () => Promise<void>): () => Promise<void> {
  let asking = false;
  let askAgain = false;
  return async function refresh(): Promise<void> {
    if (document.hidden) return;
    askAgain = asking;
    if (asking) return;
    asking = true;
    try {
      await ask();
    } finally {
      // Whatever came of it, the page asks again.
      asking = false;
    }
    if (askAgain) await refresh();
  };
}
