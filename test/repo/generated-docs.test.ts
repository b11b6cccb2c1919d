/** What the docs take from the code stands there as the code has it today. */
import { expect, it } from 'vitest';
import { generatedParts, withPart } from './support/generated-docs.ts';
import { textOf } from './support/source-tree.ts';

it.each(generatedParts())('$file has $name as it is now (repair: node src/tools/doc-tables.mjs)', (part) => {
  const page = textOf(part.file);
  expect(page).toBe(withPart(page, part));
});
