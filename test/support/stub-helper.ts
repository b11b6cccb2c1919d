/**
 * A native messaging host for tests, run by Firefox itself: one that behaves in the way its first argument names, and notes every message in
 * a file. Bundled and put in its place by `native-host.ts`.
 */
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { findProfile } from '../../src/core/profiles/presets.ts';
import { openProbe, type Probe } from '../../src/helper/probe/server.ts';
import type { HelperRequest, HelperStatus } from '../../src/protocol/helper-messages.ts';

const [, , manner = '', folder = ''] = process.argv;

function send(message: unknown): void {
  const body = Buffer.from(typeof message === 'string' ? message : JSON.stringify(message));
  const head = Buffer.alloc(4);
  head.writeUInt32LE(body.length);
  process.stdout.write(Buffer.concat([head, body]));
}

/** What was written, and by which Firefox: it is in effect for any other. */
interface Written {
  readonly profileId: string;
  readonly writtenUnder: number;
  readonly phase: HelperStatus['phase'];
  readonly starts: readonly number[];
}
const record = `${folder}/written.json`;
const read = (): Written | undefined => (existsSync(record) ? (JSON.parse(readFileSync(record, 'utf8')) as Written) : undefined);
const write = (written: Written): void => writeFileSync(record, JSON.stringify(written));
/** What starts us is a script that `exec`s, so that this is Firefox. */
const firefox = process.ppid;

function status(): HelperStatus {
  const written = read();
  if (written === undefined) return { phase: 'none', starts: 0, restartNeeded: false, preferences: [], changedByOthers: [] };
  const restartNeeded = written.writtenUnder === firefox;
  const preferences = Object.entries(findProfile(written.profileId)?.preferences ?? {}).map(([name, intended]) => ({
    name,
    intended,
    ...(!restartNeeded && { found: intended }),
    locked: false,
  }));
  const { phase, profileId, starts } = written;
  return { phase, profileId, starts: starts.length, restartNeeded, preferences, changedByOthers: [] };
}

let probe: Probe | undefined;

async function resultOf(request: HelperRequest): Promise<unknown> {
  const written = read();
  switch (request.op) {
    case 'hello':
      return { helper: '0.0.0', system: 'linux', profileFound: true };
    case 'apply':
      write({ profileId: request.profileId, writtenUnder: firefox, phase: 'pending', starts: [] });
      return status();
    case 'started':
      if (written && written.writtenUnder !== firefox) write({ ...written, starts: [...new Set([...written.starts, firefox])] });
      return status();
    case 'confirm':
      if (written) write({ ...written, phase: 'confirmed' });
      return status();
    case 'revert': {
      const restored = Object.keys(findProfile(written?.profileId ?? '')?.preferences ?? {});
      if (existsSync(record)) rmSync(record);
      return { restored, leftAlone: [], status: status() };
    }
    case 'probe-open': {
      const profile = findProfile(request.profileId);
      probe = await openProbe({ connections: profile?.connections ?? 6, depth: profile?.depth ?? 1 });
      return { port: probe.port, token: probe.token, pieces: probe.pieces };
    }
    case 'probe-result':
      return probe?.result();
    case 'probe-close':
      await probe?.close();
      return {};
    default:
      return status();
  }
}

async function hear(message: unknown): Promise<void> {
  appendFileSync(`${folder}/heard.jsonl`, `${JSON.stringify(message)}\n`);
  const request = message as HelperRequest;
  const reply = { version: request.version, nonce: request.nonce };
  switch (manner) {
    case 'crash':
      process.exit(3);
      break;
    case 'garbage':
      process.stdout.write('console.log on stdout\n');
      break;
    case 'not-json':
      send('{"version":');
      break;
    case 'nonsense':
      send({ hello: 'world' });
      break;
    case 'other-version':
      send({ ...reply, version: request.version + 1, ok: true, result: {} });
      break;
    case 'hang':
      break;
    case 'refuses':
      send(
        request.op === 'hello'
          ? { ...reply, ok: true, result: await resultOf(request) }
          : { ...reply, ok: false, error: { kind: 'refused', message: 'user.js is a symbolic link' } },
      );
      break;
    default:
      send({ ...reply, ok: true, result: await resultOf(request) });
  }
}

let held = Buffer.alloc(0);
process.stdin.on('data', (chunk: Buffer) => {
  held = Buffer.concat([held, chunk]);
  while (held.length >= 4 && held.length >= 4 + held.readUInt32LE()) {
    const end = 4 + held.readUInt32LE();
    void hear(JSON.parse(held.subarray(4, end).toString()));
    held = held.subarray(end);
  }
});
process.stdin.on('end', () => process.exit());
