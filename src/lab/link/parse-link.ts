/** Links as somebody types them: by name, or as figures. Which figures there are, and within which bounds, is the caller's. */
import { PlumbfoxError } from '../../core/errors.ts';

/** Least and most of every figure a link may be given. */
export type FigureBounds<Field extends string> = Readonly<Record<Field, readonly [least: number, most: number]>>;

/**
 * The figures of one link: `rtt=300,down=2000`. `words` are what a link may be given besides, no numbers and taken out by the caller: `cc`.
 * @throws PlumbfoxError `bad-input` for a figure that there is not, that is given twice, is no plain number, or is out of bounds.
 */
export function parseFigures<Field extends string>(
  text: string,
  bounds: FigureBounds<Field>,
  words: readonly string[],
): ReadonlyMap<Field, number> {
  const fields = new Map<Field, number>();
  for (const part of text.split(',')) {
    const [key = '', ...values] = part.split('=').map((piece) => piece.trim());
    if (!isField(key, bounds))
      throw new PlumbfoxError('bad-input', `Link "${text}": "${key}" is not one of ${[...Object.keys(bounds), ...words].join(', ')}`);
    if (fields.has(key)) throw new PlumbfoxError('bad-input', `Link "${text}" gives ${key} twice`);
    fields.set(key, parseFigure({ text, key, value: values.join('='), bounds: bounds[key] }));
  }
  return fields;
}

const isField = <Field extends string>(key: string, bounds: FigureBounds<Field>): key is Field => Object.hasOwn(bounds, key);

interface TypedFigure {
  readonly text: string;
  readonly key: string;
  readonly value: string;
  readonly bounds: readonly [number, number];
}

function parseFigure({ text, key, value, bounds: [least, most] }: TypedFigure): number {
  const figure = Number(value);
  if (!/^\d+(\.\d+)?$/.test(value)) throw new PlumbfoxError('bad-input', `Link "${text}": ${key} must be a number, not "${value}"`);
  if (figure < least || figure > most) throw new PlumbfoxError('bad-input', `Link "${text}": ${key} must lie between ${least} and ${most}`);
  return figure;
}

/**
 * Splits `a,b` and `rtt=..,down=..;name` into one text per link: links are separated by `;`, names also by commas.
 * @throws PlumbfoxError `bad-input` when none is named.
 */
export function splitLinks(text: string): readonly string[] {
  const parts = text.split(';').flatMap((part) => (part.includes('=') ? splitFigures(part) : part.split(',')));
  const named = parts.map((part) => part.trim()).filter((part) => part !== '');
  if (named.length === 0) throw new PlumbfoxError('bad-input', 'No link is named');
  return named;
}

/** `far-2m,rtt=1,down=2,rtt=3,down=4`: a name or a new `rtt` begins the next link. */
function splitFigures(text: string): string[] {
  const links: string[] = [];
  for (const piece of text.split(',')) {
    const previous = links.at(-1);
    const begins =
      previous === undefined || !piece.includes('=') || !previous.includes('=') || keys(previous).includes(keys(piece)[0] as string);
    if (begins) links.push(piece);
    else links[links.length - 1] = `${previous},${piece}`;
  }
  return links;
}

const keys = (figures: string): string[] => figures.split(',').map((figure) => (figure.split('=')[0] ?? '').trim());
