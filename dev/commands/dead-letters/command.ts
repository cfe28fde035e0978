import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ErrorReply } from 'redis';
import { type ServiceName, serviceNames } from '#libs/contracts';
import { type DeadLetter, DeadLetters } from '#libs/transport';
import { externalRedis } from '../../stack/external-redis.js';
import { StackFailure } from '../../stack/failure.js';
import { readSettings } from '../../stack/settings.js';
import type { StackFile } from '../../stack/stack.js';

const usage = `Usage: npm run dead-letters                             how many each service has
       npm run dead-letters -- list <service> [after id]   a hundred of them, oldest first
       npm run dead-letters -- show <service> <id>         one, with its message
       npm run dead-letters -- replay <service> <id|all>   back to where it came from
       npm run dead-letters -- drop <service> <id|all>     thrown away

A service is one of ${serviceNames.join(', ')}. On the Redis of REDIS_URL, or of the site that runs on this machine.`;

const shown = 100;
/** More than are kept. */
const everyOne = 20_000;
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

export interface CommandOptions {
  /** The checkout, whose `.env` and data folder say where Redis is unless `env` does. */
  root: string;
  env: NodeJS.ProcessEnv;
  say: (line: string) => void;
  complain: (line: string) => void;
}

/** What `npm run dead-letters` does; gives the exit code. */
export async function run(args: string[], { root, env, say, complain }: CommandOptions): Promise<number> {
  let letters: DeadLetters | undefined;
  try {
    const order = orderIn(args);
    letters = new DeadLetters({ redisUrl: await redisOf(root, env), logger: silent });
    await letters.connect();
    for (const line of await obey(letters, order)) say(line);
    return 0;
  } catch (error) {
    if (error instanceof ErrorReply) complain(`Redis refuses: ${error.message}`);
    else if (error instanceof StackFailure) complain(error.message);
    else throw error;
    return 1;
  } finally {
    await letters?.close();
  }
}

type Order =
  | { command: 'count' }
  | { command: 'list'; service: ServiceName; after: string | undefined }
  | { command: 'show'; service: ServiceName; id: string }
  | { command: 'replay' | 'drop'; service: ServiceName; id: string };

/** Throws a StackFailure for what makes no sense: Redis need not even be there. */
function orderIn(args: string[]): Order {
  const [command, name, id, ...rest] = args;
  if (command === undefined) return { command: 'count' };
  const service = serviceNames.find((known) => known === name);
  if (!service || rest.length > 0) throw new StackFailure(usage);
  if (id !== undefined && !/^\d{1,15}-\d{1,15}$/.test(id) && !(id === 'all' && isForMany(command)))
    throw new StackFailure(`${id} is not the id of a dead letter: these look like 1763712000000-0.`);
  if (command === 'list') return { command, service, after: id };
  if (id === undefined || !(command === 'show' || isForMany(command))) throw new StackFailure(usage);
  return { command, service, id };
}

function isForMany(command: string): command is 'replay' | 'drop' {
  return command === 'replay' || command === 'drop';
}

async function obey(letters: DeadLetters, order: Order): Promise<string[]> {
  if (order.command === 'count') {
    return Promise.all(serviceNames.map(async (name) => `${name}: ${await letters.count(name)}`));
  }
  const { command, service } = order;
  switch (command) {
    case 'list': {
      const found = await letters.list(service, { limit: shown, ...(order.after && { after: order.after }) });
      if (found.length === 0) return [`${service} has no ${order.after ? 'further ' : ''}dead letters.`];
      const more = `More: npm run dead-letters -- list ${service} ${found.at(-1)!.id}`;
      return [...found.map(lineOf), ...(found.length === shown ? [more] : [])];
    }
    case 'show':
      return [wholeOf(await letterOf(letters, service, order.id))];
    case 'replay': {
      if (order.id === 'all') return replayAll(letters, service);
      const letter = await letterOf(letters, service, order.id);
      if (!letter.replayable) throw new StackFailure(`${letter.id} cannot be replayed: ${whyNot}.`);
      return [(await letters.replay(service, letter.id)) ? 'Replayed 1.' : gone(service, letter.id)];
    }
    case 'drop': {
      const ids = order.id === 'all' ? (await everyLetter(letters, service)).map(({ id }) => id) : [order.id];
      let count = 0;
      for (const id of ids) if (await letters.drop(service, id)) count += 1;
      if (order.id !== 'all' && count === 0) throw new StackFailure(gone(service, order.id));
      return [`Dropped ${count}.`];
    }
  }
}

/** Those that there are now: what dies again meanwhile waits for another time. */
async function replayAll(letters: DeadLetters, service: ServiceName): Promise<string[]> {
  const all = await everyLetter(letters, service);
  let count = 0;
  for (const { id } of all) if (await letters.replay(service, id)) count += 1;
  const left = all.filter(({ replayable }) => !replayable).length;
  return [`Replayed ${count}.`, ...(left > 0 ? [`${left} cannot be replayed: ${whyNot}.`] : [])];
}

function everyLetter(letters: DeadLetters, service: ServiceName): Promise<DeadLetter[]> {
  return letters.list(service, { limit: everyOne });
}

async function letterOf(letters: DeadLetters, service: ServiceName, id: string): Promise<DeadLetter> {
  const letter = await letters.find(service, id);
  if (!letter) throw new StackFailure(gone(service, id));
  return letter;
}

const gone = (service: ServiceName, id: string) => `${service} has no dead letter ${id}.`;
const whyNot =
  'it held a secret, nothing of it was kept, or the stream that it claims to come from does not hold it (any more)';

function lineOf({ id, diedAt, reason, pattern, deliveries, replayable, error }: DeadLetter): string {
  const kept = replayable ? [] : [`cannot be replayed`];
  const fault = error.replace(/\s+/g, ' ').slice(0, 200);
  return [
    ...[id, diedAt.toISOString(), pattern || 'unreadable', `${reason} after ${deliveries}`, ...kept],
    ...(fault ? [fault] : []),
  ].join('  ');
}

/** With the message as the JSON that it is, so that a person can read it. */
function wholeOf(letter: DeadLetter): string {
  const message = letter.message === '' ? null : (JSON.parse(letter.message) as unknown);
  return JSON.stringify({ ...letter, message }, null, 2);
}

/** Asks it for an answer first: one sentence now, instead of a command that waits for a Redis that is away. */
async function redisOf(root: string, env: NodeJS.ProcessEnv): Promise<string> {
  const settings = readSettings(root, env);
  if (settings.REDIS_URL) return externalRedis(settings.REDIS_URL);
  const file = join(settings.dataDir, 'stack.json');
  const stopped = `The site does not run (with the data in ${settings.dataDir}): npm start.`;
  if (!existsSync(file)) throw new StackFailure(stopped);
  const { redis } = JSON.parse(readFileSync(file, 'utf8')) as StackFile;
  return externalRedis(redis).catch(() => Promise.reject(new StackFailure(stopped)));
}
