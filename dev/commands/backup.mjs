// `npm run backup` and `npm run restore`: see dev/commands/backup/command.ts.
import { build } from './build.mjs';
import { Progress } from '../tools/progress.mjs';
import { root } from '../tools/root.mjs';

await build(new Progress());
const { run } = await import('../../dist/dev/commands/backup/command.js');
process.exitCode = await run(root, process.argv.slice(2));
