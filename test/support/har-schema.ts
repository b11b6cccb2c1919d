/** The JSON schema of HAR 1.2 (`test/fixtures/har-schema`) as a function: what is wrong with a HAR, line by line. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';

const FOLDER = fileURLToPath(new URL('../fixtures/har-schema/', import.meta.url));
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/;

/** What the schema finds wrong; nothing for a valid HAR. */
export function harFaults(har: unknown): readonly string[] {
  // `min`, `optional` and `unique` are no keywords of JSON Schema.
  const ajv = new Ajv({ strict: false, allErrors: true });
  ajv.addFormat('date-time', (text) => Number.isFinite(Date.parse(text)));
  ajv.addFormat('uri', (text) => URL.canParse(text));
  ajv.addFormat('ipv4', IPV4);
  ajv.addFormat('ipv6', (text) => text.includes(':') && URL.canParse(`http://[${text}]/`));
  for (const name of readdirSync(FOLDER).filter((each) => each.endsWith('.json'))) {
    // ajv 8 knows draft 7, of which draft 6 is a part.
    const { $schema: _, ...schema } = JSON.parse(readFileSync(`${FOLDER}${name}`, 'utf8')) as Record<string, unknown>;
    ajv.addSchema(schema);
  }
  const validate = ajv.getSchema('har.json#');
  if (validate === undefined) throw new Error('There is no har.json');
  return validate(har) === true ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
