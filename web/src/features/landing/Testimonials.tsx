import { Picture } from '../../components/Picture.js';
import { singleRecord, type ShownRecord, type Site } from '../../lib/site.js';

/** Radio buttons and CSS choose the quotation, so this works without JavaScript and with the keyboard, and every quotation is in the HTML. */
export function Testimonials({ site }: { site: Site }) {
  const heading = singleRecord(site.testimonialText);
  const testimonials = site.testimonial ?? [];
  if (!heading && testimonials.length === 0) return null;
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
        {testimonials.length > 0 && (
          <fieldset className="quotes">
            <legend className="visually-hidden">Choose a testimonial</legend>
            {testimonials.map((testimonial, index) => (
              <Quotation key={testimonial._id} testimonial={testimonial} index={index} />
            ))}
          </fieldset>
        )}
      </div>
    </section>
  );
}

function Quotation({ testimonial, index }: { testimonial: ShownRecord<'testimonial'>; index: number }) {
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
          <Picture src={testimonial.image} alt="" width={64} height={64} />
        </span>
        <span className="quotes__name">{testimonial.personName}</span>
      </label>
      <figure className="quote">
        <blockquote>
          <p>{testimonial.desc}</p>
        </blockquote>
        <figcaption>
          <strong>{testimonial.personName}</strong>
          <span>{testimonial.personTitle}</span>
        </figcaption>
      </figure>
    </div>
  );
}
