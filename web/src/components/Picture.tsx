import { widthsOf } from '#libs/contracts';
import { addressKind } from '../lib/address.js';
import { usePageData } from '../lib/site.js';

interface PictureProps {
  src: string | undefined;
  /**
   * Empty for a picture that repeats the text next to it. The description of an uploaded picture takes
   * precedence.
   */
  alt: string;
  /** Displayed width on a wide screen, in CSS pixels. */
  width: number;
  height: number;
  className?: string;
  /** For the main picture at the top of a page: it gets priority and is loaded eagerly. */
  first?: boolean;
  /** Not lazy, for small pictures that are always visible. */
  eager?: boolean;
}

/** The address of an uploaded picture: folder, id, width and height. */
const uploaded = /^(\/images\/(.+)\/)(\d+)x(\d+)/;

/**
 * A picture from the content, with its space reserved; renders nothing without an address. An uploaded
 * picture comes in the format and size that suit the device: as wide as its box, or wider if the box is
 * filled by height.
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
