import { addressKind } from '../lib/address.js';

interface PictureProps {
  src: string | undefined;
  /** Empty for a picture that repeats what is written beside it. */
  alt: string;
  width: number;
  height: number;
  className?: string;
  /** For the one picture that a page opens with. */
  first?: boolean;
}

/** A picture from the content, with its place reserved. Without an address nothing stands there. */
export function Picture({ src, alt, width, height, className, first = false }: PictureProps) {
  if (!src || !addressKind(src)) return null;
  return (
    <img
      className={className}
      src={src}
      alt={alt}
      width={width}
      height={height}
      loading={first ? undefined : 'lazy'}
      decoding={first ? undefined : 'async'}
      fetchPriority={first ? 'high' : undefined}
    />
  );
}
