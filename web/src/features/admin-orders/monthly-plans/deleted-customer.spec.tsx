/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { fireEvent, screen } from '@testing-library/react';
import { openScreen } from '../../../workspace/open-screen.js';
import { samplePlan } from '../../../workspace/monthly-plans/sample-plan.js';
import { AdminMonthlyPlan } from './AdminMonthlyPlan.js';
import { MonthlyPlans } from './MonthlyPlans.js';

const plan = samplePlan({ customerName: '', customerEmail: '' });

test('the list of plans shows “Deleted account” in place of a deleted customer’s name', async () => {
  const answer = Response.json([plan], { headers: { 'x-total-count': '1' } });
  openScreen(MonthlyPlans, (call) => (call === 'GET /plan-subscriptions' ? answer : undefined));
  await screen.findByRole('link', { name: 'View plan : Deleted account, Basic' });
  screen.getByText('Deleted account');
});

test('the screen of a plan shows “Deleted account” in place of a deleted customer’s name', async () => {
  openScreen(
    () => <AdminMonthlyPlan renderProjects={() => null} />,
    (call) => {
      if (call === 'GET /time-machine') return Response.json({}, { status: 404 });
      return call === `GET /plan-subscription/${plan._id}` ? Response.json(plan) : undefined;
    },
    { path: '/:id', at: `/${plan._id}` },
  );
  await screen.findByRole('heading', { name: 'Basic, Deleted account' });
  expect(document.title).toMatch(/^Monthly plan: Deleted account/);
  fireEvent.click(screen.getByRole('button', { name: 'Cancel at the end of the paid period' }));
  screen.getByText('Cancel Basic for a deleted account?');
});
