import { ContentLink } from '../../components/ContentLink.js';
import { Picture } from '../../components/Picture.js';
import { singleRecord, type Site } from '../../lib/site.js';

export function About({ site }: { site: Site }) {
  const about = singleRecord(site.about);
  if (!about) return null;
  const features = [
    { heading: about.certifiedHeading, details: about.certifiedDetails },
    { heading: about.awardHeading, details: about.awardDetails },
  ];
  return (
    <section className="spread spread--turned about" aria-labelledby="about-heading">
      <div className="spread__picture">
        <Picture src={about.aboutImg} alt="" width={560} height={640} />
      </div>
      <div className="spread__text">
        <h2 id="about-heading">{about.aboutHeading}</h2>
        <p className="lead">{about.aboutText}</p>
        <div className="about__features">
          {features.map(({ heading, details }, index) =>
            heading || details ? (
              <section className="about__feature" key={index}>
                <h3>{heading}</h3>
                <p>{details}</p>
              </section>
            ) : null,
          )}
        </div>
        <p className="buttons">
          <ContentLink className="button" address={about.buttonLink}>
            {about.buttonText}
          </ContentLink>
        </p>
      </div>
    </section>
  );
}
