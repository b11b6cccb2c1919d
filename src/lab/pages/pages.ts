/** All page recipes by name. */
import { PlumbfoxError } from '../../core/errors.ts';
import { didYouMean } from '../../core/nearest-name.ts';
import { app } from './app.ts';
import { docs } from './docs.ts';
import { gallery } from './gallery.ts';
import { images } from './images.ts';
import { news } from './news.ts';
import type { PageRecipe } from './page-recipe.ts';
import { shop } from './shop.ts';
import { wiki } from './wiki.ts';

/** Many small pictures that the server holds back: shows how many requests a browser really has outstanding. */
export const hold: PageRecipe = {
  name: 'hold',
  title: 'Probe: 24 pictures held back for 80 ms, 1 server',
  documentBytes: 4000,
  resources: Array.from({ length: 24 }, (_, index) => ({
    name: `held-${index}.png`,
    kind: 'image',
    bytes: 500,
    origin: 0,
    from: 'body',
    serverMs: 80,
  })),
};

export const PAGES: readonly PageRecipe[] = [wiki, images, news, gallery, shop, docs, app, hold];

/** What `tune` loads unless told otherwise. */
export const DEFAULT_PAGES: readonly string[] = ['wiki', 'images'];

/** @throws PlumbfoxError `bad-input` naming the pages there are. */
export function findPage(name: string): PageRecipe {
  const page = PAGES.find((candidate) => candidate.name === name);
  if (page) return page;
  const names = PAGES.map((known) => known.name);
  throw new PlumbfoxError('bad-input', `There is no page "${name}".${didYouMean(name, names)} Pages: ${names.join(', ')}`);
}
