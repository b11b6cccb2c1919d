/** Has Firefox trust the lane's own authority, for this profile only: from its parent process, so that no certutil is needed. */

import { chromeContext } from './chrome-context.ts';
import type { RunningFirefox } from './launch-firefox.ts';

/** `C`: a trusted authority for servers; nothing for mail and code (nsIX509CertDB.addCertFromBase64). */
const TRUST = `authority => {
  Cc['@mozilla.org/security/x509certdb;1'].getService(Ci.nsIX509CertDB).addCertFromBase64(authority, 'C,,');
}`;

/** @param authority - Its certificate, base64 of DER. @throws PlumbfoxError `internal` when Firefox does not take it. */
export async function trustAuthority(firefox: Pick<RunningFirefox, 'browser'>, authority: string): Promise<void> {
  const chrome = await chromeContext(firefox.browser);
  await chrome.run<null>(TRUST, authority);
}
