// `npm run invoices:validate`: see dev/commands/invoices/command.ts.
import { build } from './build.mjs';
import { Progress } from '../tools/progress.mjs';
import { root } from '../tools/root.mjs';

await build(new Progress(), { only: ['server'] });
const { run } = await import('../../dist/dev/commands/invoices/command.js');
process.exitCode = await run(process.argv.slice(2), {
  root,
  env: process.env,
  print: console.log,
  printError: console.error,
});
