import { expect, test } from '@jest/globals';
import { BoundedQueue } from './bounded-queue.js';

/** Work that ends when the test says so. */
function held() {
  let end!: () => void;
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { end, ended };
}

test('what is beyond both bounds is refused, and those who wait get their turn in order', async () => {
  const queue = new BoundedQueue({ atOnce: 1, waiting: 2 });
  const order: number[] = [];
  const first = held();
  const all = [
    queue.run(() => first.ended),
    ...[1, 2].map((number) => queue.run(() => Promise.resolve(order.push(number)))),
  ];
  await expect(queue.run(() => Promise.resolve())).rejects.toMatchObject({ code: 'OVERLOADED' });
  expect(order).toEqual([]);
  first.end();
  await Promise.all(all);
  expect(order).toEqual([1, 2]);
});

test('work that fails makes room as well', async () => {
  const queue = new BoundedQueue({ atOnce: 1, waiting: 0 });
  await expect(queue.run(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  await expect(queue.run(() => Promise.resolve('done'))).resolves.toBe('done');
});
