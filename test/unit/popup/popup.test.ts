/** The button of the card that was painted last, pressed before the page has read anything. */
import { setImmediate } from 'node:timers/promises';
import { beforeEach, expect, test, vi } from 'vitest';

const dom = vi.hoisted(() => {
  class FakeElement {
    dataset: Record<string, string> = {};
    textContent = '';
    hidden = false;
    busy = false;
    presses: (() => unknown)[] = [];
    classList = { toggle: () => undefined };
    addEventListener(_type: string, press: () => unknown) {
      this.presses.push(press);
    }
    setAttribute() {
      this.busy = true;
    }
    removeAttribute() {
      this.busy = false;
    }
    press() {
      for (const press of this.presses) press();
    }
  }
  return { FakeElement, elements: new Map<string, FakeElement>(), done: [] as string[] };
});

interface View {
  readonly action: string;
  readonly label: string;
  readonly headline: string;
}
interface Started {
  readonly act: (action: string) => void;
  readonly settled: Promise<void>;
}
const page = vi.hoisted(() => ({
  kept: undefined as unknown,
  start: (_onView: (view: View) => Promise<void>): Promise<Started> => Promise.reject(new Error('not set')),
}));
const element = (id: string) => {
  const held = dom.elements.get(id) ?? new dom.FakeElement();
  dom.elements.set(id, held);
  return held;
};

vi.mock('../../../src/adapters/browser.ts', () => ({
  browser: {
    extension: { getViews: () => [] },
    storage: { session: { get: async () => ({ card: page.kept }), set: async () => undefined } },
    permissions: {
      request: async () => {
        dom.done.push('asked for access');
        return true;
      },
    },
  },
}));
vi.mock('../../../src/popup/paint.ts', async () => ({
  cardViewSchema: (await import('valibot')).any(),
  paint: ({ action, label, headline }: View) => {
    Object.assign(element('main'), { dataset: { does: action }, textContent: label });
    element('headline').textContent = headline;
  },
}));
vi.mock('../../../src/popup/live-card.ts', () => ({
  startCard: ({ onView }: { onView: (view: View) => Promise<void> }) => page.start(onView),
}));
vi.stubGlobal('HTMLElement', dom.FakeElement);
vi.stubGlobal('HTMLButtonElement', dom.FakeElement);
vi.stubGlobal('window', { addEventListener: () => undefined });
vi.stubGlobal('document', { getElementById: element, documentElement: element('html') });

const PROVE = { action: 'prove', label: 'Prove it: about 12 days', headline: '8 connections' };
const act = (action: string) => {
  dom.done.push(action);
};

function reset(): void {
  vi.resetModules();
  dom.elements.clear();
  dom.done.length = 0;
}
beforeEach(reset);

/** Presses the kept card while the page still reads, which then shows these. */
async function pressThenShow(...views: readonly View[]): Promise<readonly string[]> {
  reset();
  page.kept = PROVE;
  page.start = async (onView) => {
    element('main').press();
    expect(element('main').busy).toBe(true);
    const [first = PROVE, ...later] = views;
    await onView(first);
    const settled = (async () => {
      for (const view of later) {
        await setImmediate();
        await onView(view);
      }
    })();
    return { act, settled };
  };
  await import('../../../src/popup/popup.ts');
  expect(element('main').busy).toBe(false);
  return dom.done;
}

test('it is done where the card says the same again, also if that takes a while', async () => {
  expect(await pressThenShow(PROVE)).toEqual(['prove']);
  expect(await pressThenShow({ ...PROVE, label: 'Prove it' }, PROVE)).toEqual(['prove']);
});

test('it is dropped where the card has other settings now, or another figure on its button', async () => {
  expect(await pressThenShow({ ...PROVE, headline: '16 connections' })).toEqual([]);
  expect(await pressThenShow({ ...PROVE, label: 'Prove it: about 29 days' })).toEqual([]);
});

test('Firefox is asked for access at once: nothing has to be read for it', async () => {
  page.kept = { action: 'allow', label: 'Allow access…', headline: 'Plumbfox can’t see page loads.' };
  page.start = async () => {
    element('main').press();
    expect(dom.done).toEqual(['asked for access']);
    return { act, settled: Promise.resolve() };
  };
  await import('../../../src/popup/popup.ts');
  expect(dom.done).toEqual(['asked for access']);
});

test('once the state is read, a press is done at once, while the helper app has still to answer', async () => {
  page.kept = PROVE;
  page.start = async () => {
    const settled = setImmediate().then(() => {
      element('main').press();
      expect(dom.done).toEqual(['prove']);
    });
    return { act, settled };
  };
  await import('../../../src/popup/popup.ts');
  expect(dom.done).toEqual(['prove']);
});
