import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import type { Field } from './field.js';
import { fieldFault, isAddress, maxTextLength, ruleMessages } from './rules.js';
import { bodySchemaForCreate, recordSchema, bodySchemaForUpdate } from './schema.js';
import type { Section } from './section.js';
import { allSections, sections } from './site.js';

function valueFor(field: Field): string {
  switch (field.kind) {
    case 'link':
    case 'image':
      return 'https://example.com/a';
    case 'price':
      return '499.00';
    case 'choice':
      return field.options?.[0] ?? '';
    case 'text':
    case 'longText':
      return 'Some text';
  }
}

function bodyFor(section: Section): Record<string, string> {
  return Object.fromEntries(Object.entries(section.fields).map(([name, field]) => [name, valueFor(field)]));
}

/** The first message about each field. */
function faults(schema: z.ZodType, input: unknown): Record<string, string> {
  const { error } = schema.safeParse(input);
  return Object.fromEntries(
    (error?.issues ?? [])
      .flatMap((issue) =>
        (issue.code === 'unrecognized_keys' ? issue.keys : [issue.path.join('.')]).map(
          (f) => [f, issue.message] as const,
        ),
      )
      .reverse(),
  );
}

const fieldCases = allSections.flatMap((section) =>
  Object.entries(section.fields).map(([name, field]) => ({
    title: `${section.name}.${name}`,
    section,
    name,
    field,
  })),
);
const requiredCases = fieldCases.filter(({ field }) => field.required);
const optionalCases = fieldCases.filter(({ field }) => !field.required);
const addressCases = fieldCases.filter(({ field }) => field.kind === 'link' || field.kind === 'image');

describe.each(allSections.map((section) => [section.name, section] as const))(
  'the body of %s',
  (_name, section) => {
    const create = bodySchemaForCreate(section);
    const update = bodySchemaForUpdate(section);

    test('is accepted with every declared field', () => {
      expect(create.parse(bodyFor(section))).toEqual(bodyFor(section));
      expect(update.parse(bodyFor(section))).toEqual(bodyFor(section));
    });

    test('may contain server-managed fields if it updates a record (they are ignored), but not if it creates one', () => {
      const meta = { _id: 'x', createdAt: 'yesterday', updatedAt: 7, version: [] };
      expect(update.parse({ ...bodyFor(section), ...meta })).toEqual(bodyFor(section));
      expect(Object.keys(faults(create, { ...bodyFor(section), ...meta })).sort()).toEqual(
        Object.keys(meta).sort(),
      );
    });

    test('is refused with an unknown field, whatever its name', () => {
      for (const name of ['extra', '__proto__', 'constructor', 'toString', '']) {
        const body = JSON.parse(
          JSON.stringify(bodyFor(section)).replace('{', `{${JSON.stringify(name)}:"x",`),
        ) as unknown;
        for (const schema of [create, update])
          expect(Object.getOwnPropertyNames(faults(schema, body))).toEqual([name]);
      }
    });

    test.each([[null], [[]], ['text'], [7], [[{}]]])('is refused when it is %j', (body) => {
      expect(create.safeParse(body).success).toBe(false);
      expect(update.safeParse(body).success).toBe(false);
    });

    test('has a JSON Schema with its fields', () => {
      const required = requiredCases.filter((each) => each.section === section).map(({ name }) => name);
      for (const schema of [create, update]) {
        const described = z.toJSONSchema(schema, { io: 'input' });
        expect(described.required).toEqual(required);
        expect(described.additionalProperties).toBe(false);
        expect(Object.keys(described.properties ?? {})).toEqual(
          expect.arrayContaining(Object.keys(section.fields)),
        );
      }
    });
  },
);

test.each(allSections)(
  'an old record of $name may lack all fields but those that the server adds',
  (section) => {
    const meta = {
      _id: 'x',
      createdAt: new Date(0).toISOString(),
      updatedAt: new Date(0).toISOString(),
      version: 1,
    };
    expect(recordSchema(section).parse(meta)).toEqual(meta);
    expect(z.toJSONSchema(recordSchema(section)).required).toEqual(Object.keys(meta));
  },
);

const notTextMessage = ({ kind, options }: Field) =>
  kind === 'choice' ? ruleMessages.notAnOption(options ?? []) : 'must be text';

describe.each(requiredCases)('$title is required', ({ section, name, field }) => {
  const create = bodySchemaForCreate(section);

  test.each([[undefined], [''], [' '], ['\t \n'], ['\u00a0']])('%j is refused', (value) => {
    expect(faults(create, { ...bodyFor(section), [name]: value })).toEqual({
      [name]: expect.stringContaining('is required'),
    });
    expect(faults(bodySchemaForUpdate(section), { ...bodyFor(section), [name]: value })).toEqual({
      [name]: expect.stringContaining('is required'),
    });
  });

  test.each([[null], [7], [true], [['text']], [{ text: 'text' }]])('%j is not text', (value) => {
    expect(faults(create, { ...bodyFor(section), [name]: value })).toEqual({ [name]: notTextMessage(field) });
  });
});

describe.each(optionalCases)('$title is optional', ({ section, name, field }) => {
  test('may be left out or cleared', () => {
    const { [name]: _omitted, ...rest } = bodyFor(section);
    for (const schema of [bodySchemaForCreate(section), bodySchemaForUpdate(section)]) {
      expect(schema.parse(rest)).not.toHaveProperty(name);
      expect(schema.parse({ ...rest, [name]: '' })).toHaveProperty(name, '');
    }
  });

  test.each([[null], [7], [' ']])('%j is refused', (value) => {
    const isBlankText = value === ' ' && field.kind !== 'choice';
    expect(faults(bodySchemaForCreate(section), { ...bodyFor(section), [name]: value })).toEqual({
      [name]: isBlankText ? ruleMessages.blank : notTextMessage(field),
    });
  });
});

describe.each(fieldCases.filter(({ field }) => field.kind === 'text' || field.kind === 'longText'))(
  '$title is text',
  ({ section, name }) => {
    const create = bodySchemaForCreate(section);
    const withValue = (value: string) => ({ ...bodyFor(section), [name]: value });

    test(`holds at most ${maxTextLength} characters`, () => {
      expect(create.safeParse(withValue('x'.repeat(maxTextLength))).success).toBe(true);
      expect(faults(create, withValue('x'.repeat(maxTextLength + 1)))).toEqual({
        [name]: 'must have at most 10,000 characters',
      });
    });

    test('refuses text that cannot be stored', () => {
      for (const value of ['a\0b', 'a\ud800', '\udc00b'])
        expect(faults(create, withValue(value))).toEqual({ [name]: ruleMessages.unstorable });
    });

    test('keeps any other text as typed', () => {
      for (const value of [
        ' a ',
        '<script>alert(1)</script>',
        '😀',
        'א',
        '__proto__',
        '"; DROP TABLE entries; --',
      ]) {
        expect(create.parse(withValue(value))).toHaveProperty(name, value);
      }
    });
  },
);

const addresses = [
  'https://example.com',
  'HTTP://EXAMPLE.COM/a?b=c#d',
  'https://exämple.com/ä',
  'mailto:a@example.com',
  'tel:+12075550142',
  '/',
  '/pricing/',
  '/demo/logo.svg?v=2#top',
  '#contact',
  '/a//b',
  '/javascript:alert(1)',
  'https://example.com/%6Aavascript:alert(1)',
];
const invalidAddresses = [
  'javascript:alert(1)',
  'JAVASCRIPT:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  'java\nscript:alert(1)',
  'java\rscript:alert(1)',
  '\tjavascript:alert(1)',
  ' javascript:alert(1)',
  '\u0001javascript:alert(1)',
  '\u00a0javascript:alert(1)',
  '\ufeffjavascript:alert(1)',
  'javascript\t:alert(1)',
  'javascript&colon;alert(1)',
  '&#106;avascript:alert(1)',
  'javascript%3Aalert(1)',
  '%6Aavascript:alert(1)',
  'javascript://example.com/%0Aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'DATA:image/svg+xml;base64,PHN2Zz4=',
  'vbscript:msgbox(1)',
  'blob:https://example.com/x',
  'filesystem:https://example.com/x',
  'file:///etc/passwd',
  'ftp://example.com',
  'view-source:https://example.com',
  'about:blank',
  'ws://example.com',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\/evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '\\evil.example',
  'http:\\\\evil.example',
  '',
  'pricing',
  'www.example.com',
  'example.com/a',
  '?a=b',
  './a',
  '../a',
  'https://',
  'https:// example.com',
  'https://example.com/a b',
  'https://exam\tple.com',
  'https://example.com:99999/',
];

describe('isAddress', () => {
  test.each(addresses)('accepts %j', (value) => expect(isAddress(value)).toBe(true));
  test.each(invalidAddresses)('refuses %j', (value) => expect(isAddress(value)).toBe(false));

  test('never accepts an address that runs code in a browser, or that looks like a path but leads to another site', () => {
    const hostile = fc
      .array(
        fc.constantFrom(
          'j',
          'javascript',
          ':',
          '/',
          '\\',
          '\t',
          '\n',
          ' ',
          '#',
          'data',
          'https',
          'evil.example',
          '%3A',
          '.',
          '@',
        ),
        {
          maxLength: 8,
        },
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(hostile, (value) => {
        if (!isAddress(value)) return true;
        const resolved = new URL(value, 'https://own.example/page/');
        const isOwnOrHasScheme = resolved.host === 'own.example' || /^(https?|mailto|tel):/i.test(value);
        return ['http:', 'https:', 'mailto:', 'tel:'].includes(resolved.protocol) && isOwnOrHasScheme;
      }),
      { numRuns: 5_000 },
    );
  });

  test.each(addressCases)('$title holds an address', ({ section, name }) => {
    const create = bodySchemaForCreate(section);
    expect(create.parse({ ...bodyFor(section), [name]: '/a' })).toHaveProperty(name, '/a');
    for (const value of ['javascript:alert(1)', '//evil.example', 'data:text/html,x']) {
      expect(faults(create, { ...bodyFor(section), [name]: value })).toEqual({
        [name]: expect.stringContaining('must be an address'),
      });
    }
  });
});

describe('packagePrice', () => {
  const withPrice = (packagePrice: unknown) => ({ ...bodyFor(sections.pricingPackage), packagePrice });
  const create = bodySchemaForCreate(sections.pricingPackage);

  test.each(['1', '10', '499.00', '499.5', '0.01', '0.10', '9999999.99'])('keeps %j as typed', (price) => {
    expect(create.parse(withPrice(price))).toHaveProperty('packagePrice', price);
  });

  test.each([
    ...[
      '0',
      '0.00',
      '00',
      '1e3',
      '01',
      '1.234',
      '-1',
      '+1',
      ' 5',
      '5 ',
      '5\n',
      '.5',
      '5.',
      '1,000',
      '1 000',
      '$5',
      '５',
    ],
    ...['NaN', 'Infinity', '0x10', '10000000', '1.2.3', 'abc', 5, null],
  ])('refuses %j', (price) => {
    const message = typeof price === 'string' ? ruleMessages.notAPrice : 'must be text';
    expect(faults(create, withPrice(price))).toEqual({ packagePrice: message });
  });
});

test('a choice refuses values other than its options', () => {
  const create = bodySchemaForCreate(sections.designItem);
  for (const value of ['facebook', 'Facebook ', 'Tiktok', 7]) {
    expect(faults(create, { ...bodyFor(sections.designItem), format: value })).toEqual({
      format: 'must be one of Facebook, Instagram, Youtube',
    });
  }
});

describe.each(fieldCases)('$title: `fieldFault` and the schema', ({ section, name, field }) => {
  const create = bodySchemaForCreate(section);
  const values = [
    '',
    ' ',
    'text',
    '/path',
    'javascript:alert(1)',
    '5',
    '0',
    '1.234',
    'a\0b',
    valueFor(field),
  ];

  const tooLong = 'x'.repeat(maxTextLength + 1);
  const titled = [...values, tooLong].map((value) => [value.slice(0, 20), value] as const);
  test.each(titled)('agree about %j', (_start, value) => {
    const message = faults(create, { ...bodyFor(section), [name]: value })[name];
    expect(fieldFault(field, value)).toBe(message);
  });
});
