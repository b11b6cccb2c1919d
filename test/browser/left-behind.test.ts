/** What a trial's settings leave behind in a real Firefox: cleared when another profile has its turn, and only then, with nothing of the person's. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFAULT_SLOTS_PER_TURN } from '../../src/core/trial/trial-defaults.ts';
import { type ChromeContext, chromeContext } from '../../src/lab/firefox/chrome-context.ts';
import { trustAuthority } from '../../src/lab/firefox/secure-servers.ts';
import { makeCertificates } from '../../src/lab/origin/certificates.ts';
import { type CountingServer, countingServer } from '../../src/lab/witness/counting-server.ts';
import { type ExtensionFirefox, startExtensionFirefox } from '../support/extension-firefox.ts';
import { loadOnce, trialNow } from '../support/trial-firefox.ts';

const CANDIDATE = 'firefox-default+network.http.http3.enable=false';

let folder: string;
let server: CountingServer;
let firefox: ExtensionFirefox;
let chrome: ChromeContext;

/** What about:networking shows of alternative services. */
const ALT_SVC = `() => new Promise(resolve => Cc['@mozilla.org/network/dashboard;1'].getService(Ci.nsIDashboard)
  .requestAltSvcCache(({ entries }) => resolve(entries.length)))`;
const CLOSE = `() => { Services.obs.notifyObservers(null, 'net:prune-all-connections'); return null; }`;
const OF_THE_PERSON = `async url => ({ isVisited: await PlacesUtils.history.hasVisits(url), cookies: Services.cookies.cookies.length })`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbfox-left-'));
  const { files, authority } = await makeCertificates(folder, ['127.0.0.1', 'left.localhost']);
  const [key, cert] = await Promise.all([readFile(files.keyPath, 'utf8'), readFile(files.certificatePath, 'utf8')]);
  server = await countingServer({
    certificate: { key, cert },
    respond: () => ({
      type: 'text/html',
      body: '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>t</title>',
      // Nobody answers there: what counts is that Firefox remembers it.
      headers: { 'alt-svc': `h3=":${server.port}"; ma=86400`, 'set-cookie': 'own=1; Max-Age=86400; Secure' },
    }),
  });
  firefox = await startExtensionFirefox();
  chrome = await chromeContext(firefox.browser);
  await trustAuthority(firefox, authority);
  await firefox.ask({ kind: 'set-quiet', quietMs: 100 });
});

afterAll(async () => {
  await firefox?.stop();
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

const inEffect = async () => {
  await expect.poll(async () => (await trialNow(firefox)).now.state).toBe('in-effect');
  return trialNow(firefox);
};

test('alternative services and TLS tickets that one profile has left are gone for the other, and stay within a turn', async () => {
  const origin = `https://left.localhost:${server.port}`;
  await firefox.ask({ kind: 'start-trial', trial: { candidates: [CANDIDATE], slots: { kind: 'loads', perSlot: 1 } } });
  let former: string | undefined;
  const seen: { readonly isOwn: boolean; readonly mappings: number; readonly resumed: boolean | undefined }[] = [];
  // A draw of two blocks, two turns each, by a load a slot and the washout.
  for (let at = 0; at < 2 * 2 * (DEFAULT_SLOTS_PER_TURN + 1); at++) {
    await inEffect();
    const mappings = await chrome.run<number>(ALT_SVC, null);
    // Within a turn nothing closes connections, and only a new one shows whether the ticket is there.
    await chrome.run<null>(CLOSE, null);
    const requests = server.requests.length;
    const load = await loadOnce(firefox, `${origin}/${at}`);
    const profileId = load.trial?.mark.profileId ?? '';
    const isFirst = former !== profileId;
    seen.push({ isOwn: !isFirst, mappings, resumed: server.requests[requests]?.connection.resumed });
    former = profileId;
  }
  const [own, switched] = [seen.filter(({ isOwn }) => isOwn), seen.filter(({ isOwn }) => !isOwn)];
  expect(own.some(({ mappings }) => mappings > 0)).toBe(true);
  expect(own.some(({ resumed }) => resumed)).toBe(true);
  expect(switched.length).toBeGreaterThan(2);
  expect(switched.every(({ mappings, resumed }) => mappings === 0 && resumed === false)).toBe(true);
  expect(await chrome.run<object>(OF_THE_PERSON, `${origin}/0`)).toEqual({ isVisited: true, cookies: 1 });
  expect(server.requests.at(-1)?.headers.cookie).toBe('own=1');
});
