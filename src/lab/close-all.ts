/** Closing several things of which each must be closed, whatever becomes of the others. */

/** All at once; settles when every one has been tried. @throws the first failure. */
export async function closeAll(closers: readonly (() => Promise<void>)[]): Promise<void> {
  tellFirst(await Promise.allSettled(closers.map((close) => close())));
}

/** One after the other, in this order; each is tried. @throws the first failure. */
export async function closeInTurn(closers: readonly (() => Promise<void>)[]): Promise<void> {
  const results: PromiseSettledResult<void>[] = [];
  for (const close of closers) results.push(...(await Promise.allSettled([close()])));
  tellFirst(results);
}

function tellFirst(results: readonly PromiseSettledResult<void>[]): void {
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}
