import { Picture } from '../../components/Picture.js';
import { singleRecord, type ShownRecord, type Site } from '../../lib/site.js';

/** Radio buttons and CSS choose the quotation, so this works without JavaScript and with the keyboard, and every quotation is in the HTML. */
export function Testimonials({ site }: { site: Site }) {
  const heading = singleRecord(site.testimonialText);
  const items = site.testimonial ?? [];
  if (!heading && items.length === 0) return null;
  return (
    <section
      className="section deep"
      id="testimonials"
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
            <legend className="visually-hidden">Choose a testimonial</legend>
            {items.map((item, index) => (
              <Quotation key={item._id} item={item} index={index} />
            ))}
          </fieldset>
        )}
      </div>
    </section>
  );
}

function Quotation({ item, index }: { item: ShownRecord<'testimonial'>; index: number }) {
  const id = `testimonial-${index}`;
  return (
    <div className="quotes__item">
      <input
        className="quotes__choice"
        type="radio"
        name="testimonial"
        id={id}
        value={index}
        defaultChecked={index === 0}
      />
      <label className="quotes__portrait" htmlFor={id}>
        <span className="picture-box">
          <Picture src={item.image} alt="" width={64} height={64} />
        </span>
        <span className="quotes__name">{item.personName}</span>
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
  );
}
