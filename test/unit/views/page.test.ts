/** The failure at the top of a page: how long it stays; and the section that an address leads to, whenever it is shown. */
import { beforeEach, expect, test, vi } from 'vitest';
import { attempt, landOnNamed } from '../../../src/views/page.ts';

class Element {
  hidden = true;
  textContent = '';
  open = false;
  landings = 0;
  closest = (tag: string): unknown => (tag === 'details' && this instanceof Details ? this : null);
  checkVisibility = () => !this.hidden;
  scrollIntoView = () => {
    this.landings++;
  };
}
class Details extends Element {}
const failure = new Element();
const sections: Readonly<Record<string, Element>> = { failure, apply: new Element(), 'trial-setup': new Details() };
/** Called when an attribute changes. */
const watching = new Set<() => void>();
vi.stubGlobal('HTMLElement', Element);
vi.stubGlobal('HTMLDetailsElement', Details);
vi.stubGlobal('document', { getElementById: (id: string) => sections[id] ?? null });
vi.stubGlobal(
  'MutationObserver',
  class {
    readonly observe: () => void;
    readonly disconnect: () => void;
    constructor(look: () => void) {
      this.observe = () => void watching.add(look);
      this.disconnect = () => void watching.delete(look);
    }
  },
);
const page = { scrollY: 0 };
vi.stubGlobal('window', page);

/** The page as it is opened, without the section yet. */
function open(id: string): Element {
  const section = sections[id] ?? new Element();
  Object.assign(section, { hidden: true, open: false, landings: 0 });
  page.scrollY = 0;
  watching.clear();
  vi.stubGlobal('location', { hash: `#${id}` });
  landOnNamed();
  return section;
}

function show(section: Element): void {
  section.hidden = false;
  for (const look of watching) look();
}

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

test('a section that is shown late is scrolled to then, once', () => {
  const apply = open('apply');
  for (const look of watching) look();
  expect(apply.landings).toBe(0);
  show(apply);
  show(apply);
  expect([apply.landings, watching.size]).toEqual([1, 0]);
});

test('whoever has scrolled meanwhile is left there', () => {
  const apply = open('apply');
  page.scrollY = 120;
  show(apply);
  page.scrollY = 0;
  show(apply);
  expect(apply.landings).toBe(0);
});

test('what is folded is opened; where the address names nothing, nothing is waited for', () => {
  expect(open('trial-setup').open).toBe(true);
  open('nothing');
  expect(watching.size).toBe(0);
});
