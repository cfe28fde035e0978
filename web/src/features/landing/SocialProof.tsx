import { Icon } from '../../components/Icon.js';
import { Picture } from '../../components/Picture.js';
import { singleRecord, type Site } from '../../lib/site.js';

/** As many as fit next to each other. */
const peopleLimit = 5;

/** The people of the first testimonials, and a link to what they say. */
export function SocialProof({ site }: { site: Site }) {
  const heading = singleRecord(site.testimonialText)?.testimonialHeading;
  const people = site.testimonial?.slice(0, peopleLimit) ?? [];
  if (people.length === 0) return null;
  return (
    <div className="proof">
      <div className="proof__row wrap">
        {heading && (
          <a className="proof__more" href="#testimonials">
            {heading}
            <Icon name="down" />
          </a>
        )}
        <ul className="proof__people">
          {people.map((person) => (
            <li className="proof__person" key={person._id}>
              <span className="picture-box">
                <Picture src={person.image} alt="" width={48} height={48} />
              </span>
              <span>
                <strong>{person.personName}</strong>
                <span>{person.personTitle}</span>
              </span>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
