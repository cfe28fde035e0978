import { useState } from 'react';
import { Icon } from '../../components/Icon.js';

/** The map comes from another company, so it comes when a person asks for it. */
export function ContactMap({ embedUrl, address }: { embedUrl: string; address: string }) {
  const [shown, setShown] = useState(false);
  const source = embedUrl.replaceAll(/\{address\}|%7Baddress%7D/gi, () => encodeURIComponent(address));
  return (
    <section className="contact__map" aria-label="Map">
      {shown ? (
        <iframe
          className="contact__frame"
          src={source}
          title={`Map of ${address}`}
          referrerPolicy="no-referrer"
        />
      ) : (
        <div className="contact__map-offer">
          <button className="button button--quiet" type="button" onClick={() => setShown(true)}>
            <Icon name="map" />
            Show the map
          </button>
          <p>The map is loaded from {hostOf(embedUrl)} when you ask for it, not before.</p>
        </div>
      )}
    </section>
  );
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? 'another site';
}
