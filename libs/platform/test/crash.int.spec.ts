import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from '@jest/globals';

/** Runs `script` in a process of its own. Imports single modules, because the library's index would load much more. */
async function run(
  script: string,
  onLine: (line: string, kill: (signal: NodeJS.Signals) => void) => void = () => {},
) {
  const code = `
    await import('./dev/tools/register-swc.mjs');
    const { createLogger } = await import('./libs/platform/src/logger.ts');
    const { Metrics } = await import('./libs/platform/src/metrics.ts');
    const { crashOnUnhandled, drainOnSignal, keepServingOnUnhandled } = await import('./libs/platform/src/shutdown.ts');
    const logger = createLogger('orders');
    ${script}
    setInterval(() => {}, 1000);
    logger.info('Running');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const log: Record<string, unknown>[] = [];
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      log.push(JSON.parse(line) as Record<string, unknown>);
      onLine(line, (signal) => child.kill(signal));
    }
  });
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return { exitCode, last: log.at(-1), log };
}

const failures = [
  ['a rejection', `Promise.reject(new Error('nobody caught me'))`],
  ['an error', `setTimeout(() => { throw new Error('nobody caught me') })`],
] as const;

describe('a process', () => {
  test.each(failures)('exits with 1 and logs the reason on %s that was not handled', async (_, failure) => {
    const { exitCode, last } = await run(`crashOnUnhandled(logger); ${failure};`);
    expect(exitCode).toBe(1);
    expect(last).toMatchObject({ level: 'fatal', msg: 'Crashed', err: { message: 'nobody caught me' } });
  });

  test.each(failures)(
    'without state keeps serving after %s that was not handled, and counts it',
    async (_, failure) => {
      const endAfterFailure = `process.on('uncaughtException', end); process.on('unhandledRejection', end);`;
      const script = `
      const metrics = new Metrics('orders');
      const end = () => setImmediate(async () => {
        logger.info({ metrics: await metrics.registry.metrics() }, 'Still here');
        process.exit(0);
      });
      keepServingOnUnhandled({ logger, metrics, isServing: () => true }); ${endAfterFailure} ${failure};`;
      const { exitCode, log } = await run(script);
      expect(exitCode).toBe(0);
      expect(log.at(-1)).toMatchObject({
        msg: 'Still here',
        metrics: expect.stringMatching(/^unhandled_errors_total{service="orders"} 1$/m),
      });
      expect(log.find(({ level }) => level === 'error')).toMatchObject({
        msg: 'Unhandled error',
        err: { message: 'nobody caught me' },
      });
    },
  );

  test.each(failures)('without state exits with 1 on %s while it starts', async (_, failure) => {
    const { exitCode, last } = await run(
      `keepServingOnUnhandled({ logger, metrics: new Metrics('orders'), isServing: () => false }); ${failure};`,
    );
    expect(exitCode).toBe(1);
    expect(last).toMatchObject({ level: 'fatal', msg: 'Crashed' });
  });

  test('drains once, however many signals it gets, and exits with 0', async () => {
    // Draining ends only after the second signal has arrived.
    const script = `drainOnSignal({ logger, stop: () => {
      logger.info('Draining');
      return new Promise((resolve) => process.once('SIGTERM', () => setTimeout(resolve, 100)));
    } });`;
    const { exitCode, log } = await run(script, (line, kill) => {
      if (line.includes('Running')) kill('SIGINT');
      if (line.includes('Draining')) kill('SIGTERM');
    });
    expect(exitCode).toBe(0);
    expect(log.filter(({ msg }) => msg === 'Draining')).toHaveLength(1);
  });

  test('that does not drain in time exits with 1', async () => {
    const script = `drainOnSignal({ logger, drainTimeoutMs: 50, stop: () => new Promise(() => {}) });`;
    const { exitCode, last } = await run(script, (line, kill) => {
      if (line.includes('Running')) kill('SIGTERM');
    });
    expect(exitCode).toBe(1);
    expect(last).toMatchObject({ level: 'fatal', msg: 'Not drained in time' });
  });
});
