import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { serviceNames } from '#libs/contracts';
import { migrationJobSettings } from '#libs/platform';
import { stackSettings } from '../stack/settings.js';
import { type DeployedProcess, deployedProcesses, settingsSchemaOf } from './process-settings.js';

const textOf = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');

interface Row {
  readBy: string;
  value: string;
}
type Rows = Map<string, Row>;

/** These defaults depend on the machine, so no document can contain them. */
const machineDependentSettings = ['HASHING_CONCURRENCY'];

/** The default as docs/operations/settings.md shows it. For a field without one: `none` if it is optional, otherwise `required`. */
function defaultOf(field: z.core.$ZodType): string {
  const { def } = field._zod;
  if (def.type === 'optional') return 'none';
  if (def.type !== 'default') return 'required';
  const value = (def as z.core.$ZodDefaultDef).defaultValue;
  if (Array.isArray(value) && value.length === 0) return 'none';
  if (typeof value === 'object' && value !== null && 'windowSeconds' in value) {
    const { count, windowSeconds } = value as { count: number; windowSeconds: number };
    return `\`${count}/${windowSeconds}\``;
  }
  return `\`${String(value)}\``;
}

/** These processes as docs/operations/settings.md names them. */
function readersOf(processes: DeployedProcess[]): string {
  if (processes.length === deployedProcesses.length) return 'every process';
  if (!serviceNames.every((name) => processes.includes(name))) return processes.join(', ');
  const others = processes.filter((name) => !(serviceNames as readonly string[]).includes(name));
  return [...others, 'every service'].join(', ');
}

async function declaredRows(): Promise<Rows> {
  const declarations = new Map<string, { readers: DeployedProcess[]; values: Set<string> }>();
  for (const process of deployedProcesses) {
    for (const [name, field] of Object.entries((await settingsSchemaOf(process)).shape)) {
      const { readers, values } = declarations.get(name) ?? { readers: [], values: new Set() };
      declarations.set(name, { readers: [...readers, process], values: values.add(defaultOf(field)) });
    }
  }
  const rows: Rows = new Map();
  for (const [name, { readers, values }] of declarations) {
    // A setting is required if one process requires it.
    const [value, ...others] = values.has('required') ? ['required'] : [...values];
    if (value === undefined || others.length > 0)
      throw new Error(`The defaults of ${name} differ: ${[...values].join(', ')}`);
    rows.set(name, { readBy: readersOf(readers), value });
  }
  const otherPrograms = { 'migration program': migrationJobSettings, '`npm start`': stackSettings };
  for (const [readBy, schema] of Object.entries(otherPrograms)) {
    for (const [name, field] of Object.entries(schema.shape)) {
      if (!rows.has(name)) rows.set(name, { readBy, value: defaultOf(field) });
    }
  }
  return rows;
}

/** From the tables that have these column headings. The first cell of a row may name several settings. */
function documentedRows(headings: string[]): { name: string; cells: string[] }[] {
  const parts = textOf('docs/operations/settings.md').split(/\n\n/);
  const cellsOf = (line: string) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
  const tables = parts.filter((part) => cellsOf(part.split('\n')[0]!).join() === headings.join());
  return tables
    .flatMap((table) => table.trimEnd().split('\n').slice(2))
    .map(cellsOf)
    .flatMap(([names = '', ...cells]) =>
      [...names.matchAll(/`(\w+)`/g)].map(([, name]) => ({ name: name!, cells })),
    );
}

const sorted = (names: Iterable<string>) => [...names].sort();

describe('every setting is documented', () => {
  let declared: Rows;
  beforeAll(async () => {
    declared = await declaredRows();
  });

  test('once in docs/operations/settings.md, with its readers and its default', () => {
    const documented = documentedRows(['setting', 'read by', 'default', 'meaning']);
    expect(sorted(documented.map(({ name }) => name))).toEqual(sorted(declared.keys()));
    for (const { name, cells } of documented) {
      const [readBy, value, meaning] = cells;
      const { readBy: readers, value: expected } = declared.get(name)!;
      const isFixed = !machineDependentSettings.includes(name);
      expect({ name, readBy, value: isFixed ? value : expected }).toEqual({
        name,
        readBy: readers,
        value: expected,
      });
      expect(meaning).toMatch(/\w/);
    }
  });

  test('in .env.example: with a value, commented out, or in the list of settings that are not for this file', () => {
    const example = textOf('.env.example');
    const [forThisFile = '', notForThisFile = ''] = example.split(/^# --- Set by the stack.*$/m);
    const examples = [...forThisFile.matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name!);
    const listed = [...notForThisFile.matchAll(/\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/g)].map(([name]) => name);
    const standInSettings = ['google', 'mail', 'paypal'].flatMap((name) =>
      [
        ...textOf(`dev/stand-ins/${name}/main.ts`).matchAll(
          /\b(?:GOOGLE_STAND_IN|MAIL_CATCHER|PAYPAL_SIMULATOR)_[A-Z_]+\b/g,
        ),
      ].map(([variable]) => variable),
    );
    // CHROME_PATH is only for tests.
    const known = new Set([...declared.keys(), ...standInSettings, 'CHROME_PATH']);
    expect(sorted(new Set([...examples, ...listed]))).toEqual(sorted(known));
    expect(sorted(examples)).toEqual(sorted(new Set(examples)));
  });

  test('in the last table of docs/operations/settings.md, if only the Compose file uses it', () => {
    const used = [...textOf('docker-compose.yml').matchAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g)];
    const onlyInCompose = used.filter(([, name]) => !declared.has(name!));
    const documented = documentedRows(['setting', 'default', 'meaning']);
    expect(sorted(documented.map(({ name }) => name))).toEqual(
      sorted(new Set(onlyInCompose.map(([, name]) => name!))),
    );
    for (const { name, cells } of documented) {
      const [, , kind, value] = onlyInCompose.find(([, other]) => other === name)!;
      expect({ name, value: cells[0] }).toEqual({ name, value: kind === '?' ? 'required' : `\`${value}\`` });
    }
  });
});
