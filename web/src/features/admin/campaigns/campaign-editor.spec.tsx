/** @jest-environment ./web/dom-environment.mjs */
import { beforeEach, expect, test } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import { Link, useLocation } from 'react-router-dom';
import type { Campaign } from '#libs/contracts';
import { openScreen } from '../../../workspace/open-screen.js';
import { CampaignEditor } from './CampaignEditor.js';

const campaign = { _id: '1', subject: 'November', preheader: '', body: '', version: 3 } as Campaign;

beforeEach(() => {
  // jsdom lacks `matchMedia`, with which the preview chooses its layout.
  globalThis.matchMedia = () => ({ matches: false }) as MediaQueryList;
});

test('whoever goes elsewhere while a draft is being deleted stays there when it is deleted', async () => {
  let answer!: (response: Response) => void;
  openScreen(
    () => {
      const { pathname } = useLocation();
      return (
        <>
          <p>At {pathname}</p>
          <Link to="/admin">Dashboard</Link>
          {pathname === '/campaign/1' && <CampaignEditor campaign={campaign} />}
        </>
      );
    },
    () => new Promise((resolve) => (answer = resolve)),
    { path: '/*', at: '/campaign/1' },
  );
  fireEvent.click(screen.getByRole('button', { name: 'Delete' }));
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Delete campaign' })));
  await act(async () => void fireEvent.click(screen.getByText('Dashboard')));
  await act(async () => answer(new Response(null, { status: 204 })));
  screen.getByText('At /admin');
});
