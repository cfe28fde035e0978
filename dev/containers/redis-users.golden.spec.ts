import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { redisAclLines } from '#libs/transport';

const file = new URL('../../docker/redis/users.acl', import.meta.url);

test('the Redis users of Compose are those that the code declares (npm run golden updates them)', () => {
  const operator = 'user default on >${REDIS_PASSWORD} ~* &* +@all';
  const users = redisAclLines((user) => `\${${user.toUpperCase()}_REDIS_PASSWORD}`);
  const text = `${[operator, ...users].join('\n')}\n`;
  if (process.env.UPDATE_GOLDEN) writeFileSync(file, text);
  expect(readFileSync(file, 'utf8')).toBe(text);
});
