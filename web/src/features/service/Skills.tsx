import { Picture } from '../../components/Picture.js';
import { singleRecord, type Site } from '../../lib/site.js';

/** The bars' percentages are fixed; their labels are content. */
export function Skills({ site }: { site: Site }) {
  const about = singleRecord(site.about);
  if (!about) return null;
  const skills = [
    { label: about.aboutPointone, percent: 85 },
    { label: about.aboutPointwo, percent: 65 },
    { label: about.aboutPointhree, percent: 79 },
  ];
  return (
    <section className="section section--raised" aria-labelledby="about-heading">
      <div className="skills wrap">
        <div>
          <h2 id="about-heading">{about.aboutHeading}</h2>
          <p className="lead">{about.aboutDetails || about.aboutText}</p>
          <ul className="skills__bars">
            {skills.map(({ label, percent }) => (
              <Skill key={percent} label={label} percent={percent} />
            ))}
          </ul>
        </div>
        <div className="skills__image">
          <Picture src={about.aboutImg} alt="" width={560} height={640} />
        </div>
      </div>
    </section>
  );
}

/** The bar is an SVG: the length of an HTML bar would need a style attribute, which the Content-Security-Policy forbids. */
function Skill({ label, percent }: { label: string | undefined; percent: number }) {
  return (
    <li className="skill">
      <span>{label}</span>
      <span className="skill__figure">{percent}%</span>
      <svg className="skill__bar" aria-hidden="true" focusable="false">
        <rect className="skill__ground" width="100%" height="10" rx="5" />
        <rect className="skill__value" width={`${percent}%`} height="10" rx="5" />
      </svg>
    </li>
  );
}
