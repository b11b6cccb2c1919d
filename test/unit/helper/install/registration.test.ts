import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { MIN_NODE_VERSION } from '../../../../src/helper/doctor/installation.ts';
import { hostManifest, hostManifestSchema, launcherScript, nodeOf } from '../../../../src/helper/install/registration.ts';
import { EXTENSION_ID } from '../../../../src/protocol/helper-messages.ts';

const json = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

it('allows our extension, and no other', () => {
  expect(hostManifest('/x/plumbfox-helper').allowed_extensions).toEqual([json('manifest.json').browser_specific_settings.gecko.id]);
});

it('knows a manifest of ours from one that was changed', () => {
  const ours = hostManifest('/x/plumbfox-helper');
  expect(v.is(hostManifestSchema, ours)).toBe(true);
  for (const allowed_extensions of [[], ['other@example.org'], [EXTENSION_ID, 'other@example.org'], EXTENSION_ID]) {
    expect(v.is(hostManifestSchema, { ...ours, allowed_extensions })).toBe(false);
  }
  expect(v.is(hostManifestSchema, { ...ours, path: 'plumbfox-helper' })).toBe(false);
});

it('asks for the Node that the project asks for', () => {
  expect(`>=${MIN_NODE_VERSION.join('.')}`).toBe(json('package.json').engines.node);
});

it.each(['/usr/bin/node', "/home/ann/it's here/node", '/home/$USER/`node`/"n"'])('names Node by its place: %s', (node) => {
  expect(nodeOf(launcherScript({ node, program: '/x/plumbfox-helper.mjs' }))).toBe(node);
});

it('is no launcher of ours without that', () => {
  expect(nodeOf('#!/bin/sh\nexec node\n')).toBeUndefined();
});
