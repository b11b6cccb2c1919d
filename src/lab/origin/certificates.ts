/** An authority of the lane's own and one certificate for all its servers, made by openssl, gone with the lane. */
import { randomBytes } from 'node:crypto';
import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { runCommand } from '../process/run-command.ts';

export interface CertificateFiles {
  readonly certificatePath: string;
  readonly keyPath: string;
  /** Both in one file, as HAProxy wants them. */
  readonly certificateWithKeyPath: string;
}

export interface MadeCertificates {
  readonly files: CertificateFiles;
  /** The authority's certificate, base64 of its DER form, for the browser to trust. */
  readonly authority: string;
}

/** Longer than any study takes. */
const VALID_DAYS = 3;
const OWNER_ONLY = 0o600;

const CONFIGURATION = (servers: readonly string[]) => `[req]
distinguished_name = name
prompt = no
[name]
CN = Plumbfox lab
[authority]
basicConstraints = critical, CA:TRUE, pathlen:0
keyUsage = critical, keyCertSign
subjectKeyIdentifier = hash
[server]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = serverAuth
subjectAltName = ${servers.map((server) => `${isIP(server) > 0 ? 'IP' : 'DNS'}:${server}`).join(', ')}
`;

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

/** @param servers - Addresses, and names where a server has one. @throws PlumbfoxError `environment` when openssl cannot make them. */
export async function makeCertificates(folder: string, servers: readonly string[]): Promise<MadeCertificates> {
  const at = (name: string) => join(folder, name);
  const openssl = (...args: readonly string[]) => runCommand(['openssl', ...args]);
  const config = at('openssl.cnf');
  await writeFile(config, CONFIGURATION(servers), { mode: OWNER_ONLY });
  const lasting = ['-days', String(VALID_DAYS), '-set_serial', `0x${serial()}`];
  // Its own name: a browser must never take one lane's authority for another's.
  const authorityName = ['-subj', `/CN=Plumbfox lab ${serial()}`];
  const authorityFiles = ['-keyout', at('authority.key'), '-out', at('authority.pem')];
  await openssl('req', '-x509', '-config', config, '-extensions', 'authority', ...NEW_KEY, ...authorityName, ...lasting, ...authorityFiles);
  await openssl('req', '-new', '-config', config, ...NEW_KEY, '-keyout', at('server.key'), '-out', at('server.csr'));
  const signed = ['-CA', at('authority.pem'), '-CAkey', at('authority.key'), '-days', String(VALID_DAYS), '-set_serial', `0x${serial()}`];
  const extensions = ['-extfile', config, '-extensions', 'server'];
  await openssl('x509', '-req', '-in', at('server.csr'), ...signed, ...extensions, '-out', at('server.pem'));
  // Nothing is signed with it any more.
  await rm(at('authority.key'));
  await chmod(at('server.key'), OWNER_ONLY);
  const together = (await readFile(at('server.pem'), 'utf8')) + (await readFile(at('server.key'), 'utf8'));
  await writeFile(at('server-with-key.pem'), together, { mode: OWNER_ONLY });
  return {
    files: { certificatePath: at('server.pem'), keyPath: at('server.key'), certificateWithKeyPath: at('server-with-key.pem') },
    authority: base64Of(await readFile(at('authority.pem'), 'utf8')),
  };
}

/** Positive and below 2^160 (RFC 5280, section 4.1.2.2). */
const serial = (): string => `1${randomBytes(8).toString('hex')}`;

const base64Of = (pem: string): string => pem.replace(/-----[^-]+-----/g, '').replace(/\s/g, '');
