/**
 * The popup: one card that says whether other settings are faster here, and what to press. What was painted last in this session is painted at once;
 * everything that is asked, computed or pressed is read afterwards.
 */
import * as v from 'valibot';
import { browser } from '../adapters/browser.ts';
import { handleUnhandledErrors, pageElement } from '../views/page.ts';
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

// What was painted last can be pressed before anything can be done about it: then it is done when it can, if the button still says the same.
const button = pageElement('main', HTMLButtonElement);
let pressed: string | undefined;
const remember = () => {
  pressed = button.dataset.does;
  button.setAttribute('aria-busy', 'true');
};
button.addEventListener('click', remember);

const { startCard } = await import('./live-card.ts');
await startCard({
  isPanel,
  onView: async (view) => {
    if (JSON.stringify(view) === painted) return;
    show(view);
    await browser.storage.session.set({ [KEY]: view });
  },
  ignores: KEY,
});
button.removeEventListener('click', remember);
button.removeAttribute('aria-busy');
// Firefox asks for access straight after a press alone.
if (pressed !== undefined && pressed !== 'allow' && pressed === button.dataset.does) button.click();
