import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { type Answer, answerFrom, callApi, setRefusalListener } from './api.js';

const fetched = jest.fn<typeof fetch>();
const realFetch = globalThis.fetch;

async function sentBy(call: () => Promise<unknown>) {
  fetched.mockImplementation(async () => Response.json({}));
  globalThis.fetch = fetched;
  await call();
  const [path, { method, headers, body } = {}] = fetched.mock.lastCall!;
  return { path, method, headers, body };
}

afterEach(() => {
  globalThis.fetch = realFetch;
  fetched.mockReset();
});

test('a call fills in its path and sends its body, version and idempotency key', async () => {
  const params = { id: 'a/b' };
  expect(
    await sentBy(() =>
      callApi('PUT /order/:id', {
        params,
        body: { paymentStatus: 'Paid' },
        ifVersion: 3,
        idempotencyKey: 'key',
      }),
    ),
  ).toEqual({
    path: '/order/a%2Fb',
    method: 'PUT',
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      'idempotency-key': 'key',
      'if-match': '"3"',
    },
    body: '{"paymentStatus":"Paid"}',
  });
});

test('version 0, that of a project template that was never saved, is sent like any other', async () => {
  const params = { id: '1' };
  const body = { questions: [] };
  const sent = await sentBy(() => callApi('PUT /project-template/:id', { params, body, ifVersion: 0 }));
  expect(sent.headers).toMatchObject({ 'if-match': '"0"' });
});

test('a call without a body sends none', async () => {
  expect(await sentBy(() => callApi('POST /auth/logout'))).toEqual({
    path: '/auth/logout',
    method: 'POST',
    headers: { accept: 'application/json' },
    body: undefined,
  });
});

test('a call ends at its deadline, and earlier if its caller aborts it', async () => {
  const params = { id: '1' };
  const signalOf = async (signal: AbortSignal) => {
    await sentBy(() => callApi('GET /order/:id', { params, signal }));
    return fetched.mock.lastCall![1]!.signal!;
  };
  const deadline = new AbortController();
  const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(deadline.signal);
  const caller = new AbortController();
  const abortedByCaller = await signalOf(caller.signal);
  const other = await signalOf(new AbortController().signal);
  timeout.mockRestore();
  expect([abortedByCaller.aborted, other.aborted]).toEqual([false, false]);
  caller.abort();
  expect([abortedByCaller.aborted, other.aborted]).toEqual([true, false]);
  deadline.abort();
  expect(other.aborted).toBe(true);
});

// The type check fails where an expected error does not occur.
describe('a call does not compile with', () => {
  const params = { id: '1' };

  test('a path that no operation has', async () => {
    // @ts-expect-error -- the path is /order/:id
    expect((await sentBy(() => callApi('GET /ordr/:id', { params }))).path).toBe('/ordr/1');
  });

  test('a body with an invalid value', async () => {
    const wrong = { paymentStatus: 'Payed' } as const;
    // @ts-expect-error -- the statuses are Paid and UnPaid
    const sent = await sentBy(() => callApi('PUT /order/:id', { params, body: wrong }));
    expect(sent.body).toBe('{"paymentStatus":"Payed"}');
  });

  test('a version where the call takes none', async () => {
    const ids = ['1'];
    // @ts-expect-error -- deleting several messages takes no version
    const sent = await sentBy(() => callApi('POST /messages/delete', { body: { ids }, ifVersion: 1 }));
    expect(sent.method).toBe('POST');
  });

  test('a field that the answer does not have', async () => {
    await sentBy(async () => {
      const answer = await callApi('GET /orders/summary');
      // @ts-expect-error -- the field is called totalSales
      expect(answer.ok && answer.value.totalSale).toBeUndefined();
    });
  });
});

test('a response has the type of the named call’s answer; without a name, the type is not inferred', () => {
  const answer = answerFrom<'GET /orders/summary'>(200, { totalSales: 7 });
  expect(answer.ok && answer.value.totalSales).toBe(7);
  // @ts-expect-error -- no call is named, and the type must not be inferred from the variable
  const unnamed: Answer<{ sales: number }> = answerFrom(200, { totalSales: 7 });
  expect(unnamed).toMatchObject({ ok: true, value: { totalSales: 7 } });
});

test.each([
  [['renewed', 'confirmed'], 3, true],
  [['renewed', 'renewed again', 'and again'], 3, false],
])('a call is repeated at most twice after what it was refused for is %j', async (reasons, count, ok) => {
  const left = [...reasons];
  setRefusalListener(async () => left.shift() !== undefined);
  let refusals = reasons.length;
  fetched.mockImplementation(async () =>
    refusals-- > 0 ? Response.json({ code: 'UNAUTHENTICATED' }, { status: 401 }) : Response.json({}),
  );
  globalThis.fetch = fetched;
  const answer = await callApi('GET /auth/me');
  setRefusalListener(async () => false);
  expect([fetched.mock.calls.length, answer.ok]).toEqual([count, ok]);
});
