import { DataSource } from 'typeorm';
import { dataSourceOptions, describeError } from '#libs/database';
import { SystemClock } from './clock.js';
import { adminCliConfig, hashingOptions } from './config.js';
import { PasswordHasher } from './credential/password-hasher.js';
import { PasswordReset } from './credential/password-reset.js';
import { identityDatabase } from './database.js';

const usage = `Usage: npm run admin -- reset-password [email]

Gives an account a new random password, prints it once, and signs the account out everywhere.
Without an address it is the admin's, if there is one only.`;

/** What is printed to whoever typed the command, and whether it did what was asked. */
async function run(
  reset: PasswordReset,
  [command, given]: string[],
): Promise<{ done: boolean; say: string }> {
  if (command !== 'reset-password') return { done: false, say: usage };
  const admins = given === undefined ? await reset.admins() : [given];
  const [email] = admins;
  if (email === undefined) return { done: false, say: 'There is no admin.' };
  if (admins.length > 1) {
    return { done: false, say: `There are several admins, so say which: ${admins.join(', ')}` };
  }
  const password = await reset.reset(email);
  return password === null
    ? { done: false, say: `No account has the address ${email}.` }
    : { done: true, say: `The password of ${email} is now: ${password}` };
}

const config = adminCliConfig();
const dataSource = new DataSource(dataSourceOptions(identityDatabase(config.DATABASE_URL, 1)));
try {
  await dataSource.initialize();
  const hasher = new PasswordHasher(hashingOptions(config));
  const { done, say } = await run(
    new PasswordReset(dataSource, hasher, new SystemClock()),
    process.argv.slice(2),
  );
  process[done ? 'stdout' : 'stderr'].write(`${say}\n`);
  process.exitCode = done ? 0 : 1;
} catch (error) {
  process.stderr.write(`Cannot use the identity database: ${describeError(error)}\n`);
  process.exitCode = 1;
} finally {
  if (dataSource.isInitialized) await dataSource.destroy();
}
