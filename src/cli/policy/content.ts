/** What the files that `plumbfox policy` is given hold, and the policy that is made of it. */
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PlumbfoxError } from '../../core/errors.ts';
import { readJsonObject } from '../../core/profiles/json-text.ts';
import { type PolicyDocument, policyDocument } from '../../core/profiles/policy-document.ts';
import { BASELINE_ID, CONTROL_ID, findProfile, SHIPPED_ID } from '../../core/profiles/presets.ts';
import { inFile, textOf } from '../../helper/policy/policies-json.ts';
import { EXTENSION_ID } from '../../protocol/extension-id.ts';
import { type ManagedTrial, parseTrialDefinition } from '../../protocol/managed-trial.ts';
import { readInput } from '../read-input.ts';
import type { PolicyContent } from './arguments.ts';
import { notThere, packagePath } from './package.ts';

/**
 * @param copied - Where the extension's package is going to lie, if it is copied.
 * @throws PlumbfoxError `bad-input`, PreferenceRefused: what Firefox would ignore without a word is refused here.
 */
export async function policyContent(content: PolicyContent, copied?: string): Promise<PolicyDocument> {
  const { profile, status, carrier, extension } = content;
  const trial = content.trial === undefined ? undefined : await trialOf(content.trial);
  const document = policyDocument(profile, {
    extensionId: EXTENSION_ID,
    carrier,
    status,
    trial,
    extensionUrl: extension && pathToFileURL(copied ?? reachablePackage(extension)).href,
  });
  if (trial !== undefined && status === 'locked' && Object.keys(profile.preferences).length > 0) {
    throw new PlumbfoxError('bad-input', `A trial cannot switch what the policy locks: use --status default, or --profile ${BASELINE_ID}`);
  }
  return document;
}

/** The whole text of a file given on the command line. @throws PlumbfoxError `bad-input` */
export async function givenFile(option: string, path: string): Promise<string> {
  const bytes = inFile(option, () => readInput(path));
  return inFile(`${option}: ${path}`, () => textOf(bytes));
}

/** Two definitions that differ are two trials. */
async function trialOf(path: string): Promise<ManagedTrial> {
  const text = await givenFile('--trial', path);
  return inFile(`--trial: ${path}`, () => {
    const definition = parseTrialDefinition(readJsonObject(text));
    for (const id of definition.candidates) checkCandidate(id);
    const id = createHash('sha256').update(JSON.stringify(definition)).digest('hex').slice(0, 16);
    return { ...definition, id: `policy-${id}` };
  });
}

/** What the extension would refuse later. */
function checkCandidate(id: string): void {
  const profile = findProfile(id);
  if (profile === undefined) throw new PlumbfoxError('bad-input', `There is no profile "${id}"`);
  if (profile.depth > 1) throw new PlumbfoxError('bad-input', `"${id}" cannot be tried: a depth above 1 needs the gateway`);
  if ([BASELINE_ID, CONTROL_ID, SHIPPED_ID].includes(id)) {
    throw new PlumbfoxError('bad-input', `"${id}" cannot be tried: it sets nothing that Firefox does not do by itself`);
  }
}

const READABLE_BY_ALL = 0o004;
const PASSABLE_BY_ALL = 0o001;

/** For a policy that leaves the package where it lies: Firefox runs as somebody else than the administrator who writes its policies. */
function reachablePackage(extension: Exclude<PolicyContent['extension'], undefined>): string {
  const path = packagePath(extension);
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) throw new PlumbfoxError('bad-input', notThere(path));
  if (process.platform === 'win32') return path;
  if ((statSync(path).mode & READABLE_BY_ALL) === 0) {
    throw new PlumbfoxError('bad-input', `--extension: ${path} cannot be read by everybody, so Firefox could not install it: chmod o+r`);
  }
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    if ((statSync(folder).mode & PASSABLE_BY_ALL) !== 0) continue;
    throw new PlumbfoxError(
      'bad-input',
      `--extension: not everybody may pass through ${folder}; copy the file to a place such as /opt/plumbfox, and name it there`,
    );
  }
  return path;
}
