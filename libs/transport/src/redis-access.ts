import { type ServiceName, serviceNames } from '#libs/contracts';

/** A process that uses Redis, with a user of its own there. */
export type RedisUser = ServiceName | 'gateway';

interface Uses {
  /** Whose events it writes: its own, and others that its changes tell of (`payments.flagged` is told by orders). */
  tells: readonly string[];
  /** Whose events it follows. */
  follows: readonly string[];
  /** Which services it asks. */
  asks: readonly ServiceName[];
}

/**
 * Who may do what in Redis. Compose, Kubernetes and the stack of `npm start` all give each process a user made from this, so that
 * what is missing here shows in the first test that needs it.
 */
const uses: Record<RedisUser, Uses> = {
  gateway: { tells: [], follows: [], asks: serviceNames },
  content: { tells: ['content'], follows: [], asks: [] },
  orders: { tells: ['orders', 'payments'], follows: ['content', 'identity'], asks: ['content'] },
  messaging: {
    tells: ['messages', 'subscribers'],
    // Mail tells people what happened to them.
    follows: ['orders', 'payments', 'identity', 'content'],
    asks: ['content', 'orders', 'identity'],
  },
  identity: { tells: ['identity'], follows: [], asks: [] },
};

export const redisUsers = Object.keys(uses) as RedisUser[];

const connecting = ['+hello', '+auth', '+ping', '+client|setname', '+client|id'];
const hints = ['&broadcast:*', '+publish', '+subscribe'];
const asking = ['+eval', '+evalsha', '+get', '+exists', '+xlen', '+xadd'];
const answering = [
  '+client|unblock',
  '+time',
  '+info',
  '+set',
  '+xadd',
  '+xreadgroup',
  '+xack',
  '+xdel',
  '+xclaim',
  '+xpending',
  '+xlen',
  '+xrange',
  '+xgroup|create',
  '+xgroup|delconsumer',
  '+xinfo|groups',
  '+xinfo|consumers',
];

/** The rules of one user, as `ACL SETUSER` takes them, without its password. Nothing is allowed that is not named. */
export function redisRules(user: RedisUser): string[] {
  const { tells, follows, asks } = uses[user];
  const serves = user !== 'gateway';
  return [
    'resetchannels',
    ...(serves ? [`~{${user}}:*`] : ['~gateway:*', '+multi', '+exec', '+incr', '+expire']),
    ...[...tells, ...follows].filter((owner) => owner !== user).map((owner) => `~{${owner}}:events`),
    ...asks.flatMap((service) => [`~{${service}}:requests`, `~{${service}}:alive`]),
    // Replies go to whoever asked; only who asks has a channel to hear them on.
    ...(serves ? ['&reply:*'] : [`&reply:${user}:*`]),
    ...hints,
    ...connecting,
    ...new Set([...(serves ? answering : []), ...(asks.length > 0 ? asking : [])]),
  ];
}

/** A line for each user, of a Redis configuration or of an ACL file. `password` is asked for each. */
export function redisAclLines(password: (user: RedisUser) => string): string[] {
  return redisUsers.map((user) => `user ${user} on >${password(user)} ${redisRules(user).join(' ')}`);
}
