/** What a person does by keyboard alone; the page has to be in front. */
import type { Page } from 'puppeteer-core';

/** More than any page has places that Tab stops at. */
const MOST_PRESSES = 150;

/**
 * Goes to the first element that matches with the Tab key alone, forwards or backwards, whichever is its way: past either
 * end of the page the focus is in Firefox's own window, and what is typed no longer reaches the page.
 */
export async function tabTo(page: Page, selector: string): Promise<void> {
  const where = () =>
    page.evaluate((wanted) => {
      const [at, target] = [document.activeElement ?? document.body, document.querySelector(wanted)];
      if (target === null || at === target) return target === null ? 'nowhere' : 'here';
      return at.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_FOLLOWING ? 'on' : 'back';
    }, selector);
  const way = await where();
  if (way === 'back') await page.keyboard.down('Shift');
  try {
    for (let presses = 0, now = way; now === way && presses < MOST_PRESSES; presses++, now = await where()) {
      if (now === 'here' || now === 'nowhere') break;
      await page.keyboard.press('Tab');
    }
  } finally {
    if (way === 'back') await page.keyboard.up('Shift');
  }
  if ((await where()) === 'here') return;
  const at = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200));
  throw new Error(`Tab does not reach ${selector}: it went ${way}, to ${at}`);
}

/** A button, a link, or the summary of a section. */
export async function pressByKey(page: Page, selector: string): Promise<void> {
  await tabTo(page, selector);
  await page.keyboard.press('Enter');
}

/** In place of what the field holds. */
export async function typeByKey(page: Page, selector: string, text: string): Promise<void> {
  await tabTo(page, selector);
  await page.keyboard.down('Control');
  await page.keyboard.press('a');
  await page.keyboard.up('Control');
  await page.keyboard.type(text);
}

/** In a list of options that stays closed. */
export async function chooseByKey(page: Page, selector: string, value: string): Promise<void> {
  await tabTo(page, selector);
  const at = await page.$eval(
    selector,
    (list, wanted) => [...(list as HTMLSelectElement).options].findIndex((one) => one.value === wanted),
    value,
  );
  if (at < 0) throw new Error(`${selector} has no ${value}`);
  await page.keyboard.press('Home');
  for (let presses = 0; presses < at; presses++) await page.keyboard.press('ArrowDown');
  const chosen = await page.$eval(selector, (list) => (list as HTMLSelectElement).value);
  if (chosen !== value) throw new Error(`${selector} has ${chosen} after ${at} presses, not ${value}`);
}
