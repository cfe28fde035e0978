/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { ContactLines } from './ContactLines.js';

test.each([
  ['+49 (0)30 901820', 'tel:+4930901820'],
  ['(030) 901 820', 'tel:030901820'],
  ['+1 (555) 010-0199', 'tel:+15550100199'],
])('a phone calls %s at %s', (footerPhone, link) => {
  const address = { _id: '1', footeraddress: '1 Main Street', footerPhone, footerEmail: 'a@example.com' };
  render(<ContactLines address={address} />);
  expect(screen.getByText(footerPhone).getAttribute('href')).toBe(link);
});
