/**
 * The popup: one card that says whether other settings are faster here, and what to press. What was painted last in this session is painted at once;
 * everything that is asked, computed or pressed is read afterwards.
 */
import * as v from 'valibot';
import { browser } from '../adapters/browser.ts';
import { attempt, handleUnhandledErrors, pageElement, setOptionalText } from '../views/page.ts';
import { text } from '../views/text.ts';
import { type CardView, cardViewSchema, paint } from './paint.ts';

const KEY = 'card';

handleUnhandledErrors();
const isPanel = browser.extension.getViews({ type: 'popup' }).includes(window);
// A toolbar panel takes its width from its content, whatever it is pointed at with; a tab and a phone's screen have their own.
document.documentElement.classList.toggle('panel', isPanel && !navigator.userAgent.includes('Android'));

let painted = '';
function show(view: CardView): void {
  const now = JSON.stringify(view);
  if (now === painted) return;
  painted = now;
  paint(view);
}

const held = v.safeParse(cardViewSchema, (await browser.storage.session.get(KEY))[KEY]);
if (held.success) show(held.output);

const button = pageElement('main', HTMLButtonElement);
/** What a press would do, by all that says it. */
const offered = () => [button.dataset.does, button.textContent, pageElement('headline', HTMLElement).textContent].join('\n');
/** What was painted last, pressed before anything could be done about it. It is done once the card says the same again. */
let pressed: string | undefined;
let act: ((action: string) => unknown) | undefined;

button.addEventListener('click', () => {
  const { does = '' } = button.dataset;
  if (does === 'allow') return allow();
  if (act !== undefined) {
    pressed = undefined;
    return act(does);
  }
  pressed = offered();
  button.setAttribute('aria-busy', 'true');
  return undefined;
});

pageElement('other', HTMLButtonElement).addEventListener('click', () => act?.(pageElement('other', HTMLButtonElement).dataset.does ?? ''));

/** Called straight from the click: Firefox does not ask otherwise. The card follows the permission. */
function allow(): Promise<void> {
  const answer = browser.permissions.request({ origins: ['<all_urls>'] });
  setOptionalText('hint', text('permission.asks'));
  return attempt('failed.ask', async () => {
    if (!(await answer)) setOptionalText('hint', text('permission.refused'));
  });
}

function replay(): void {
  if (act === undefined || pressed !== offered()) return;
  drop();
  act(button.dataset.does ?? '');
}

function drop(): void {
  if (pressed === undefined) return;
  pressed = undefined;
  button.removeAttribute('aria-busy');
}

const { startCard } = await import('./live-card.ts');
const started = await startCard({
  isPanel,
  onView: async (view) => {
    if (JSON.stringify(view) === painted) return;
    show(view);
    replay();
    await browser.storage.session.set({ [KEY]: view });
  },
  ignores: KEY,
});
act = started.act;
replay();
await started.settled;
drop();
