import { DataSource } from 'typeorm';
import { dataSourceOptions, describeError } from '#libs/database';
import { SystemClock } from './clock.js';
import { adminCliConfig, hashingOptions } from './config.js';
import { PasswordHasher } from './credential/password-hasher.js';
import { OperatorRecovery } from './recovery/operator-recovery.js';
import { identityDatabase } from './database.js';
import { newSigningKey, offerKey } from './key/new-signing-key.js';
import { SecretSealer } from './core/secret-sealer.js';
import { reseal } from './key/reseal.js';
import { SigningKeyEntity } from './key/signing-key.entity.js';

const usage = `Usage: npm run admin -- reset-password [email]
       npm run admin -- remove-second-factor [email]
       npm run admin -- rotate-keys
       node dist/bundle/admin.js reseal

reset-password gives an account a new random password, prints it once, and signs the account out everywhere.
remove-second-factor takes away the authenticator app, passkeys and recovery codes of somebody who lost them.
Without an address it is the admin's, if there is one only.

rotate-keys has access tokens signed by a new key, some two minutes from now. Nobody is signed out.
reseal changes KEY_ENCRYPTION_SECRET into NEW_KEY_ENCRYPTION_SECRET in the database: stop every replica of identity before it,
and start them with the new secret after it.`;

/** What is printed to whoever typed the command, and whether it did what was asked. */
async function run([command, given]: string[]): Promise<{ done: boolean; say: string }> {
  if (command === 'rotate-keys') return rotateKeys();
  if (command === 'reseal') return changeSecret();
  if (command !== 'reset-password' && command !== 'remove-second-factor') return { done: false, say: usage };
  const hasher = new PasswordHasher(hashingOptions(config));
  const reset = new OperatorRecovery(dataSource, hasher, clock);
  const admins = given === undefined ? await reset.admins() : [given];
  const [email] = admins;
  if (email === undefined) return { done: false, say: 'There is no admin.' };
  if (admins.length > 1) {
    return { done: false, say: `There are several admins, so say which: ${admins.join(', ')}` };
  }
  if (command === 'remove-second-factor') {
    const removed = await reset.removeSecondFactors(email);
    if (removed === null) return { done: false, say: `No account has the address ${email}.` };
    const say = removed ? `${email} has no second factor any more.` : `${email} had no second factor.`;
    return { done: true, say };
  }
  const password = await reset.reset(email);
  return password === null
    ? { done: false, say: `No account has the address ${email}.` }
    : { done: true, say: `The password of ${email} is now: ${password}` };
}

/** The running service does the rest: see `KeyRotationWorker`. */
async function rotateKeys(): Promise<{ done: boolean; say: string }> {
  const keys = dataSource.getRepository(SigningKeyEntity);
  const current = await keys.findOneBy({ state: 'current' });
  const sealer = new SecretSealer(config.KEY_ENCRYPTION_SECRET);
  // Says what is missing, rather than leave the next key unsealed beside a sealed one.
  if (current) sealer.open(current.privateKey);
  const next = await newSigningKey('next', sealer, clock.now());
  await offerKey(dataSource.manager, next);
  return {
    done: true,
    say: 'The next key is published, and signs in about two minutes. Nobody is signed out.',
  };
}

async function changeSecret(): Promise<{ done: boolean; say: string }> {
  const { KEY_ENCRYPTION_SECRET: former, NEW_KEY_ENCRYPTION_SECRET: secret } = config;
  if (!secret) return { done: false, say: 'Set NEW_KEY_ENCRYPTION_SECRET to the secret that follows.' };
  const count = await dataSource.transaction((tx) => reseal(tx, former, secret));
  return {
    done: true,
    say: `${count} secrets are sealed anew. Start identity with KEY_ENCRYPTION_SECRET set to the new one.`,
  };
}

const clock = new SystemClock();
const config = adminCliConfig();
const dataSource = new DataSource(dataSourceOptions(identityDatabase(config.DATABASE_URL, 1)));
try {
  await dataSource.initialize();
  const { done, say } = await run(process.argv.slice(2));
  process[done ? 'stdout' : 'stderr'].write(`${say}\n`);
  process.exitCode = done ? 0 : 1;
} catch (error) {
  process.stderr.write(`Cannot use the identity database: ${describeError(error)}\n`);
  process.exitCode = 1;
} finally {
  if (dataSource.isInitialized) await dataSource.destroy();
}
