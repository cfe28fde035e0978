/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { render } from '@testing-library/react';
import { NewRecoveryCodes } from './RecoveryCodes.js';

test('new codes, which are shown only once, take the focus', () => {
  const codesFor = (codes: string[]) => (
    <NewRecoveryCodes codes={codes} email="ada@example.com" close={() => undefined} />
  );
  const { rerender } = render(codesFor(['abcd-efgh']));
  const focused = () => document.activeElement?.textContent.trim();
  expect(focused()).toBe('Save your recovery codes');
  (document.activeElement as HTMLElement).blur();
  rerender(codesFor(['ijkl-mnop']));
  expect(focused()).toBe('Save your recovery codes');
});
