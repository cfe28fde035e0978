import { useEffect, useRef, useState } from 'react';
import { Icon } from '../../components/Icon.js';
import drawing from './map.svg';

/** The map comes from another company, so it is loaded only after a click. */
export function ContactMap({ embedUrl, address }: { embedUrl: string; address: string }) {
  const [shown, setShown] = useState(false);
  const frame = useRef<HTMLIFrameElement>(null);
  // The button that had the focus is gone.
  useEffect(() => {
    if (shown) frame.current?.focus();
  }, [shown]);
  return (
    <section className="contact__map" aria-label="Map">
      {shown ? (
        <iframe
          className="contact__frame"
          ref={frame}
          src={mapUrlOf(embedUrl, address)}
          title={`Map of ${address}`}
          referrerPolicy="no-referrer"
        />
      ) : (
        <>
          {/* A drawn street map of no real place. */}
          <img className="contact__map-drawing" src={drawing} alt="" loading="lazy" />
          <div className="contact__map-offer">
            <p className="contact__place">{address}</p>
            <button className="button button--quiet" type="button" onClick={() => setShown(true)}>
              <Icon name="map" />
              Show the map
            </button>
            <p>The map loads from {hostOf(embedUrl)} only when you choose to show it.</p>
          </div>
        </>
      )}
    </section>
  );
}

/** The address replaces `{address}`, or is appended to a URL without it. */
function mapUrlOf(embedUrl: string, address: string): string {
  const query = encodeURIComponent(address);
  return embedUrl.includes('{address}') ? embedUrl.replaceAll('{address}', () => query) : embedUrl + query;
}

function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return 'another site';
  }
}
