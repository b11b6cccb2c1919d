/** A page without a browser, for tests of what draws on one: elements by their id, made when they are first looked for. No layout and no events of its own. */
export class FakeElement {
  id = '';
  className = '';
  hidden = false;
  disabled = false;
  open = false;
  alt = '';
  src = '';
  clientWidth = 600;
  readonly dataset: Record<string, string> = {};
  readonly attributes = new Map<string, string>();
  readonly listeners = new Map<string, ((event: object) => unknown)[]>();
  children: FakeElement[] = [];
  readonly tag: string;
  #text = '';
  #value = '';

  constructor(tag = 'div') {
    this.tag = tag;
  }

  get textContent(): string {
    return this.#text + this.children.map(({ textContent }) => textContent).join('');
  }
  set textContent(text: string) {
    this.children = [];
    this.#text = text;
  }
  /** As of a field to choose from: a value that no option has is none, and without one the first is chosen. */
  get value(): string {
    if (this.tag !== 'select' || this.children.some(({ value }) => value === this.#value)) return this.#value;
    return this.children[0]?.value ?? '';
  }
  set value(value: string) {
    this.#value = value;
  }
  get options(): readonly FakeElement[] {
    return this.children;
  }
  get text(): string {
    return this.textContent;
  }
  get isConnected(): boolean {
    return true;
  }
  get tBodies(): readonly FakeElement[] {
    return this.children.filter(({ tag }) => tag === 'tbody');
  }

  append(...children: readonly (FakeElement | string)[]): void {
    for (const child of children) {
      const own = typeof child === 'string' ? new FakeElement('#text') : child;
      if (typeof child === 'string') own.textContent = child;
      this.children.push(own);
    }
  }
  replaceChildren(...children: readonly (FakeElement | string)[]): void {
    this.textContent = '';
    this.append(...children);
  }
  querySelectorAll(tag: string): readonly FakeElement[] {
    return this.children.flatMap((child) => [...(child.tag === tag ? [child] : []), ...child.querySelectorAll(tag)]);
  }
  querySelector(tag: string): FakeElement | undefined {
    return this.querySelectorAll(tag)[0];
  }
  setAttribute(name: string, value: string): void {
    this.attributes.set(name, value);
  }
  removeAttribute(name: string): void {
    this.attributes.delete(name);
  }
  addEventListener(kind: string, listener: (event: object) => unknown): void {
    this.listeners.set(kind, [...(this.listeners.get(kind) ?? []), listener]);
  }
  dispatchEvent({ type }: Event): void {
    for (const listener of this.listeners.get(type) ?? []) listener({ target: this });
  }
  /** @returns once what listens has ended. */
  async dispatch(kind: string): Promise<void> {
    await Promise.all((this.listeners.get(kind) ?? []).map((listener) => listener({ target: this })));
  }
  focus(): void {}
}

class FakeOption extends FakeElement {
  constructor(label: string, value: string) {
    super('option');
    this.textContent = label;
    this.value = value;
  }
}

/** The globals of such a page, for `vi.stubGlobal`. */
export function fakePage() {
  const made = new Map<string, FakeElement>();
  const getElementById = (id: string): FakeElement => {
    const element = made.get(id) ?? new FakeElement();
    made.set(id, element);
    return element;
  };
  return {
    ...{ HTMLElement: FakeElement, HTMLButtonElement: FakeElement, HTMLDetailsElement: FakeElement, HTMLImageElement: FakeElement },
    ...{ HTMLSelectElement: FakeElement, HTMLTableElement: FakeElement, Option: FakeOption },
    window: new FakeElement(),
    location: { pathname: '/' },
    matchMedia: () => ({ matches: false }),
    document: { getElementById, createElement: (tag: string) => new FakeElement(tag), querySelectorAll: () => [] },
  };
}
