import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, type BuiltProcess, startBuiltProcess } from '#libs/testing';
import { MailHarness } from './mail.harness.js';

// The order of the tests matters: each continues with the processes of the previous one.
describe('messaging as a process', () => {
  let harness: MailHarness;
  let replicas: BuiltProcess[];
  const start = () => startBuiltProcess('messaging', harness.settings({ LOG_LEVEL: 'info' }));
  const end = async ({ child, exited }: BuiltProcess) => {
    child.kill('SIGTERM');
    return exited;
  };

  beforeAll(async () => {
    harness = await MailHarness.open();
    replicas = [start(), start()];
  });
  afterAll(async () => {
    for (const { child } of replicas) child.kill('SIGKILL');
    await Promise.all(replicas.map(({ exited }) => exited));
    await harness.close();
  });

  test('two replicas start together, and become ready', async () => {
    await Promise.all(replicas.map((replica) => replica.ready()));
  });

  test('a replica exits with 0 on SIGTERM', async () => {
    expect(await end(replicas.pop()!)).toBe(0);
  });

  test('a mail whose process was killed while sending it is sent again, with the same Message-ID', async () => {
    const to = 'in-flight@example.com';
    await harness.mail.misbehave({ to, delayMs: 2_000, times: 1 });
    const id = await harness.request({ template: 'passwordChanged', params: {}, to });
    await eventually(async () => expect(await harness.row(id)).toMatchObject({ state: 'sending' }));
    const [doomed] = replicas;
    doomed!.child.kill('SIGKILL');
    await doomed!.exited;
    // Ends the lease of the killed process, so that the test need not wait for it to expire.
    await harness.sql.query('UPDATE mails SET next_attempt_at = now() WHERE id = $1', [id]);
    replicas = [start()];
    await eventually(async () => expect(await harness.row(id)).toMatchObject({ state: 'sent', attempts: 2 }));
    const caught = await harness.mail.list({ to });
    expect(new Set(caught.map(({ messageId }) => messageId))).toEqual(new Set([`<${id}@northrank.example>`]));
    // The mail server may have accepted the first attempt, too.
    expect(caught.length).toBeLessThanOrEqual(2);
    expect(await end(replicas[0]!)).toBe(0);
  });
});
