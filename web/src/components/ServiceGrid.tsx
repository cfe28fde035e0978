import { singleRecord, type Site } from '../lib/site.js';
import { Picture } from './Picture.js';

/** Renders nothing if there is neither a heading nor a service. */
export function ServiceGrid({ site }: { site: Site }) {
  const heading = singleRecord(site.serviceHeading);
  const items = site.serviceItem ?? [];
  if (!heading && items.length === 0) return null;
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
          {items.map((item) => (
            <li className="service" key={item._id}>
              <div className="service__icon">
                <Picture src={item.serviceIcon} alt="" width={56} height={56} />
              </div>
              <h3>{item.serviceTitle}</h3>
              <p>{item.serviceDetails}</p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
