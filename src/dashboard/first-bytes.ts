/** The section on first bytes over new and reused connections, by site and network. It is made when it is opened; a worker reads the loads. */
import { readLinkNames } from '../adapters/field-storage.ts';
import type { DataReply } from '../protocol/data-request.ts';
import { attempt, create, pageElement } from '../views/page.ts';
import { linkLabel } from '../views/prediction-view.ts';
import { fixedText, text } from '../views/text.ts';
import { askWorker } from './data.ts';
import { picture, table } from './drawn.ts';
import { firstBytesView } from './first-bytes-view.ts';

type Reply = Extract<DataReply, { kind: 'first-bytes' }>;

const [MIN_WIDTH, MAX_WIDTH] = [330, 560];

const [site, network] = [document.createElement('select'), document.createElement('select')];
/** The first note stays where it is, so that it is read aloud when it changes. */
const status = create('p', { className: 'quiet' });
status.setAttribute('role', 'status');
const result = create('div', {});
/** The last request: answers to earlier ones are no longer wanted. */
let asked = 0;

/** Reads the loads of the chosen site and network, and draws. */
export async function showFirstBytes(): Promise<void> {
  if (!result.isConnected) {
    const choices = create(
      'div',
      { className: 'filters' },
      create('label', { className: 'field' }, `${fixedText('Site')} `, site),
      create('label', { className: 'field' }, `${fixedText('Network')} `, network),
    );
    pageElement('first-bytes-content', HTMLElement).replaceChildren(choices, status, result);
    for (const choice of [site, network]) {
      choice.disabled = true;
      choice.addEventListener('change', () => attempt('failed.firstBytes', showFirstBytes));
    }
  }
  asked += 1;
  const own = asked;
  status.textContent = text('prediction.computing');
  const reply = await askWorker({
    kind: 'first-bytes',
    names: await readLinkNames(),
    ...(site.value !== '' && { site: site.value }),
    ...(network.value !== '' && { network: Number(network.value) }),
  });
  if (own === asked && reply.kind === 'first-bytes') draw(reply);
}

function draw({ answer, sites, networks }: Reply): void {
  const counted = (label: string, loads: number) => text('history.option', { label, loads: text('count.loads', { count: loads }) });
  fill(site, [
    { value: '', label: fixedText('all sites') },
    ...sites.map((own) => ({ value: own.site, label: counted(own.site, own.loads) })),
  ]);
  fill(network, [
    { value: '', label: fixedText('all networks') },
    ...networks.map(({ link, loads }) => ({ value: String(link.id), label: counted(linkLabel(link), loads) })),
  ]);
  const { basis, notes, drawn } = firstBytesView(answer, Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, result.clientWidth)));
  status.textContent = basis;
  result.replaceChildren(
    create('div', { className: 'quiet' }, ...notes.map((note) => create('p', {}, note))),
    ...(drawn === undefined ? [] : [create('div', { className: 'beside' }, picture(drawn.svg, drawn.alt), table(drawn.table))]),
  );
}

/** The choice stays, and with it the focus. */
function fill(choice: HTMLSelectElement, options: readonly { readonly value: string; readonly label: string }[]): void {
  const { value } = choice;
  choice.replaceChildren(...options.map((one) => new Option(one.label, one.value)));
  choice.value = options.some((one) => one.value === value) ? value : '';
  choice.disabled = false;
}
