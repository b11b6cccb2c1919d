/** The way out to Firefox, and nothing but frames on it: whatever else is printed in this process goes to the browser's console instead. */
import { errorCode } from '../errors.ts';

/** Takes stdout away from everybody else. @returns what writes to it; settles when the bytes are taken, or nobody is there to take them. */
export function takeOutput(): (bytes: Buffer) => Promise<void> {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  // Firefox has ended: so does the input, and with it the session.
  stdout.on('error', () => {});
  stderr.on('error', () => {});
  return (bytes) =>
    new Promise((resolve, reject) => {
      write(bytes, (error) => (error && errorCode(error) !== 'EPIPE' ? reject(error) : resolve()));
    });
}
