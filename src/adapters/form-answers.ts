/** Which tabs show the answer to a form (POST): to load such a page again, Firefox would ask, and send the form again. */
import { browser } from './browser.ts';
import { readRunState, writeRunState } from './run-state.ts';

let tabs: Promise<Set<number>> | undefined;

const known = (): Promise<Set<number>> => {
  tabs ??= readRunState().then(({ formAnswers = [] }) => new Set(formAnswers));
  return tabs;
};

/** Notes how each page was asked for. Private windows are not looked at. Call at the top level. */
export function watchFormAnswers(): void {
  const noted = ({ tabId, method }: { readonly tabId: number; readonly method: string }): Promise<void> | undefined =>
    note(tabId, method !== 'GET' && method !== 'HEAD').catch(() => undefined);
  // By its type a listener that blocks nothing returns nothing, but Firefox keeps the event page for the promise.
  browser.webRequest.onCompleted.addListener((details) => noted(details) as undefined, {
    urls: ['<all_urls>'],
    types: ['main_frame'],
    incognito: false,
  });
}

/** After a redirect the method is that of the last request, whose answer is shown. */
async function note(tabId: number, isFormAnswer: boolean): Promise<void> {
  const answers = await known();
  if (answers.has(tabId) === isFormAnswer) return;
  if (isFormAnswer) answers.add(tabId);
  else answers.delete(tabId);
  await writeRunState('formAnswers', [...answers]);
}

/** Whether the tab's page is known to be the answer to a form. A page that was open before Plumbfox was installed is not known. */
export const showsFormAnswer = async (tabId: number): Promise<boolean> => (await known()).has(tabId);
