import { servedWidths } from '#libs/contracts';
import { addressKind } from '../lib/address.js';
import { usePageData } from '../lib/site.js';

interface PictureProps {
  src: string | undefined;
  /** The picture for visitors with a dark theme; the same one if left out. */
  onDark?: string | undefined;
  /** Empty for a picture that repeats the text next to it. For an uploaded picture, the admins’ description is then used, if any. */
  alt: string;
  /** Displayed width on a wide screen, in CSS pixels. */
  width: number;
  height: number;
  className?: string;
  /** For the main picture at the top of a page: it gets priority and is loaded eagerly. */
  first?: boolean;
  /** For small pictures that are always visible: they are not loaded lazily, but with low priority. */
  eager?: boolean;
}

/** The address of an uploaded picture: folder, id, width and height. */
const uploaded = /^(\/images\/(.+)\/)(\d+)x(\d+)/;

/**
 * Reserves the picture's space. Renders nothing without an allowed address. An uploaded picture comes in a format and size that suit the device.
 */
export function Picture({ src, onDark, alt, width, height, className, first, eager = first }: PictureProps) {
  const { imageTexts } = usePageData();
  if (!src || !addressKind(src)) return null;
  const [, , id, fullWidth = width, fullHeight = height] = uploaded.exec(src) ?? [];
  const sources = [
    ...(addressKind(onDark) ? sourcesOf(onDark!, width, height, '(prefers-color-scheme:dark)') : []),
    ...sourcesOf(src, width, height),
  ];
  const image = (
    <img
      className={className}
      src={src}
      alt={alt || imageTexts[id!] || ''}
      width={fullWidth}
      height={fullHeight}
      loading={eager ? undefined : 'lazy'}
      decoding={eager ? undefined : 'async'}
      fetchPriority={first ? 'high' : eager ? 'low' : undefined}
    />
  );
  if (sources.length === 0) return image;
  return (
    <picture>
      {sources}
      {image}
    </picture>
  );
}

/**
 * If there is a media query, the sources of an uploaded picture have its width and height, so that the layout does not shift. A picture that was not
 * uploaded has a source only if there is a media query: the picture itself.
 */
function sourcesOf(src: string, width: number, height: number, media?: string) {
  const [, folder, , fullWidth, fullHeight] = uploaded.exec(src) ?? [];
  if (!folder) return media ? [<source key={media} media={media} srcSet={src} />] : [];
  // If the picture fills a taller box, its sides are cut off: it needs more pixels than the box is wide.
  const fillingWidth = Math.max(width, Math.ceil((height * +fullWidth!) / +fullHeight!));
  return ['avif', 'webp'].map((format) => (
    <source
      key={format + media}
      media={media}
      width={media && fullWidth}
      height={media && fullHeight}
      type={`image/${format}`}
      sizes={`(max-width:${width}px) 100vw,${fillingWidth}px`}
      srcSet={servedWidths(+fullWidth!)
        .map((served) => `${folder}${served}.${format} ${served}w`)
        .join()}
    />
  ));
}
