import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { type Section, sections } from '#libs/content-model';
import { dataSourceOptions, runMigrations, transaction, uuidv7 } from '#libs/database';
import { freshDatabase, type TestDatabase } from '#libs/testing';
import { contentDatabase } from '../database.js';
import { EntryRepository } from '../entry/entry.repository.js';

let database: TestDatabase;
let dataSource: DataSource;
beforeAll(async () => {
  database = await freshDatabase('content');
  const options = contentDatabase({
    DATABASE_URL: database.url,
    DATABASE_POOL_SIZE: 2,
    DATABASE_MIGRATIONS: 'run',
  });
  await runMigrations(options);
  dataSource = await new DataSource(dataSourceOptions(options)).initialize();
});
afterAll(async () => {
  await dataSource?.destroy();
  await database?.drop();
});

test('a unique value is free again once its optional field is cleared', async () => {
  // Every unique field of the site is required, so this test makes a section with an optional one.
  const { packageName } = sections.pricingPackage.fields;
  const fields = { nickname: { ...packageName, required: false } };
  const section: Section = { ...sections.pricingPackage, name: 'plan', fields };
  const entries = new EntryRepository(dataSource);
  const [firstId, secondId] = [uuidv7(), uuidv7()];
  await transaction(dataSource, (tx) => entries.insert(tx, section, firstId, { nickname: 'Fast' }));
  const insertSecond = () =>
    transaction(dataSource, (tx) => entries.insert(tx, section, secondId, { nickname: 'fast' }));
  await expect(insertSecond()).rejects.toMatchObject({ code: 'DUPLICATE' });
  await transaction(dataSource, (tx) => entries.update(tx, section, firstId, {}));
  expect(await insertSecond()).toMatchObject({ id: secondId });
});
