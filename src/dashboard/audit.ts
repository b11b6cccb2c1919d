/** The field for a tweak list: what is pasted is judged on this page, and nothing of it is kept or sent. */
import { browser } from '../adapters/browser.ts';
import { attempt, create, pageElement, setOptionalText } from '../views/page.ts';
import { type AuditView, auditView } from './audit-view.ts';
import { rowGroup } from './tables.ts';

/** Judges the list whenever the button is pressed. */
export function watchAudit(): void {
  pageElement('audit-start', HTMLButtonElement).addEventListener('click', () =>
    attempt('failed.audit', async () => {
      const [{ version }, { os }] = await Promise.all([browser.runtime.getBrowserInfo(), browser.runtime.getPlatformInfo()]);
      const running = {
        major: Number.parseInt(version, 10),
        platform: os === 'android' ? 'android' : os === 'win' ? 'windows' : 'desktop',
      } as const;
      renderAudit(auditView(pageElement('audit-list', HTMLTextAreaElement).value, running));
    }),
  );
}

function renderAudit({ status, groups }: AuditView): void {
  setOptionalText('audit-status', status);
  const table = pageElement('audit-table', HTMLTableElement);
  for (const body of [...table.tBodies]) body.remove();
  table.append(
    ...groups.map(({ heading, rows }) =>
      rowGroup({
        heading,
        columns: 3,
        rows: rows.map(({ line, preference, sentence }) =>
          create(
            'tr',
            {},
            create('td', {}, line),
            create('th', { scope: 'row' }, create('code', {}, preference)),
            create('td', {}, sentence),
          ),
        ),
      }),
    ),
  );
  table.hidden = groups.length === 0;
}
