/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { type ComponentType, Suspense } from 'react';
import { Link, MemoryRouter, useLocation, useNavigate, useRoutes } from 'react-router-dom';
import { ErrorBoundary } from './ErrorBoundary.js';
import { pageHandleAt, pageRoutes } from './page-routes.js';

interface LoadRequest {
  resolve(module: { Component: ComponentType }): void;
  reject(error: Error): void;
}

let requests: LoadRequest[] = [];
let reports: unknown[] = [];
beforeEach(() => {
  requests = [];
  reports = [];
  // jsdom lacks this function.
  globalThis.reportError = (error) => reports.push(error);
});
afterEach(cleanup);

const Home = () => <h1>Home</h1>;
const Pricing = () => <h1>Pricing</h1>;
const Broken: ComponentType = () => {
  throw new Error('No price');
};

const load = () =>
  new Promise<{ Component: ComponentType }>((resolve, reject) => requests.push({ resolve, reject }));

/** A click on a link also preloads its page, as in `entry-client.tsx`. */
async function openSite(): Promise<void> {
  const routes = pageRoutes([
    { path: '/', load: async () => ({ Component: Home }) },
    { path: '/pricing', load },
  ]);
  function Site() {
    const { pathname } = useLocation();
    const element = useRoutes(routes);
    const navigate = useNavigate();
    return (
      <>
        <button onClick={() => void navigate(-1)}>Back</button>
        {['/', '/pricing'].map((path) => (
          <Link
            key={path}
            to={path}
            onClick={() =>
              void pageHandleAt(routes, path)
                .preload()
                .catch(() => undefined)
            }
          >
            To {path}
          </Link>
        ))}
        <ErrorBoundary pathname={pathname}>
          <Suspense>{element}</Suspense>
        </ErrorBoundary>
      </>
    );
  }
  const options = { onCaughtError: () => undefined };
  await act(async () => void render(<Site />, { wrapper: MemoryRouter, ...options }));
}

const goTo = (path: string) => act(async () => void fireEvent.click(screen.getByText(`To ${path}`)));
const settle = (change: (request: LoadRequest) => void) => act(async () => change(requests.at(-1)!));
const heading = () => screen.getByRole('heading').textContent;
const failure = 'We couldn’t show this page';

test('a page whose code cannot be loaded is replaced by an error message; the next click on its link tries again', async () => {
  await openSite();
  await goTo('/pricing');
  await settle(({ reject }) => reject(new TypeError('Failed to fetch dynamically imported module')));
  expect(heading()).toBe(failure);
  expect(requests).toHaveLength(1);
  await goTo('/');
  expect(heading()).toBe('Home');
  await goTo('/pricing');
  await settle(({ resolve }) => resolve({ Component: Pricing }));
  expect(heading()).toBe('Pricing');
  expect(requests).toHaveLength(2);
});

test('a page whose code could not be loaded is tried again on Back', async () => {
  await openSite();
  await goTo('/pricing');
  await settle(({ reject }) => reject(new TypeError('Failed to fetch dynamically imported module')));
  await goTo('/');
  await act(async () => void fireEvent.click(screen.getByText('Back')));
  await settle(({ resolve }) => resolve({ Component: Pricing }));
  expect(heading()).toBe('Pricing');
  expect(requests).toHaveLength(2);
});

test('a page whose code could not be loaded after it was left is tried again by the next click', async () => {
  await openSite();
  await goTo('/pricing');
  await goTo('/');
  await settle(({ reject }) => reject(new TypeError('Failed to fetch dynamically imported module')));
  await goTo('/pricing');
  await settle(({ resolve }) => resolve({ Component: Pricing }));
  expect(heading()).toBe('Pricing');
});

test('a page that fails to render is replaced by an error message, and the error is reported once', async () => {
  await openSite();
  await goTo('/pricing');
  await settle(({ resolve }) => resolve({ Component: Broken }));
  expect(heading()).toBe(failure);
  expect(reports).toHaveLength(1);
  await goTo('/');
  expect(heading()).toBe('Home');
});
