type Records = readonly Readonly<Record<string, unknown>>[];

/** On one line. Falls back to the heading of `footerAbout`; undefined without either. */
export function siteNameOf(site: { siteName?: Records; footerAbout?: Records }): string | undefined {
  return oneLine(site.siteName?.[0]?.siteName) ?? oneLine(site.footerAbout?.[0]?.aboutFooterText);
}

function oneLine(value: unknown): string | undefined {
  return typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() || undefined : undefined;
}
