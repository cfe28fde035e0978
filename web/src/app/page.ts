import { type ComponentType, createElement, use } from 'react';
import { matchRoutes, type RouteObject } from 'react-router-dom';
import type { Page } from '../lib/page.js';

/** What a route says about its page. */
export interface PageHandle {
  page: Page;
  /** Resolves when the page can be rendered without waiting. */
  preload(): Promise<void>;
}

/** A page in a chunk of its own. The server, and the browser before hydration, preload it and then never wait. */
function loadable(load: Page['load']): { Component: ComponentType; preload: () => Promise<void> } {
  let loaded: ComponentType | undefined;
  let pending: Promise<void> | undefined;
  const preload = () => {
    pending ??= load().then(
      ({ Component }) => void (loaded = Component),
      (error: unknown) => {
        // The next visit tries again.
        pending = undefined;
        throw error;
      },
    );
    return pending;
  };
  function Loadable() {
    if (!loaded) use(preload());
    return loaded && createElement(loaded);
  }
  return { Component: Loadable, preload };
}

export function pageRoutes(pages: readonly Page[]): RouteObject[] {
  return pages.map((page) => {
    const { Component, preload } = loadable(page.load);
    const handle: PageHandle = { page, preload };
    return { path: page.path, Component, handle };
  });
}

/** The page at a path. The routes must end in one that takes everything. */
export function handleAt(routes: RouteObject[], path: string): PageHandle {
  const route = matchRoutes(routes, path)?.at(-1)?.route;
  if (!route) throw new Error(`No route for ${path}`);
  return route.handle as PageHandle;
}
