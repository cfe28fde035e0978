import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { inspect } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';
import { ProcessLog } from './process-log.js';

const folder = mkdtempSync(join(tmpdir(), 'seo-services-log-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('writes every line to the file, reports repeated warnings once, and finds the reason why a process ended', async () => {
  const reported: string[] = [];
  const log = new ProcessLog(join(folder, 'content.log'), (level, message) =>
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
  // Four lines, and nothing after the last line break.
  expect(readFileSync(log.file, 'utf8').split('\n')).toHaveLength(5);
});

test.each([
  ['an uncaught exception', 'The port is in use', {}],
  ['an error with properties and a cause', 'No schema', { code: 'E1', cause: new Error('No connection') }],
])('finds the message of %s, not the version of Node below it', (_what, message, properties) => {
  const log = new ProcessLog(join(folder, 'orders.log'), () => undefined);
  const error = inspect(Object.assign(new Error(message), properties));
  const output = ['file:///dist/main.js:3', 'throw error;', '      ^', '', error, '', 'Node.js v24.1.0'];
  for (const line of output.join('\n').split('\n')) log.writeLine(line);
  expect(log.reason()).toBe(`Error: ${message}`);
});

test('finds the reason in a last line without a line break', async () => {
  const log = new ProcessLog(join(folder, 'web.log'), () => undefined);
  const output = new PassThrough();
  log.follow(output);
  output.end('{"level":"info","msg":"Starting"}\nSegmentation fault');
  await new Promise((resolve) => output.once('end', resolve));
  expect(log.reason()).toBe('Segmentation fault');
});
