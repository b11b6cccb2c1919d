import { expect, it } from 'vitest';
import { launcherScript, nodeOf } from '../../../../src/helper/install/registration.ts';

it.each(['/usr/bin/node', "/home/ann/it's here/node", '/home/$USER/`node`/"n"'])('names Node by its place: %s', (node) => {
  expect(nodeOf(launcherScript({ node, program: '/x/plumbfox-helper.mjs' }))).toBe(node);
});

it('is no launcher of ours without that', () => {
  expect(nodeOf('#!/bin/sh\nexec node\n')).toBeUndefined();
});
