import { describe, expect, test } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import { SiteContext } from '../lib/site.js';
import { Picture } from './Picture.js';

const id = '019a0000-0000-7000-8000-000000000001';
const uploaded = `/images/${id}/1600x900.jpg`;

function markup(
  src: string | undefined,
  props: { alt?: string; first?: boolean; eager?: boolean; onDark?: string } = {},
  text?: string,
): string {
  const imageTexts: Record<string, string> = text ? { [id]: text } : {};
  const data = {
    site: {},
    version: 1,
    publicUrl: '',
    mapEmbedUrl: null,
    newsletterConsent: '',
    readAt: 0,
    imageTexts,
  };
  return renderToStaticMarkup(
    <SiteContext value={{ data, refresh: () => undefined }}>
      <Picture src={src} alt="" width={720} height={760} {...props} />
    </SiteContext>,
  );
}

describe('an uploaded picture', () => {
  test('is offered in every width and in modern formats, with its own dimensions', () => {
    const html = markup(uploaded);
    const sources = ['avif', 'webp'].map((format) => {
      const all = [160, 320, 640, 960, 1280, 1600].map(
        (width) => `/images/${id}/${width}.${format} ${width}w`,
      );
      // In a box of 720 × 760 the picture fills the height, so it is wider than the box.
      return `<source type="image/${format}" sizes="(max-width:720px) 100vw,1352px" srcSet="${all.join(',')}"/>`;
    });
    expect(html).toBe(
      `<picture>${sources.join('')}<img src="${uploaded}" alt="" width="1600" height="900" loading="lazy" decoding="async"/></picture>`,
    );
  });

  test('with narrower proportions than its box uses the width of the box', () => {
    expect(markup(`/images/${id}/400x800.png`)).toContain('sizes="(max-width:720px) 100vw,720px"');
  });

  test('has the description from the picture library, unless the page gives another one', () => {
    expect(markup(uploaded, {}, 'A team at work')).toContain('alt="A team at work"');
    expect(markup(uploaded, { alt: 'Northrank' }, 'A team at work')).toContain('alt="Northrank"');
  });

  test('has priority at the top of a page', () => {
    const html = markup(uploaded, { first: true });
    expect(html).toContain('fetchPriority="high"');
    expect(html).not.toContain('lazy');
  });

  test('has low priority, but is not loaded lazily, if it is eager', () => {
    const html = markup(uploaded, { eager: true });
    expect(html).toContain('fetchPriority="low"');
    expect(html).not.toContain('lazy');
  });
});

describe('any other address', () => {
  test.each(['/demo/banner.svg', 'https://example.com/images/a.png', '/images/other.png'])(
    '%s is shown as it is',
    (src) => {
      expect(markup(src)).toBe(
        `<img src="${src}" alt="" width="720" height="760" loading="lazy" decoding="async"/>`,
      );
    },
  );

  test.each([undefined, '', 'javascript:alert(1)', 'data:image/svg+xml,<svg/>'])('%s is not shown', (src) => {
    expect(markup(src)).toBe('');
  });
});

describe('a picture with another one for dark themes', () => {
  const media = 'media="(prefers-color-scheme:dark)"';

  test('has sources for dark themes, with the dimensions of the dark picture', () => {
    const html = markup('/demo/logo.svg', {
      onDark: '/images/019a0000-0000-7000-8000-000000000002/400x100.png',
    });
    expect(html).toContain(`<picture><source ${media} width="400" height="100" type="image/avif"`);
    expect(html.match(/<source /g)).toHaveLength(2);
  });

  test('is offered for light themes in its own formats', () => {
    const html = markup(uploaded, { onDark: '/dark.svg' });
    expect(html).toContain(`<picture><source ${media} srcSet="/dark.svg"/><source type="image/avif"`);
  });
});
