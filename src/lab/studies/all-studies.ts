/** The studies there are: whatever a file of this folder exports as one. A study is added by adding its file. */
import modules from 'plumbfox:studies';
import { PlumbfoxError } from '../../core/errors.ts';
import { didYouMean } from '../../core/nearest-name.ts';
import type { Study } from './study.ts';

/** Sorted by id. */
export const STUDIES: readonly Study[] = modules
  .flatMap((module) => Object.values(module))
  .filter(isStudy)
  .sort((a, b) => (a.id < b.id ? -1 : 1));

function isStudy(value: unknown): value is Study {
  return typeof value === 'object' && value !== null && 'question' in value && 'findings' in value && typeof value.findings === 'function';
}

/** @throws PlumbfoxError `bad-input` naming the studies there are. */
export function findStudy(id: string): Study {
  const study = STUDIES.find((each) => each.id === id);
  if (study) return study;
  const known = STUDIES.map((each) => each.id);
  throw new PlumbfoxError('bad-input', `There is no study "${id}".${didYouMean(id, known)} Studies: ${known.join(', ')}`);
}
