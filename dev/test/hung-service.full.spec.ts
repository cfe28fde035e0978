import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, Session } from '#libs/testing';
import { Launch, temporaryDataDir } from './launcher.js';

describe('a service that hangs', () => {
  const data = temporaryDataDir();
  let site: Launch;
  let url: string;
  beforeAll(async () => {
    site = new Launch(data.path);
    url = await site.ready();
  });
  afterAll(async () => {
    await site.stop();
    data.remove();
  });

  test('keeps nobody waiting past the deadline, and is replaced', async () => {
    const { pid } = site.stack.services.messaging![0]!;
    process.kill(pid, 'SIGSTOP');
    const visitor = Session.visitor(url);
    const message = {
      fullName: 'Ada',
      emailAddress: 'ada@example.com',
      subject: 'Hello',
      message: 'Is anybody there?',
      messageStatus: 'UnRead',
    };
    // What others do is not slower for it.
    expect((await visitor.get('/banner')).status).toBe(200);
    expect([503, 504]).toContain((await visitor.post('/add-message', message)).status);
    await site.said(/messaging does not answer any more/);
    await eventually(
      async () => {
        expect(site.stack.services.messaging![0]!.pid).not.toBe(pid);
        expect((await visitor.post('/add-message', message)).status).toBe(201);
      },
      { timeoutMs: 30_000, intervalMs: 200 },
    );
  });
});
