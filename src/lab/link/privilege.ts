/** How this process may make network namespaces: as root, through password-less sudo, or not at all. */
import { tryCommand } from '../run-command.ts';

export type Privilege =
  | { readonly kind: 'root'; readonly prefix: readonly string[] }
  | { readonly kind: 'sudo'; readonly prefix: readonly string[] }
  | { readonly kind: 'none'; readonly reason: string /** A sentence without its full stop. */; readonly whatToDo: string };

const SUDO = ['sudo', '-n'];

/** Whether root's rights can be had without asking anyone. */
export async function rootPrefix(): Promise<readonly string[] | undefined> {
  if (process.getuid?.() === 0) return [];
  const sudo = await tryCommand([...SUDO, 'true']).catch(() => undefined);
  return sudo?.code === 0 ? SUDO : undefined;
}

/** Tries it for real, because containers often have root without the right to make namespaces or TUN devices. */
export async function findPrivilege(): Promise<Privilege> {
  if (process.platform !== 'linux')
    return { kind: 'none', reason: `${process.platform} has no network namespaces`, whatToDo: 'Run it on Linux' };
  const prefix = await rootPrefix();
  if (!prefix)
    return { kind: 'none', reason: 'neither root nor password-less sudo', whatToDo: 'Run it as root, or with sudo that asks nothing' };
  const trial = await tryCommand([...prefix, 'unshare', '--net', '--mount', 'sh', '-c', TRIAL]).catch((error: Error) => ({
    code: 1,
    stdout: '',
    stderr: error.message,
  }));
  if (trial.code === 0) return { kind: prefix.length === 0 ? 'root' : 'sudo', prefix };
  return refusal(trial);
}

/** No exit code of unshare(1), sh or ip(8) for what else may fail. */
const NO_TUN = 77;
const TRIAL = `test -c /dev/net/tun || exit ${NO_TUN}; ip link set lo up`;

/** Why there are no namespaces although there are root's rights, and what helps. */
export function refusal({ code, stderr }: { readonly code: number | null; readonly stderr: string }): Privilege & { kind: 'none' } {
  if (code === NO_TUN)
    return {
      kind: 'none',
      reason: 'no /dev/net/tun',
      whatToDo: 'Load it with: sudo modprobe tun; a container has to be given that device',
    };
  const why = stderr.trim().split('\n').at(-1) || `exit code ${code}`;
  const whatToDo = 'A container has to be allowed to make namespaces (CAP_SYS_ADMIN, CAP_NET_ADMIN); else run it outside of it';
  return { kind: 'none', reason: `namespaces are refused here (${why})`, whatToDo };
}
