import type { DataSource, EntityManager, MigrationInterface, QueryRunner } from 'typeorm';
import { freshDatabase } from '#libs/testing';
import { type DatabaseOptions, openDatabase, outboxAndInboxMigrations } from '../src/index.js';

class CreateNotes implements MigrationInterface {
  readonly name = 'CreateNotes1763600000001';
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE notes (id serial PRIMARY KEY, body text NOT NULL)');
  }
  async down(): Promise<void> {}
}

export function optionsFor(url: string, more: Partial<DatabaseOptions> = {}): DatabaseOptions {
  return { url, entities: [], migrations: [...outboxAndInboxMigrations, CreateNotes], ...more };
}

/** A fresh database with outbox, inbox and notes, and one connection pool per replica. */
export async function openReplicas(
  count: number,
): Promise<{ replicas: DataSource[]; close(): Promise<void> }> {
  const database = await freshDatabase();
  const replicas: DataSource[] = [];
  for (let index = 0; index < count; index++) replicas.push(await openDatabase(optionsFor(database.url)));
  return {
    replicas,
    close: async () => {
      await Promise.all(replicas.map((replica) => replica.destroy()));
      await database.drop();
    },
  };
}

export async function addNote(tx: EntityManager, body: string): Promise<number> {
  const [row] = await tx.query<[{ id: number }]>('INSERT INTO notes (body) VALUES ($1) RETURNING id', [body]);
  return row.id;
}

export async function countRows(
  dataSource: DataSource,
  table: 'notes' | 'outbox_messages' | 'inbox_entries' | 'consumed_events',
): Promise<number> {
  const [row] = await dataSource.query<[{ count: number }]>(`SELECT count(*)::int AS count FROM ${table}`);
  return row.count;
}
