// `npm run admin -- <command>`: operator commands on the accounts and signing keys of the site that runs on this machine.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../tools/root.mjs';

process.exitCode = await admin(process.argv.slice(2));

async function admin(args) {
  // With npm start, identity runs whenever its Postgres runs, and would keep decrypting and encrypting with the old secret.
  if (args[0] === 'reseal') {
    return refuse(
      'reseal needs a stopped identity service with a running database, which npm start cannot provide.',
    );
  }
  const settingsModule = join(root, 'dist', 'dev', 'stack', 'settings.js');
  if (!existsSync(settingsModule)) return refuse('The project has not been built: run npm start first.');
  const { readSettings } = await import(pathToFileURL(settingsModule).href);
  const settings = readSettings(root, process.env);
  const stackFile = join(settings.dataDir, 'stack.json');
  if (!existsSync(stackFile))
    return refuse(`The site with the data in ${settings.dataDir} is not running. Start it with npm start.`);
  const { databases } = JSON.parse(readFileSync(stackFile, 'utf8'));
  const cli = spawn(process.execPath, [join(root, 'dist', 'apps', 'identity', 'admin-cli.js'), ...args], {
    env: { ...settings.env, DATABASE_URL: databases.identity },
    stdio: 'inherit',
  });
  return new Promise((resolve) => cli.once('exit', (code) => resolve(code ?? 1)));
}

function refuse(reason) {
  console.error(reason);
  return 1;
}
