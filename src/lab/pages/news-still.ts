/**
 * The news front page without what its scripts ask for: 109 requests to 12 servers. No load event waits for data that a script asks for, so
 * after such a page the recorder has to wait two seconds more; a study of many loads is spared that.
 */
import { news } from './news.ts';
import type { PageRecipe } from './page-recipe.ts';

export const newsStill: PageRecipe = {
  ...news,
  name: 'news-still',
  title: 'News front page without data of scripts: 109 requests, 12 servers',
  resources: news.resources.filter(({ kind }) => kind !== 'fetch'),
};
