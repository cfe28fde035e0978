import { createHash } from 'node:crypto';
import type { ServiceName } from '#libs/contracts';
import { type Connection, isReplyError } from './connection.js';
import { messageField } from './envelope.js';
import { keys } from './keys.js';

/** `full`: the stream holds as many requests as the service allows. `absent`: no replica has shown a sign of life in the last five seconds. */
export type Admission = 'admitted' | 'full' | 'absent';

/**
 * Adds a request, or says why not. One script, so that simultaneous callers cannot exceed the limit, which is the value of `keys.alive`. The stream
 * is never trimmed, because that would drop requests that nobody has read.
 */
const script = `
local limit = redis.call('GET', KEYS[2])
if not limit then return 'absent' end
if redis.call('XLEN', KEYS[1]) >= tonumber(limit) then return 'full' end
redis.call('XADD', KEYS[1], '*', '${messageField}', ARGV[1])
return 'admitted'`;
const sha = createHash('sha1').update(script).digest('hex');

export async function admit(
  connection: Connection,
  service: ServiceName,
  callingService: ServiceName | undefined,
  message: string,
): Promise<Admission> {
  const options = {
    keys: [keys.requests(service, callingService), keys.alive(service)],
    arguments: [message],
  };
  try {
    return (await connection.evalSha(sha, options)) as Admission;
  } catch (error) {
    if (!isReplyError(error, 'NOSCRIPT')) throw error;
    return (await connection.eval(script, options)) as Admission;
  }
}
