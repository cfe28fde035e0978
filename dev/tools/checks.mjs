import { constants } from 'node:os';
import { join } from 'node:path';
import { root } from './root.mjs';
import { runTool } from './tool.mjs';

const inNodeModules = (...path) => join(root, 'node_modules', ...path);
// The type checker and tsgolint (the linter's type-aware rules) are Go programs. All checks run at the same time, and several threads of a type
// checker would repeat some of each other's work. With one thread each and less garbage collection, they take 40 % less CPU time.
const goSettings = { GOMAXPROCS: '1', GOGC: '400' };
/**
 * The program runs at a lower priority than the specs that run at the same time, because some specs have deadlines. Resolves to nothing, because
 * `Progress.step` would show the tool's output instead of the duration.
 */
const runNode = (what, ...args) =>
  runTool(what, process.execPath, args, {
    env: { ...process.env, ...goSettings },
    priority: constants.priority.PRIORITY_BELOW_NORMAL,
  }).then(() => undefined);

export const checks = {
  Types: () =>
    runNode(
      'The type check',
      inNodeModules('tsgo', 'bin', 'tsc'),
      '-p',
      'tsconfig.json',
      '--noEmit',
      '--singleThreaded',
    ),
  Lint: () => runNode('oxlint', inNodeModules('oxlint', 'bin', 'oxlint')),
  // Knip reports what nothing uses; knip.json names the entry points.
  'Dead code': () => runNode('Knip', inNodeModules('knip', 'bin', 'knip.js')),
  'Import cycles': () =>
    runNode('The search for import cycles', join(root, 'dev', 'commands', 'import-cycles.mjs')),
  Format: () =>
    runNode('oxfmt (fix it with npx oxfmt)', inNodeModules('oxfmt', 'bin', 'oxfmt'), '--list-different'),
};

export class Tally {
  passed = 0;
  failed = 0;

  /** A failure is printed and counted, but not thrown. */
  async check(progress, name, work) {
    try {
      await progress.step(name, work);
      this.passed += 1;
    } catch (error) {
      console.error(`\n${error.message}\n`);
      this.failed += 1;
    }
  }

  /** A file that could not run counts as one failure. */
  addSpecs(fileResults) {
    for (const { status, assertionResults } of fileResults) {
      const count = (wanted) => assertionResults.filter((test) => test.status === wanted).length;
      this.passed += count('passed');
      this.failed += status === 'failed' ? Math.max(1, count('failed')) : 0;
    }
  }

  finish() {
    console.log(`\n${this.passed} passed, ${this.failed} failed`);
    process.exitCode = this.failed > 0 ? 1 : 0;
  }
}
