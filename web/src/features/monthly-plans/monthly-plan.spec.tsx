/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { PlanSubscription } from '#libs/contracts';
import { samplePlan } from '../../workspace/monthly-plans/sample-plan.js';
import { type FakeApi, openScreen } from '../../workspace/open-screen.js';
import { Component } from './monthly-plan.route.js';

const api = jest.fn<FakeApi>();
beforeEach(() => void api.mockReset());
afterEach(() => void jest.useRealTimers());

const { _id } = samplePlan();
const change = {
  ...{ packageName: 'Basic', price: '390.00', priceWithTax: '390.00', requestedBy: 'admin' as const },
  ...{ approvableFrom: '2027-01-22T12:00:00.000Z', appliesFrom: '2027-02-22T12:00:00.000Z' },
};

const planCall = (method: string, path = '') => `${method} /plan-subscription/${_id}${path}`;
const calls = (method: string) => api.mock.calls.filter(([call]) => call.startsWith(method));

interface OpenOptions {
  search?: string;
  /** To calls other than the one that reads the plan. */
  answers?: Record<string, readonly [body: object, status?: number]>;
}

async function open(
  overrides: Partial<PlanSubscription> = {},
  { search = '', answers = {} }: OpenOptions = {},
) {
  const plan = samplePlan({ accountId: 'ada', ...overrides });
  api.mockImplementation((call) => {
    const [body, status] = call === planCall('GET') ? [plan] : (answers[call] ?? []);
    return body && Response.json(body, { status });
  });
  openScreen(Component, api, { path: '/monthly-plan/:id', at: `/monthly-plan/${_id}${search}` });
  await screen.findByRole('heading', { name: plan.packageName });
}

const press = (name: string, scope = within(document.body)) =>
  act(async () => void fireEvent.click(scope.getByRole('button', { name })));

test.each<[Partial<PlanSubscription>, title: string, buttons: string[], links: string[]]>([
  [{ state: 'pending', actions: ['cancel'] }, 'Your plan is starting', [], []],
  [
    { state: 'past_due', outstanding: '290.00', actions: ['retry', 'cancel'] },
    'Your payment didn’t go through',
    ['Try payment again'],
    ['Change payment method at PayPal (opens in a new tab)'],
  ],
  [
    { state: 'suspended', outstanding: '290.00', actions: ['retry', 'cancel'] },
    'Your plan is suspended',
    ['Try payment again'],
    ['Change payment method at PayPal (opens in a new tab)'],
  ],
  [{ state: 'paused', actions: ['cancel'] }, 'Your plan is paused', [], ['Contact us']],
  [
    { state: 'ending', endsOn: '2026-12-22T12:00:00.000Z', actions: ['resume'] },
    'Your plan ends on Dec 22, 2026',
    ['Keep my plan'],
    [],
  ],
  [
    { state: 'ended', endedAt: '2026-12-22T12:00:00.000Z', actions: [] },
    'Your plan ended on Dec 22, 2026',
    [],
    ['See plans'],
  ],
])('the screen of a plan with %j says what the customer can do', async (overrides, title, buttons, links) => {
  await open(overrides);
  const callout = within(screen.getByRole('region', { name: title }));
  expect(callout.queryAllByRole('button').map(({ textContent }) => textContent)).toEqual(buttons);
  expect(callout.queryAllByRole('link').map(({ textContent }) => textContent)).toEqual(links);
});

const withTax = { addedTaxRate: '19', priceWithTax: '345.10' };

test.each<[Partial<PlanSubscription>, string]>([
  [{ state: 'past_due', actions: ['retry'] }, 'PayPal couldn’t collect $345.10.'],
  [{ state: 'past_due', actions: ['retry'], outstanding: '690.20' }, 'PayPal couldn’t collect $690.20.'],
  [{ state: 'suspended', actions: ['retry'] }, 'PayPal couldn’t collect $345.10,'],
  [{ state: 'ending', actions: ['resume'] }, 'you can keep your plan at $290.00 a month, plus 19% tax.'],
])('with added tax, the screen of a plan with %j says “%s”', async (overrides, sentence) => {
  await open({ ...withTax, ...overrides });
  expect(document.body.textContent).toContain(sentence);
});

test('a plan is cancelled with two clicks, and the dialog says until when it continues', async () => {
  await open({ paidUntil: '2099-12-22T12:00:00.000Z' });
  await press('Cancel plan');
  const dialog = within(screen.getByRole('dialog', { name: 'Cancel your Basic plan?' }));
  dialog.getByText(/Your plan continues until Dec 22, 2099/);
  expect(calls('POST')).toEqual([]);
  await press('Cancel plan', dialog);
  await waitFor(() => expect(calls('POST')).toEqual([[planCall('POST', '/cancel'), { when: 'at_end' }]]));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a colleague for billing sees whose plan it is, and cannot undo its cancellation', async () => {
  await open({
    ...{ accountId: 'someone-else', customerName: 'Nadia Karim', actions: [], endReason: 'customer' },
    ...{ state: 'ending', endsOn: '2026-12-22T12:00:00.000Z' },
  });
  screen.getByText(/Nadia Karim has cancelled it/);
  screen.getByText(/This is Nadia Karim’s plan/);
  expect(screen.queryByRole('button', { name: 'Keep my plan' })).toBeNull();
});

test.each<[Partial<PlanSubscription>, title: string]>([
  [{ state: 'pending' }, 'The plan is starting'],
  [{ state: 'past_due', actions: ['retry'] }, 'The payment didn’t go through'],
  [{ state: 'suspended', actions: ['retry'] }, 'The plan is suspended'],
  [{ state: 'paused' }, 'The plan is paused'],
  [{ state: 'ending', endsOn: '2026-12-22T12:00:00.000Z' }, 'The plan ends on Dec 22, 2026'],
  [{ state: 'ended', endedAt: '2026-12-22T12:00:00.000Z' }, 'The plan ended on Dec 22, 2026'],
  [{ change: { ...change, state: 'approved' } }, 'The plan changes on Feb 22, 2027'],
])(
  'for a colleague for billing, the callout of a plan with %j does not call the plan theirs, and does not offer to order one',
  async (overrides, title) => {
    await open({ accountId: 'someone-else', customerName: 'Nadia Karim', actions: [], ...overrides });
    const callout = screen.getByRole('region', { name: title });
    expect(callout.textContent).not.toMatch(/\byou(r|’ve|’ll)?\b/i);
    expect(within(callout).queryByRole('link', { name: 'See plans' })).toBeNull();
  },
);

test('the customer of an ended plan is told that they can order another', async () => {
  await open({ state: 'ended', endedAt: '2026-12-22T12:00:00.000Z', endReason: 'unpaid', actions: [] });
  const { textContent } = screen.getByRole('region', { name: 'Your plan ended on Dec 22, 2026' });
  expect(textContent).toContain('nothing more will be charged. You can order a plan again at any time.');
});

test('an admin who opens a customer’s plan on this screen can neither cancel it as if it were their own nor undo its cancellation', async () => {
  await open({ accountId: 'someone-else', actions: ['cancel', 'cancel_now'] });
  expect(screen.queryByRole('button', { name: 'Cancel plan' })).toBeNull();
  cleanup();
  await open({ accountId: 'someone-else', state: 'ending', actions: ['cancel_now', 'resume'] });
  expect(screen.queryByRole('button', { name: 'Keep my plan' })).toBeNull();
  expect(screen.queryByText(/Changed your mind/)).toBeNull();
});

test('a plan that was cancelled at PayPal cannot be kept', async () => {
  await open({ state: 'ending', endReason: 'provider', endsOn: '2026-12-22T12:00:00.000Z', actions: [] });
  const { textContent } = screen.getByRole('region', { name: 'Your plan ends on Dec 22, 2026' });
  expect(textContent).toContain('It was cancelled at PayPal.');
  expect(textContent).not.toContain('Keep');
});

test('after a failed charge, the dialog says that cancelling ends the plan immediately, because no paid period is left', async () => {
  await open({ state: 'past_due', actions: ['cancel'] });
  await press('Cancel plan');
  screen.getByText(/your plan ends right away/);
});

test.each([
  ['a paused plan', 'paused'],
  ['a plan whose next charge has not been received yet', 'active'],
] as const)(
  'once the paid month of %s has passed, the dialog says that cancelling ends the plan immediately',
  async (_which, state) => {
    await open({ state, paidUntil: '2026-01-22T12:00:00.000Z', actions: ['cancel'] });
    await press('Cancel plan');
    screen.getByText(/your plan ends right away/);
  },
);

test('the customer sees an error when PayPal does not answer', async () => {
  const sentence = 'PayPal isn’t answering at the moment. Please try again in a minute.';
  const answers = { [planCall('POST', '/retry')]: [{ code: 'UNAVAILABLE', detail: sentence }, 503] as const };
  await open({ state: 'past_due', actions: ['retry'] }, { answers });
  await press('Try payment again');
  await screen.findByText(sentence);
});

test('an announced price can be approved at PayPal from a given day on, and a refusal is shown', async () => {
  await open({ change: { ...change, state: 'announced', approvableFrom: '2127-01-22T12:00:00.000Z' } });
  const callout = within(screen.getByRole('region', { name: 'New price: $390.00 a month' }));
  callout.getByText(/\$100.00 more than now. You can approve it at PayPal from Jan 22, 2127/);
  expect(callout.queryByRole('button')).toBeNull();
  cleanup();
  const refusal = [{ code: 'PRICE_CHANGED', detail: 'Another price.' }, 409] as const;
  await open(
    { change: { ...change, state: 'announced' }, actions: ['cancel', 'approve'] },
    { answers: { [planCall('POST', '/change')]: refusal } },
  );
  await press('Approve $390.00 a month');
  await screen.findByText('Another price.');
  expect(calls('POST')).toEqual([
    [planCall('POST', '/change'), { packageName: 'Basic', packagePrice: '390.00' }],
  ]);
});

test('if the person stops the browser on the way to PayPal, a new price can soon be approved again', async () => {
  await open(
    { change: { ...change, state: 'announced' }, actions: ['cancel', 'approve'] },
    { answers: { [planCall('POST', '/change')]: [{ action: '#paypal' }] } },
  );
  jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'performance'] });
  await press('Approve $390.00 a month');
  await press('Opening PayPal');
  await act(() => jest.advanceTimersByTimeAsync(10_000));
  await press('Approve $390.00 a month');
  expect(calls('POST')).toHaveLength(2);
});

test('the customer is told that a new price cannot be approved at the moment, if the day for it has come but the plan is past due', async () => {
  const approvableFrom = '2026-01-22T12:00:00.000Z';
  await open({ state: 'past_due', change: { ...change, approvableFrom, state: 'announced' } });
  screen.getByText(/more than now\. You can’t approve it at PayPal at the moment\. The price won’t change/);
});

test('an approved change is shown with the day from which it applies', async () => {
  await open({ change: { ...change, state: 'approved' } });
  screen.getByRole('region', { name: 'Your plan changes on Feb 22, 2027' });
});

test('tax that is added to prices is named with the present price and with the new one', async () => {
  await open({ addedTaxRate: '19', change: { ...change, state: 'approved' } });
  screen.getByText('$290.00 a month, plus 19% tax');
  screen.getByText(/^Basic for \$390\.00 a month, plus 19% tax, from/);
});

test('another plan is previewed before the customer goes to PayPal', async () => {
  const packages = [
    { _id: '1', packageName: 'Basic', packagePrice: '290.00' },
    { _id: '2', packageName: 'Premium', packagePrice: '990.00' },
  ];
  const preview = {
    ...{ packageName: 'Premium', price: '990.00', presentPrice: '290.00' },
    appliesFrom: '2026-12-22T12:00:00.000Z',
  };
  await open({}, { answers: { 'GET /pricings': [packages], [planCall('GET', '/change')]: [preview] } });
  const choice = await screen.findByLabelText('New plan');
  expect(
    within(choice)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['Choose a plan', 'Premium, $990.00 a month']);
  await act(async () => void fireEvent.change(choice, { target: { value: 'Premium' } }));
  await screen.findByText(/a month for Premium, \$700.00 more than now/);
  screen.getByRole('button', { name: 'Continue to PayPal' });
  expect(calls('POST')).toEqual([]);
});

test('the plan is refreshed once when the customer returns from PayPal, but not when another page of charges is opened', async () => {
  await open({}, { search: '?subscription_id=I-1&ba_token=BA-1' });
  await waitFor(() => expect(screen.queryByText('Checking with PayPal…')).toBeNull());
  expect(calls('POST')).toEqual([[planCall('POST', '/refresh'), undefined]]);
  cleanup();
  api.mockClear();
  await open({}, { search: '?charges=2' });
  expect(calls('POST')).toEqual([]);
});

test.each([
  ['a colleague for billing', 'someone-else', 'Cancelled'],
  ['the customer', 'ada', 'You Have Cancelled'],
])(
  'when the customer has cancelled an order of the plan, its status is worded for %s',
  async (_, accountId, text) => {
    const order = {
      ...{ _id: '1', number: 1042, accountId, orderDate: '11/20/2026', renewal: null, packageName: 'Basic' },
      ...{ packagePrice: '290.00', addedTax: '0.00', refunded: '0.00', disputed: '0.00', payments: [] },
      ...{
        paymentStatus: 'Cancelled',
        paymentState: 'cancelled',
        paymentHold: null,
        cancelledBy: 'customer',
      },
    };
    await open({ accountId }, { answers: { 'GET /orders': [[order]] } });
    await screen.findByText(text);
  },
);
