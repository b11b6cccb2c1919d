/** The same page, lighter or heavier: every body by one factor, what asks for what unchanged. */
import { documentContent, type PageAddress, resourceContent } from './page-content.ts';
import type { PageRecipe } from './page-recipe.ts';
import { laneAddress } from './recipe-graph.ts';

interface WeightOptions {
  /** Name of the page at this weight; the recipe's own unless given. */
  readonly name?: string;
  /** Body sizes are multiplied by it; > 0. */
  readonly factor: number;
}

/**
 * Nothing gets smaller than what it has to hold: the document its tags, a style sheet its rules, a script its requests, a picture one that
 * decodes. So the page may come out a little heavier than the factor says; the sizes of the recipe are those that are sent.
 */
export function atWeight(recipe: PageRecipe, { name = recipe.name, factor }: WeightOptions): PageRecipe {
  const scaled: PageRecipe = {
    ...recipe,
    name,
    title: factor === 1 ? recipe.title : `${recipe.title}; bodies times ${Number(factor.toPrecision(2))}`,
    documentBytes: Math.round(recipe.documentBytes * factor),
    resources: recipe.resources.map((resource) => ({ ...resource, bytes: Math.round(resource.bytes * factor) })),
  };
  return asSent(scaled, laneAddress(scaled));
}

/** With the sizes that the generated content really has, at addresses as long as a lane's. */
export function asSent(recipe: PageRecipe, address: PageAddress): PageRecipe {
  return {
    ...recipe,
    documentBytes: documentContent(recipe, address).body.length,
    resources: recipe.resources.map((resource) => ({ ...resource, bytes: resourceContent(resource, recipe, address).body.length })),
  };
}
