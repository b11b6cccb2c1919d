/** How this process may make network namespaces: as root, through password-less sudo, or not at all. */
import { tryCommand } from '../run-command.ts';

export type Privilege =
  | { readonly kind: 'root'; readonly prefix: readonly string[] }
  | { readonly kind: 'sudo'; readonly prefix: readonly string[] }
  | { readonly kind: 'none'; readonly reason: string };

const SUDO = ['sudo', '-n'];

/** Whether root's rights can be had without asking anyone. */
export async function rootPrefix(): Promise<readonly string[] | undefined> {
  if (process.getuid?.() === 0) return [];
  const sudo = await tryCommand([...SUDO, 'true']).catch(() => undefined);
  return sudo?.code === 0 ? SUDO : undefined;
}

/** Tries it for real, because containers often have root without the right to make namespaces or TUN devices. */
export async function findPrivilege(): Promise<Privilege> {
  if (process.platform !== 'linux') return { kind: 'none', reason: `${process.platform} has no network namespaces` };
  const prefix = await rootPrefix();
  if (!prefix) return { kind: 'none', reason: 'neither root nor password-less sudo' };
  const trial = await tryCommand([...prefix, 'unshare', '--net', '--mount', 'sh', '-c', 'test -c /dev/net/tun && ip link set lo up']).catch(
    (error: Error) => ({ code: 1, stdout: '', stderr: error.message }),
  );
  if (trial.code !== 0)
    return { kind: 'none', reason: `namespaces are refused here (${trial.stderr.trim().split('\n').at(-1) || 'no /dev/net/tun'})` };
  return { kind: prefix.length === 0 ? 'root' : 'sudo', prefix };
}
