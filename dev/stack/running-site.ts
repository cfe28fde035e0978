import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DatabaseUrls, requireDatabase } from './databases.js';
import { StackFailure } from './failure.js';
import { requireRedis } from './require-redis.js';
import type { StackFile } from './stack.js';

/** The databases of the site with this data folder. Throws a StackFailure if it is not running. */
export function databasesOfRunningSite(dataDir: string): Promise<DatabaseUrls> {
  return ofRunningSite(dataDir, async ({ databases }, file) => {
    await requireDatabase(file, databases.content);
    return databases;
  });
}

/** The address of the Redis of the site with this data folder. Throws a StackFailure if it is not running. */
export function redisOfRunningSite(dataDir: string): Promise<string> {
  return ofRunningSite(dataDir, ({ redis }) => requireRedis(redis));
}

/** What `connect` resolves to. If it rejects, the site was killed and has left its file behind. */
async function ofRunningSite<T>(
  dataDir: string,
  connect: (stack: StackFile, file: string) => Promise<T>,
): Promise<T> {
  const file = join(dataDir, 'stack.json');
  const notRunning = new StackFailure(
    `The site with the data in ${dataDir} is not running. Start it with npm start.`,
  );
  if (!existsSync(file)) throw notRunning;
  const stack = JSON.parse(readFileSync(file, 'utf8')) as StackFile;
  return connect(stack, file).catch(() => Promise.reject(notRunning));
}
