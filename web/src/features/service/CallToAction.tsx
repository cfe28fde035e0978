import { ContentLink } from '../../components/ContentLink.js';
import { singleRecord, type Site } from '../../lib/site.js';

export function CallToAction({ site }: { site: Site }) {
  const action = singleRecord(site.callToAction);
  if (!action) return null;
  return (
    <section className="section deep call-to-action" aria-labelledby="call-heading">
      <div className="call-to-action__row wrap">
        <div>
          <h2 id="call-heading">{action.heading}</h2>
          <p className="lead">{action.subHeading}</p>
        </div>
        <ContentLink className="button button--large" address={action.buttonLink}>
          {action.buttonText}
        </ContentLink>
      </div>
    </section>
  );
}
