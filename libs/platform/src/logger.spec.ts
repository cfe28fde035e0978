import { describe, expect, test } from '@jest/globals';
import { createLogger } from './logger.js';
import { NestLogger } from './nest-logger.js';

function recorder() {
  const lines: string[] = [];
  const logger = createLogger('content', 'trace', { write: (line: string) => void lines.push(line) });
  const last = () => JSON.parse(lines.at(-1) ?? '') as Record<string, unknown>;
  return { logger, lines, last };
}

describe('logger', () => {
  test('writes one JSON object per line, with its level in words and its time in UTC', () => {
    const { logger, lines, last } = recorder();
    logger.warn({ orderId: '7' }, 'Late');
    expect(lines[0]?.endsWith('}\n')).toBe(true);
    expect(last()).toEqual({
      level: 'warn',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      service: 'content',
      pid: process.pid,
      orderId: '7',
      msg: 'Late',
    });
  });

  test('redacts fields that are named like secrets, at any depth, and nothing else', () => {
    const { logger, last } = recorder();
    const headers = { cookie: 'sid=1', authorization: 'Bearer x', accept: '*/*' };
    logger.info({
      input: [{ credentials: { password: 'p' }, newPassword: 'q', refreshToken: 't' }],
      headers,
    });
    expect(last()).toMatchObject({
      input: [{ credentials: '[redacted]', newPassword: '[redacted]', refreshToken: '[redacted]' }],
      headers: { cookie: '[redacted]', authorization: '[redacted]', accept: '*/*' },
    });
  });

  test('masks the passwords of URLs in messages and in errors', () => {
    const { logger, lines } = recorder();
    logger.error(
      { err: new Error('cannot reach postgres://app:hunter2@db:5432/x') },
      'redis://:hunter2@redis',
    );
    expect(lines.join()).not.toContain('hunter2');
    expect(lines.join()).toContain('postgres://app:***@db:5432/x');
  });

  test('logs an error’s message, code, stack and cause, but no other properties that were added to it', () => {
    const { logger, lines, last } = recorder();
    const cause = Object.assign(new Error('duplicate key'), { code: '23505', detail: 'Key (email)=(a@b.c)' });
    logger.error({ err: Object.assign(new Error('failed', { cause }), { parameters: ['hash'] }) });
    expect(last().err).toMatchObject({
      message: 'failed',
      stack: expect.stringContaining('Error: failed'),
      cause: { message: 'duplicate key', code: '23505' },
    });
    expect(lines.join()).not.toMatch(/a@b\.c|"hash"/);
  });

  test('survives circular objects', () => {
    const { logger, last } = recorder();
    const loop: Record<string, unknown> = {};
    loop.self = loop;
    logger.info({ loop }, 'round');
    expect(last()).toMatchObject({ msg: 'round' });
  });

  test('text from outside forges neither a line nor a terminal sequence', () => {
    const { logger, lines, last } = recorder();
    const evil = 'x\n{"level":"fatal"}\u001b[2J\u009b2J\u2028\u007f';
    logger.info({ name: evil }, evil);
    expect(lines).toHaveLength(1);
    expect(lines[0]?.slice(0, -1)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
    expect(last()).toMatchObject({ name: evil, msg: evil });
  });
});

describe('NestLogger', () => {
  test('keeps context, level and stack', () => {
    const { logger, last } = recorder();
    const nest = new NestLogger(logger);
    nest.warn('Slow', 'OrderService');
    expect(last()).toMatchObject({ level: 'warn', context: 'OrderService', msg: 'Slow' });
    nest.error('Broken', 'Error: x\n  at y', 'OrderService');
    expect(last()).toMatchObject({ level: 'error', context: 'OrderService', details: ['Error: x\n  at y'] });
    nest.error(new Error('thrown'), 'OrderService');
    expect(last()).toMatchObject({ level: 'error', err: { message: 'thrown' }, msg: 'thrown' });
  });

  test('logs Nest’s wiring at debug level only', () => {
    const { logger, last } = recorder();
    new NestLogger(logger).log('AppModule dependencies initialized', 'InstanceLoader');
    expect(last()).toMatchObject({ level: 'debug' });
  });
});
