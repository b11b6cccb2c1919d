/** An applier that runs where it belongs, in a page of the extension, and is called from a test; errors come back as data. */
import { build } from 'esbuild';
import type { Applier } from '../../src/core/profiles/profile.ts';
import type { ExtensionFirefox } from './extension-firefox.ts';

interface Source {
  readonly kind: Applier['kind'];
  /** A module that exports `applier`; paths are from the root of the repository. */
  readonly module: string;
}

/** `firefox`: asked for with each call, since it may be another by then; the page is given the applier when it has none. */
export function pageApplier(firefox: () => ExtensionFirefox, { kind, module }: Source): Applier {
  const bundled = build({
    stdin: { contents: module, resolveDir: '.' },
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'pageApplier',
  });

  async function call(method: 'apply' | 'readBack' | 'revert', ...values: unknown[]): Promise<unknown> {
    const { popup } = firefox();
    if (!(await popup.evaluate(() => 'pageApplier' in globalThis))) {
      await popup.evaluate(`${(await bundled).outputFiles[0]?.text ?? ''}; globalThis.pageApplier = pageApplier;`);
    }
    const text = await popup.evaluate(
      async (name, given) => {
        const { applier } = (globalThis as unknown as { pageApplier: { applier: Record<string, (...all: unknown[]) => unknown> } })
          .pageApplier;
        try {
          return JSON.stringify({ value: await applier[name]?.(...JSON.parse(given)) });
        } catch (error) {
          return JSON.stringify({ failure: { kind: (error as { kind?: string }).kind, message: String(error) } });
        }
      },
      method,
      JSON.stringify(values),
    );
    const answer = JSON.parse(text) as { value?: unknown; failure?: { kind: string; message: string } };
    if (answer.failure) throw Object.assign(new Error(answer.failure.message), { kind: answer.failure.kind });
    return answer.value;
  }

  return {
    kind,
    takesEffect: 'at-start',
    apply: (profile, options) => call('apply', profile, options) as ReturnType<Applier['apply']>,
    readBack: () => call('readBack') as ReturnType<Applier['readBack']>,
    revert: () => call('revert') as ReturnType<Applier['revert']>,
  };
}
