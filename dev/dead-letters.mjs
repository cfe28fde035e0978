// `npm run dead-letters`: see dev/dead-letters/command.ts.
import { build } from './build.mjs';
import { Progress } from './progress.mjs';
import { root } from './root.mjs';

await build(new Progress(), { only: ['server'] });
const { run } = await import('../dist/dev/dead-letters/command.js');
process.exitCode = await run(process.argv.slice(2), {
  root,
  env: process.env,
  say: console.log,
  complain: console.error,
});
