/** Names that chunks share: the lists get shorter, and every name means what it meant. */
import vm from 'node:vm';
import { expect, it } from 'vitest';
// @ts-expect-error A build script, checked by its own comments.
import { withSharedNames } from '../../../src/tools/shared-names.mjs';

const CHUNK = 'views/shared.js';
const isChunk = (name: string): boolean => name === CHUNK;
const shared = (codes: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  withSharedNames(new Map(Object.entries(codes)), isChunk);
/** Runs a chunk and a script that imports it, as one script: lists become variables. */
function run(codes: ReadonlyMap<string, string>, script: string): unknown {
  const asObject = (list: string) => list.replaceAll(/(\w+) as (\w+)/g, '$2:$1');
  const asPattern = (list: string) => list.replaceAll(/(\w+) as (\w+)/g, '$1:$2');
  const chunk = (codes.get(CHUNK) ?? '').replace(/export\{([^}]*)\}/, (_, list) => `return{${asObject(list)}}`);
  const user = (codes.get(script) ?? '').replace(/import\{([^}]*)\}from"[^"]*"/, (_, list) => `const{${asPattern(list)}}=chunk()`);
  return vm.runInNewContext(`let said;const chunk=()=>{${chunk}};(()=>{${user}})();said`);
}

it('gives what is bound once in each script one name, in short forms of properties too', () => {
  const codes = shared({
    [CHUNK]: 'const qa=1,qb=x=>x+qa;export{qb as n,qa as t};',
    'popup/popup.js': 'import{n as za,t as zb}from"../views/shared.js";const{zb:o=zb}={};said=[za(zb),{za},o].map(x=>typeof x).join()',
  });
  expect(codes.get(CHUNK)).toBe('const qa=1,qb=x=>x+qa;export{qa,qb};');
  expect(codes.get('popup/popup.js')).toBe(
    'import{qa,qb}from"../views/shared.js";const{zb:o=qa}={};said=[qb(qa),{za:qb},o].map(x=>typeof x).join()',
  );
  expect(run(codes, 'popup/popup.js')).toBe('number,object,number');
});

it('leaves a name alone that a script binds twice, and takes none that is there', () => {
  const codes = shared({
    [CHUNK]: 'const e=2,qb=(e)=>e*3;export{e as n,qb as t};',
    'popup/popup.js': 'import{n as e,t as zz}from"../views/shared.js";const qb=7;said=zz(e)+qb+((zy)=>{let e=zy;return e})(1)',
  });
  expect(run(codes, 'popup/popup.js')).toBe(6 + 7 + 1);
  // `e` is bound twice in both, and `qb` is another thing in the script.
  expect(codes.get(CHUNK)).toBe('const e=2,zz=(e)=>e*3;export{e as aa,zz};');
  expect(codes.get('popup/popup.js')).toMatch(/^import\{aa as e,zz\}/);
});

it('exports no name twice', () => {
  const names = [...'abcdefghijklmnopqrstuvwxyz'];
  const code = shared({
    [CHUNK]: `${names.map((name) => `const ${name}=1;(${name})=>${name};`).join('')}export{${names.map((name, at) => `${name} as x${at}`).join(',')}};`,
  }).get(CHUNK);
  const given = [...(code ?? '').matchAll(/ as (\w+)/g)].map(([, name]) => name);
  expect(given).toHaveLength(26);
  expect(new Set(given).size).toBe(26);
});

it('says what is imported and not exported', () => {
  expect(() => shared({ [CHUNK]: 'export{};', 'a/b.js': 'import{n as e}from"../views/shared.js";' })).toThrow(
    'a/b.js imports from views/shared.js',
  );
});

it.each([
  ['const qa=1;export{qa as n,qa as t};', 'views/shared.js exports qa under two names'],
  ['export{n}from"./other.js";', 'views/shared.js exports what ./other.js has'],
  ['export*from"./other.js";', 'views/shared.js exports what ./other.js has'],
])('refuses a list that it would break: %s', (code, message) => {
  expect(() => shared({ [CHUNK]: code })).toThrow(message);
});
