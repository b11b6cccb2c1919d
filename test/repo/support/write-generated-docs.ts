/** `node src/tools/doc-tables.mjs`: writes the parts of the docs that are made from code. */
import { writeFileSync } from 'node:fs';
import { generatedParts, withPart } from './generated-docs.ts';
import { textOf } from './source-tree.ts';

for (const part of generatedParts()) writeFileSync(part.file, withPart(textOf(part.file), part));
