import { createElement, type ReactNode, use } from 'react';
import { matchRoutes, type RouteObject } from 'react-router-dom';
import type { PublicPageName } from '#libs/contracts';
import type { PageMeta } from '../lib/rendering.js';
import type { PageData } from '../lib/site.js';

/** A page or a screen: its addresses, its code, and what its head says before that code is there. */
export interface Page {
  /** Of a public page. */
  name?: PublicPageName;
  paths: readonly string[];
  /** Feature folder and file of its route module: `landing/landing` is `features/landing/landing.route.tsx`. */
  module?: string;
  load: () => Promise<{ Component: () => ReactNode }>;
  describe(data: PageData, path: string): PageMeta;
  /** Of the answer; 200 unless it says otherwise. */
  status?(path: string): number;
}

/** What a route says about its page. */
export interface PageHandle {
  page: Page;
  /** Resolves when the page can be rendered without waiting. */
  preload(): Promise<void>;
}

/** A page in a chunk of its own. The server, and the browser before hydration, preload it and then never wait. */
function loadable(load: Page['load']): { Component: () => ReactNode; preload: () => Promise<void> } {
  let loaded: (() => ReactNode) | undefined;
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
  return pages.flatMap((page) => {
    const { Component, preload } = loadable(page.load);
    const handle: PageHandle = { page, preload };
    return page.paths.map((path) => ({ path, Component, handle }));
  });
}

/** The page at a path. The routes must end in one that takes everything. */
export function handleAt(routes: RouteObject[], path: string): PageHandle {
  const route = matchRoutes(routes, path)?.at(-1)?.route;
  if (!route) throw new Error(`No route for ${path}`);
  return route.handle as PageHandle;
}
