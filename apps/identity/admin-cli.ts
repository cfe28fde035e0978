import { DataSource } from 'typeorm';
import { dataSourceOptions, describeError } from '#libs/database';
import { SystemClock } from '#libs/runtime';
import { adminCliConfig, hashingOptions } from './config.js';
import { SecretSealer } from './core/secret-sealer.js';
import { PasswordHasher } from './credential/password-hasher.js';
import { identityDatabase } from './database.js';
import { generateSigningKey } from './key/generate-signing-key.js';
import { resealSecrets } from './key/sealed-secret.repository.js';
import { SigningKeyRepository } from './key/signing-key.repository.js';
import { OperatorRecovery } from './recovery/operator-recovery.js';

// `reseal` needs a stopped identity service, so `npm run admin`, which needs a running site, refuses it.
const usage = `Usage: npm run admin -- reset-password [email]
       npm run admin -- remove-second-factor [email]
       npm run admin -- rotate-keys
       node dist/bundle/admin.js reseal

reset-password gives an account a new random password, prints it once, and signs the account out everywhere.
remove-second-factor removes the authenticator app, passkeys and recovery codes of somebody who lost them.
Without an address, both act on the only admin.

rotate-keys publishes a new key, which signs the access tokens after about two minutes. Nobody is signed out.
reseal encrypts the stored keys and secrets with NEW_KEY_ENCRYPTION_SECRET instead of KEY_ENCRYPTION_SECRET. Stop every replica
of identity first, and start them with the new secret afterwards.`;

interface Outcome {
  succeeded: boolean;
  message: string;
}

const success = (message: string): Outcome => ({ succeeded: true, message });
const failure = (message: string): Outcome => ({ succeeded: false, message });

async function run([command, address]: string[]): Promise<Outcome> {
  if (command === 'rotate-keys') return publishNextKey();
  if (command === 'reseal') return reseal();
  if (command !== 'reset-password' && command !== 'remove-second-factor') return failure(usage);
  const recovery = new OperatorRecovery(dataSource, new PasswordHasher(hashingOptions(config)), clock);
  const addresses = address === undefined ? await recovery.listAdminEmails() : [address];
  const [email] = addresses;
  if (email === undefined) return failure('There is no admin.');
  if (addresses.length > 1) return failure(`There are several admins, so say which: ${addresses.join(', ')}`);
  const unknown = failure(`No account has the address ${email}.`);
  if (command === 'remove-second-factor') {
    const removed = await recovery.removeSecondFactors(email);
    if (removed === null) return unknown;
    return success(removed ? `${email} has no second factor any more.` : `${email} had no second factor.`);
  }
  const password = await recovery.resetPassword(email);
  return password === null ? unknown : success(`The password of ${email} is now: ${password}`);
}

async function publishNextKey(): Promise<Outcome> {
  const keys = new SigningKeyRepository(dataSource);
  const current = await keys.findCurrent();
  const sealer = new SecretSealer(config.KEY_ENCRYPTION_SECRET);
  // Fails without the secret: the next key must not be stored unsealed beside a sealed one.
  if (current) sealer.open('signingKey', current.privateKey);
  const published = await keys.insert(
    dataSource.manager,
    await generateSigningKey('next', sealer, clock.now()),
  );
  return success(
    published
      ? 'The next key is published. It signs access tokens after about two minutes. Nobody is signed out.'
      : 'A next key is already waiting, so no other was published. It signs access tokens within about two minutes. Nobody is signed out.',
  );
}

async function reseal(): Promise<Outcome> {
  const { KEY_ENCRYPTION_SECRET: former, NEW_KEY_ENCRYPTION_SECRET: secret } = config;
  if (!secret) return failure('Set NEW_KEY_ENCRYPTION_SECRET to the new secret.');
  const count = await dataSource.transaction((tx) => resealSecrets(tx, former, secret));
  return success(
    `${count} secrets are sealed with the new secret. Start identity with KEY_ENCRYPTION_SECRET set to it.`,
  );
}

const clock = new SystemClock();
const config = adminCliConfig();
const dataSource = new DataSource(dataSourceOptions(identityDatabase(config.DATABASE_URL, 1)));
try {
  await dataSource.initialize();
  const { succeeded, message } = await run(process.argv.slice(2));
  process[succeeded ? 'stdout' : 'stderr'].write(`${message}\n`);
  process.exitCode = succeeded ? 0 : 1;
} catch (error) {
  process.stderr.write(`The command failed: ${describeError(error)}\n`);
  process.exitCode = 1;
} finally {
  if (dataSource.isInitialized) await dataSource.destroy();
}
