// `npm run admin -- <command>`: what an operator does to the accounts of the site that runs on this machine.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../tools/root.mjs';

process.exitCode = await admin(process.argv.slice(2));

async function admin(args) {
  // Identity runs as long as its Postgres does here, and would read what is sealed, and seal what is new, with the former secret.
  if (args[0] === 'reseal') {
    return refuse(
      'Identity has to be stopped for reseal, which the site of npm start cannot do without its database.',
    );
  }
  const settingsModule = join(root, 'dist', 'dev', 'stack', 'settings.js');
  if (!existsSync(settingsModule)) return refuse('Nothing is built yet: run npm start first.');
  const { readSettings } = await import(pathToFileURL(settingsModule).href);
  const settings = readSettings(root, process.env);
  const stackFile = join(settings.dataDir, 'stack.json');
  if (!existsSync(stackFile))
    return refuse(`The site does not run (with the data in ${settings.dataDir}): npm start.`);
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
