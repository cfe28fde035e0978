import { CounterList } from '../../components/CounterList.js';
import { Icon } from '../../components/Icon.js';
import { singleRecord, type Site } from '../../lib/site.js';

/** Each question is a `<details>`, which opens without JavaScript. */
export function Questions({ site }: { site: Site }) {
  const heading = singleRecord(site.faqHeading);
  const questions = site.faqItem ?? [];
  const counters = singleRecord(site.counters);
  if (!heading && questions.length === 0 && !counters) return null;
  return (
    <section
      className="section section--ruled"
      id="faq"
      aria-labelledby={heading ? 'faq-heading' : undefined}
    >
      <div className="questions wrap">
        <div className="questions__list">
          {heading && (
            <>
              <h2 id="faq-heading">{heading.faqHeading}</h2>
              <p className="lead">{heading.faqText}</p>
            </>
          )}
          {questions.map((question) => (
            <details className="question" key={question._id}>
              <summary>
                <h3>{question.accodingTitle}</h3>
                <Icon name="plus" />
              </summary>
              <p>{question.accodingText}</p>
            </details>
          ))}
        </div>
        {counters && <CounterList counters={counters} />}
      </div>
    </section>
  );
}
