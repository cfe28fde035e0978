// `npm run check`: all static checks and the unit tests.
import { checks, Tally } from '../tools/checks.mjs';
import { runJest } from './jest.mjs';
import { Progress } from '../tools/progress.mjs';

const progress = new Progress();
const tally = new Tally();
await Promise.all(Object.entries(checks).map(([name, check]) => tally.check(progress, name, check)));
const code = await runJest(['--selectProjects', 'unit', '--maxWorkers=2']);
process.exitCode = tally.failed > 0 ? 1 : code;
