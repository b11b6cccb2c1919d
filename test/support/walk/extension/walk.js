// Walks through tabs as a person would, and keeps of every plain-http request the bytes that Firefox took, after any proxy. Each request is
// marked with its id, which a redirect and a repetition keep, and with the top-level site and container that it belongs to.
const PLAIN = { urls: ['http://*/*'] };
/** More of one answer is counted and passed on, not kept. */
const KEPT_BYTES = 2_000_000;
/** An answer without a body may never reach the filter. */
const FILTER_MS = 1_000;

/** A request that was asked again ends within this, mostly. */
const REPLACED_MS = 5_000;

const taken = new Map();
/** When each was first asked for, and in which frame. */
const begun = new Map();
/** What makes a tab leave its page, or a frame its document: steps of the walk, and navigations begun and committed. */
const leavings = [];
const handedBack = new Map();
const ended = [];

const hex = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

browser.webRequest.onBeforeRequest.addListener(
  ({ requestId, timeStamp, frameId }) => {
    if (!begun.has(requestId)) begun.set(requestId, { at: timeStamp, frameId });
    const filter = browser.webRequest.filterResponseData(requestId);
    const chunks = [];
    let bytes = 0;
    const all = new Promise((resolve) => {
      filter.ondata = ({ data }) => {
        filter.write(data);
        bytes += data.byteLength;
        if (bytes <= KEPT_BYTES) chunks.push(data);
      };
      filter.onstop = () => {
        filter.close();
        resolve(new Blob(chunks).arrayBuffer());
      };
      filter.onerror = () => resolve(undefined);
    });
    taken.set(requestId, { all, length: () => bytes });
    return {};
  },
  PLAIN,
  ['blocking'],
);

const siteOf = (url) => new URL(url).hostname.split('.').slice(-2).join('.');

function topOf({ type, url, documentUrl, frameAncestors = [] }) {
  if (type === 'main_frame') return siteOf(url);
  const top = frameAncestors.at(-1)?.url ?? documentUrl;
  return top === undefined ? 'none' : siteOf(top);
}

browser.webRequest.onBeforeSendHeaders.addListener(
  (details) => {
    const others = details.requestHeaders.filter(({ name }) => !name.toLowerCase().startsWith('x-walk'));
    const top = `${topOf(details)} ${details.cookieStoreId}`;
    return { requestHeaders: [...others, { name: 'X-Walk', value: details.requestId }, { name: 'X-Walk-Top', value: top }] };
  },
  PLAIN,
  ['blocking', 'requestHeaders'],
);

browser.webRequest.onBeforeRedirect.addListener(({ requestId, url, redirectUrl }) => {
  if (url === redirectUrl) handedBack.set(requestId, url);
}, PLAIN);

for (const [event, kind] of [
  ['onBeforeNavigate', 'begun'],
  ['onCommitted', 'committed'],
])
  browser.webNavigation[event].addListener(({ tabId, frameId, timeStamp }) => leavings.push({ tabId, frameId, kind, at: timeStamp }));

async function note({ requestId, tabId, url, type, method, timeStamp, statusCode, fromCache, proxyInfo, error }) {
  const filtered = taken.get(requestId);
  taken.delete(requestId);
  const isHandedBack = handedBack.get(requestId) === url;
  handedBack.delete(requestId);
  const first = begun.get(requestId);
  begun.delete(requestId);
  const late = new Promise((resolve) => setTimeout(resolve, FILTER_MS));
  const body = error === undefined ? await Promise.race([filtered?.all, late]) : undefined;
  ended.push({
    requestId,
    tabId,
    url,
    type,
    method,
    begun: first?.at,
    frameId: first?.frameId,
    at: timeStamp,
    status: statusCode,
    error,
    fromCache: fromCache === true,
    carrier: isHandedBack ? 'handed-back' : proxyInfo?.type === 'http' ? 'gateway' : 'direct',
    length: filtered?.length(),
    // crypto.subtle is there in secure contexts alone, and this page is one.
    sha: body === undefined ? undefined : hex(await crypto.subtle.digest('SHA-256', body)),
  });
}
const completed = new Set();
browser.webRequest.onCompleted.addListener((details) => {
  completed.add(details.requestId);
  return note(details);
}, PLAIN);
browser.webRequest.onErrorOccurred.addListener(async (details) => {
  // WebRequest.sys.mjs makes these up from the activity of a transaction, of one too that Firefox has given up for another: that may still complete.
  if (details.error.startsWith('NS_ERROR_NET_ON_')) await new Promise((resolve) => setTimeout(resolve, REPLACED_MS));
  if (!completed.has(details.requestId)) await note(details);
}, PLAIN);

const inTab = (tabId, code) => browser.tabs.executeScript(tabId, { code, runAt: 'document_start' });

globalThis.walk = {
  /** What has ended since it was last asked. */
  drain: () => JSON.stringify({ ended: ended.splice(0), leavings: leavings.splice(0) }),
  open: async (contained) => {
    const container = contained ? await browser.contextualIdentities.create({ name: 'walk', color: 'blue', icon: 'circle' }) : undefined;
    const tab = await browser.tabs.create({ active: false, ...(container && { cookieStoreId: container.cookieStoreId }) });
    return tab.id;
  },
  /** A step that finds nothing to do (no page, no link) is none. */
  step: async (tabId, { kind, url, nth }) => {
    leavings.push({ tabId, frameId: 0, kind: 'step', at: Date.now() });
    try {
      if (kind === 'type') await browser.tabs.update(tabId, { url });
      else if (kind === 'back') await browser.tabs.goBack(tabId);
      else if (kind === 'reload') await browser.tabs.reload(tabId, { bypassCache: nth % 4 === 0 });
      else if (kind === 'link') await inTab(tabId, `document.links[${nth} % document.links.length].click()`);
      else await inTab(tabId, `document.forms[${nth} % document.forms.length].submit()`);
      return true;
    } catch {
      return false;
    }
  },
  isLoading: async (tabId) => (await browser.tabs.get(tabId)).status === 'loading',
};
