import type pg from 'pg';

export interface TableCopy {
  name: string;
  /** Without generated columns. */
  columns: string[];
  rows: number;
}

export interface SequenceCopy {
  name: string;
  /** Null if never used. */
  value: string | null;
}

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
const columnList = ({ columns }: TableCopy) => columns.map(quoted).join(', ');

export const copyOutSql = (table: TableCopy) =>
  `COPY (SELECT ${columnList(table)} FROM ${quoted(table.name)}) TO STDOUT`;
export const copyInSql = (table: TableCopy) => `COPY ${quoted(table.name)} (${columnList(table)}) FROM STDIN`;

/** Each table comes after those that it refers to. `rows` is not counted yet. */
export async function tablesOf(client: pg.Client): Promise<TableCopy[]> {
  const { rows: tables } = await client.query<{ name: string; columns: string[] }>(
    `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
        AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
      GROUP BY c.relname ORDER BY c.relname`,
  );
  const { rows: references } = await client.query<{ child: string; parent: string }>(
    `SELECT child.relname AS child, parent.relname AS parent
       FROM pg_constraint k JOIN pg_class child ON child.oid = k.conrelid JOIN pg_class parent ON parent.oid = k.confrelid
      WHERE k.contype = 'f' AND k.conrelid <> k.confrelid`,
  );
  const ordered: TableCopy[] = [];
  const waiting = new Map(tables.map((table) => [table.name, table]));
  while (waiting.size > 0) {
    const free = [...waiting.values()].filter(({ name }) =>
      references.every(({ child, parent }) => child !== name || !waiting.has(parent)),
    );
    if (free.length === 0)
      throw new Error(
        `These tables refer to each other, or to tables that do: ${[...waiting.keys()].join(', ')}`,
      );
    for (const table of free) {
      ordered.push({ ...table, rows: 0 });
      waiting.delete(table.name);
    }
  }
  return ordered;
}

export async function sequencesOf(client: pg.Client): Promise<SequenceCopy[]> {
  const { rows } = await client.query<SequenceCopy>(
    `SELECT sequencename AS name, last_value::text AS value FROM pg_sequences WHERE schemaname = 'public'`,
  );
  return rows;
}
