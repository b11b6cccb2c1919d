/**
 * Network namespaces held open while a test looks whether anybody is left in them. The kernel gives the number of one that is gone to the next
 * that is made: where two tests open lanes side by side, the other's processes would be taken for ours.
 */
import { closeSync, openSync, readlinkSync } from 'node:fs';

const held: number[] = [];

/** @returns the identity of the namespace that the process is in, nobody else's until `releaseNetworks`. @throws when there is no such process. */
export function holdNetwork(pid: number): string {
  const file = openSync(`/proc/${pid}/ns/net`, 'r');
  held.push(file);
  return readlinkSync(`/proc/self/fd/${file}`);
}

/** After each test that held one. */
export function releaseNetworks(): void {
  for (const file of held.splice(0)) closeSync(file);
}
