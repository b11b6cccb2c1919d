/** Makes room for a file without losing the one that is there. */
import { access, rename } from 'node:fs/promises';

/** @returns the name that the former file has now, `NAME.before-N`; `undefined` when there was none. */
export async function keepAside(path: string): Promise<string | undefined> {
  if (!(await exists(path))) return undefined;
  let number = 1;
  while (await exists(`${path}.before-${number}`)) number += 1;
  const aside = `${path}.before-${number}`;
  await rename(path, aside);
  return aside;
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
