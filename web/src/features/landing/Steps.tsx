import { singleRecord, type Site } from '../../lib/site.js';

/** The work section has the titles. The details below a title are those of the `step` records with its number. */
export function Steps({ site }: { site: Site }) {
  const work = singleRecord(site.workSection);
  if (!work) return null;
  const titles = [work.stepOne, work.stepTwo, work.stepThree, work.stepFour];
  const detailsOf = (number: number) =>
    (site.step ?? []).filter(({ stepNumber }) => Number(stepNumber) === number);
  return (
    <section className="section section--raised" aria-labelledby="work-heading">
      <div className="wrap">
        <div className="section__head">
          <h2 id="work-heading">{work.workTitle}</h2>
        </div>
        <ol>
          {titles.map((title, index) =>
            title ? (
              <li className="step" key={index}>
                <span className="step__number" aria-hidden="true">
                  {index + 1}
                </span>
                <h3>{title}</h3>
                <div className="step__details">
                  {detailsOf(index + 1).map((step) => (
                    <p key={step._id}>{step.stepDetails}</p>
                  ))}
                </div>
              </li>
            ) : null,
          )}
        </ol>
      </div>
    </section>
  );
}
