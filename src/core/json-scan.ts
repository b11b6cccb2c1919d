const [QUOTE, BACKSLASH] = [0x22, 0x5c];

/** Whether `isEnough` says so of any byte outside the strings of a JSON, in their order: what parsing would cost is known before it is paid. */
export function scanJson(bytes: Uint8Array, isEnough: (byte: number) => boolean): boolean {
  let isText = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) isText = !isText;
    else if (isText && byte === BACKSLASH) at++;
    else if (!isText && isEnough(byte)) return true;
  }
  return false;
}
