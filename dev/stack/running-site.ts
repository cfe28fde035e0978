import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DatabaseUrls, requireDatabase } from './databases.js';
import { StackFailure } from './failure.js';
import type { StackFile } from './stack.js';

/** The databases of the site with this data folder. Throws a StackFailure if it is not running. */
export async function databasesOfRunningSite(dataDir: string): Promise<DatabaseUrls> {
  const file = join(dataDir, 'stack.json');
  const notRunning = new StackFailure(
    `The site with the data in ${dataDir} is not running. Start it with npm start.`,
  );
  if (!existsSync(file)) throw notRunning;
  const { databases } = JSON.parse(readFileSync(file, 'utf8')) as StackFile;
  // A site that was killed leaves the file behind.
  await requireDatabase(file, databases.content).catch(() => Promise.reject(notRunning));
  return databases;
}
