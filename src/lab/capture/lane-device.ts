/** The network device of a lane's namespace: the one besides loopback. */
import * as v from 'valibot';
import { PlumbfoxError } from '../../core/errors.ts';
import type { NamespaceProcess } from '../link/namespace-process.ts';

const devices = v.pipe(
  v.string(),
  v.parseJson(),
  v.array(v.object({ ifname: v.pipe(v.string(), v.minLength(1)), flags: v.array(v.string()) })),
);

/** @throws PlumbfoxError `environment` when the namespace has no device but loopback, or several. */
export async function laneDevice(inside: NamespaceProcess): Promise<string> {
  const listed = v.safeParse(devices, await inside.run(['ip', '-json', 'link', 'show', 'up']));
  const found = listed.success ? listed.output.filter(({ flags }) => !flags.includes('LOOPBACK')) : [];
  const [only, ...others] = found;
  if (!only || others.length > 0)
    throw new PlumbfoxError('environment', `A lane's namespace has one network device to capture on, here ${found.length}`);
  return only.ifname;
}
