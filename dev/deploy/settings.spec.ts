import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { serviceNames } from '#libs/contracts';
import { migrationJobSettings } from '#libs/platform';
import { stackSettings } from '../stack/settings.js';
import { type DeployedProcess, deployedProcesses, settingsOf } from './process-settings.js';

const textOf = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');

/** What the documents say, or should say, of one setting. */
interface Row {
  readBy: string;
  value: string;
}
type Rows = Map<string, Row>;

/** Computed from the machine: no document can name the value. */
const dependsOnTheMachine = ['HASHING_CONCURRENCY'];

/** What it is without being set, as the tables write it. */
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

/** Who reads it: processes in one fixed order, and the services with a database by their common name. */
function readersOf(processes: DeployedProcess[]): string {
  if (processes.length === deployedProcesses.length) return 'every process';
  if (!serviceNames.every((name) => processes.includes(name))) return processes.join(', ');
  const others = processes.filter((name) => !(serviceNames as readonly string[]).includes(name));
  return [...others, 'every service'].join(', ');
}

/** From the schemas that the processes read their environments with. */
async function declaredRows(): Promise<Rows> {
  const found = new Map<string, { readers: DeployedProcess[]; values: Set<string> }>();
  for (const process of deployedProcesses) {
    for (const [name, field] of Object.entries((await settingsOf(process)).shape)) {
      const { readers, values } = found.get(name) ?? { readers: [], values: new Set() };
      found.set(name, { readers: [...readers, process], values: values.add(defaultOf(field)) });
    }
  }
  const rows: Rows = new Map();
  for (const [name, { readers, values }] of found) {
    // Where one process needs it and another does without, it has to be set.
    const value = values.has('required') ? 'required' : [...values].sort().at(-1)!;
    rows.set(name, { readBy: readersOf(readers), value });
  }
  const elsewhere = { 'migration job': migrationJobSettings, '`npm start`': stackSettings };
  for (const [readBy, schema] of Object.entries(elsewhere)) {
    for (const [name, field] of Object.entries(schema.shape)) {
      if (!rows.has(name)) rows.set(name, { readBy, value: defaultOf(field) });
    }
  }
  return rows;
}

/** The rows of a table in a section of docs/operations.md; the first cell may name several settings. */
function documentedRows(heads: string[]): { name: string; cells: string[] }[] {
  const section = /^## Settings$(.*?)^## /ms.exec(textOf('docs/operations.md'))![1]!;
  const tables = section.split(/\n\n/).filter((part) => part.startsWith('|'));
  const cellsOf = (line: string) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
  const table = tables.find((part) => cellsOf(part.split('\n')[0]!).join() === heads.join());
  if (!table) throw new Error(`There is no table of ${heads.join(', ')}`);
  return table
    .split('\n')
    .slice(2)
    .map(cellsOf)
    .flatMap(([names = '', ...cells]) =>
      [...names.matchAll(/`(\w+)`/g)].map(([, name]) => ({ name: name!, cells })),
    );
}

const sorted = (names: Iterable<string>) => [...names].sort();

describe('every setting has its place in the documents', () => {
  let declared: Rows;
  beforeAll(async () => {
    declared = await declaredRows();
  });

  test('in the table of docs/operations.md, with who reads it and what it is by default', () => {
    const documented = documentedRows(['setting', 'read by', 'default', 'meaning']);
    expect(sorted(documented.map(({ name }) => name))).toEqual(sorted(declared.keys()));
    for (const { name, cells } of documented) {
      const [readBy, value, meaning] = cells;
      const { readBy: readers, value: expected } = declared.get(name)!;
      const isFixed = !dependsOnTheMachine.includes(name);
      expect({ name, readBy, value: isFixed ? value : expected }).toEqual({
        name,
        readBy: readers,
        value: expected,
      });
      expect(meaning).toMatch(/\w/);
    }
  });

  test('in .env.example, set, suggested, or named among those that are set for each process', () => {
    const example = textOf('.env.example');
    const [own = '', set = ''] = example.split(/^# --- Set by the stack.*$/m);
    const suggested = [...own.matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name!);
    const named = [...set.matchAll(/\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/g)].map(([name]) => name);
    const standIns = ['google', 'mail', 'paypal'].flatMap((name) =>
      [
        ...textOf(`dev/stand-ins/${name}/main.ts`).matchAll(
          /\b(?:GOOGLE_STAND_IN|MAIL_CATCHER|PAYPAL_SIMULATOR)_[A-Z_]+\b/g,
        ),
      ].map(([variable]) => variable),
    );
    // The browser of the tests is no part of the product.
    const known = new Set([...declared.keys(), ...standIns, 'CHROME_PATH']);
    expect(sorted(new Set([...suggested, ...named]))).toEqual(sorted(known));
    expect(sorted(suggested)).toEqual(sorted(new Set(suggested)));
  });

  test('in the second table there, if only the Compose file knows it', () => {
    const used = [...textOf('docker-compose.yml').matchAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g)];
    const own = used.filter(([, name]) => !declared.has(name!));
    const documented = documentedRows(['setting', 'default', 'meaning']);
    expect(sorted(documented.map(({ name }) => name))).toEqual(sorted(new Set(own.map(([, name]) => name!))));
    for (const { name, cells } of documented) {
      const [, , kind, value] = own.find(([, other]) => other === name)!;
      expect({ name, value: cells[0] }).toEqual({ name, value: kind === '?' ? 'required' : `\`${value}\`` });
    }
  });
});
