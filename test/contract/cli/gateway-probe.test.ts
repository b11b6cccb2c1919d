/** `plumbfox gateway` and `plumbfox probe` as people run them. */
import { Agent, get } from 'node:http';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { PROBATION } from '../../../src/core/gateway-policy.ts';
import { buildOnce } from '../../support/build-once.ts';
import { eventually, type RunningCommand, startCommand } from '../../support/command-run.ts';
import { elsewhere } from '../../support/elsewhere.ts';
import { serveHolding } from '../gateway/support/servers.ts';
import { GatewayClient } from '../gateway/support/through-gateway.ts';

beforeAll(() => buildOnce());

const toClose: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close();
});

interface Told extends RunningCommand {
  /** The first line of its output, as JSON. */
  readonly first: Record<string, unknown>;
}

async function started(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Told> {
  const command = startCommand(args, { env });
  toClose.push(() => command.dispose());
  let output = '';
  command.child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk;
  });
  const line = await eventually(
    () => `no line: ${command.told()}`,
    () => /^(.*)\n/.exec(output)?.[1],
  );
  return { ...command, first: JSON.parse(line) };
}

const lines = (text: string): readonly unknown[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

const SITE = 'http://site.example';

describe('plumbfox gateway', () => {
  const secret = 'a-secret-of-this-test-only';

  test('carries the depth it was given, with the secret of the environment, until it is stopped; then it says what was counted', async () => {
    const origin = await serveHolding(12, PROBATION.answers, '0.0.0.0');
    const far = await elsewhere('private');
    toClose.push(() => Promise.all([origin.close(), far.stop()]));
    await far.passOn(origin.port);
    const site = `http://${far.address}:${origin.port}`;
    const args = ['gateway', '--connections', '3', '--depth', '4', '--private', '--json', `${site}/any`];
    const command = await started(args, { PLUMBFOX_GATEWAY_SECRET: secret });
    const port = Number(command.first.port);
    const script = `function FindProxyForURL(u){return ["${site}"].some(s=>u.startsWith(s+'/'))?'PROXY 127.0.0.1:${port}':'DIRECT'}`;
    const autoconfig = `data:application/x-ns-proxy-autoconfig,${encodeURIComponent(script)}`;
    expect(command.first).toEqual({ host: '127.0.0.1', port, connections: 3, depth: 4, sites: [site], autoconfig });
    const client = new GatewayClient({ host: '127.0.0.1', port, secret });
    toClose.push(() => client.close());
    for (let nth = 0; nth < PROBATION.answers; nth++) await client.ask(`${site}/probation`);
    const answers = await Promise.all(Array.from({ length: 12 }, (_, at) => client.ask(`${site}/${at}`)));
    expect(answers.map(({ body }) => body.toString())).toEqual(Array.from({ length: 12 }, (_, at) => `/${at}`));
    expect(origin.seen).toEqual({ connections: 3, peakDepth: 4, peakOutstanding: 12 });
    command.child.kill('SIGTERM');
    const { code, stdout, stderr } = await command.ended;
    expect(code).toBe(0);
    expect(lines(stdout).at(-1)).toEqual({ requests: 20, mostConnections: 3, mostDepth: 4, failures: 0 });
    expect(stdout + stderr).not.toContain(secret);
  });

  test('makes a secret where none is given, another each time, and lets nobody in without it', async () => {
    const [one, other] = await Promise.all([started(['gateway', '--json', SITE]), started(['gateway', '--json', SITE])]);
    expect(one.first.secret).toMatch(/^[\w-]{32}$/);
    expect(other.first.secret).not.toBe(one.first.secret);
    const client = new GatewayClient({ host: '127.0.0.1', port: Number(one.first.port), secret: String(other.first.secret) });
    toClose.push(() => client.close());
    expect((await client.ask('http://127.0.0.1:1/')).status).toBe(407);
  });

  test('says in one line that the port is taken', async () => {
    const { first } = await started(['gateway', '--json', SITE]);
    const second = startCommand(['gateway', '--port', String(first.port), SITE]);
    toClose.push(() => second.dispose());
    const { code, stdout, stderr } = await second.ended;
    expect({ code, stdout, stderr }).toEqual({
      code: 3,
      stdout: '',
      stderr: `plumbfox: The gateway cannot listen on 127.0.0.1:${first.port}: it is in use\n`,
    });
  });

  test.each([
    [['--depth', '65', SITE], /--depth must lie between 1 and 64/],
    [['--secret', 'short', SITE], /secret: must be 16 to 128/],
    [['--secret', '', SITE], /The secret is empty/],
    [[], /Name the sites to serve/],
    [['https://secure.example'], /"https:\/\/secure\.example" is no site of plain http/],
  ])('refuses %j', async (args, says) => {
    const command = startCommand(['gateway', ...args]);
    toClose.push(() => command.dispose());
    const { code, stdout, errors } = await command.ended;
    expect([code, stdout, errors.length]).toEqual([2, '', 1]);
    expect(errors[0]).toMatch(says);
  });
});

describe('plumbfox probe', () => {
  const fetched = (address: string, agent?: Agent) =>
    new Promise<string>((resolve, reject) => {
      get(address, { agent: agent ?? false }, (answer) => {
        let text = '';
        answer.on('data', (chunk) => {
          text += chunk;
        });
        answer.on('end', () => resolve(text));
      }).on('error', reject);
    });

  test('says what it counted when the page was loaded, and ends with --once', async () => {
    const command = await started(['probe', '--connections', '6', '--once', '--json']);
    const address = String(command.first.address);
    const page = await fetched(address);
    const pictures = [...page.matchAll(/<img src="([^"]+)"/g)].map(([, name]) => `${address}${name}`);
    expect(pictures).toHaveLength(Number(command.first.pieces));
    const agent = new Agent({ keepAlive: true, maxSockets: 5 });
    toClose.push(() => agent.destroy());
    await Promise.all(pictures.map((picture) => fetched(picture, agent)));
    const { code, stdout } = await command.ended;
    expect(code).toBe(0);
    expect(lines(stdout).slice(1)).toEqual([{ arrived: pictures.length, connections: 5, depth: 1 }]);
  });

  test('stopped before that, it says so', async () => {
    const command = await started(['probe', '--once', '--json']);
    command.child.kill('SIGTERM');
    const { code, errors } = await command.ended;
    expect(code).toBe(130);
    expect(errors).toEqual(['plumbfox: Stopped before a browser had loaded the page']);
  });

  test('does not listen where it was not told to', async () => {
    const command = await started(['probe', '--listen', '127.0.0.2', '--json']);
    const address = new URL(String(command.first.address));
    expect(address.hostname).toBe('127.0.0.2');
    // Somebody else may listen there, at a port of the same number.
    const elsewhere = await fetched(`http://127.0.0.1:${address.port}${address.pathname}`).catch(() => '');
    expect(elsewhere).not.toContain('<img src=');
    expect(await fetched(address.href)).toContain('<img src=');
  });
});
