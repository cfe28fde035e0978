import { ContentLink } from '../../components/ContentLink.js';
import { Picture } from '../../components/Picture.js';
import type { ShownRecord } from '../../lib/site.js';

export function Banner({ banner }: { banner: ShownRecord<'banner'> }) {
  return (
    <section className="spread banner" aria-labelledby="banner-heading">
      <div className="spread__text">
        <h1 id="banner-heading">{banner.bannerHeading}</h1>
        <p className="lead">{banner.bannerDetails}</p>
        <p className="buttons">
          <ContentLink className="button button--large" address={banner.buttonOneLink}>
            {banner.buttonOneText}
          </ContentLink>
          <ContentLink className="button button--large button--quiet" address={banner.buttonTwoLink}>
            {banner.buttonTwoText}
          </ContentLink>
        </p>
      </div>
      <div className="spread__picture">
        <Picture src={banner.bannerImage} alt="" width={720} height={760} first />
      </div>
    </section>
  );
}
