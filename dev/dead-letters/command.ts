import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ServiceName, serviceNames } from '#libs/contracts';
import { type DeadLetter, DeadLetters } from '#libs/transport';
import { StackFailure } from '../stack/failure.js';
import { readSettings } from '../stack/settings.js';
import type { StackFile } from '../stack/stack.js';

const usage = `Usage: npm run dead-letters                             how many each service has
       npm run dead-letters -- list <service> [after id]   a hundred of them, oldest first
       npm run dead-letters -- show <service> <id>         one, with its message
       npm run dead-letters -- replay <service> <id|all>   back to where it came from
       npm run dead-letters -- drop <service> <id|all>     thrown away

On the Redis of REDIS_URL, or of the site that runs on this machine.`;

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** What `npm run dead-letters` does; gives the exit code. */
export async function run(root: string, args: string[]): Promise<number> {
  let letters: DeadLetters | undefined;
  try {
    letters = new DeadLetters({ redisUrl: redisOf(root), logger: silent });
    await letters.connect();
    return await obey(letters, args);
  } catch (error) {
    if (!(error instanceof StackFailure)) throw error;
    console.error(error.message);
    return 1;
  } finally {
    await letters?.close();
  }
}

async function obey(letters: DeadLetters, [command, name, id]: string[]): Promise<number> {
  if (command === undefined) {
    for (const service of serviceNames) console.log(`${service}: ${await letters.count(service)}`);
    return 0;
  }
  const service = serviceNames.find((known) => known === name);
  if (!service) return refuse(usage);
  if (command === 'list') {
    const found = await letters.list(service, id === undefined ? {} : { after: id });
    for (const letter of found) console.log(lineOf(letter));
    return 0;
  }
  if (id === undefined) return refuse(usage);
  if (command === 'show') {
    const letter = (await letters.list(service, { limit: 10_000 })).find((one) => one.id === id);
    if (!letter) return refuse(`${service} has no dead letter ${id}.`);
    console.log(JSON.stringify(letter, null, 2));
    return 0;
  }
  if (command === 'replay')
    return each(letters, service, id, (one) => letters.replay(service, one), 'Replayed');
  if (command === 'drop') return each(letters, service, id, (one) => letters.drop(service, one), 'Dropped');
  return refuse(usage);
}

/** One, or those that there are now: what dies again meanwhile waits for another time. */
async function each(
  letters: DeadLetters,
  service: ServiceName,
  id: string,
  work: (id: string) => Promise<boolean>,
  done: string,
): Promise<number> {
  const ids = id === 'all' ? (await letters.list(service, { limit: 10_000 })).map((one) => one.id) : [id];
  let count = 0;
  for (const one of ids) if (await work(one)) count += 1;
  console.log(`${done} ${count} of ${ids.length}.`);
  return count === ids.length ? 0 : 1;
}

function lineOf({ id, diedAt, reason, pattern, deliveries, replayable, error }: DeadLetter): string {
  const what = pattern || 'unreadable';
  const kept = replayable ? '' : ', cannot be replayed: it held a secret, or nothing is kept of it';
  return `${id}  ${diedAt.toISOString()}  ${what}  ${reason} after ${deliveries}${kept}${error ? `  ${error.split('\n')[0]}` : ''}`;
}

function redisOf(root: string): string {
  const settings = readSettings(root, process.env);
  if (settings.REDIS_URL) return settings.REDIS_URL;
  const file = join(settings.dataDir, 'stack.json');
  if (!existsSync(file))
    throw new StackFailure(`The site does not run (with the data in ${settings.dataDir}): npm start.`);
  return (JSON.parse(readFileSync(file, 'utf8')) as StackFile).redis;
}

function refuse(reason: string): number {
  console.error(reason);
  return 1;
}
