import { timingSafeEqual } from 'node:crypto';

/** The challenge that goes with a 407 (RFC 7617). */
export const PROXY_CHALLENGE = 'Basic realm="plumbfox"';

/**
 * A check of `Proxy-Authorization` against user `plumbfox` and the secret, in time that does not depend on the content.
 * The scheme's name is compared without case (RFC 9110, 11.1).
 */
export function proxyAuthorizationCheck(secret: string): (header: string | undefined) => boolean {
  const expected = Buffer.from(Buffer.from(`plumbfox:${secret}`).toString('base64'));
  return (header) => {
    if (header === undefined || header.slice(0, 6).toLowerCase() !== 'basic ') return false;
    const given = Buffer.from(header.slice(6).trim());
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
}
