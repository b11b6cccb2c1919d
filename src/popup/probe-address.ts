/** The address that `plumbfox probe` prints, as somebody typed it. */

/** As the probe makes its addresses: the part that cannot be guessed, and a slash, which people lose. */
const PATH = /^\/[A-Za-z0-9_-]{16,64}\/?$/;

/** The address to be opened; `undefined`: it is none that a probe prints. A missing http:// is put there. */
export function probeAddress(text: string): string | undefined {
  const typed = text.trim();
  const whole = typed.includes('://') ? typed : `http://${typed}`;
  if (!URL.canParse(whole)) return undefined;
  const { protocol, host, port, pathname, username, password, search, hash } = new URL(whole);
  const isPlain = protocol === 'http:' && port !== '' && `${username}${password}${search}${hash}` === '';
  return isPlain && PATH.test(pathname) ? `http://${host}${pathname.replace(/\/?$/, '/')}` : undefined;
}
