import { afterEach } from '@jest/globals';
import { cleanup, render } from '@testing-library/react';
import type { ComponentType } from 'react';
import { MemoryRouter, Route, Routes } from 'react-router-dom';
import type { Account } from '#libs/contracts';
import { SiteContext } from '../lib/site.js';
import { AccountContext, ScreenContext } from './current-screen.js';
import { QueryProvider } from './QueryProvider.js';

const realFetch = globalThis.fetch;
afterEach(() => {
  cleanup();
  globalThis.fetch = realFetch;
});

const account: Account = {
  id: 'ada',
  email: 'ada@example.com',
  emailVerified: true,
  role: 'Customer',
  name: null,
};

export const emptyPageData = {
  site: {},
  imageTexts: {},
  version: 1,
  publicUrl: 'http://site.test',
  mapEmbedUrl: null,
  newsletterConsent: '',
  readAt: 0,
};

const content = { data: emptyPageData, refresh: () => {} };

/**
 * `call`: the method and the path without the query, such as `GET /orders`. `body`: the JSON that was sent. If the function returns undefined, the
 * answer is `[]`.
 */
export type FakeApi = (call: string, body?: unknown) => Response | Promise<Response> | undefined;

export function answerCalls(api: FakeApi): void {
  globalThis.fetch = (async (url: string, { method = 'GET', body }: RequestInit = {}) => {
    const sent: unknown = typeof body === 'string' ? JSON.parse(body) : undefined;
    return (await api(`${method} ${url.split('?')[0]}`, sent)) ?? Response.json([]);
  }) as typeof fetch;
}

/** Renders a screen in a spec, for a signed-in customer. `at` is the address, and `path` the pattern that it matches. */
export function openScreen(
  Screen: ComponentType,
  api: FakeApi,
  { path = '/', at = path }: { path?: string; at?: string } = {},
): void {
  answerCalls(api);
  const screen = { path, load: () => new Promise<never>(() => {}) };
  render(
    <SiteContext value={content}>
      <QueryProvider>
        <AccountContext value={account}>
          <ScreenContext value={{ screen, screens: [] }}>
            <MemoryRouter initialEntries={[at]}>
              <Routes>
                <Route path={path} element={<Screen />} />
                <Route path="*" element={null} />
              </Routes>
            </MemoryRouter>
          </ScreenContext>
        </AccountContext>
      </QueryProvider>
    </SiteContext>,
  );
}
