/** @jest-environment ./web/dom-environment.mjs */
import { beforeEach, expect, jest, test } from '@jest/globals';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { samplePlan } from '../../../workspace/monthly-plans/sample-plan.js';
import { type FakeApi, openScreen } from '../../../workspace/open-screen.js';
import { useQuery } from '../../../workspace/query.js';
import { TimeMachine } from './TimeMachine.js';

const dayMs = 24 * 60 * 60 * 1000;
const start = Date.parse('2026-11-22T12:00:00.000Z');
const clock = (days: number) =>
  Response.json({ now: new Date(start + days * dayMs).toISOString(), aheadDays: days });
const api = jest.fn<FakeApi>();
const callCount = (wanted: string) => api.mock.calls.filter(([call]) => call === wanted).length;
const advanceCount = () => callCount('POST /time-machine');
const clockReadCount = () => callCount('GET /time-machine');

beforeEach(() => {
  api.mockReset();
  api.mockImplementation(() => clock(advanceCount()));
});

const plan = samplePlan({ nextChargeAt: '2026-12-02T12:00:00.000Z' });
const open = (shown = plan) => openScreen(() => <TimeMachine plan={shown} />, api);
const press = async (name: string) => {
  const button = await screen.findByRole('button', { name });
  await act(async () => void fireEvent.click(button));
};
const status = () => screen.getByRole('status').textContent;

test.each([
  ['Advance 1 day', 1],
  ['Advance 1 week', 7],
  ['Advance to the next charge', 10],
  ['Advance 1 month', 30],
])('%s moves the clock by one day, %i times', async (name, days) => {
  open();
  await press(name);
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull());
  expect(advanceCount()).toBe(days);
  const shown = screen.getByRole('region', { name: 'Time machine' }).querySelector('time');
  expect(shown?.dateTime).toBe(new Date(start + days * dayMs).toISOString());
});

test('the next charge of a plan that is past due is the retry of its failed charge, if that comes first', async () => {
  open({ ...plan, state: 'past_due', retryAt: '2026-11-27T12:00:00.000Z' });
  await press('Advance to the next charge');
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull());
  expect(advanceCount()).toBe(5);
});

test('the time machine shows its progress, and stops on request', async () => {
  let arrive!: (response: Response) => void;
  open();
  await screen.findByRole('button', { name: 'Advance 1 week' });
  api.mockReturnValueOnce(clock(1));
  api.mockReturnValueOnce(new Promise((resolve) => (arrive = resolve)));
  await press('Advance 1 week');
  await waitFor(() => expect(status()).toBe('Day 2 of 7'));
  await press('Stop');
  await act(async () => arrive(clock(2)));
  await screen.findByRole('button', { name: 'Advance 1 day' });
  expect(advanceCount()).toBe(2);
});

test('the time machine stops at a failure, and shows the reason', async () => {
  open();
  await screen.findByRole('button', { name: 'Advance 1 week' });
  api.mockReturnValueOnce(Response.json({ detail: 'Not now.' }, { status: 503 }));
  await press('Advance 1 week');
  await screen.findByText('Not now.');
  expect(advanceCount()).toBe(1);
});

const duePlan = { ...plan, nextChargeAt: new Date(start).toISOString() };
const readPlan = `GET /plan-subscription/${plan._id}`;
const whileDue: FakeApi = (call) => (call === readPlan ? Response.json(duePlan) : clock(advanceCount()));

test('after a failed day, the time machine is ready again, even while a charge is due', async () => {
  open();
  await screen.findByRole('button', { name: 'Advance 1 week' });
  api.mockImplementation(whileDue);
  api.mockReturnValueOnce(Response.json({ detail: 'Not now.' }, { status: 503 }));
  await press('Advance 1 week');
  await screen.findByText('Not now.');
  expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull();
  expect(status()).toBe('');
});

test.each([
  ['Stop', true],
  ['a failed day', false],
])(
  'after %s, a charge of an earlier day is shown as soon as the service has recorded it',
  async (_, isStopped) => {
    let recorded = duePlan;
    let arrive!: (response: Response) => void;
    const secondDay = new Promise<Response>((resolve) => (arrive = resolve));
    api.mockImplementation((call) => {
      if (call === readPlan) return Response.json(recorded);
      return advanceCount() === 2 && call === 'POST /time-machine' ? secondDay : clock(advanceCount());
    });
    openScreen(() => {
      const shown = useQuery('GET /plan-subscription/:id', { params: { id: plan._id } }).data;
      return shown ? (
        <>
          Next charge at {shown.nextChargeAt}
          <TimeMachine plan={shown} />
        </>
      ) : null;
    }, api);
    await press('Advance 1 week');
    await waitFor(() => expect(status()).toBe('Day 2 of 7'));
    if (isStopped) await press('Stop');
    await act(async () => arrive(isStopped ? clock(2) : Response.json({}, { status: 503 })));
    await screen.findByRole('button', { name: 'Advance 1 day' });
    screen.getByText(`Next charge at ${duePlan.nextChargeAt}`);
    recorded = { ...duePlan, nextChargeAt: plan.nextChargeAt! };
    await screen.findByText(`Next charge at ${plan.nextChargeAt}`, {}, { timeout: 10_000 });
    expect(advanceCount()).toBe(2);
  },
);

test('while a charge is due, Stop brings the buttons back, and the clock can be advanced again', async () => {
  const planReads: ((plan: Response) => void)[] = [];
  open();
  await screen.findByRole('button', { name: 'Advance 1 day' });
  api.mockImplementation((call) => {
    if (call === readPlan) return new Promise((resolve) => planReads.push(resolve));
    return advanceCount() === 2 && call === 'POST /time-machine' ? new Promise(() => {}) : clock(1);
  });
  await press('Advance 1 day');
  await waitFor(() => expect(planReads).toHaveLength(1));
  await press('Stop');
  await press('Advance 1 week');
  // The first wait ends with a read of the clock, which must not end the second advance.
  const readsBefore = clockReadCount();
  await act(async () => planReads[0]!(Response.json(plan)));
  await waitFor(() => expect(clockReadCount()).toBe(readsBefore + 1));
  expect(status()).toBe('Day 1 of 7');
  screen.getByRole('button', { name: 'Stop' });
});

test('the time machine is not shown where payments are not simulated', async () => {
  api.mockImplementation(() => Response.json({}, { status: 404 }));
  // The panel would be shown once the answer has arrived.
  await act(async () => open());
  expect(api).toHaveBeenCalledTimes(1);
  expect(screen.queryByRole('region')).toBeNull();
});
