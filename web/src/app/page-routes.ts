import { type ComponentType, createElement, use } from 'react';
import { matchRoutes, type RouteObject } from 'react-router-dom';
import type { Page } from '../lib/page.js';

export interface PageHandle {
  page: Page;
  preload(): Promise<void>;
}

let failureCount = 0;

/** Call it when an error message has replaced the page: pages whose code could not be loaded are tried again when they are next rendered. */
export const forgetFailedLoads = () => void (failureCount += 1);

/** A page or screen in its own chunk. It renders without suspending if it was preloaded. */
function loadable(load: Page['load']): { Component: ComponentType; preload: () => Promise<void> } {
  let loaded: ComponentType | undefined;
  let pending: Promise<void> | undefined;
  let rendered: Promise<void> | undefined;
  /** The `failureCount` when `rendered` was first rendered. */
  let renderedAt = 0;
  const preload = () => {
    // The load before may have failed after its page was left, so that no error message was shown.
    if (!pending) rendered = undefined;
    pending ??= load().then(
      ({ Component }) => void (loaded = Component),
      (error: unknown) => {
        // The next call tries again.
        pending = undefined;
        throw error;
      },
    );
    return pending;
  };
  function Loadable() {
    if (renderedAt !== failureCount) rendered = undefined;
    renderedAt = failureCount;
    // With a new promise in each render, React would never see a failure. After `use` has suspended, React expects it in the last render too.
    if (rendered || !loaded) use((rendered ??= preload()));
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
