// `npm start` and `npm run dev`. Imports nothing that needs a package until the packages are installed.
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { Progress } from '../tools/progress.mjs';
import { root } from '../tools/root.mjs';

const args = new Set(process.argv.slice(2));

if (args.has('--help') || args.has('-h')) {
  console.log(
    [
      'npm start                 install, build, start everything on this machine',
      'npm start -- --verbose    the same, with every line the services write',
      'npm run dev               the same, and rebuild and restart on changes',
      '',
      'The settings are listed in .env.example.',
    ].join('\n'),
  );
} else {
  process.exitCode = await start();
}

async function start() {
  const progress = new Progress();
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    console.error(`Node 20.19 or newer is needed; this is ${process.versions.node}.`);
    return 1;
  }
  try {
    const { install } = await import('../tools/install.mjs');
    await install(progress);
    const { build } = await import('./build.mjs');
    await build(progress);
    // A write fails if the program that reads our output has ended. The error may be emitted much later, so these listeners are never removed.
    for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
    const { run } = await import(pathToFileURL(join(root, 'dist', 'dev', 'stack', 'main.js')).href);
    return await run({
      root,
      reporter: progress,
      verbose: args.has('--verbose') || args.has('-v'),
      ...(args.has('--watch') && { rebuild: () => build(progress) }),
    });
  } catch (error) {
    // Expected failures are plain errors with a message for the user. Others, such as a TypeError, are bugs.
    console.error(`\n${error instanceof Error && error.name === 'Error' ? error.message : error?.stack}`);
    return 1;
  }
}
