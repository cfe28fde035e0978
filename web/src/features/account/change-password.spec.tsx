/** @jest-environment ./web/dom-environment.mjs */
import { test } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import { openScreen } from '../../workspace/open-screen.js';
import { useQuery } from '../../workspace/query.js';
import { ChangePassword } from './ChangePassword.js';

function SignInDetails() {
  const { data } = useQuery('GET /auth/methods');
  if (!data) return null;
  return (
    <>
      <p>{data.password ? 'Has a password' : 'No password'}</p>
      <ChangePassword email="ada@example.com" hasPassword={data.password} close={() => {}} />
    </>
  );
}

test('once the first password is set, the screen no longer says that there is none', async () => {
  let password = false;
  openScreen(SignInDetails, (call) => {
    if (call === 'POST /auth/change-password') password = true;
    return Response.json({ password });
  });
  await screen.findByText('No password');
  fireEvent.change(screen.getByLabelText('New password'), { target: { value: 'a fine long password' } });
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Save password' })));
  await screen.findByText('Has a password');
});
