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
  const stopSignal = handleStopSignals(reporter, interruption, () => stack?.kill());
  try {
    const settings = readSettings(root, process.env);
    stack = await Stack.start({ settings, dist: join(root, 'dist'), reporter, verbose }, interruption.signal);
    reporter.line(announcement(stack, settings));
    stack.forgetAdminPassword();
    // In the background: the site can be used meanwhile.
    const demoData = createDemoDataOnFirstStart(stack, settings, interruption.signal, (text) =>
      reporter.line(text),
    );
    const watcher = rebuild && watchSources(root, stack, rebuild, (text) => reporter.line(text));
    await stopSignal;
    watcher?.close();
    await demoData;
    await stack.stop().catch(({ message }: Error) => {
      throw new StackFailure(`The site could not be stopped completely: ${message}`);
    });
    reporter.line('Stopped.');
    return 0;
  } catch (error) {
    // An interruption makes the start fail.
    if (!stack && interruption.signal.aborted) {
      reporter.line('Stopped.');
      return 0;
    }
    if (!(error instanceof StackFailure)) throw error;
    reporter.line(`\n${error.message}`);
    return 1;
  }
}

/** At the first signal to stop, aborts `interruption` and resolves. A later one calls `kill` and ends this process. */
function handleStopSignals(
  reporter: Reporter,
  interruption: AbortController,
  kill: () => void,
): Promise<void> {
  return new Promise((resolve) => {
    let firstSignalAt = 0;
    const stop = () => {
      if (firstSignalAt === 0) {
        firstSignalAt = Date.now();
        reporter.line('\nStopping. Press Ctrl-C again to stop immediately.');
        interruption.abort();
        resolve();
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
    // The program that reads our output may have ended first.
    process.stdout.on('error', () => undefined);
    process.stderr.on('error', () => undefined);
  });
}
