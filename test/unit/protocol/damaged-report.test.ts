import * as v from 'valibot';
import { expect, it } from 'vitest';
import { damagedReport } from '../../../src/protocol/parse-report.ts';

function refusal(schema: v.GenericSchema, value: unknown) {
  const result = v.safeParse(schema, value);
  if (result.success) throw new Error('was accepted');
  const { kind, message } = damagedReport(result.issues);
  return { kind, message };
}

it('names the first field that is wrong, or the whole', () => {
  const schema = v.object({ loads: v.array(v.object({ page: v.string('no page') })), links: v.string('no link') });
  expect(refusal(schema, { loads: [{ page: 'a' }, { page: 1 }], links: 2 })).toEqual({
    ...{ kind: 'bad-input', message: 'The report is damaged at loads.1.page: no page' },
  });
  expect(refusal(v.string('no text'), 5).message).toBe('The report is damaged at the whole: no text');
});

it('says what is wrong in one line of 200 characters', () => {
  expect(refusal(v.string('a \n\t b  c'), 5).message).toBe('The report is damaged at the whole: a b c');
  expect(refusal(v.string('x'.repeat(201)), 5).message).toBe(`The report is damaged at the whole: ${'x'.repeat(200)}`);
});
