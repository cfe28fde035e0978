import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentFingerprint, readStamp } from './fingerprint.mjs';
import { root } from './root.mjs';
import { runTool } from './tool.mjs';

const stampFile = join(root, 'node_modules', '.installed');
/** npm's record of the installed packages, written at the end of each install. */
const record = 'node_modules/.package-lock.json';

/** Installs the packages if package.json or package-lock.json has changed since the last install. */
export async function install(progress) {
  const wanted = contentFingerprint(root, ['package.json', 'package-lock.json']);
  if (readStamp(stampFile) === wanted) return;
  // The packages may have been installed by hand and be complete.
  if (isComplete()) {
    writeFileSync(stampFile, wanted);
    return;
  }
  await progress.step(
    'Packages',
    async () => {
      // If a registry lacks the binaries of another platform, `npm ci` fails, because it considers the lock file incomplete.
      await npm('ci').catch((error) => {
        if (!/EUSAGE/.test(error.output)) throw error;
        return npm('install', '--no-save');
      });
      writeFileSync(stampFile, wanted);
    },
    { announce: 'Installing packages (about a minute)' },
  );
}

function npm(...args) {
  return runTool(`npm ${args[0]}`, 'npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    // With NODE_ENV=production npm would not install the build tools.
    env: { ...process.env, NODE_ENV: 'development' },
  });
}

/** Whether npm's record matches the lock file, except for the binaries of other platforms. */
function isComplete() {
  const packagesOf = (file) => JSON.parse(readFileSync(join(root, file), 'utf8')).packages;
  if (!existsSync(join(root, record))) return false;
  const installed = packagesOf(record);
  return Object.entries(packagesOf('package-lock.json')).every(([path, { version, optional }]) => {
    if (path === '') return true;
    const found = installed[path];
    return found ? found.version === version : optional === true;
  });
}
