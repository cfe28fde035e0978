import { type ServiceName, serviceNames } from '#libs/contracts';
import { keys, repliesTo } from './keys.js';

/** A process that uses Redis, with its own Redis user. */
export type RedisUser = ServiceName | 'gateway';

interface Uses {
  /**
   * The owners of the events it publishes: its own, and others that its changes cause (`payments.flagged` by
   * orders, `mail.requested` by identity).
   */
  tells: readonly string[];
  /** The owners of the events that it follows. */
  follows: readonly string[];
  /**
   * The owners among these whose events contain secrets. Such an event is deleted from its stream once it has
   * been handled.
   */
  erases?: readonly string[];
  /** The services that it calls. */
  asks: readonly ServiceName[];
}

/**
 * The rights of each process in Redis. Compose, Kubernetes and the stack of `npm start` all create a user for each process from this, so a
 * missing right shows in the first test that needs it.
 */
const uses: Record<RedisUser, Uses> = {
  gateway: { tells: [], follows: [], asks: serviceNames },
  content: { tells: ['content'], follows: [], asks: [] },
  orders: { tells: ['orders', 'payments'], follows: ['content', 'identity'], asks: ['content'] },
  messaging: {
    tells: ['messages'],
    // Mails tell people what happened.
    follows: ['orders', 'payments', 'identity', 'mail', 'content'],
    erases: ['mail'],
    asks: ['content', 'orders', 'identity'],
  },
  // A password must not be the site's name, which content knows.
  identity: { tells: ['identity', 'mail'], follows: [], asks: ['content'] },
};

export const redisUsers = Object.keys(uses) as RedisUser[];

const connecting = ['+hello', '+auth', '+ping', '+client|setname', '+client|id'];
const talking = ['+publish', '+subscribe'];
const counting = ['~gateway:*', '+multi', '+exec', '+incr', '+expire'];
const erasing = '+xdel';
const serving = ['+client|unblock', '+time', '+info', '+set', '+xadd', '+xlen', '+xrange', erasing];
const asking = '+eval +evalsha +get +exists +xlen +xadd';
const following = [
  ...['+xreadgroup', '+xack', '+xclaim', '+xpending'],
  ...['+xgroup|create', '+xgroup|delconsumer', '+xinfo|groups', '+xinfo|consumers'],
];

/**
 * The rules of one user, as `ACL SETUSER` takes them, without its password. Everything else is forbidden. A part in brackets (a selector)
 * allows its commands on its keys only: a follower of events cannot publish any, and a caller cannot read the requests of others.
 */
export function redisRules(user: RedisUser): string[] {
  const { tells, follows, erases = [], asks } = uses[user];
  const asker = user === 'gateway' ? undefined : user;
  const its = asker ? servicesOwn(asker) : [...counting, '&broadcast:*'];
  return [
    'resetchannels',
    ...its,
    ...tells.filter((owner) => owner !== user).map((owner) => `~{${owner}}:events`),
    // Replies may go to any caller; only that caller has the channel to receive them.
    ...(asks.length > 0 ? [`&${repliesTo(user)}*`] : []),
    ...talking,
    ...connecting,
    ...follows.map((owner) => {
      const commands = erases.includes(owner) ? [...following, erasing] : following;
      return `(~${keys.events(owner)} ${commands.join(' ')})`;
    }),
    ...asks.map((service) => `(~${keys.requests(service, asker)} ~${keys.alive(service)} ${asking})`),
  ];
}

/** A service replies under its own name only, and publishes its own hints only. */
function servicesOwn(service: ServiceName): string[] {
  return [`~{${service}}:*`, `&reply:*:${service}:*`, `&broadcast:${service}.*`, ...serving, ...following];
}

/** A line for each user, for a Redis configuration or an ACL file. `password` is called for each. */
export function redisAclLines(password: (user: RedisUser) => string): string[] {
  return redisUsers.map((user) => `user ${user} on >${password(user)} ${redisRules(user).join(' ')}`);
}
