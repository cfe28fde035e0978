import { type ServiceName, serviceNames } from '#libs/contracts';
import { keys, replyPrefixOf } from './keys.js';

export type RedisUser = ServiceName | 'gateway';

interface Rights {
  /** Owners of events, not always services: orders publishes `payments.flagged`, and identity `mail.requested`. */
  publishes: readonly string[];
  follows: readonly string[];
  /** The part of `follows` whose events contain secrets. Such an event is deleted once it has been handled. */
  erases?: readonly string[];
  calls: readonly ServiceName[];
}

/**
 * What each process may do in Redis. Compose, Kubernetes and `npm start` all create their users from this, so end-to-end tests notice a missing
 * right.
 */
const rights: Record<RedisUser, Rights> = {
  gateway: { publishes: [], follows: [], calls: serviceNames },
  content: { publishes: ['content'], follows: [], calls: [] },
  orders: {
    publishes: ['orders', 'payments', 'subscriptions'],
    follows: ['content', 'identity', 'projects'],
    calls: ['content', 'projects'],
  },
  projects: {
    publishes: ['projects', 'mail'],
    follows: ['orders', 'subscriptions', 'identity', 'content'],
    calls: ['content', 'orders', 'identity'],
  },
  messaging: {
    publishes: ['messages'],
    follows: ['messages', 'orders', 'payments', 'subscriptions', 'projects', 'identity', 'mail', 'content'],
    erases: ['mail'],
    calls: ['content', 'orders', 'projects', 'identity'],
  },
  // Identity asks content for the site's name, because no account may have it as its password.
  identity: { publishes: ['identity', 'mail'], follows: [], calls: ['content'] },
};

export const redisUsers = Object.keys(rights) as RedisUser[];

const connectRules = ['+hello', '+auth', '+ping', '+client|setname', '+client|id'];
const pubSubRules = ['+publish', '+subscribe'];
/**
 * For the gateway's own keys: limits and upload locks. The script of the locks gets its key in `ARGV` instead of `KEYS`, so the `+eval` in
 * `callRules` is enough to run the script. The commands in the script need the rights listed here.
 */
const gatewayRules = [
  '~gateway:*',
  '+multi',
  '+exec',
  '+incr',
  '+expire',
  '+set',
  '+get',
  '+pexpire',
  '+del',
];
const eraseRule = '+xdel';
const serveRules = ['+client|unblock', '+time', '+info', '+set', '+xadd', '+xlen', '+xrange', eraseRule];
/** In `KEYS`, a script may name only keys of the selector. Each command in it needs a right of its own. */
const callRules = '+eval +evalsha +get +exists +xlen +xadd';
const followRules = [
  ...['+xreadgroup', '+xack', '+xclaim', '+xpending'],
  ...['+xgroup|create', '+xgroup|delconsumer', '+xinfo|groups', '+xinfo|consumers'],
];

/**
 * The rules of one user for `ACL SETUSER`, without its password. A part in brackets (a selector) allows its commands on its keys only: following
 * events does not include publishing them, and calling a service does not include reading its requests.
 */
export function redisRules(user: RedisUser): string[] {
  const { publishes, follows, erases = [], calls } = rights[user];
  const callingService = user === 'gateway' ? undefined : user;
  const own = callingService ? ownRules(callingService) : [...gatewayRules, '&broadcast:*'];
  return [
    'resetchannels',
    ...own,
    ...(calls.length > 0 ? [`&${replyPrefixOf(user)}*`] : []),
    ...pubSubRules,
    ...connectRules,
    // Write only: events of other publishers on the same stream may hold secrets, such as a link that opens an account.
    ...publishes.filter((owner) => owner !== user).map((owner) => `(~${keys.events(owner)} +xadd)`),
    ...follows.map((owner) => {
      const commands = erases.includes(owner) ? [...followRules, eraseRule] : followRules;
      return `(~${keys.events(owner)} ${commands.join(' ')})`;
    }),
    ...calls.map(
      (service) => `(~${keys.requests(service, callingService)} ~${keys.alive(service)} ${callRules})`,
    ),
  ];
}

/** For a service's own keys, the replies that it sends, and its own broadcasts. */
function ownRules(service: ServiceName): string[] {
  return [
    `~{${service}}:*`,
    `&reply:*:${service}:*`,
    `&broadcast:${service}.*`,
    ...serveRules,
    ...followRules,
  ];
}

/** Lines for a Redis configuration or an ACL file. */
export function redisAclLines(passwordOf: (user: RedisUser) => string): string[] {
  return redisUsers.map((user) => `user ${user} on >${passwordOf(user)} ${redisRules(user).join(' ')}`);
}
