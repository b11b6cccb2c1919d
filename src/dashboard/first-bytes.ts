/** The section on first bytes over new and reused connections, by site and network. It is made when it is opened; a worker reads the loads. */
import { readLinkNames } from '../adapters/field-storage.ts';
import type { DataReply } from '../protocol/data-request.ts';
import { attempt, create, pageElement } from '../views/page.ts';
import { linkLabel } from '../views/prediction-view.ts';
import { fixedText, text } from '../views/text.ts';
import { askWorker } from './data.ts';
import { createDrawn, onRedrawOrResize, pictureWidth } from './drawn.ts';
import { firstBytesView } from './first-bytes-view.ts';
import { countedChoice, fillChoices } from './tables.ts';

type Reply = Extract<DataReply, { kind: 'first-bytes' }>;

const MAX_WIDTH = 560;

const [site, network] = [document.createElement('select'), document.createElement('select')];
/** The first note stays where it is, so that it is read aloud when it changes. */
const status = create('p', { className: 'quiet' });
status.setAttribute('role', 'status');
const choices = create('div', { className: 'filters' });
const notes = create('div', { className: 'quiet' });
const curves = createDrawn('first-bytes');
let shown: Reply | undefined;
/** The last request: answers to earlier ones are no longer wanted. */
let asked = 0;

/** Reads the loads of the chosen site and network, and draws. */
export async function showFirstBytes(): Promise<void> {
  if (!status.isConnected) {
    choices.append(
      create('label', { className: 'field' }, `${fixedText('Site')} `, site),
      create('label', { className: 'field' }, `${fixedText('Network')} `, network),
    );
    pageElement('first-bytes-content', HTMLElement).replaceChildren(choices, status, notes, curves.element);
    for (const choice of [site, network]) {
      choice.disabled = true;
      choice.addEventListener('change', () => attempt('failed.firstBytes', showFirstBytes));
    }
    onRedrawOrResize(drawAgain);
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
  if (own !== asked || reply.kind !== 'first-bytes') return;
  shown = reply;
  draw(reply);
}

function drawAgain(): void {
  if (shown !== undefined) draw(shown);
}

function draw({ answer, sites, networks }: Reply): void {
  fillChoices(site, [{ value: '', label: fixedText('all sites') }, ...sites.map((own) => countedChoice(own.site, own.site, own.loads))]);
  fillChoices(network, [
    { value: '', label: fixedText('all networks') },
    ...networks.map(({ link, loads }) => countedChoice(link.id, linkLabel(link), loads)),
  ]);
  for (const choice of [site, network]) choice.disabled = false;
  choices.hidden = sites.length === 0;
  const view = firstBytesView(answer, pictureWidth(status, MAX_WIDTH));
  status.textContent = view.basis;
  notes.replaceChildren(...view.notes.map((note) => create('p', {}, note)));
  curves.show(view.drawn);
}
