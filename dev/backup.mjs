// `npm run backup` and `npm run restore`: see dev/backup/command.ts.
import { build } from './build.mjs';
import { Progress } from './progress.mjs';
import { root } from './root.mjs';

await build(new Progress());
const { run } = await import('../dist/dev/backup/command.js');
process.exitCode = await run(root, process.argv.slice(2));
