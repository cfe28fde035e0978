import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, expect, test } from '@jest/globals';
import { ServiceLog } from './service-log.js';

const folder = mkdtempSync(join(tmpdir(), 'seo-services-log-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('writes every line to the file, reports repeated warnings once, and finds the reason why a process ended', async () => {
  const reported: string[] = [];
  const log = new ServiceLog(join(folder, 'content.log'), (level, message) =>
    reported.push(`${level} ${message}`),
  );
  const output = new PassThrough();
  log.follow(output);
  const warning = '{"level":"warn","msg":"Slow","err":{"message":"disk"}}\n';
  const lines = `{"level":"info","msg":"Starting"}\n${warning}${warning}`;
  output.write(lines.slice(0, 50));
  output.write(lines.slice(50));
  output.end('{"level":"fatal","msg":"Cannot start"}\n');
  await new Promise((resolve) => output.once('end', resolve));
  await log.flushed();
  expect(reported).toEqual(['warn Slow: disk', 'fatal Cannot start']);
  expect(log.reason()).toBe('Cannot start');
  expect(readFileSync(log.file, 'utf8').split('\n')).toHaveLength(5);
});
