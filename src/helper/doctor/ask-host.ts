/** Starts the installed helper as Firefox does, and asks it who it is. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as v from 'valibot';
import { PlumbfoxError } from '../../core/errors.ts';
import { EXTENSION_ID } from '../../protocol/extension-id.ts';
import { HELPER_PROTOCOL, type HelperResult, helperReplySchema, helperResultSchemas } from '../../protocol/helper-messages.ts';
import { jsonIfWhole } from '../files/json-if-whole.ts';
import { frameOf, framesOf } from '../host/native-frames.ts';

const NONCE = 'plumbfox-doctor';

/** @throws PlumbfoxError `environment` with the reason it gave, when it does not answer properly in time. */
export async function askHost(options: {
  readonly launcher: string;
  readonly manifest: string;
  readonly timeoutMs: number;
}): Promise<HelperResult<'hello'>> {
  const host = spawn(options.launcher, [options.manifest, EXTENSION_ID], { stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = once(host, 'close').catch((error: Error) => [error.message]);
  const timer = setTimeout(() => host.kill('SIGKILL'), options.timeoutMs);
  let told = '';
  host.stderr.on('data', (chunk: Buffer) => {
    told += chunk;
  });
  // What it makes of it shows in its answer.
  host.stdin.on('error', () => {});
  host.stdin.end(frameOf({ version: HELPER_PROTOCOL, nonce: NONCE, op: 'hello' }));
  try {
    const answer = await firstAnswer(host.stdout);
    if (answer !== undefined) return answer;
    const [why] = await ended;
    throw new PlumbfoxError(
      'environment',
      reasonIn(told) || (why === null ? `no answer within ${options.timeoutMs / 1000} s` : `it ended (${why})`),
    );
  } finally {
    clearTimeout(timer);
    host.kill();
  }
}

/** What Node calls an error, which stands above where it happened and its own version; else what was said last. */
function reasonIn(told: string): string | undefined {
  const lines = told.trim().split('\n');
  return lines.find((line) => /^\w*Error\b/.test(line)) ?? lines.at(-1);
}

/** `undefined`: it gave none. */
async function firstAnswer(output: AsyncIterable<Uint8Array>): Promise<HelperResult<'hello'> | undefined> {
  for await (const frame of framesOf(output)) {
    if (frame.kind !== 'message') throw new PlumbfoxError('environment', 'what it answers is no frame of native messaging');
    const reply = v.safeParse(helperReplySchema, jsonIfWhole(frame.bytes.toString('utf8')));
    if (!reply.success || !reply.output.ok || reply.output.nonce !== NONCE) break;
    const hello = v.safeParse(helperResultSchemas.hello, reply.output.result);
    if (hello.success) return hello.output;
    break;
  }
  return undefined;
}
