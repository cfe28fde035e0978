import { widthsOf } from '#libs/contracts';
import { addressKind } from '../lib/address.js';
import { usePageData } from '../lib/site.js';

interface PictureProps {
  src: string | undefined;
  /** Empty for a picture that repeats what is written beside it; an uploaded one may know better. */
  alt: string;
  /** Of its place on a wide screen, in pixels. */
  width: number;
  height: number;
  className?: string;
  /** For the one picture that a page opens with. */
  first?: boolean;
  /** For those that are always in sight, and small beside the one that a page opens with. */
  eager?: boolean;
}

/** An uploaded picture's address: where its files are, its id, and how large it is. */
const uploaded = /^(\/images\/(.+)\/)(\d+)x(\d+)/;

/**
 * A picture from the content, with its place reserved. Without an address nothing stands there. An uploaded one comes in the size and format that suits
 * the reader: as wide as its place, or wider where the place is filled by its height.
 */
export function Picture({ src, alt, width, height, className, first, eager = first }: PictureProps) {
  const { imageTexts } = usePageData();
  if (!src || !addressKind(src)) return null;
  const [, folder, id, wide, high] = uploaded.exec(src) ?? [];
  const image = (
    <img
      className={className}
      src={src}
      alt={alt || imageTexts[id!] || ''}
      width={wide ?? width}
      height={high ?? height}
      loading={eager ? undefined : 'lazy'}
      decoding={eager ? undefined : 'async'}
      fetchPriority={first ? 'high' : eager ? 'low' : undefined}
    />
  );
  if (!folder) return image;
  const filling = Math.max(width, Math.ceil((height * +wide!) / +high!));
  return (
    <picture>
      {['avif', 'webp'].map((format) => (
        <source
          key={format}
          type={`image/${format}`}
          sizes={`(max-width:${width}px) 100vw,${filling}px`}
          srcSet={widthsOf(+wide!)
            .map((one) => `${folder}${one}.${format} ${one}w`)
            .join()}
        />
      ))}
      {image}
    </picture>
  );
}
