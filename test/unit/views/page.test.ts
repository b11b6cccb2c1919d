/** The failure at the top of a page: how long it stays. */
import { beforeEach, expect, test, vi } from 'vitest';
import { attempt } from '../../../src/views/page.ts';

class Element {
  hidden = true;
  textContent = '';
}
const failure = new Element();
vi.stubGlobal('HTMLElement', Element);
vi.stubGlobal('document', { getElementById: () => failure });

const fails = () => Promise.reject(new Error('no answer'));
const succeeds = () => Promise.resolve();

beforeEach(() => attempt('failed.read', succeeds));

test('that nothing can be read is shown until something was read, whatever else succeeds', async () => {
  await attempt('failed.read', fails);
  await attempt('failed.list', succeeds);
  expect(failure.hidden).toBe(false);
  await attempt('failed.read', succeeds);
  expect(failure.hidden).toBe(true);
});

test('any other failure is shown until an action succeeds', async () => {
  await attempt('failed.list', fails);
  expect(failure.hidden).toBe(false);
  await attempt('failed.save', succeeds);
  expect(failure.hidden).toBe(true);
});
