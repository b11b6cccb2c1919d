import { type LinkTarget, measureLink, measureRtt } from '../link/measure-link.ts';
import { serveRpc } from '../rpc.ts';

serveRpc(
  {
    pid: () => process.pid,
    'measure-link': (t: LinkTarget) => measureLink(t),
    'measure-rtt': (t: { host: string; port: number }) => measureRtt(t),
  },
  async () => {},
);
