/** The arguments of `plumbfox compare`. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { PlumbfoxError } from '../core/errors.ts';
import { readOptions } from './read-options.ts';

export interface CompareArguments {
  /** Paths, at least one unless help is asked for. */
  readonly reports: readonly string[];
  readonly json: boolean;
  readonly html: string | undefined;
  readonly baseline: string | undefined;
  readonly mixedLinks: boolean;
  readonly help: boolean;
}

const OPTIONS = {
  json: { type: 'boolean' },
  html: { type: 'string' },
  baseline: { type: 'string' },
  'mixed-links': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies ParseArgsConfig['options'];

/** @throws PlumbfoxError `bad-input`, one line, for whatever cannot be used. */
export function parseCompareArguments(args: readonly string[]): CompareArguments {
  const { values, positionals } = parse(args);
  const help = values.help ?? false;
  if (positionals.length === 0 && !help) {
    throw new PlumbfoxError('bad-input', 'Name one report or more: plumbfox compare REPORT...');
  }
  return {
    reports: positionals,
    json: values.json ?? false,
    html: named(values.html, '--html'),
    baseline: named(values.baseline, '--baseline'),
    mixedLinks: values['mixed-links'] ?? false,
    help,
  };
}

/** An empty name, as of a variable that is not set, is a slip. */
function named(text: string | undefined, option: string): string | undefined {
  if (text?.trim() === '') throw new PlumbfoxError('bad-input', `${option} names nothing`);
  return text;
}

function parse(args: readonly string[]) {
  return readOptions('compare', OPTIONS, () => parseArgs({ args: [...args], options: OPTIONS, strict: true, allowPositionals: true }));
}
