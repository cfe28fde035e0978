import { useEffect, useState } from 'react';
import { type Background, isVisibleOn } from './logo-contrast.js';

/** Warns if a logo is hard to see on the light or dark background. */
export function LogoWarnings({ logo, logoOnDark }: { logo?: string; logoOnDark?: string }) {
  const visibility = useVisibility(logo);
  const visibilityOnDark = useVisibility(logoOnDark || logo);
  const warnings = [
    visibility?.light === false &&
      'This logo is hard to see on the light header. Choose one with darker colors.',
    visibilityOnDark?.dark === false &&
      (logoOnDark
        ? 'The logo for dark backgrounds is hard to see there. Choose one with lighter colors.'
        : 'This logo is hard to see on dark backgrounds, such as the footer. Add a lighter one for dark backgrounds.'),
  ].filter((text) => text !== false);
  return (
    <div role="status">
      {warnings.map((text) => (
        <p className="attention" key={text}>
          {text}
        </p>
      ))}
    </div>
  );
}

/** In pixels: a logo is scaled to this width and height before its pixels are judged. */
const scaledSize = 96;

/**
 * Undefined until the picture is loaded. Always undefined for pictures from other sites, whose pixels cannot be read, and for the address of an SVG
 * file, which can adapt to the background. An uploaded SVG is stored as a PNG or JPEG.
 */
function useVisibility(address: string | undefined): Record<Background, boolean> | undefined {
  const [known, setKnown] = useState<{ address: string; visible: Record<Background, boolean> }>();
  useEffect(() => {
    if (!address || !URL.canParse(address, location.href)) return;
    const { origin, pathname } = new URL(address, location.href);
    if (origin !== location.origin || pathname.endsWith('.svg')) return;
    const image = new Image();
    image.onload = () => {
      const pixels = pixelsOf(image);
      setKnown({
        address,
        visible: { light: isVisibleOn('light', pixels), dark: isVisibleOn('dark', pixels) },
      });
    };
    image.src = address;
    return () => {
      image.onload = null;
    };
  }, [address]);
  return known?.address === address ? known?.visible : undefined;
}

function pixelsOf(image: HTMLImageElement): Uint8ClampedArray {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = scaledSize;
  const context = canvas.getContext('2d')!;
  context.drawImage(image, 0, 0, scaledSize, scaledSize);
  return context.getImageData(0, 0, scaledSize, scaledSize).data;
}
