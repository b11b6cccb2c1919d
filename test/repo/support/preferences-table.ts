/** The catalogue as the tables of docs/preferences.md, a subject each. */
import { assertNever } from '../../../src/core/errors.ts';
import { CATALOGUE } from '../../../src/core/profiles/catalogue.ts';
import type { Knob, KnobSubject, PreferenceValue, ReadVersion } from '../../../src/core/profiles/knob.ts';
import { type KnobReference, referenceOf } from '../../../src/core/profiles/reference.ts';

const TITLES: Readonly<Record<KnobSubject, string>> = {
  connections: 'Connections',
  pacing: 'Pacing of requests',
  http2: 'HTTP/2',
  http3: 'HTTP/3',
  speculation: 'Prefetching and early connections',
  scheduling: 'Order of requests',
  caches: 'Buffers and caches',
  dns: 'DNS',
  tls: 'TLS',
  legacy: 'Pipelining, Gecko up to 53',
};

const HEAD = ['preference', 'ESR 140', 'ESR 153', 'Android', 'bounds', 'in effect', 'price', 'set by', 'witness', 'what it does', 'source'];

export function preferencesTables(): string {
  return Object.entries(TITLES)
    .map(([subject, title]) => {
      const rows = CATALOGUE.filter((knob) => knob.subject === subject).map(row);
      return [`### ${title}`, '', line(HEAD), line(HEAD.map(() => '---')), ...rows.map(line)].join('\n');
    })
    .join('\n\n');
}

/** policy, helper, experiment-api, about-config. */
const ALL_WAYS = 4;

const line = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

const row = (knob: Knob): readonly string[] => [
  `\`${knob.preference}\`<br>${knob.label}`,
  inBuild(knob, '140'),
  inBuild(knob, '153'),
  onAndroid(knob),
  boundsText(knob),
  IN_EFFECT[knob.takesEffect],
  priceText(knob),
  knob.appliers.length === ALL_WAYS ? 'any way' : knob.appliers.join(', ') || 'nothing',
  ...referenceCells(knob.preference),
];

function referenceCells(preference: string): readonly string[] {
  const { witness, effect, source } = referenceTo(preference);
  return [
    witness.state === 'known' ? `\`${witness.scenario}\`: ${witness.counts}` : 'no witness known',
    effect.replaceAll('<', '&lt;'),
    source,
  ];
}

function referenceTo(preference: string): KnobReference {
  const reference = referenceOf(preference);
  if (reference === undefined) throw new TypeError(`src/core/profiles/reference says nothing of ${preference}`);
  return reference;
}

const shown = (value: PreferenceValue): string => (typeof value === 'string' ? `"${value}"` : String(value));

function inBuild({ builds, windows }: Knob, version: ReadVersion): string {
  const build = builds[version];
  if (build.state === 'default') return `${shown(build.value)}${windows === undefined ? '' : `, Windows ${shown(windows)}`}`;
  return build.state === 'hidden' ? 'no default' : 'not there';
}

function onAndroid({ android }: Knob): string {
  if (android.state !== 'value') return android.state === 'not-read' ? 'not read' : 'as the desktop';
  if (android.value === undefined) return 'not there';
  return `${shown(android.value)}${android.until === undefined ? '' : ` up to ${android.until}`}`;
}

function boundsText({ preference, bounds }: Knob): string {
  switch (bounds.type) {
    case 'boolean':
      return 'true, false';
    case 'integer':
    case 'decimal':
      return [`${bounds.min} to ${bounds.max}`, referenceTo(preference).whyBounds].filter((part) => part !== undefined).join('. ');
    default:
      return assertNever(bounds);
  }
}

const IN_EFFECT: Readonly<Record<Knob['takesEffect'], string>> = {
  live: 'at once',
  'new-connections': 'new connections',
  'at-start': 'at the next start',
  never: 'never since 54',
};

function priceText({ class: knobClass, price, pricedValues }: Knob): string {
  if (price === undefined) return 'free';
  if (knobClass === 'never') return `never written. ${price}`;
  if (pricedValues === undefined) return price;
  if ('oneOf' in pricedValues) return `${pricedValues.oneOf.map(shown).join(', ')}: ${price}`;
  return `${'above' in pricedValues ? `above ${pricedValues.above}` : `below ${pricedValues.below}`}: ${price}`;
}
