import { createHmac } from 'node:crypto';
import { redisAclLines, type RedisUser, redisUsers } from '#libs/transport';

export type RedisUrls = Record<RedisUser, string>;

/** The user's password need not be stored, because it is derived from the superuser's. */
function passwordOf(user: RedisUser, superuserPassword: string): string {
  return createHmac('sha256', superuserPassword).update(user).digest('base64url');
}

/** Lines of the access control list in the Redis configuration. */
export function redisUserLines(superuserPassword: string): string[] {
  return redisAclLines((user) => passwordOf(user, superuserPassword));
}

/** For the embedded Redis: the gateway and each service have a user of their own, with only the rights they need. */
export function redisUserUrls(superuserUrl: string): RedisUrls {
  return urlsByUser((user) => {
    const url = new URL(superuserUrl);
    Object.assign(url, { username: user, password: passwordOf(user, url.password) });
    return url.href;
  });
}

/** For an external Redis: every process uses the one user in its URL. */
export const sharedRedisUrls = (url: string): RedisUrls => urlsByUser(() => url);

function urlsByUser(urlOf: (user: RedisUser) => string): RedisUrls {
  return Object.fromEntries(redisUsers.map((user) => [user, urlOf(user)])) as RedisUrls;
}
