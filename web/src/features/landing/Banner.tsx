import { ActionLink } from '../../components/ActionLink.js';
import { Picture } from '../../components/Picture.js';
import type { Shown } from '../../lib/site.js';

export function Banner({ banner }: { banner: Shown<'banner'> }) {
  return (
    <section className="banner" aria-labelledby="banner-heading">
      <div className="banner__row wrap">
        <div className="banner__text">
          <h1 id="banner-heading">{banner.bannerHeading}</h1>
          <p className="lead">{banner.bannerDetails}</p>
          <p className="buttons">
            <ActionLink className="button" address={banner.buttonOneLink}>
              {banner.buttonOneText}
            </ActionLink>
            <ActionLink className="button button--quiet" address={banner.buttonTwoLink}>
              {banner.buttonTwoText}
            </ActionLink>
          </p>
        </div>
        <Picture className="banner__image" src={banner.bannerImage} alt="" width={640} height={600} first />
      </div>
    </section>
  );
}
