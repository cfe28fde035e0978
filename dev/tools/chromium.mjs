import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runTool, ToolFailed } from './tool.mjs';

// The headless shell comes first, because it needs half the CPU time. The first two are also the names of Debian's packages.
const programNames = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];

/** CHROME_PATH, or the first of `programNames` on PATH. Undefined if there is none. */
export function findChromium() {
  if (process.env.CHROME_PATH) return process.env.CHROME_PATH;
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return programNames
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}

/** Returns the path of Chromium. If there is none, installs the headless shell, or Chromium where Debian is too old to have the headless shell. */
export async function ensureChromium(progress) {
  const found = findChromium();
  if (found) {
    if (!existsSync(found)) throw new Error(`CHROME_PATH is ${found}, which does not exist.`);
    return found;
  }
  await progress.step('Chromium', installChromium, { announce: 'Installing Chromium' });
  const installed = findChromium();
  if (!installed) throw new Error(missingMessage('the package did not contain Chromium'));
  return installed;
}

async function installChromium() {
  const isRoot = process.getuid?.() === 0;
  const apt = (...args) => {
    const command = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...args];
    if (!isRoot) command.unshift('sudo', '-n');
    return runTool(`apt-get ${args[0]}`, command[0], command.slice(1));
  };
  const install = (name) => apt('install', '-y', '--no-install-recommends', name);
  try {
    // A fresh machine has no package lists, or outdated ones.
    await install(programNames[0])
      .catch(() => apt('update').then(() => install(programNames[0])))
      .catch(() => install(programNames[1]));
  } catch (error) {
    throw error instanceof ToolFailed ? new Error(missingMessage(error.message)) : error;
  }
}

function missingMessage(reason) {
  return (
    'This command needs Chromium, and it could not be installed here: run ' +
    '`sudo apt-get install chromium-headless-shell`, or set CHROME_PATH to a Chrome of version 120 or newer.\n' +
    reason
  );
}
