/** What a user.js holds besides our block. */
import type { PreferenceStatement } from '../../src/core/profiles/preference-statements.ts';
import type { CheckedUserJs } from '../../src/core/profiles/user-js.ts';

/** What Firefox reads of the file outside our block. */
export const foreignStatements = ({ file, block }: CheckedUserJs): readonly PreferenceStatement[] =>
  file.statements.filter(({ start }) => block === undefined || start < block.start || start >= block.end);

/** Foreign lines behind our block: Firefox heeds the last line of several. */
export const statementsBehind = ({ file, block }: CheckedUserJs): readonly PreferenceStatement[] =>
  block === undefined ? [] : file.statements.filter(({ start }) => start >= block.end);
