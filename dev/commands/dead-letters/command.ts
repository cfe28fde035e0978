import { ErrorReply } from 'redis';
import { type ServiceName, serviceNames } from '#libs/contracts';
import { type DeadLetter, DeadLetters } from '#libs/transport';
import { StackFailure } from '../../stack/failure.js';
import { requireRedis } from '../../stack/require-redis.js';
import { redisUrlOfRunningSite } from '../../stack/running-site.js';
import { readSettings } from '../../stack/settings.js';

const usage = `Usage: npm run dead-letters                             count the dead letters of each service
       npm run dead-letters -- list <service> [id]         list a hundred of them (after this id), oldest first
       npm run dead-letters -- show <service> <id>         show one with its message
       npm run dead-letters -- replay <service> <id|all>   put it back into the stream it came from
       npm run dead-letters -- drop <service> <id|all>     delete it

A service is one of ${serviceNames.join(', ')}. The command uses the Redis of REDIS_URL, or of the site that runs on this machine.`;

const pageSize = 100;
/** More than Redis keeps for a service. */
const maxLetters = 20_000;
const silentLogger = { info: () => undefined, warn: () => undefined, error: () => undefined };

export interface CommandOptions {
  /** The repository's folder, whose `.env` and data folder locate Redis unless `env` does. */
  root: string;
  env: NodeJS.ProcessEnv;
  print: (line: string) => void;
  printError: (line: string) => void;
}

/** Returns the exit code. */
export async function run(args: string[], { root, env, print, printError }: CommandOptions): Promise<number> {
  let letters: DeadLetters | undefined;
  try {
    const command = parseCommand(args);
    letters = new DeadLetters({ redisUrl: await requireRedisUrl(root, env), logger: silentLogger });
    await letters.connect();
    for (const line of await execute(letters, command)) print(line);
    return 0;
  } catch (error) {
    if (error instanceof ErrorReply) printError(`Redis refused the command: ${error.message}`);
    else if (error instanceof StackFailure) printError(error.message);
    else throw error;
    return 1;
  } finally {
    await letters?.close();
  }
}

type Command =
  | { command: 'count' }
  | { command: 'list'; service: ServiceName; after: string | undefined }
  | { command: 'show'; service: ServiceName; id: string }
  | { command: 'replay' | 'drop'; service: ServiceName; id: string };

/** Throws a StackFailure if the arguments are invalid. */
function parseCommand(args: string[]): Command {
  const [command, name, id, ...rest] = args;
  if (command === undefined) return { command: 'count' };
  const service = serviceNames.find((known) => known === name);
  if (!service || rest.length > 0) throw new StackFailure(usage);
  if (id !== undefined && !/^\d{1,15}-\d{1,15}$/.test(id) && !(id === 'all' && acceptsAll(command)))
    throw new StackFailure(`${id} is not the id of a dead letter: ids look like 1763712000000-0.`);
  if (command === 'list') return { command, service, after: id };
  if (id === undefined || !(command === 'show' || acceptsAll(command))) throw new StackFailure(usage);
  return { command, service, id };
}

function acceptsAll(command: string): command is 'replay' | 'drop' {
  return command === 'replay' || command === 'drop';
}

async function execute(letters: DeadLetters, parsed: Command): Promise<string[]> {
  if (parsed.command === 'count') {
    return Promise.all(serviceNames.map(async (name) => `${name}: ${await letters.count(name)}`));
  }
  const { command, service } = parsed;
  switch (command) {
    case 'list': {
      const listed = await letters.list(service, {
        limit: pageSize,
        ...(parsed.after && { after: parsed.after }),
      });
      if (listed.length === 0) return [`${service} has no ${parsed.after ? 'further ' : ''}dead letters.`];
      const howToContinue = `More: npm run dead-letters -- list ${service} ${listed.at(-1)!.id}`;
      return [...listed.map(formatLine), ...(listed.length === pageSize ? [howToContinue] : [])];
    }
    case 'show':
      return [formatLetter(await getLetter(letters, service, parsed.id))];
    case 'replay': {
      if (parsed.id === 'all') return replayAll(letters, service);
      const letter = await getLetter(letters, service, parsed.id);
      if (!letter.replayable) throw new StackFailure(`${letter.id} cannot be replayed: ${whyNotReplayable}.`);
      // Somebody else may have replayed or dropped it meanwhile.
      if (!(await letters.replay(service, letter.id))) throw new StackFailure(notFound(service, letter.id));
      return ['Replayed 1.'];
    }
    case 'drop': {
      const ids =
        parsed.id === 'all' ? (await allLetters(letters, service)).map(({ id }) => id) : [parsed.id];
      let count = 0;
      for (const id of ids) if (await letters.drop(service, id)) count += 1;
      if (parsed.id !== 'all' && count === 0) throw new StackFailure(notFound(service, parsed.id));
      return [`Dropped ${count}.`];
    }
  }
}

/** A message that fails again meanwhile is not replayed a second time. */
async function replayAll(letters: DeadLetters, service: ServiceName): Promise<string[]> {
  const present = await allLetters(letters, service);
  let count = 0;
  for (const { id } of present) if (await letters.replay(service, id)) count += 1;
  const unreplayable = present.filter(({ replayable }) => !replayable).length;
  return [
    `Replayed ${count}.`,
    ...(unreplayable > 0 ? [`${unreplayable} cannot be replayed: ${whyNotReplayable}.`] : []),
  ];
}

function allLetters(letters: DeadLetters, service: ServiceName): Promise<DeadLetter[]> {
  return letters.list(service, { limit: maxLetters });
}

async function getLetter(letters: DeadLetters, service: ServiceName, id: string): Promise<DeadLetter> {
  const letter = await letters.find(service, id);
  if (!letter) throw new StackFailure(notFound(service, id));
  return letter;
}

const notFound = (service: ServiceName, id: string) => `${service} has no dead letter ${id}.`;
const whyNotReplayable =
  'a secret was removed, the content was not kept, or the stream named as the origin does not hold the message';

function formatLine({ id, diedAt, reason, pattern, deliveries, replayable, error }: DeadLetter): string {
  const obstacle = replayable ? [] : ['cannot be replayed'];
  const cause = `${reason} (deliveries: ${deliveries})`;
  const fault = error.replace(/\s+/g, ' ').slice(0, 200);
  return [
    ...[id, diedAt.toISOString(), pattern || 'unreadable', cause, ...obstacle],
    ...(fault ? [fault] : []),
  ].join('  ');
}

function formatLetter(letter: DeadLetter): string {
  const message = letter.message === '' ? null : (JSON.parse(letter.message) as unknown);
  return JSON.stringify({ ...letter, message }, null, 2);
}

/** Tests the connection, because the transport would wait for an unavailable Redis. */
function requireRedisUrl(root: string, env: NodeJS.ProcessEnv): Promise<string> {
  const { REDIS_URL, dataDir } = readSettings(root, env);
  return REDIS_URL ? requireRedis(REDIS_URL) : redisUrlOfRunningSite(dataDir);
}
