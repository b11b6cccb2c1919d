import { expect, it } from 'vitest';
import { parseSockets } from '../../../../src/lab/witness/kernel-sockets.ts';

it('reads buffers and timers of ss(8), one line a socket', () => {
  const text = `0 0 127.0.0.1:40862 127.0.0.1:8443 timer:(keepalive,9min59sec,0) skmem:(r0,rb131072,t0,tb2626560,f0,w0,o0,bl0,d0)
0 0 127.0.0.1:40863 127.0.0.1:8443 timer:(keepalive,9.850ms,0) skmem:(r0,rb65536,t0,tb87040,f0,w0,o0,bl0,d0)
0 1 127.0.0.1:40864 127.0.0.1:8443 timer:(on,910ms,0) skmem:(r0,rb65536,t0,tb87040,f0,w0,o0,bl0,d0)
`;
  expect(parseSockets(text)).toEqual([
    { localPort: 40_862, receiveBufferBytes: 131_072, sendBufferBytes: 2_626_560, keepAliveS: 599 },
    { localPort: 40_863, receiveBufferBytes: 65_536, sendBufferBytes: 87_040, keepAliveS: 9.85 },
    { localPort: 40_864, receiveBufferBytes: 65_536, sendBufferBytes: 87_040 },
  ]);
});
