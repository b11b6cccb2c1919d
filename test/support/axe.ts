/** What axe-core finds on a page, targets of 24 px included. */
import axe from 'axe-core';
import type { Page } from 'puppeteer-core';

export async function axeViolations(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe: inPage } = globalThis as unknown as { axe: typeof axe };
    const found = await inPage.run(document, {
      rules: { 'target-size': { enabled: true } },
      resultTypes: ['violations'],
    });
    return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary = '' }) => `${id}: ${html} ${failureSummary}`));
  });
}
