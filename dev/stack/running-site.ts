import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DatabaseUrls, requireDatabase } from './databases.js';
import { StackFailure } from './failure.js';
import { requireRedis } from './require-redis.js';
import type { StackFile } from './stack.js';

/** Throws a StackFailure if no site with this data folder is running. */
export function databasesOfRunningSite(dataDir: string): Promise<DatabaseUrls> {
  return connectToRunningSite(dataDir, async ({ databases }) => {
    await requireDatabase('stack.json', databases.content);
    return databases;
  });
}

/** Throws a StackFailure if no site with this data folder is running. */
export function redisUrlOfRunningSite(dataDir: string): Promise<string> {
  return connectToRunningSite(dataDir, ({ redis }) => requireRedis(redis));
}

/** If `connect` rejects, the site was killed and has left its file behind. */
async function connectToRunningSite<T>(
  dataDir: string,
  connect: (stack: StackFile) => Promise<T>,
): Promise<T> {
  const file = join(dataDir, 'stack.json');
  const notRunning = new StackFailure(
    `The site with the data in ${dataDir} is not running. Start it with npm start.`,
  );
  if (!existsSync(file)) throw notRunning;
  const stack = JSON.parse(readFileSync(file, 'utf8')) as StackFile;
  return connect(stack).catch(() => Promise.reject(notRunning));
}
