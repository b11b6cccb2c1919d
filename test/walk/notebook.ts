/** What the walk has seen: a picture and some lines for each step, as files, as a page to read, and on one contact sheet. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'puppeteer-core';

interface Entry {
  readonly step: string;
  readonly picture: string;
  readonly lines: readonly string[];
  readonly afterS: number;
}

export type Notebook = Awaited<ReturnType<typeof openNotebook>>;

/** Empties the folder. */
export async function openNotebook(folder: string) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const begunMs = Date.now();
  const entries: Entry[] = [];
  return {
    /** Keeps a step as it was seen, and prints it. */
    keep: async (step: string, png: Buffer | Uint8Array, ...lines: readonly string[]): Promise<void> => {
      const picture = `${String(entries.length + 1).padStart(2, '0')}-${step.replaceAll(/\W+/g, '-')}.png`;
      const afterS = Math.round((Date.now() - begunMs) / 1000);
      entries.push({ step, picture, lines, afterS });
      await writeFile(join(folder, picture), png);
      await writeFile(join(folder, 'walk.json'), `${JSON.stringify(entries, null, 2)}\n`);
      process.stdout.write(`${afterS} s  ${step}\n${lines.map((line) => `      ${line}\n`).join('')}`);
    },
    /** Puts all pictures on one sheet, four beside each other. */
    writeSheet: async (browser: Browser): Promise<string> => {
      const figures = await Promise.all(
        entries.map(async ({ step, picture, afterS }) => {
          const png = await readFile(join(folder, picture), 'base64');
          return `<figure>${step}, after ${afterS} s<img src="data:image/png;base64,${png}"></figure>`;
        }),
      );
      const page = await browser.newPage();
      await page.setViewport({ width: 4 * 480, height: 800 });
      await page.setContent(
        `<style>body{margin:8px;background:#888;font:13px sans-serif;display:grid;grid-template-columns:repeat(4,1fr);gap:10px;align-items:start}figure{margin:0}img{width:100%;display:block}</style>${figures.join('')}`,
      );
      await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
      const path = join(folder, 'contact-sheet.png');
      await page.screenshot({ path: path as `${string}.png`, fullPage: true });
      await page.close();
      return path;
    },
  };
}
