/** `_locales/de` as the pages look it up: call before they are imported. */
import { vi } from 'vitest';
import { CATALOGUE } from '../../src/core/profiles/catalogue.ts';
import {
  FORMS_END,
  messageKey,
  PREFERENCE_TABLES,
  preferenceKey,
  STATIC_TABLE_KEY,
  staticTable,
} from '../../src/core/text/packed-texts.ts';
import { jsonOf } from '../repo/support/source-tree.ts';

export function speakGerman(): void {
  const german = jsonOf('_locales/de/messages.json') as Readonly<Record<string, { readonly message: string }>>;
  const texts = new Map(Object.entries(german).map(([name, { message }]) => [name, message] as const));
  const statics = staticTable([...texts].filter(([name]) => name.startsWith('page_')));
  const said = new Map<string, string>([
    [STATIC_TABLE_KEY, statics],
    ...PREFERENCE_TABLES.map(
      (table) => [table, CATALOGUE.map(({ preference }) => texts.get(preferenceKey(table, preference)) ?? '').join('\n')] as const,
    ),
  ]);
  const formsOf = (name: string) => ['one', 'other'].flatMap((form) => texts.get(messageKey(name, form)) ?? []);
  const getMessage = (name: string) => said.get(name) ?? texts.get(name) ?? formsOf(name).join(FORMS_END);
  vi.stubGlobal('browser', { i18n: { getMessage } });
  vi.resetModules();
  Reflect.set(Intl, 'NumberFormat', GermanNumberFormat);
}

/** Where no locale is given, it is the person's. */
class GermanNumberFormat extends Intl.NumberFormat {
  constructor(locales: Intl.LocalesArgument = 'de', options?: Intl.NumberFormatOptions) {
    super(locales, options);
  }
}
