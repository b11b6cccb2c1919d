// @ts-check
// The packages that the lock file names, as CycloneDX, by npm itself; what differs from run to run is taken out, so that two builds have the same.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';

/** @type {(path: string) => void} */
export function writeBillOfMaterials(path) {
  const { status, stdout, stderr } = spawnSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  });
  if (status !== 0) throw new Error(`npm sbom: ${stderr}`);
  const { serialNumber: _serial, metadata, ...bill } = JSON.parse(stdout);
  const { timestamp: _timestamp, tools: _tools, component, ...rest } = metadata;
  // npm calls it by the name of its folder.
  const content = { ...bill, metadata: { ...rest, component: { ...component, name: 'plumbfox' } } };
  // RFC 9562, version 8: made of the content.
  const hex = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  const uuid = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  writeFileSync(path, `${JSON.stringify({ ...content, serialNumber: `urn:uuid:${uuid}` }, null, 2)}\n`);
}
