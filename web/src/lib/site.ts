import { createContext, useContext, useEffect } from 'react';
import type { BodyOf, SectionName, sections } from '#libs/content-model';
import type { PublicPageName } from '#libs/contracts';

/** Every field may be missing, because old records remain when a section's declaration changes. */
export type ShownRecord<N extends SectionName> = { _id: string } & Partial<BodyOf<(typeof sections)[N]>>;

/** Sections without a record are missing or empty. */
export type Site = { readonly [N in SectionName]?: readonly ShownRecord<N>[] };

/** The data that a page is rendered from: on the server, and again in the browser. */
export interface PageData {
  site: Site;
  /** The page that the content belongs to; `frame` for header and footer only. Left out once all public content is here. */
  contentOf?: PublicPageName | 'frame';
  /** Descriptions, by the picture's id. */
  imageTexts: Readonly<Record<string, string>>;
  /** The content's version; null on a shell, which has no content. */
  version: number | null;
  publicUrl: string;
  /** The postal address replaces `{address}` in this URL, or is appended to it. Null if the site shows no map. */
  mapEmbedUrl: string | null;
  /** The text to show if the site's content has no consent text. */
  newsletterConsent: string;
  /** Whether signing in with Google is offered. */
  google?: boolean;
  /** Default: 6. */
  passwordMinLength?: number;
  /** When the browser last tried to read all public content, in ms (`Date.now()`); 0 for never. */
  readAt: number;
}

interface SiteState {
  data: PageData;
  refresh(): void;
}

export const SiteContext = createContext<SiteState | null>(null);

function useSiteState(): SiteState {
  const state = useContext(SiteContext);
  if (!state) throw new Error('The content is available only inside of App.');
  return state;
}

export const usePageData = (): PageData => useSiteState().data;
export const useRefreshSite = (): (() => void) => useSiteState().refresh;
export const useSite = (): Site => usePageData().site;

/** Undefined until all public content has been read: a page from the server has only a part. */
export function useWholeSite(): Site | undefined {
  const { data, refresh } = useSiteState();
  const { contentOf, readAt, site } = data;
  useEffect(() => {
    if (contentOf !== undefined && readAt === 0) refresh();
  }, [contentOf, readAt, refresh]);
  return contentOf === undefined ? site : undefined;
}

export function singleRecord<T>(records: readonly T[] | undefined): T | undefined {
  return records?.[0];
}
