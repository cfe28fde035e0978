export interface SecurityHeaders {
  /** For JSON, problems and everything else that browsers should neither run nor show. */
  readonly api: Record<string, string>;
  /** For HTML of the site. */
  readonly page: Record<string, string>;
  /** For the API reference: Scalar's styles have this nonce, which is made once for all requests. */
  readonly reference: (nonce: string) => Record<string, string>;
  /** For the frame in which the admin area previews an e-mail with its inline styles. */
  readonly mailPreview: Record<string, string>;
  /** For scripts, styles, fonts and pictures of the site. */
  readonly asset: Record<string, string>;
}

/** Nest's injection token for the headers of this site. */
export const SECURITY_HEADERS = Symbol('security headers');

/**
 * For everything that search engines should not list: all but assets and the public pages. Unlike a meta tag, the header also works for
 * answers that are not HTML.
 */
export const notIndexed = { 'X-Robots-Tag': 'noindex' } as const;

const yearInSeconds = 31_536_000;

interface Options {
  /** The site is served over HTTPS. */
  secure: boolean;
  /** An address of the map that the contact page may frame. */
  mapUrl?: string;
  /** The origins that Pay Now's form may be submitted to. */
  checkoutOrigins?: readonly string[];
}

/** The security headers of every kind of answer. None of them depends on the request, so they are computed once. */
export function securityHeaders({ secure, mapUrl, checkoutOrigins = [] }: Options): SecurityHeaders {
  const everywhere = {
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    ...(secure ? { 'Strict-Transport-Security': `max-age=${yearInSeconds}` } : {}),
  };
  const document = {
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
    page: { ...document, 'Content-Security-Policy': pagePolicy(mapUrl, checkoutOrigins) },
    reference: (nonce) => ({ ...document, ...notIndexed, 'Content-Security-Policy': referencePolicy(nonce) }),
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
    // The site's own scripts make a blob for the preview of an invoice.
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
    // Scalar sets the size and color of some elements in style attributes, which can only change how the page looks.
    'style-src-attr': "'unsafe-inline'",
    'img-src': "'self' data:",
    'font-src': "'self'",
    'connect-src': "'self'",
    'form-action': "'none'",
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
  });

// The frame runs no script, whatever it contains. It has the site's origin, so that the screen around it can
// write the e-mail into it.
const mailPreviewPolicy = policy({
  sandbox: 'allow-same-origin',
  'default-src': "'none'",
  'style-src': "'unsafe-inline'",
  'img-src': "https: 'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'self'",
});

// A picture that is opened by itself (an SVG is a document) may style itself and do nothing else.
const assetPolicy = policy({ 'default-src': "'none'", 'style-src': "'unsafe-inline'", sandbox: '' });
