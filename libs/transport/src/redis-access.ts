import { type ServiceName, serviceNames } from '#libs/contracts';
import { keys, repliesTo } from './keys.js';

/** A process that uses Redis, with its own Redis user. */
export type RedisUser = ServiceName | 'gateway';

interface Rights {
  /**
   * The owners of the events that it publishes. An owner need not be a service: orders publishes `payments.flagged`, and identity
   * `mail.requested`.
   */
  publishes: readonly string[];
  /** The owners of the events that it follows. */
  follows: readonly string[];
  /**
   * Those of `follows` whose events contain secrets. Such an event is deleted from its stream once it has been
   * handled.
   */
  erases?: readonly string[];
  /** The services that it calls. */
  calls: readonly ServiceName[];
}

/**
 * The rights of each process in Redis. Compose, Kubernetes and the stack of `npm start` all create a user for each process from this, so a
 * missing right shows in the first end-to-end test that needs it.
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
    // Paying for an order or a monthly plan opens a project.
    follows: ['orders', 'subscriptions', 'identity', 'content'],
    calls: ['content', 'orders', 'identity'],
  },
  messaging: {
    publishes: ['messages'],
    // Mails tell people what happened.
    follows: ['messages', 'orders', 'payments', 'subscriptions', 'projects', 'identity', 'mail', 'content'],
    erases: ['mail'],
    calls: ['content', 'orders', 'projects', 'identity'],
  },
  // A password must not be the site's name, which identity requests from content.
  identity: { publishes: ['identity', 'mail'], follows: [], calls: ['content'] },
};

export const redisUsers = Object.keys(rights) as RedisUser[];

const connectRules = ['+hello', '+auth', '+ping', '+client|setname', '+client|id'];
const pubSubRules = ['+publish', '+subscribe'];
/** For the gateway's rate-limit counters and its upload locks. A script without keys also changes the locks: see `callRules`. */
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
/** A script runs on the keys of the selector, or names none; whatever it does, it has only the rights of its user. */
const callRules = '+eval +evalsha +get +exists +xlen +xadd';
const followRules = [
  ...['+xreadgroup', '+xack', '+xclaim', '+xpending'],
  ...['+xgroup|create', '+xgroup|delconsumer', '+xinfo|groups', '+xinfo|consumers'],
];

/**
 * The rules of one user, as `ACL SETUSER` takes them, without its password. Everything else is forbidden. A part in brackets (a selector)
 * allows its commands on its keys only: following events does not include publishing them, and calling a service does not include reading its
 * requests.
 */
export function redisRules(user: RedisUser): string[] {
  const { publishes, follows, erases = [], calls } = rights[user];
  const callingService = user === 'gateway' ? undefined : user;
  const own = callingService ? ownRules(callingService) : [...gatewayRules, '&broadcast:*'];
  return [
    'resetchannels',
    ...own,
    // The channels on which the user receives the replies to its calls.
    ...(calls.length > 0 ? [`&${repliesTo(user)}*`] : []),
    ...pubSubRules,
    ...connectRules,
    // The user may add to these streams, but not read what another service publishes there, such as a link that opens an account.
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

/** What a service may do under its own name: use its own keys, reply, and publish its own broadcasts. */
function ownRules(service: ServiceName): string[] {
  return [
    `~{${service}}:*`,
    `&reply:*:${service}:*`,
    `&broadcast:${service}.*`,
    ...serveRules,
    ...followRules,
  ];
}

/** A line for each user, for a Redis configuration or an ACL file. `password` is called for each. */
export function redisAclLines(password: (user: RedisUser) => string): string[] {
  return redisUsers.map((user) => `user ${user} on >${password(user)} ${redisRules(user).join(' ')}`);
}
