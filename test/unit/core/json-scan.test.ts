import { expect, it } from 'vitest';
import { scanJson } from '../../../src/core/json-scan.ts';

const seen = (text: string, until?: string): string => {
  let found = '';
  scanJson(new TextEncoder().encode(text), (byte) => {
    found += String.fromCharCode(byte);
    return found.at(-1) === until;
  });
  return found;
};

it('sees what stands outside strings, whatever they quote', () => {
  expect(seen('["[",{"a\\"]":1}]')).toBe('[,{:1}]');
  expect(seen('["\\\\"]')).toBe('[]');
});

it('ends where it is enough', () => {
  expect(seen('[1,2,3]', ',')).toBe('[1,');
});
