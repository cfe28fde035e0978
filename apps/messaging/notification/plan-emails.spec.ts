import { expect, test } from '@jest/globals';
import { writeEmail } from '../mail/customizable-email.js';
import { renderText } from '../mail/render-text.js';
import { planEmails } from './plan-emails.js';

const brand = { name: 'Northrank', siteUrl: 'https://northrank.example' };
const { planChangeApproved } = planEmails;

function mailAfter(change: { packageName: string; price: string }): string {
  const { change: announced, ...plan } = planChangeApproved.sampleParams as { change: object };
  const approved = { ...announced, ...change, priceWithTax: change.price, state: 'approved' };
  return renderText(writeEmail(planChangeApproved, { ...plan, change: approved }, brand), brand);
}

test('the mail about an approved change names a new plan only if the package changes', () => {
  const anotherPackage = mailAfter({ packageName: 'Basic', price: '290.00' });
  expect(anotherPackage).toContain('Monthly plan: Premium');
  expect(anotherPackage).toContain('New plan: Basic');
  const anotherPrice = mailAfter({ packageName: 'Premium', price: '540.00' });
  expect(anotherPrice).toContain('Monthly plan: Premium');
  expect(anotherPrice).not.toContain('New plan');
  expect(anotherPrice).toContain('New price: $540.00 a month');
});
