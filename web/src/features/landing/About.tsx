import { ActionLink } from '../../components/ActionLink.js';
import { Picture } from '../../components/Picture.js';
import { only, type Site } from '../../lib/site.js';

export function About({ site }: { site: Site }) {
  const about = only(site.about);
  if (!about) return null;
  const features = [
    { heading: about.certifiedHeading, details: about.certifiedDetails },
    { heading: about.awardHeading, details: about.awardDetails },
  ];
  return (
    <section className="section" aria-labelledby="about-heading">
      <div className="about wrap">
        <Picture className="about__image" src={about.aboutImg} alt="" width={520} height={600} />
        <div className="about__text">
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
            <ActionLink className="button" address={about.buttonLink}>
              {about.buttonText}
            </ActionLink>
          </p>
        </div>
      </div>
    </section>
  );
}
