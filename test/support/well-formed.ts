/** Whether a text is well-formed XML as far as a drawing needs it: tags closed in order, attributes quoted and once, nothing left unescaped. */

const ATTRIBUTE = /\s+([a-zA-Z_:][\w:.-]*)="([^"<]*)"/gy;
const ENTITY = /&(?!(?:amp|lt|gt|quot|#39|apos);)/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML 1.0, section 2.2, does not allow.
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\uFFFE\uFFFF]|\p{Cs}/u;

/** The first fault, in words; `undefined`: there is none. */
export function xmlFault(text: string): string | undefined {
  if (FORBIDDEN.test(text)) return 'a character that XML cannot hold';
  if (ENTITY.test(text)) return 'an ampersand that is not escaped';
  const open: string[] = [];
  let roots = 0;
  for (const [, slash, name = '', rest = ''] of text.matchAll(/<(\/?)([^\s/>]*)([^>]*)>/g)) {
    if (!/^[a-zA-Z][\w-]*$/.test(name)) return `a tag named ${name}`;
    if (slash === '/') {
      if (open.pop() !== name) return `</${name}> closes another`;
      continue;
    }
    const attributes = rest.replace(/\/$/, '');
    const names = [...attributes.matchAll(ATTRIBUTE)].map(([, attribute]) => attribute);
    if (attributes.replace(ATTRIBUTE, '').trim() !== '') return `attributes of ${name}: ${attributes}`;
    if (new Set(names).size !== names.length) return `an attribute of ${name} twice`;
    if (open.length === 0) roots += 1;
    if (!rest.endsWith('/')) open.push(name);
  }
  if (open.length > 0) return `${open.at(-1)} is not closed`;
  if (/[<>]/.test(text.replace(/<[^>]*>/g, ''))) return 'a bracket that is not escaped';
  return roots === 1 ? undefined : `${roots} roots`;
}
