/** Installing packages that bring services, with an apt-get, a systemctl and a policy of the test's own. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { installWithoutServices } from '../../src/lab/ensure-programs.ts';

describe('installing servers without their services', () => {
  let folder: string;
  let policy: string;
  let log: string;
  const program = (name: string, script: string) => {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  };
  const env = () => ({ ...process.env, PATH: `${folder}:${process.env.PATH}`, POLICY: policy, LOG: log });
  const install = (packages: readonly string[]) => {
    const [command, ...rest] = installWithoutServices(packages, policy) as [string, ...string[]];
    return spawnSync(command, rest, { encoding: 'utf8', env: env() });
  };
  const told = () => readFileSync(log, 'utf8').trim().split('\n');
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'plumbfox-test-'));
    policy = join(folder, 'policy-rc.d');
    log = join(folder, 'log');
    program('apt-get', 'echo "apt-get $*" >> "$LOG"; if [ -e "$POLICY" ]; then "$POLICY" nginx start; echo "policy $?" >> "$LOG"; fi');
    program('systemctl', 'echo "systemctl $*" >> "$LOG"; exit 1');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('forbids their start while they are installed, and no longer; disables and stops them', () => {
    expect(install(['socat', 'nginx', 'caddy']).status).toBe(0);
    expect(told()).toEqual([
      'apt-get -o DPkg::Lock::Timeout=120 install -y -qq --no-install-recommends socat nginx caddy',
      'policy 101',
      'systemctl disable nginx',
      'systemctl stop nginx',
      'systemctl disable caddy',
      'systemctl stop caddy',
    ]);
    expect(existsSync(policy)).toBe(false);
  });

  test('leaves a policy of the machine as it is', () => {
    program('policy-rc.d', 'exit 0');
    expect(install(['haproxy']).status).toBe(0);
    expect(told()).toContain('policy 0');
    expect(readFileSync(policy, 'utf8')).toBe('#!/bin/sh\nexit 0\n');
  });

  test('without services there is no policy, and no service is touched', () => {
    install(['firefox-esr', 'openssl']);
    expect(told()).toEqual(['apt-get -o DPkg::Lock::Timeout=120 install -y -qq --no-install-recommends firefox-esr openssl']);
  });

  test('tells that apt-get failed', () => {
    program('apt-get', 'echo "E: no such package" >&2; exit 100');
    const { status, stderr } = install(['nginx']);
    expect([status, stderr]).toEqual([100, 'E: no such package\n']);
  });

  test('killed in the middle, its policy forbids nothing any more', async () => {
    program('apt-get', 'echo begun; read -r line');
    const [command, ...rest] = installWithoutServices(['nginx'], policy) as [string, ...string[]];
    const child = spawn(command, rest, { stdio: ['pipe', 'pipe', 'ignore'], env: env() });
    if (child.stdout) await once(child.stdout, 'data');
    expect(spawnSync(policy).status).toBe(101);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(spawnSync(policy).status).toBe(0);
  });
});
