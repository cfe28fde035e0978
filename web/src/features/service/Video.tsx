import { Glyph } from '../../components/Icon.js';
import { Picture } from '../../components/Picture.js';
import { addressKind } from '../../lib/address.js';
import { singleRecord, type Site } from '../../lib/site.js';
import { glyphs } from './glyphs.js';

/** A link, so that the page does not load the player of another site. */
export function Video({ site }: { site: Site }) {
  const video = singleRecord(site.videoSection);
  if (!video) return null;
  return (
    <section className="section" aria-labelledby="video-heading">
      <div className="video wrap">
        {addressKind(video.videoLink) && (
          <a className="video__preview" href={video.videoLink} target="_blank" rel="noopener">
            <Picture src={video.imageLink} alt="" width={720} height={405} />
            <span className="video__play">
              <Glyph path={glyphs.play} />
              <span className="visually-hidden">{`Play: ${video.videoSectionTitle ?? 'video'} (opens in a new tab)`}</span>
            </span>
          </a>
        )}
        <div>
          <h2 id="video-heading">{video.videoSectionTitle}</h2>
          <p className="lead">{video.videoSectionText}</p>
        </div>
      </div>
    </section>
  );
}
