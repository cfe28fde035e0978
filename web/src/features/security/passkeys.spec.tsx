/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, expect, test } from '@jest/globals';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { Passkey } from '#libs/contracts';
import { Queries } from '../../workspace/Queries.js';
import { Passkeys } from './Passkeys.js';

afterEach(cleanup);

const passkey = (name: string): Passkey => ({
  ...{ id: name, name, createdAt: '2026-01-01T00:00:00.000Z', lastUsedAt: null, synced: false },
});

test('only one form is open at a time, because the fields of all forms have the same id', () => {
  render(
    <Queries>
      <Passkeys passkeys={[passkey('My phone'), passkey('My laptop')]} onAdded={async () => undefined} />
    </Queries>,
  );
  const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
  const forms = () => screen.queryAllByRole('form').map((form) => form.getAttribute('aria-label'));
  press('Add passkey');
  expect(forms()).toEqual(['Add passkey']);
  press('Rename My phone');
  expect(forms()).toEqual(['Rename My phone']);
  press('Rename My laptop');
  expect(forms()).toEqual(['Rename My laptop']);
  press('Cancel');
  expect(forms()).toEqual([]);
});
