/**
 * `npm run bench:gateway [--requests N] [--pairs N]`: what the gateway costs, against the bars: byte identity with nginx and Apache, throughput
 * in a real Firefox beside that without a gateway, in alternated pairs, and memory over many requests. Needs nginx and apache2-bin besides what
 * the browser tests need. Figures hold for this machine, and for what else runs on it.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Page } from 'puppeteer-core';
import type { GatewayRoute } from '../../src/core/profiles/profile.ts';
import { median } from '../../src/core/stats/quantile.ts';
import { type ChromeContext, chromeContext } from '../../src/lab/firefox/chrome-context.ts';
import { findFirefox } from '../../src/lab/firefox/find-firefox.ts';
import { launchFirefox } from '../../src/lab/firefox/launch-firefox.ts';
import { compareThroughGateway } from '../contract/gateway/support/byte-identity.ts';
import { type RealServers, startRealServers } from '../contract/gateway/support/real-servers.ts';
import { askOften } from './gateway-client.ts';
import type { GatewayAnswer, GatewayMemory } from './gateway-process.ts';

const BARS = { share: 0.8, heapBytesPerRequest: 16, rssBytesPerRequest: 64 };
const CONNECTIONS = 6;
const DEPTH = 6;

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    pairs: { type: 'string', default: '15' },
    identity: { type: 'string', default: '10000' },
  },
});

const print = (title: string, rows: readonly (readonly [string, string])[]) => {
  const width = Math.max(...rows.map(([name]) => name.length));
  process.stdout.write(`\n${title}\n${rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}\n`).join('')}`);
};
const against = (met: boolean, bar: string) => `(bar ${bar}: ${met ? 'met' : 'missed'})`;
let missed = 0;
const held = (met: boolean, bar: string): string => {
  if (!met) missed += 1;
  return against(met, bar);
};

interface GatewayProcess {
  readonly route: GatewayRoute;
  memory(): Promise<GatewayMemory>;
  close(): void;
}

async function gatewayProcess(): Promise<GatewayProcess> {
  const program = fileURLToPath(new URL('./gateway-process.mjs', import.meta.url));
  const child = fork(program, [String(CONNECTIONS), String(DEPTH)], { execArgv: ['--expose-gc'] });
  const answer = async (): Promise<GatewayAnswer> => (await once(child, 'message'))[0] as GatewayAnswer;
  const first = await answer();
  if (!('route' in first)) throw new Error('The gateway did not say where it listens');
  return {
    route: first.route,
    memory: async () => {
      child.send('memory');
      const told = await answer();
      if (!('memory' in told)) throw new Error('The gateway did not tell its memory');
      return told.memory;
    },
    close: () => child.disconnect(),
  };
}

async function identity(servers: RealServers, { route }: GatewayProcess): Promise<void> {
  const seed = Math.floor(Math.random() * 2 ** 31);
  const count = Number(values.identity);
  const began = performance.now();
  const { statuses, differed, differences } = await compareThroughGateway(servers, route, { count, seed });
  print(`Byte identity, ${count} requests to nginx and Apache, seed ${seed}`, [
    ['other than direct', `${differed} ${held(differed === 0, '0')}`],
    ['statuses', JSON.stringify(statuses)],
    ['took', `${((performance.now() - began) / 1000).toFixed(1)} s`],
  ]);
  for (const difference of differences) process.stdout.write(`${difference}\n`);
}

/** What a page asks for: sizes round the median of the web's styles, scripts and pictures; and one of large files. */
const LOADS = {
  page: { files: ['/1460.js', '/4096.css', '/16384.bin', '/65537.html', '/65536.css', '/4096.png', '/131073.js'], count: 700, atOnce: 48 },
  'large files': { files: ['/400000.png'], count: 300, atOnce: 24 },
} as const;

/** Fetches until `count` have come. @returns how many a second. */
const FETCH = `async ({ files, count, atOnce }) => {
  let next = 0;
  const began = performance.now();
  const worker = async () => {
    for (let at = next++; at < count; at = next++) await (await fetch(files[at % files.length] + '?' + at, { cache: 'no-store' })).arrayBuffer();
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return count / (performance.now() - began) * 1000;
}`;

/** Leads plain http through the gateway, or not, over new connections. Its secret is known beforehand, so that nobody has to be asked. */
const LEAD = `async ({ on, port, secret }) => {
  Cc['@mozilla.org/network/http-auth-manager;1'].getService(Ci.nsIHttpAuthManager)
    .setAuthIdentity('http', '127.0.0.1', port, 'basic', 'plumbfox', '', '', 'plumbfox', secret, false);
  Services.prefs.setStringPref('network.proxy.http', '127.0.0.1');
  Services.prefs.setIntPref('network.proxy.http_port', port);
  Services.prefs.setBoolPref('network.proxy.allow_hijacking_localhost', true);
  Services.prefs.setIntPref('network.http.max-persistent-connections-per-server', ${CONNECTIONS});
  Services.prefs.setIntPref('network.proxy.type', on ? 1 : 0);
  Services.obs.notifyObservers(null, 'net:prune-all-connections');
}`;

async function throughput(servers: RealServers, gateway: GatewayProcess): Promise<void> {
  const program = await findFirefox();
  if (program === undefined) throw new Error('Firefox was not found');
  const firefox = await launchFirefox({ program: program.path, preferences: {} });
  try {
    const page = await firefox.browser.newPage();
    const chrome = await chromeContext(firefox.browser);
    for (const [name, load] of Object.entries(LOADS)) {
      const pairs: { readonly direct: number; readonly through: number }[] = [];
      const measured = (on: boolean) => fetchesPerSecond({ page, chrome, on, load, servers, gateway });
      for (let pair = 0; pair < Number(values.pairs); pair++) {
        const first = await measured(pair % 2 === 0);
        const second = await measured(pair % 2 !== 0);
        pairs.push(pair % 2 === 0 ? { through: first, direct: second } : { direct: first, through: second });
      }
      printPairs(name, pairs);
    }
  } finally {
    await firefox.close();
  }
}

interface Measure {
  readonly page: Page;
  readonly chrome: ChromeContext;
  readonly on: boolean;
  readonly load: (typeof LOADS)[keyof typeof LOADS];
  readonly servers: RealServers;
  readonly gateway: GatewayProcess;
}

async function fetchesPerSecond({ page, chrome, on, load, servers, gateway }: Measure): Promise<number> {
  await chrome.run(LEAD, { on, port: gateway.route.port, secret: gateway.route.secret });
  await page.goto(`${servers.origins.nginx}/4096.html?${performance.now()}`);
  const fetch = (count: number) => page.evaluate(`(${FETCH})(${JSON.stringify({ ...load, count })})`) as Promise<number>;
  // Connections and compiled code are paid for beforehand: throughput is what is left.
  await fetch(load.count / 5);
  return fetch(load.count);
}

function printPairs(name: string, pairs: readonly { readonly direct: number; readonly through: number }[]): void {
  const middle = (of: (pair: (typeof pairs)[number]) => number) => median(pairs.map(of)) ?? Number.NaN;
  const share = middle(({ direct, through }) => through / direct);
  print(`Firefox, ${name}, ${CONNECTIONS} connections, ${pairs.length} alternated pairs`, [
    ['direct, median', `${middle(({ direct }) => direct).toFixed(0)} requests/s`],
    ['through the gateway, median', `${middle(({ through }) => through).toFixed(0)} requests/s`],
    ['share, median of the pairs', `${share.toFixed(2)} ${held(share >= BARS.share, `${BARS.share}`)}`],
    ['pairs', pairs.map(({ direct, through }) => (through / direct).toFixed(2)).join(' ')],
  ]);
}

const STEPS = 10;

async function memory(servers: RealServers, gateway: GatewayProcess): Promise<void> {
  const count = Number(values.requests);
  const urls = ['/127.png', '/1460.js', '/4096.css', '/16384.bin'].map((path) => servers.origins.nginx + path);
  const began = performance.now();
  const samples: GatewayMemory[] = [];
  for (let step = 0; step < STEPS; step++) {
    await askOften(gateway.route, urls, count / STEPS);
    samples.push(await gateway.memory());
  }
  const perSecond = count / ((performance.now() - began) / 1000);
  // The first steps compile the code and fill the pools of buffers.
  const late = samples.slice(STEPS / 2);
  const slope = (of: (sample: GatewayMemory) => number) => slopePerStep(late.map(of)) / (count / STEPS);
  const [heap, rss] = [slope((sample) => sample.heap), slope((sample) => sample.rss)];
  const megabytes = (of: (sample: GatewayMemory) => number) => samples.map((sample) => (of(sample) / 2 ** 20).toFixed(1)).join(' ');
  print(`Memory over ${count} requests, ${perSecond.toFixed(0)} a second`, [
    ['heap after collection, MiB', megabytes((sample) => sample.heap)],
    ['resident, MiB', megabytes((sample) => sample.rss)],
    ['heap, second half', `${heap.toFixed(1)} bytes a request ${held(heap < BARS.heapBytesPerRequest, `${BARS.heapBytesPerRequest}`)}`],
    ['resident, second half', `${rss.toFixed(1)} bytes a request ${held(rss < BARS.rssBytesPerRequest, `${BARS.rssBytesPerRequest}`)}`],
  ]);
}

/** Of the straight line through them (least squares). */
function slopePerStep(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const above = values.reduce((sum, value, at) => sum + (at - middle) * (value - mean), 0);
  return above / values.reduce((sum, _, at) => sum + (at - middle) ** 2, 0);
}

process.stdout.write(`Node ${process.version}, ${availableParallelism()} processors, load ${loadavg()[0]?.toFixed(1)}\n`);
const servers = await startRealServers();
const gateway = await gatewayProcess();
try {
  await identity(servers, gateway);
  await memory(servers, gateway);
  await throughput(servers, gateway);
} finally {
  gateway.close();
  await servers.close();
}
process.stdout.write(missed === 0 ? '\nEvery bar is met.\n' : `\n${missed} missed.\n`);
process.exit(missed === 0 ? 0 : 1);
