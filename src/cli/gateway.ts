/** `plumbfox gateway`: the gateway by itself, for a Firefox that is configured manually, and for the sites that are named. */
import { PlumbfoxError } from '../core/errors.ts';
import { counted } from '../core/text/figures.ts';
import { type GatewayTotals, openGateway } from '../helper/host/gateway-service.ts';
import { readArguments, wholeNumber } from './arguments.ts';
import { EXIT_CODES, oneLine } from './errors.ts';
import { print, watchInterrupts } from './output/terminal.ts';

/** The memo of 2008 picked 4 and 6 for far networks: see docs/results/fennec-2008. */
const DEFAULT_CONNECTIONS = 4;
const DEFAULT_DEPTH = 6;
/** Keeps the secret out of the arguments, which every user of the machine can read while the command runs. */
const SECRET_VARIABLE = 'PLUMBFOX_GATEWAY_SECRET';

const GATEWAY_HELP = `plumbfox gateway: runs a proxy on this machine that pipelines requests to plain-http sites, as Firefox did before version 54

  plumbfox gateway [--port N] [--connections C] [--depth D] [--secret S] [--private] [--json] SITE...

  SITE               a site it serves, such as http://intranet.example or intranet.example:8080; Firefox reaches all others without it
  --port N           port on 127.0.0.1 (default: a free one)
  --connections C    connections to each server, 1 to 255 (default: ${DEFAULT_CONNECTIONS})
  --depth D          outstanding requests on each connection, 1 to 64 (default: ${DEFAULT_DEPTH})
  --secret S         password of the proxy, 16 to 128 of A-Z a-z 0-9 _ - (default: a new one, which is printed). Other users of the
                     machine can see arguments, so set ${SECRET_VARIABLE} in the environment instead
  --private          also reach sites at private addresses (10.x, 172.16.x, 192.168.x, ...), as on your own network
  --json             print where it listens as one line of JSON, and the totals at the end

It runs until Ctrl-C or SIGTERM. It is reached from 127.0.0.1 only, and only with the secret. It never reaches this machine. What it cannot
pipeline safely it passes on unread, on a connection of its own. https does not go through it.
`;

export async function gateway(args: readonly string[]): Promise<number> {
  const { values, positionals } = parse(args);
  if (values.help) return print(GATEWAY_HELP);
  const sites = positionals.map(siteOf);
  if (sites.length === 0)
    throw new PlumbfoxError('bad-input', 'Name the sites to serve, such as http://intranet.example. See plumbfox gateway --help');
  const connections = wholeNumber(values.connections, { option: '--connections', min: 1, max: 255 }) ?? DEFAULT_CONNECTIONS;
  const depth = wholeNumber(values.depth, { option: '--depth', min: 1, max: 64 }) ?? DEFAULT_DEPTH;
  const port = wholeNumber(values.port, { option: '--port', min: 1, max: 65_535 });
  const given = secretOf(values.secret);
  const service = await openGateway({
    connections,
    depth,
    sites,
    reachesPrivate: values.private ?? false,
    ...(port === undefined ? {} : { port }),
    ...(given === undefined ? {} : { secret: given }),
  });
  const interruption = watchInterrupts(() => performance.now());
  const stopped = new Promise<void>((resolve) => interruption.onInterrupt(async () => resolve()));
  // A secret that was given is known to whoever gave it; it need not stand in a log as well.
  const listening = {
    host: '127.0.0.1',
    port: service.port,
    connections,
    depth,
    sites,
    ...(given === undefined ? { secret: service.secret } : {}),
    autoconfig: autoconfigUrl(sites, service.port),
  };
  process.stdout.write(values.json ? `${JSON.stringify(listening)}\n` : howToUse(listening));
  try {
    await stopped;
    const figures = service.counters();
    process.stdout.write(values.json ? `${JSON.stringify(figures)}\n` : summary(figures));
  } finally {
    await service.close();
    interruption.close();
  }
  // Being stopped is how it ends.
  return EXIT_CODES.done;
}

interface Listening {
  readonly port: number;
  readonly connections: number;
  readonly depth: number;
  readonly sites: readonly string[];
  readonly secret?: string;
  /** See `autoconfigUrl`. */
  readonly autoconfig: string;
}

/**
 * A proxy configuration (PAC) that leads the sites' plain http to the gateway and nothing else. Without `DIRECT` behind it: Firefox would send a POST
 * again, directly, when the gateway ends.
 */
function autoconfigUrl(sites: readonly string[], port: number): string {
  const script = `function FindProxyForURL(u){return ${JSON.stringify(sites)}.some(s=>u.startsWith(s+'/'))?'PROXY 127.0.0.1:${port}':'DIRECT'}`;
  return `data:application/x-ns-proxy-autoconfig,${encodeURIComponent(script)}`;
}

const howToUse = ({
  port,
  connections,
  depth,
  sites,
  secret,
  autoconfig,
}: Listening): string => `The gateway listens on 127.0.0.1, port ${port}, for ${sites.join(', ')}.
To each server: ${counted(connections, 'connection')}, up to ${counted(depth, 'request')} outstanding on each.

Firefox: Settings > Network Settings > Automatic proxy configuration URL
  ${autoconfig}
When it asks: user name plumbfox, password ${secret ?? 'the secret you gave'}

Firefox sends at most 32 requests at once to a proxy (network.http.max-persistent-connections-per-proxy).
Ctrl-C ends it. Reset the proxy settings then: these sites are not reached without it, and the next program on that port gets their requests.
`;

const summary = ({ requests, mostConnections, mostDepth, failures }: GatewayTotals): string =>
  `${counted(requests, 'request')}; at most ${counted(mostConnections, 'connection')} to one server at once, ` +
  `${counted(mostDepth, 'request')} outstanding on one; ${counted(failures, 'connection')} failed\n`;

/** @throws PlumbfoxError `bad-input` unless it is a site of plain http. */
function siteOf(text: string): string {
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  if (url?.protocol !== 'http:' || url.hostname === '' || url.username !== '')
    throw new PlumbfoxError('bad-input', `${oneLine(JSON.stringify(text))} is no site of plain http, such as http://intranet.example`);
  return url.origin;
}

/** @throws PlumbfoxError `bad-input` for an empty one, as of a variable that is not set. */
function secretOf(argument: string | undefined): string | undefined {
  const secret = argument ?? process.env[SECRET_VARIABLE];
  if (secret === '') throw new PlumbfoxError('bad-input', `The secret is empty: omit --secret and ${SECRET_VARIABLE} to get a new one`);
  return secret;
}

function parse(args: readonly string[]) {
  const options = {
    port: { type: 'string' },
    connections: { type: 'string' },
    depth: { type: 'string' },
    secret: { type: 'string' },
    private: { type: 'boolean' },
    json: { type: 'boolean' },
  } as const;
  return readArguments('gateway', args, options);
}
