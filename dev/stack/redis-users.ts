import { createHmac } from 'node:crypto';
import { redisAclLines, type RedisUser, redisUsers } from '#libs/transport';

export type RedisUrls = Record<RedisUser, string>;

/** Derived from the superuser's, so that there is nothing more to keep, as in Postgres. */
function passwordOf(user: RedisUser, secret: string): string {
  return createHmac('sha256', secret).update(user).digest('base64url');
}

/** Makes the users in the configuration of an embedded Redis. */
export function redisUserLines(secret: string): string[] {
  return redisAclLines((user) => passwordOf(user, secret));
}

/** The address of the embedded Redis for each process, under a user that may do what this process does. */
export function redisUserUrls(superuserUrl: string): RedisUrls {
  return forEachUser((user) => {
    const url = new URL(superuserUrl);
    Object.assign(url, { username: user, password: passwordOf(user, url.password) });
    return url.href;
  });
}

/** A Redis of the person's own has the user that its address names. */
export const sameRedisFor = (url: string): RedisUrls => forEachUser(() => url);

function forEachUser(urlOf: (user: RedisUser) => string): RedisUrls {
  return Object.fromEntries(redisUsers.map((user) => [user, urlOf(user)])) as RedisUrls;
}
