import { once } from 'node:events';
import { join } from 'node:path';
import { announcement } from './announce.js';
import { createDemoDataOnFirstStart } from './demo-data/create-on-first-start.js';
import { StackFailure } from './failure.js';
import { readSettings } from './settings.js';
import { type Reporter, Stack } from './stack.js';
import { watchSources } from './watch.js';

export interface RunOptions {
  root: string;
  reporter: Reporter;
  verbose: boolean;
  /** Builds changed sources. If it is set, sources are watched and the affected processes restarted. */
  rebuild?: () => Promise<unknown>;
}

/** The terminal and npm each send a signal for one keystroke. */
const sameKeystrokeMs = 500;

/** Runs until a signal to stop. Returns the exit code. */
export async function run({ root, reporter, verbose, rebuild }: RunOptions): Promise<number> {
  const interruption = new AbortController();
  let stack: Stack | undefined;
  const stopWatchingNpm = handleStopSignals(reporter, interruption, () => stack?.kill());
  try {
    const settings = readSettings(root, process.env);
    stack = await Stack.start({ settings, dist: join(root, 'dist'), reporter, verbose }, interruption.signal);
    reporter.printLine(announcement(stack, settings));
    stack.forgetAdminPassword();
    // In the background: the site can be used meanwhile.
    const demoData = createDemoDataOnFirstStart(stack, settings, interruption.signal, (text) =>
      reporter.printLine(text),
    );
    const watcher = rebuild && watchSources(root, stack, rebuild, (text) => reporter.printLine(text));
    if (!interruption.signal.aborted) await once(interruption.signal, 'abort');
    watcher?.close();
    await demoData;
    await stack.stop();
    reporter.printLine('Stopped.');
    return 0;
  } catch (error) {
    // What `Stack.start` throws if it is interrupted.
    if (error === interruption.signal.reason) {
      reporter.printLine('Stopped.');
      return 0;
    }
    if (!(error instanceof StackFailure)) throw error;
    reporter.printLine(`\n${error.message}`);
    return 1;
  } finally {
    stopWatchingNpm();
  }
}

/**
 * At the first signal to stop, aborts `interruption`. A later one calls `kill` and ends this process. The end of npm counts as a signal, until the
 * returned function is called.
 */
function handleStopSignals(reporter: Reporter, interruption: AbortController, kill: () => void): () => void {
  let firstSignalAt = 0;
  const stop = () => {
    if (firstSignalAt === 0) {
      firstSignalAt = Date.now();
      reporter.printLine('\nStopping. Press Ctrl-C again to stop immediately.');
      interruption.abort();
    } else if (Date.now() - firstSignalAt > sameKeystrokeMs) {
      kill();
      process.exit(1);
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  // If npm is killed, its children keep running, so the stack has to notice by itself.
  const npm = process.env.npm_lifecycle_event ? process.ppid : undefined;
  const watch = setInterval(() => {
    if (npm === undefined || process.ppid === npm) return;
    clearInterval(watch);
    stop();
  }, 500);
  watch.unref();
  return () => clearInterval(watch);
}
