/** `plumbfox probe`: counts the connections of whatever browser opens its page, on this machine or on a phone beside it. */
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { PlumbfoxError } from '../core/errors.ts';
import { openProbe, type Probe, type ProbeResult } from '../helper/probe/server.ts';
import { readOptions, wholeNumber } from './arguments.ts';
import { EXIT_CODES } from './errors.ts';
import { print, watchInterrupts } from './output/terminal.ts';

/** More than the 32 that tuned profiles set; Firefox has 6 by itself. */
const DEFAULT_CONNECTIONS = 32;

const PROBE_HELP = `plumbfox probe: counts how many connections a browser opens to one server

  plumbfox probe [--listen ADDRESS] [--connections C] [--depth D] [--port N] [--once] [--json]

  --listen ADDRESS   address of this machine to listen on, for a phone on the same network (default: 127.0.0.1, this machine only)
  --connections C    largest number of connections to count, 1 to 255 (default: ${DEFAULT_CONNECTIONS})
  --depth D          largest number of outstanding requests on one connection to count, through a gateway, 1 to 64 (default: 1)
  --port N           port (default: a free one)
  --once             end when a browser has loaded the page
  --json             print one line of JSON for the address, and one for each load of the page

It runs until Ctrl-C or SIGTERM. Its address cannot be guessed, and it serves nothing else.
`;

export async function probe(args: readonly string[]): Promise<number> {
  const values = parse(args);
  if (values.help) return print(PROBE_HELP);
  const asked = {
    connections: wholeNumber(values.connections, { option: '--connections', min: 1, max: 255 }) ?? DEFAULT_CONNECTIONS,
    depth: wholeNumber(values.depth, { option: '--depth', min: 1, max: 64 }) ?? 1,
    host: addressOf(values.listen),
    port: wholeNumber(values.port, { option: '--port', min: 1, max: 65_535 }) ?? 0,
  };
  const interruption = watchInterrupts(() => performance.now());
  let end: () => void = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  interruption.onInterrupt(async () => end());
  const onRound = (result: ProbeResult) => {
    process.stdout.write(values.json ? `${JSON.stringify(result)}\n` : summary(result));
    if (values.once) end();
  };
  const opened = await openProbe({ ...asked, onRound });
  const address = `http://${opened.host.includes(':') ? `[${opened.host}]` : opened.host}:${opened.port}/${opened.token}/`;
  process.stdout.write(values.json ? `${JSON.stringify({ address, pieces: opened.pieces })}\n` : howToUse(address, opened));
  try {
    await ended;
  } finally {
    await opened.close();
    interruption.close();
  }
  if (values.once) interruption.check('Stopped before a browser had loaded the page');
  return EXIT_CODES.done;
}

function howToUse(address: string, { host, pieces }: Probe): string {
  const other = host === '127.0.0.1' ? ownAddresses() : [];
  const phone = other.length === 0 ? '' : `For a phone on the same network, use an address it can reach: --listen ${other.join(' or ')}\n`;
  return `Open in the browser: ${address}
The page loads ${pieces} small pictures and shows the count, which is printed here too. Reload to count again, Ctrl-C to end.
${phone}`;
}

const summary = ({ connections, depth }: ProbeResult): string =>
  `${connections} connection${connections === 1 ? '' : 's'} at once, ${depth === 1 ? 'one request' : `up to ${depth} requests`} on each\n`;

/** IPv4 only: people type these addresses. */
const ownAddresses = (): readonly string[] =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address);

/** One address, because browsers have to name it: a listener at all of them would answer to none. @throws PlumbfoxError `bad-input` */
function addressOf(text = '127.0.0.1'): string {
  if (isIP(text) !== 0 && !['0.0.0.0', '::'].includes(text)) return text;
  throw new PlumbfoxError('bad-input', `--listen must be one address of this machine, such as 192.168.1.5, not "${text}"`);
}

function parse(args: readonly string[]) {
  const options = {
    listen: { type: 'string' },
    connections: { type: 'string' },
    depth: { type: 'string' },
    port: { type: 'string' },
    once: { type: 'boolean' },
    json: { type: 'boolean' },
  } as const;
  return readOptions('probe', args, options);
}
