import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';

/** Only what the search for unknown properties needs. */
interface Schema {
  $ref?: string;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: unknown;
}

interface Response {
  $ref?: string;
  content?: Record<string, { schema: Schema }>;
}

interface Description {
  paths: Record<string, Record<string, { responses: Record<string, Response> }>>;
  components: { schemas: Record<string, Schema>; responses?: Record<string, Response> };
}

const fileNames = [
  'checkout_orders_v2',
  'payments_payment_v2',
  'catalogs_products_v1',
  'billing_subscriptions_v1',
  'notifications_webhooks_v1',
];
/** Where a schema is: the name of the file, and the JSON pointer within it. */
const addressOf = (file: string, pointer: string) => `${file}#${pointer}`;

/** PayPal's OpenAPI files: what each operation may answer. */
export class Descriptions {
  private readonly ajv = new Ajv({
    strict: false,
    allErrors: true,
    logger: false,
    // Some of PayPal's patterns are not valid in Unicode mode.
    unicodeRegExp: false,
    formats: {
      'date-time': (text: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text),
      uri: (text: string) => URL.canParse(text),
    },
  });
  private readonly files: Map<string, Description>;

  constructor(folder: string) {
    this.files = new Map(
      fileNames.map((name) => [
        name,
        JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Description,
      ]),
    );
    for (const [name, content] of this.files) this.ajv.addSchema(content, name);
  }

  /** Null if the answer has no body, undefined if PayPal describes no such answer. */
  addressOfAnswerSchema(method: string, path: string, status: number): string | null | undefined {
    for (const [file, { paths, components }] of this.files) {
      const template = Object.keys(paths).find((known) => patternOf(known).test(path));
      const responses = template && paths[template]![method.toLowerCase()]?.responses;
      if (!responses) continue;
      const key = Object.hasOwn(responses, String(status)) ? String(status) : 'default';
      // `default` describes error responses.
      if (key === 'default' && status < 400) return undefined;
      const response = responses[key];
      if (!response) return undefined;
      const name = response.$ref?.split('/').at(-1);
      const pointer = name
        ? `/components/responses/${name}`
        : `/paths/${escape(template)}/${method.toLowerCase()}/responses/${key}`;
      const { content } = name ? components.responses![name]! : response;
      return content ? addressOf(file, `${pointer}/content/${escape('application/json')}/schema`) : null;
    }
    return undefined;
  }

  addressOfSchema(file: string, name: string): string {
    return addressOf(file, `/components/schemas/${name}`);
  }

  /** Violations of the schema at the address, and properties that the schema does not describe. */
  findFaults(value: unknown, address: string): string[] {
    // A path template in the address has braces, which must be encoded in a `$ref`.
    const validate = this.ajv.compile({ $ref: address.replace(/\{/g, '%7B').replace(/\}/g, '%7D') });
    validate(value);
    // If no alternative of an anyOf or oneOf matches, one error says so. The errors of each inline alternative are left out.
    const violations = (validate.errors ?? [])
      .filter(({ schemaPath }) => !/\/(any|one)Of\/\d/.test(schemaPath))
      .map(
        ({ instancePath, message }) =>
          `${instancePath} ${message}: ${JSON.stringify(valueAt(value, stepsOf(instancePath)))}`,
      );
    const [file = '', pointer = ''] = address.split('#');
    return [...violations, ...this.unknownProperties(value, [this.resolve(pointer, file)], file, '')];
  }

  /** Needed because Ajv accepts unknown properties, even misspelled ones. */
  private unknownProperties(value: unknown, schemas: Schema[], file: string, path: string): string[] {
    const flat = schemas.flatMap((schema) => this.flatten(schema, file));
    if (Array.isArray(value)) {
      const items = flat.flatMap((schema) => (schema.items ? [schema.items] : []));
      return (value as unknown[]).flatMap((item, index) =>
        this.unknownProperties(item, items, file, `${path}/${index}`),
      );
    }
    if (
      typeof value !== 'object' ||
      value === null ||
      flat.some((schema) => schema.additionalProperties === true)
    )
      return [];
    return Object.entries(value).flatMap(([name, inner]) => {
      const known = flat.flatMap((schema) => schema.properties?.[name] ?? []);
      return known.length === 0
        ? [`${path}/${name} is not described`]
        : this.unknownProperties(inner, known, file, `${path}/${name}`);
    });
  }

  private flatten(schema: Schema, file: string): Schema[] {
    const parts = [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
    const named = schema.$ref ? [this.resolve(schema.$ref.slice(1), file)] : [];
    return [schema, ...[...parts, ...named].flatMap((part) => this.flatten(part, file))];
  }

  private resolve(pointer: string, file: string): Schema {
    return valueAt(this.files.get(file), stepsOf(pointer)) as Schema;
  }
}

const escape = (step: string) => step.replaceAll('~', '~0').replaceAll('/', '~1');
const unescape = (step: string) => step.replaceAll('~1', '/').replaceAll('~0', '~');
const patternOf = (template: string) => new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
const stepsOf = (pointer: string) => pointer.split('/').slice(1).map(unescape);
const valueAt = (value: unknown, steps: string[]) =>
  steps.reduce((inner, step) => (inner as Record<string, unknown>)[step], value);
