// `npm run admin -- <command>`: commands for operators, on the accounts and signing keys of the running site.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../tools/root.mjs';

process.exitCode = await admin(process.argv.slice(2));

async function admin(args) {
  // `npm run admin` needs a running site, whose identity service would keep using the secret that `reseal` replaces.
  if (args[0] === 'reseal') {
    return refuse(
      'reseal needs a stopped identity service with a running database, which npm start cannot provide.',
    );
  }
  if (!existsSync(join(root, 'dist', 'dev', 'stack', 'running-site.js')))
    return refuse('The site has not been built: run npm start first.');
  const { readSettings } = await import('../../dist/dev/stack/settings.js');
  const { databasesOfRunningSite } = await import('../../dist/dev/stack/running-site.js');
  const { StackFailure } = await import('../../dist/dev/stack/failure.js');
  try {
    const { dataDir, env } = readSettings(root, process.env);
    const { identity } = await databasesOfRunningSite(dataDir);
    const cli = spawn(process.execPath, [join(root, 'dist', 'apps', 'identity', 'admin-cli.js'), ...args], {
      env: { ...env, DATABASE_URL: identity },
      stdio: 'inherit',
    });
    return await new Promise((resolve) => cli.once('exit', (code) => resolve(code ?? 1)));
  } catch (error) {
    if (!(error instanceof StackFailure)) throw error;
    return refuse(error.message);
  }
}

function refuse(reason) {
  console.error(reason);
  return 1;
}
