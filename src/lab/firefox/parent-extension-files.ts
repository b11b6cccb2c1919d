/**
 * The files of an extension of the lab's own, which runs any script in Firefox's parent process. It is no part of what Plumbfox is built into: it
 * is written where it is installed, and only into a Firefox that a driver has started with the rights to the whole system.
 */

/** By this name its tab is known; no other extension of the lab has such a page. */
export const PARENT_PAGE = 'plumbfox-parent.html';
const NAMESPACE = 'plumbfoxParent';

const MANIFEST = {
  manifest_version: 2,
  name: 'Plumbfox lab: parent process',
  version: '1',
  browser_specific_settings: { gecko: { id: 'parent-process@lab.plumbfox.invalid' } },
  background: { scripts: ['open-page.js'], persistent: false },
  experiment_apis: {
    [NAMESPACE]: {
      schema: 'schema.json',
      parent: { scopes: ['addon_parent'], paths: [[NAMESPACE]], script: 'api.js' },
    },
  },
};

const SCHEMA = [
  {
    namespace: NAMESPACE,
    functions: [{ name: 'run', type: 'function', async: true, parameters: [{ name: 'script', type: 'string' }] }],
  },
];

/** Its address is random: a driver learns it from the tab. */
const OPEN_PAGE = `browser.tabs.create({ url: '/${PARENT_PAGE}', active: false });
`;

/**
 * In the parent process. A script sees what the browser's window has, in a sandbox such as Marionette makes (remote/marionette/evaluate.sys.mjs,
 * Firefox 140). Of an exception only a general sentence would reach the page, so that it is told as data.
 */
const API = `this.${NAMESPACE} = class extends ExtensionAPI {
  getAPI() {
    const run = async script => {
      try {
        const sandboxPrototype = Services.wm.getMostRecentWindow('navigator:browser');
        const sandbox = new Cu.Sandbox(Services.scriptSecurityManager.getSystemPrincipal(), { sandboxPrototype, wantXrays: false });
        return JSON.stringify({ answer: (await Cu.evalInSandbox(script, sandbox)) ?? null });
      } catch (error) {
        return JSON.stringify({ error: String(error) });
      }
    };
    return { ${NAMESPACE}: { run } };
  }
};
`;

/** Name to text. */
export const PARENT_EXTENSION: Readonly<Record<string, string>> = {
  'manifest.json': JSON.stringify(MANIFEST),
  'schema.json': JSON.stringify(SCHEMA),
  'api.js': API,
  'open-page.js': OPEN_PAGE,
  [PARENT_PAGE]: '<!doctype html><meta charset="utf-8"><title>Plumbfox lab</title>',
};

/** In the page: `loading`, `ready`, or `refused` where Firefox has passed over the Experiment, as it does with what was not installed by a driver. */
export const PAGE_STATE = `String(!location.href.endsWith('/${PARENT_PAGE}') || document.readyState !== 'complete' ? 'loading' : browser.${NAMESPACE} ? 'ready' : 'refused')`;

/** In the page: has `script` run, and comes to the JSON text of `{answer}` or `{error}`. */
export const runFromPage = (script: string): string => `browser.${NAMESPACE}.run(${JSON.stringify(script)})`;
