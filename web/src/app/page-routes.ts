import { type ComponentType, createElement, use } from 'react';
import { matchRoutes, type RouteObject } from 'react-router-dom';
import type { Page } from '../lib/page.js';

export interface PageHandle {
  page: Page;
  preload(): Promise<void>;
}

/** A page or screen in its own chunk. It renders without suspending if it was preloaded. */
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

/** Throws if no route matches, so `routes` needs a catch-all. */
export function pageHandleAt(routes: RouteObject[], path: string): PageHandle {
  const route = matchRoutes(routes, path)?.at(-1)?.route;
  if (!route) throw new Error(`No route for ${path}`);
  return route.handle as PageHandle;
}
