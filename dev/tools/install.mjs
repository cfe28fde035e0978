import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentFingerprint, readStamp } from './fingerprint.mjs';
import { root } from './root.mjs';
import { runTool } from './tool.mjs';

const stampFile = join(root, 'node_modules', '.installed');
/** npm's own, written at the end of each install. */
const record = 'node_modules/.package-lock.json';

/** Installs the packages if package-lock.json is not the one that was installed last. */
export async function install(progress) {
  const wanted = contentFingerprint(root, ['package.json', 'package-lock.json']);
  if (readStamp(stampFile) === wanted) return;
  // Installed by hand, and nothing missing or outdated in it: npm keeps its own record of what it installed.
  if (isComplete()) {
    writeFileSync(stampFile, wanted);
    return;
  }
  await progress.step(
    'Packages',
    async () => {
      // A registry that lacks another platform's binaries makes npm think that the lock file is incomplete.
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
    // `npm start` under NODE_ENV=production would leave the build tools out.
    env: { ...process.env, NODE_ENV: 'development' },
  });
}

/** Whether what npm keeps on record as installed is what the lock file names, but for other platforms' binaries. */
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
