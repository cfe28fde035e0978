// `npm run admin -- reset-password [email]`: the identity service's command line on the running stack's database.
import './register-swc.mjs';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';

const cli = join(root, 'dist', 'apps', 'identity', 'admin-cli.js');

/** Where the running stack keeps the accounts; `DATABASE_URL` where there is no embedded stack. */
async function identityDatabase() {
  const { readSettings } = await import('./stack/settings.ts');
  const file = join(readSettings(root, process.env).dataDir, 'stack.json');
  const stack = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  return stack?.databases?.identity ?? process.env.DATABASE_URL;
}

const url = await identityDatabase();
if (!url || !existsSync(cli)) {
  console.error(
    'The site is not running here: start it with npm start, or set DATABASE_URL to the identity database.',
  );
  process.exitCode = 1;
} else {
  const child = spawn(process.execPath, [cli, ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, DATABASE_URL: url },
  });
  child.once('exit', (code) => (process.exitCode = code ?? 1));
}
