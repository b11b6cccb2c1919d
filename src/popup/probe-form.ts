/**
 * Counting connections from a computer beside this one: the address that `plumbfox probe --listen` prints is opened in a tab, whose page shows
 * what was counted. Not from this page: its policy turns http into https, save on loopback.
 */
import { browser } from '../adapters/browser.ts';
import { pageElement } from '../views/page-element.ts';
import type { ByHandActions } from './manual.ts';
import { probeAddress } from './probe-address.ts';

const NOT_ONE = 'Enter the address that plumbfox probe prints, such as http://192.168.1.5:40123/…/';

export function wireProbe({ attempt }: Pick<ByHandActions, 'attempt'>): void {
  const field = pageElement('probe-address', HTMLInputElement);
  field.addEventListener('input', () => field.setCustomValidity(''));
  pageElement('probe-form', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    const url = probeAddress(field.value);
    field.setCustomValidity(url === undefined ? NOT_ONE : '');
    if (url === undefined) {
      field.reportValidity();
      return undefined;
    }
    return attempt('The probe could not be opened', async () => {
      await browser.tabs.create({ url });
    });
  });
}
