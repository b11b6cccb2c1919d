/** `npm run bench:overhead`: what recording adds to the wiki page at RTT 50 ms, 10 Mbit/s, and on loopback. */
import { PlumbfoxError } from '../core/errors.ts';
import { seededRandom } from '../core/random.ts';
import { median } from '../core/stats/quantile.ts';
import { ensurePrograms } from './ensure-programs.ts';
import { overheadAnswer, portsAnswer } from './lane/lane-protocol.ts';
import type { OverheadOrder, OverheadPairs } from './lane/overhead-pairs.ts';
import { packetLane } from './lane/packet-lane.ts';
import { parseLink } from './link/parse-link.ts';
import { plainProcess } from './process/own-process.ts';

const PAIRS = 30;
const PAGE = 'wiki';
const LINK = 'rtt=50,down=10000,up=1000';
const RESAMPLES = 2000;

const urls = (address: (token: string) => string): string[] =>
  Array.from({ length: 2 * PAIRS + 2 }, (_, index) => address(`overhead-${index}`));

async function emulated(program: string): Promise<OverheadPairs> {
  const lane = await packetLane({ prefix: [] });
  try {
    await lane.useLink(parseLink(LINK));
    return await lane.overhead({ program, pairs: PAIRS, urls: urls((token) => lane.pageUrl(PAGE, token)) });
  } finally {
    await lane.close();
  }
}

async function loopback(program: string): Promise<OverheadPairs> {
  const server = plainProcess('origin-process');
  const client = plainProcess('lane-worker');
  try {
    const ports = await server.ask('listen', { hosts: ['127.0.0.1', '127.0.0.1'], port: 0 }, { answer: portsAnswer });
    const origins = ports.map((port) => `http://127.0.0.1:${port}`);
    await server.call('public-origins', origins);
    return await client.ask(
      'overhead',
      {
        program,
        pairs: PAIRS,
        urls: urls((token) => `${origins[0]}/${PAGE}/${token}/`),
      } satisfies OverheadOrder,
      { answer: overheadAnswer, timeoutMs: 3_600_000 },
    );
  } finally {
    await client.stop();
    await server.stop();
  }
}

/** Difference of the medians of the pairs, with a percentile bootstrap over pairs (seeded). */
function summary(name: string, { recording, plain, stored }: OverheadPairs): string {
  const differences = recording.map((time, index) => time - (plain[index] as number));
  const random = seededRandom(1);
  const resampled = Array.from(
    { length: RESAMPLES },
    () => median(differences.map(() => differences[random.integer(differences.length)] as number)) ?? 0,
  ).sort((a, b) => a - b);
  const medians = { recording: median(recording) ?? 0, plain: median(plain) ?? 0 };
  const added = medians.recording - medians.plain;
  const [low, high] = [resampled[Math.floor(RESAMPLES * 0.025)] ?? 0, resampled[Math.floor(RESAMPLES * 0.975)] ?? 0];
  return [
    `${name}: ${plain.length} alternated pairs, ${stored} loads stored`,
    `  median without recording ${medians.plain.toFixed(1)} ms, with ${medians.recording.toFixed(1)} ms: ${added.toFixed(1)} ms more (${((100 * added) / medians.plain).toFixed(2)} %)`,
    `  median of the paired differences ${(median(differences) ?? 0).toFixed(1)} ms (95 % ${low.toFixed(1)} to ${high.toFixed(1)})`,
  ].join('\n');
}

const { firefox, prefix } = await ensurePrograms({
  emulator: true,
  install: async () => 'Missing',
  onInstall: (packages) => process.stderr.write(`Installing ${packages.join(', ')} ...\n`),
});
if (prefix === undefined || prefix.length > 0) throw new PlumbfoxError('environment', 'This benchmark needs root, for network namespaces');
process.stdout.write(`${summary('loopback', await loopback(firefox.path))}\n`);
process.stdout.write(`${summary('RTT 50 ms, 10 Mbit/s', await emulated(firefox.path))}\n`);
