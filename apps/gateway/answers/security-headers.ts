export interface SecurityHeaders {
  /** For the API's answers and for other data, such as the sitemap. Browsers must neither run nor frame them. */
  readonly api: Record<string, string>;
  /** For pages, rendered screens and shells. */
  readonly page: Record<string, string>;
  /** For the API reference, which Scalar renders. */
  readonly reference: (nonce: string) => Record<string, string>;
  /** For the frame in which a screen shows a mail. */
  readonly mailPreview: Record<string, string>;
  /** For pictures, and for files that pages and screens load, such as scripts, styles and fonts. */
  readonly asset: Record<string, string>;
}

export const SECURITY_HEADERS = Symbol('security headers');

/** For everything but assets and the public pages. Unlike a meta tag, it also works for answers that are not HTML. */
export const notIndexed = { 'X-Robots-Tag': 'noindex' } as const;

const yearInSeconds = 31_536_000;

interface Options {
  secure: boolean;
  /** The map of the contact page. All pages and screens may frame its origin. */
  mapUrl?: string;
  /** The origins to which a checkout form may be submitted. */
  checkoutOrigins?: readonly string[];
}

export function securityHeaders({ secure, mapUrl, checkoutOrigins = [] }: Options): SecurityHeaders {
  const everywhere = {
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    ...(secure ? { 'Strict-Transport-Security': `max-age=${yearInSeconds}` } : {}),
  };
  const html = {
    ...everywhere,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'X-Frame-Options': 'DENY',
  };
  return {
    api: {
      ...everywhere,
      ...notIndexed,
      'Content-Security-Policy': apiPolicy,
      'Cross-Origin-Resource-Policy': 'same-origin',
    },
    page: { ...html, 'Content-Security-Policy': pagePolicy(mapUrl, checkoutOrigins) },
    reference: (nonce) => ({ ...html, ...notIndexed, 'Content-Security-Policy': referencePolicy(nonce) }),
    mailPreview: {
      ...everywhere,
      ...notIndexed,
      'Content-Security-Policy': mailPreviewPolicy,
      'Cross-Origin-Resource-Policy': 'same-origin',
    },
    asset: {
      ...everywhere,
      'Content-Security-Policy': assetPolicy,
      'Cross-Origin-Resource-Policy': 'cross-origin',
    },
  };
}

function policy(directives: Record<string, string>): string {
  return Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`.trim())
    .join('; ');
}

const apiPolicy = policy({
  'default-src': "'none'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
});

const pagePolicy = (mapUrl: string | undefined, checkoutOrigins: readonly string[]) =>
  policy({
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': "'self' https: data:",
    'font-src': "'self'",
    'connect-src': "'self'",
    'form-action': ["'self'", ...checkoutOrigins].join(' '),
    // The preview of an invoice is a blob.
    'frame-src': mapUrl ? `'self' blob: ${new URL(mapUrl).origin}` : "'self' blob:",
    // This policy also applies to that blob, in which Chrome shows the PDF with a plugin.
    'object-src': 'blob:',
    'manifest-src': "'self'",
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
  });

const referencePolicy = (nonce: string) =>
  policy({
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': `'self' 'nonce-${nonce}'`,
    // Scalar sets style attributes, which can only change how the page looks.
    'style-src-attr': "'unsafe-inline'",
    'img-src': "'self' data:",
    'font-src': "'self'",
    'connect-src': "'self'",
    'form-action': "'none'",
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
  });

// The preview runs no script. `allow-same-origin` lets the screen around the frame write the e-mail into it.
const mailPreviewPolicy = policy({
  sandbox: 'allow-same-origin',
  'default-src': "'none'",
  'style-src': "'unsafe-inline'",
  'img-src': "https: 'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'self'",
});

// For an SVG that is opened by itself: browsers treat it as a document, which could run scripts.
const assetPolicy = policy({ 'default-src': "'none'", 'style-src': "'unsafe-inline'", sandbox: '' });
