/** Which pages the embedded server has, and what it answers at which path: `/PAGE/TOKEN/` is a document, `/PAGE/TOKEN/NAME` a resource. */
import { type Content, documentContent, type PageAddress, resourceContent } from '../pages/page-content.ts';
import type { PageRecipe } from '../pages/page-recipe.ts';
import { PAGES } from '../pages/pages.ts';

export interface Answer {
  readonly content: Content;
  /** Time to think before it is sent. */
  readonly serverMs: number;
}

export interface ServedPages {
  /** Pages besides the built-in ones; of two with one name the later counts. Their bodies are made now, not with the first request. */
  add(recipes: readonly PageRecipe[]): void;
  /** `undefined`: nothing is there. @param origins - The servers as the one who asks names them. */
  answer(path: string, origins: readonly string[]): Answer | undefined;
}

export function servedPages(): ServedPages {
  const pages = new Map(PAGES.map((page) => [page.name, page]));
  return {
    add: (recipes) => {
      for (const recipe of recipes) {
        pages.set(recipe.name, recipe);
        const nowhere: PageAddress = { origins: [], prefix: '/' };
        for (const resource of recipe.resources) resourceContent(resource, recipe, nowhere);
      }
    },
    answer: (path, origins) => {
      const [, name, token, part, ...rest] = path.split('/');
      const page = name === undefined ? undefined : pages.get(name);
      if (!page || !token || part === undefined || rest.length > 0) return undefined;
      const address: PageAddress = { origins, prefix: `/${page.name}/${token}/` };
      if (part === '') return { content: documentContent(page, address), serverMs: page.documentServerMs ?? 0 };
      const resource = page.resources.find((each) => each.name === part);
      return resource && { content: resourceContent(resource, page, address), serverMs: resource.serverMs ?? 0 };
    },
  };
}
