import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentFingerprint, readIfExists } from './fingerprint.mjs';
import { root } from './root.mjs';
import { runTool } from './tool.mjs';

/** Installs the packages if package.json or package-lock.json has changed since the last install. */
export async function install(progress, folder = root) {
  const stampFile = join(folder, 'node_modules', '.installed');
  const wanted = contentFingerprint(folder, ['package.json', 'package-lock.json']);
  if (readIfExists(stampFile) === wanted) return;
  // The packages may have been installed by hand.
  if (isComplete(folder)) {
    writeFileSync(stampFile, wanted);
    return;
  }
  await progress.step(
    'Packages',
    async () => {
      // `npm ci` reports an incomplete lock file (EUSAGE) if the registry lacks an optional package for another platform.
      await npm(folder, 'ci').catch((error) => {
        if (!/EUSAGE/.test(error.output)) throw error;
        return npm(folder, 'install', '--no-save');
      });
      writeFileSync(stampFile, wanted);
    },
    { announce: 'Installing packages (about a minute)' },
  );
}

function npm(folder, ...args) {
  return runTool(`npm ${args[0]}`, 'npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    // With NODE_ENV=production npm would not install the build tools.
    env: { ...process.env, NODE_ENV: 'development' },
  });
}

/** Whether npm's record matches the lock file, except for the binaries of other platforms. */
function isComplete(folder) {
  const packagesOf = (file) => JSON.parse(readFileSync(join(folder, file), 'utf8')).packages;
  // npm writes this file at the end of each install.
  const record = 'node_modules/.package-lock.json';
  if (!existsSync(join(folder, record))) return false;
  const installed = packagesOf(record);
  return Object.entries(packagesOf('package-lock.json')).every(([path, { version, optional }]) => {
    if (path === '') return true;
    const found = installed[path];
    return found ? found.version === version : optional === true;
  });
}
