/** What a request asked for, as short as a picture has room for. */

/** `picture-0.png` of `/images/t2/picture-0.png`; the folder where the path ends in one. */
export function resourceName(target: string): string {
  const path = target.split('?')[0] ?? target;
  const parts = path.split('/').filter((part) => part !== '');
  const last = parts.at(-1);
  if (last === undefined) return '/';
  return path.endsWith('/') ? `/${parts.join('/')}/` : last;
}
