import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { SystemClock } from '#libs/runtime';
import type { ProjectRepository } from '../project/project.repository.js';
import { ReminderWorker } from './reminder.worker.js';

test('a run ends even if the reminders of very many projects fail', async () => {
  const due = Array.from({ length: 3_000 }, () => randomUUID());
  const projects: Pick<ProjectRepository, 'listIdsToRemind'> = {
    listIdsToRemind: (_state, _cutoff, except, limit) =>
      Promise.resolve(due.filter((id) => !except.includes(id)).slice(0, limit)),
  };
  let attempts = 0;
  const dataSource = {
    transaction: () => {
      attempts += 1;
      return Promise.reject(new Error('Not stored'));
    },
  };
  const settings = { get: () => Promise.resolve({ remindAfterDays: 7, remindBriefAfterDays: null }) };
  const worker = new ReminderWorker(
    dataSource as unknown as DataSource,
    settings as never,
    projects as ProjectRepository,
    ...([undefined, undefined, undefined] as unknown as [never, never, never]),
    new SystemClock(),
    { warn: () => {} } as never,
  );
  await worker.run();
  // The worker’s `maxFailuresPerState`.
  expect(attempts).toBe(1_000);
});
