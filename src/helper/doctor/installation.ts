/** Checks the helper's own part of the chain: its files, the Node that runs it, the manifest, and whether it answers. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import * as v from 'valibot';
import { PlumbfoxError } from '../../core/errors.ts';
import {
  EXTENSION_ID,
  HELPER_PROTOCOL,
  type HelperResult,
  helperReplySchema,
  helperResultSchemas,
} from '../../protocol/helper-messages.ts';
import { parseJsonIfValid } from '../files/checked-file.ts';
import { frameOf, framesOf } from '../host/native-frames.ts';
import { readInstalled } from '../install/files.ts';
import type { HelperPlaces } from '../install/places.ts';
import { hostManifestSchema, nodeOf } from '../install/registration.ts';

/** The result of checking one link of the chain between extension and profile. */
export interface DoctorFinding {
  /** The name of the check, a word or two. */
  readonly check: string;
  /** `note`: it works, but the person should know something. */
  readonly state: 'ok' | 'note' | 'problem';
  readonly found: string;
  /** What the person can do; present for every problem. */
  readonly todo?: string;
}

const NONCE = 'plumbfox-doctor';

/**
 * Starts the installed helper as Firefox does, and asks for its version.
 * @throws PlumbfoxError `environment` with the reason it gave, when it does not answer properly in time.
 */
async function askHost(options: {
  readonly launcher: string;
  readonly manifest: string;
  readonly timeoutMs: number;
}): Promise<HelperResult<'hello'>> {
  const host = spawn(options.launcher, [options.manifest, EXTENSION_ID], { stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = once(host, 'close').catch((error: Error) => [error.message]);
  const timer = setTimeout(() => host.kill('SIGKILL'), options.timeoutMs);
  let stderr = '';
  host.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk;
  });
  // A failure shows in the missing answer.
  host.stdin.on('error', () => {});
  host.stdin.end(frameOf({ version: HELPER_PROTOCOL, nonce: NONCE, op: 'hello' }));
  try {
    const answer = await firstAnswer(host.stdout);
    if (answer !== undefined) return answer;
    const [why] = await ended;
    throw new PlumbfoxError(
      'environment',
      reasonIn(stderr) || (why === null ? `no answer within ${options.timeoutMs / 1000} s` : `it ended (${why})`),
    );
  } finally {
    clearTimeout(timer);
    host.kill();
  }
}

/** The line that names Node's error, which is followed by a stack and Node's version; else the last line. */
function reasonIn(stderr: string): string | undefined {
  const lines = stderr.trim().split('\n');
  return lines.find((line) => /^\w*Error\b/.test(line)) ?? lines.at(-1);
}

/** The first answer, if the helper gave one. */
async function firstAnswer(output: AsyncIterable<Uint8Array>): Promise<HelperResult<'hello'> | undefined> {
  for await (const frame of framesOf(output)) {
    if (frame.kind !== 'message') throw new PlumbfoxError('environment', 'its answer is not a frame of native messaging');
    const reply = v.safeParse(helperReplySchema, parseJsonIfValid(frame.bytes.toString('utf8')));
    if (!reply.success || !reply.output.ok || reply.output.nonce !== NONCE) break;
    const hello = v.safeParse(helperResultSchemas.hello, reply.output.result);
    if (hello.success) return hello.output;
    break;
  }
  return undefined;
}

/** `engines` of package.json (a test holds them together). */
export const MIN_NODE_VERSION = [20, 19] as const;
/** The extension waits no longer before it reports that the helper does not answer. */
const HELLO_MS = 5_000;
const INSTALL = 'run plumbfox helper install';
const RUNNABLE_BY_OWNER = 0o100;

/** The helper of this command, to be compared with the installed one. */
interface ThisHelper {
  readonly version: string;
  readonly program: Buffer;
}

export async function installationFindings(places: HelperPlaces, own: ThisHelper): Promise<readonly DoctorFinding[]> {
  const { program, launcher, manifest } = places;
  if (![program, launcher, manifest].some((path) => existsSync(path))) return [problem('helper', 'it is not installed', INSTALL)];
  const files = [
    await programFinding(places, own),
    await launcherFinding(places),
    await nodeFinding(places),
    await manifestFinding(places),
  ];
  // A broken chain cannot answer.
  if (files.some(({ state }) => state === 'problem')) return files;
  return [...files, await answerFinding(places, own)];
}

const problem = (check: string, found: string, todo: string): DoctorFinding => ({ check, state: 'problem', found, todo });

/** The text of an installed file, or the problem with it. */
async function installed(check: string, path: string): Promise<string | DoctorFinding> {
  const text = await orError(() => readInstalled(path));
  if (text === undefined) return problem(check, `${path} is missing`, INSTALL);
  return text instanceof PlumbfoxError ? problem(check, text.message, `fix that, and ${INSTALL}`) : text;
}

async function programFinding({ program }: HelperPlaces, own: ThisHelper): Promise<DoctorFinding> {
  const check = 'helper';
  const text = await installed(check, program);
  if (typeof text !== 'string') return text;
  if (text === own.program.toString('utf8')) return { check, state: 'ok', found: `${program}, version ${own.version}` };
  return { check, state: 'note', found: `${program} is of another version than this command (${own.version})`, todo: INSTALL };
}

async function launcherFinding({ launcher }: HelperPlaces): Promise<DoctorFinding> {
  const check = 'launcher';
  const text = await installed(check, launcher);
  if (typeof text !== 'string') return text;
  if ((statSync(launcher).mode & RUNNABLE_BY_OWNER) === 0) return problem(check, `${launcher} may not be run`, INSTALL);
  return { check, state: 'ok', found: launcher };
}

async function nodeFinding({ launcher }: HelperPlaces): Promise<DoctorFinding> {
  const check = 'Node';
  const text = await orError(() => readInstalled(launcher));
  const node = typeof text === 'string' ? nodeOf(text) : undefined;
  if (node === undefined) return problem(check, 'the launcher names none', INSTALL);
  const { stdout, status } = spawnSync(node, ['--version'], { encoding: 'utf8', timeout: HELLO_MS });
  if (status !== 0) return problem(check, `${node} no longer runs`, `${INSTALL} with the Node that is there now`);
  const version = stdout.trim();
  if (!isNewEnough(version))
    return problem(check, `${node} is ${version}`, `install Node ${MIN_NODE_VERSION.join('.')} or newer, and ${INSTALL}`);
  return { check, state: 'ok', found: `${node}, ${version}` };
}

function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  const [oldestMajor, oldestMinor] = MIN_NODE_VERSION;
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}

async function manifestFinding({ manifest, launcher }: HelperPlaces): Promise<DoctorFinding> {
  const check = 'manifest';
  const text = await installed(check, manifest);
  if (typeof text !== 'string') return text;
  const parsed = v.safeParse(hostManifestSchema, parseJsonIfValid(text));
  if (!parsed.success) return problem(check, `${manifest} is not valid (${parsed.issues[0].message})`, INSTALL);
  if (parsed.output.path !== launcher) return problem(check, `${manifest} names another program, ${parsed.output.path}`, INSTALL);
  return { check, state: 'ok', found: `${manifest}, for ${parsed.output.allowed_extensions[0]} only` };
}

async function answerFinding({ launcher, manifest }: HelperPlaces, own: ThisHelper): Promise<DoctorFinding> {
  const check = 'answer';
  const began = performance.now();
  const hello = await orError(() => askHost({ launcher, manifest, timeoutMs: HELLO_MS }));
  if (hello instanceof PlumbfoxError) return problem(check, hello.message, INSTALL);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  if (hello.helper !== own.version) {
    return { check, state: 'note', found: `the helper app is version ${hello.helper}, this command ${own.version}`, todo: INSTALL };
  }
  return { check, state: 'ok', found: `the helper app answered after ${seconds} s` };
}

/** A PlumbfoxError is one of the answers. */
async function orError<T>(look: () => Promise<T>): Promise<T | PlumbfoxError> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof PlumbfoxError) return error;
    throw error;
  }
}
