type Records = readonly Readonly<Record<string, unknown>>[];

/** The site's name on one line. Until an admin has set it, it is the heading of the section `footerAbout`; undefined without either. */
export function siteNameOf(site: { siteName?: Records; footerAbout?: Records }): string | undefined {
  return oneLine(site.siteName?.[0]?.siteName) ?? oneLine(site.footerAbout?.[0]?.aboutFooterText);
}

function oneLine(value: unknown): string | undefined {
  return typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() || undefined : undefined;
}
