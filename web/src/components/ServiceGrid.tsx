import { singleRecord, type Site } from '../lib/site.js';
import { Picture } from './Picture.js';

/** Renders nothing if there is neither a heading nor a service. */
export function ServiceGrid({ site }: { site: Site }) {
  const heading = singleRecord(site.serviceHeading);
  const services = site.serviceItem ?? [];
  if (!heading && services.length === 0) return null;
  return (
    <section className="section" id="services" aria-labelledby={heading ? 'services-heading' : undefined}>
      <div className="wrap">
        {heading && (
          <div className="section__head">
            <h2 id="services-heading">{heading.serviceHeading}</h2>
            <p className="lead">{heading.servicesubHeading}</p>
          </div>
        )}
        <ul className="services">
          {services.map((service) => (
            <li className="service" key={service._id}>
              <div className="service__icon">
                <Picture src={service.serviceIcon} alt="" width={56} height={56} />
              </div>
              <h3>{service.serviceTitle}</h3>
              <p>{service.serviceDetails}</p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
