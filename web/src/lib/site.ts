import { createContext, useContext, useEffect } from 'react';
import type { BodyOf, SectionName, sections } from '#libs/content-model';
import type { PublicPageName } from '#libs/contracts';

/** A record as pages see it. Every field may be missing: an old record outlives a changed declaration. */
export type Shown<N extends SectionName> = { _id: string } & Partial<BodyOf<(typeof sections)[N]>>;

/** The content of the public site. A section without its record is missing or empty, and is left out. */
export type Site = { readonly [N in SectionName]?: readonly Shown<N>[] };

/** What a page is rendered from: on the server, and again in the browser, which finds it embedded in the HTML. */
export interface PageData {
  site: Site;
  /** The page whose content this is, `frame` for header and footer alone. Left out once all public content was read. */
  contentOf?: PublicPageName | 'frame';
  /** What uploaded pictures show, by their id, as far as an admin wrote it. */
  imageTexts: Readonly<Record<string, string>>;
  /** Version of the content; null on a shell, which was rendered without any. */
  version: number | null;
  publicUrl: string;
  /** Where the map is loaded from when a person asks for it; `{address}` stands for the address. */
  mapEmbedUrl: string | null;
  /** What a subscriber agrees to where the content does not say it. */
  newsletterConsent: string;
  /** People may join with Google. */
  google?: boolean;
  /** The characters that a password must have at least, unless 6. */
  passwordMinLength?: number;
  /** When all public content was last read or asked for, in milliseconds of the browser's clock; 0 is not yet. */
  readAt: number;
}

interface SiteState {
  data: PageData;
  /** Reads all public content again, in the background. */
  refresh(): void;
}

export const SiteContext = createContext<SiteState | null>(null);

function useSiteState(): SiteState {
  const state = useContext(SiteContext);
  if (!state) throw new Error('The content is known inside of App only.');
  return state;
}

export const usePageData = (): PageData => useSiteState().data;
export const useRefresh = (): (() => void) => useSiteState().refresh;
export const useSite = (): Site => usePageData().site;

/** All public content, of which a page from the server holds a part; undefined until it was read. */
export function useWholeSite(): Site | undefined {
  const { data, refresh } = useSiteState();
  const { contentOf, readAt, site } = data;
  useEffect(() => {
    if (contentOf !== undefined && readAt === 0) refresh();
  }, [contentOf, readAt, refresh]);
  return contentOf === undefined ? site : undefined;
}

/** A singleton section's record. */
export function only<T>(records: readonly T[] | undefined): T | undefined {
  return records?.[0];
}

/** The agency's name, as the footer's about heading has it. */
export function siteName(site: Site): string | undefined {
  return only(site.footerAbout)?.aboutFooterText?.replace(/\s+/g, ' ').trim() || undefined;
}
