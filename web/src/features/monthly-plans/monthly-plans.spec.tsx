/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { screen } from '@testing-library/react';
import { samplePlan } from '../../workspace/monthly-plans/sample-plan.js';
import { openScreen } from '../../workspace/open-screen.js';
import { Component as MonthlyPlans } from './monthly-plans.route.js';

test('the list says that tax is added to the price, because the next charge includes it', async () => {
  const taxed = samplePlan({ addedTaxRate: '19', priceWithTax: '345.10', nextChargeAmount: '345.10' });
  openScreen(MonthlyPlans, () => Response.json([taxed]));
  const row = (await screen.findByText('$290.00 a month')).closest('tr');
  expect(row?.textContent).toContain('$290.00 a month, plus 19% tax');
  expect(row?.textContent).toContain('$345.10');
});
