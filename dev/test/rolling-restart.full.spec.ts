import { describe, expect, test } from '@jest/globals';
import { eventually } from '#libs/testing';
import { processNames } from '../stack/settings.js';
import { siteUnderLoad } from './faults/site-under-load.js';

/** Each process gets SIGTERM and is restarted, one after another, as in an upgrade. For “Rolling restart” in docs/testing.md. */
describe('a rolling restart under load', () => {
  const running = siteUnderLoad();

  test.each(processNames)('fails no request while %s restarts', async (name) => {
    for (const { pid, health } of running.site.stack.services[name]!) {
      const from = performance.now();
      process.kill(pid, 'SIGTERM');
      await eventually(
        async () => {
          expect(running.site.stack.services[name]!.map((replica) => replica.pid)).not.toContain(pid);
          expect((await fetch(`${health}/readyz`)).status).toBe(200);
        },
        { intervalMs: 100 },
      );
      await running.load.waitUntilEverythingWorks(performance.now());
      expect(running.load.failures(from)).toEqual([]);
    }
    expect(running.site.output).not.toMatch(new RegExp(`${name}.* (was ended by|exited with code [1-9])`));
  });

  test('neither loses nor repeats a write', async () => {
    await running.load.stop();
    expect(running.load.failures()).toEqual([]);
    expect(await running.load.problems(running.site.stack.databases)).toEqual([]);
    console.log(`a rolling restart of everything: ${running.load.summary()}`);
  });
});
