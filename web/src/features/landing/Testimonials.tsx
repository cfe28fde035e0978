import { Picture } from '../../components/Picture.js';
import { only, type Site } from '../../lib/site.js';

/**
 * One quotation at a time, chosen by portrait. The choice is a group of radio buttons and CSS, so that it works
 * without JavaScript and from the keyboard, and every quotation is in the HTML.
 */
export function Testimonials({ site }: { site: Site }) {
  const heading = only(site.testimonialText);
  const items = site.testimonial ?? [];
  if (!heading && items.length === 0) return null;
  return (
    <section
      className="section deep testimonials"
      aria-labelledby={heading ? 'testimonials-heading' : undefined}
    >
      <div className="wrap">
        {heading && (
          <div className="section__head">
            <h2 id="testimonials-heading">{heading.testimonialHeading}</h2>
            <p className="lead">{heading.testimonialText}</p>
          </div>
        )}
        {items.length > 0 && (
          <fieldset className="quotes">
            <legend className="visually-hidden">Whose answer to read</legend>
            {items.map((item, index) => (
              <div className="quotes__item" key={item._id}>
                <input
                  className="quotes__choice"
                  type="radio"
                  name="testimonial"
                  id={`testimonial-${index}`}
                  defaultChecked={index === 0}
                  aria-label={item.personName}
                />
                <label className="quotes__portrait" htmlFor={`testimonial-${index}`}>
                  <Picture src={item.image} alt={item.personName ?? ''} width={96} height={96} />
                </label>
                <figure className="quote">
                  <blockquote>
                    <p>{item.desc}</p>
                  </blockquote>
                  <figcaption>
                    <strong>{item.personName}</strong>
                    <span>{item.personTitle}</span>
                  </figcaption>
                </figure>
              </div>
            ))}
          </fieldset>
        )}
      </div>
    </section>
  );
}
