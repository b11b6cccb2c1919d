/** `npm run corpus`: captures what is missing of the accuracy corpus, then writes its files and an overview. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Scenario } from '../../../src/core/compare/block-order.ts';
import { PlumbfoxError } from '../../../src/core/errors.ts';
import { ensurePrograms } from '../../../src/lab/ensure-programs.ts';
import { capture } from './capture.ts';
import { CORPUS_SCENARIOS, overview } from './capture-plan.ts';
import { loadsFile, readWorkingFile, timelinesFile } from './corpus-files.ts';

const OPTIONS = {
  work: { type: 'string', default: 'plumbfox-results/corpus.jsonl' },
  out: { type: 'string', default: 'test/corpus' },
  scenarios: { type: 'string' },
  'files-only': { type: 'boolean', default: false },
} as const;

let interrupted = false;
let end: () => Promise<void> = async () => {};

async function main(): Promise<void> {
  const { values } = parseArgs({ options: OPTIONS });
  if (!values['files-only']) await measure(values.work, values.scenarios?.split(','));
  const record = readWorkingFile(values.work);
  mkdirSync(values.out, { recursive: true });
  writeFileSync(join(values.out, 'loads.json'), loadsFile(record));
  writeFileSync(join(values.out, 'timelines.json'), timelinesFile(record));
  process.stdout.write(overview(record.loads));
}

async function measure(workingFile: string, only: readonly string[] | undefined): Promise<void> {
  const scenarios = only?.map(scenarioNamed);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (interrupted) return;
      interrupted = true;
      process.stderr.write('\nStopping; what is measured is kept ...\n');
      end().catch(() => {});
    });
  }
  const { firefox, prefix } = await ensurePrograms({ emulator: true, install: async () => 'Missing', onInstall: () => {} });
  if (!prefix) throw new PlumbfoxError('environment', 'The corpus needs network namespaces: run it as root or with password-less sudo');
  try {
    await capture({
      firefox: firefox.path,
      prefix,
      workingFile,
      ...(scenarios ? { scenarios } : {}),
      say: (line) => {
        process.stderr.write(`${new Date().toISOString()} ${line}\n`);
      },
      interrupted: () => interrupted,
      onOpen: (close) => {
        end = close;
      },
    });
  } catch (error) {
    // What breaks while the capture stops, breaks because of that.
    if (!interrupted) throw error;
  }
}

function scenarioNamed(name: string): Scenario {
  const scenario = CORPUS_SCENARIOS.find(({ page, link }) => `${page}/${link}` === name);
  if (scenario === undefined) throw new PlumbfoxError('bad-input', `The corpus has no scenario "${name}"`);
  return scenario;
}

main().then(
  () => process.exit(interrupted ? 130 : 0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exit(1);
  },
);
