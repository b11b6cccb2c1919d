/** scheme://host:port of a URL as the URL standard serialises it (default ports left out); `null` for data:, blob: and what is no URL. */
export function originOf(url: string): string | null {
  const parsed = URL.parse(url);
  return parsed === null || parsed.protocol === 'blob:' || parsed.origin === 'null' ? null : parsed.origin;
}
