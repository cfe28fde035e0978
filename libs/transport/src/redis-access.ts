import { type ServiceName, serviceNames } from '#libs/contracts';
import { keys, repliesTo } from './keys.js';

/** A process that uses Redis, with a user of its own there. */
export type RedisUser = ServiceName | 'gateway';

interface Uses {
  /** Whose events it writes: its own, and others that its changes tell of (`payments.flagged` is told by orders, `mail.requested` by identity). */
  tells: readonly string[];
  /** Whose events it follows. */
  follows: readonly string[];
  /** Which of these tell it secrets: such an event leaves its stream once it was heard. */
  erases?: readonly string[];
  /** Which services it asks: those whose contracts name it in `askedBy`. */
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
    tells: ['messages'],
    // Mail tells people what happened to them.
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
 * The rules of one user, as `ACL SETUSER` takes them, without its password. Nothing is allowed that is not named. What is in brackets
 * (a selector) allows its commands on its keys alone: who follows events cannot tell any, and who asks cannot read what others asked.
 */
export function redisRules(user: RedisUser): string[] {
  const { tells, follows, erases = [], asks } = uses[user];
  const asker = user === 'gateway' ? undefined : user;
  const its = asker ? servicesOwn(asker) : [...counting, '&broadcast:*'];
  return [
    'resetchannels',
    ...its,
    ...tells.filter((owner) => owner !== user).map((owner) => `~{${owner}}:events`),
    // Replies go to whoever asked; only who asks has a channel to hear them on.
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

/** It answers under its own name only, and gives hints of its own only. */
function servicesOwn(service: ServiceName): string[] {
  return [`~{${service}}:*`, `&reply:*:${service}:*`, `&broadcast:${service}.*`, ...serving, ...following];
}

/** A line for each user, of a Redis configuration or of an ACL file. `password` is asked for each. */
export function redisAclLines(password: (user: RedisUser) => string): string[] {
  return redisUsers.map((user) => `user ${user} on >${password(user)} ${redisRules(user).join(' ')}`);
}
