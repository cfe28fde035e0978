import { useNavigate } from 'react-router-dom';
import { Field } from '../../components/Field.js';
import { FormProblem } from '../../components/FormProblem.js';
import { Honeypot } from '../../components/Honeypot.js';
import { WithoutScript } from '../../components/WithoutScript.js';
import { callApi } from '../../lib/api.js';
import { useForm } from '../../lib/form.js';
import { showToast } from '../../lib/toasts.js';
import { singleRecord, usePageData } from '../../lib/site.js';

/** The specification has a text input, whose format is not checked. */
const checkFilled = (value: string) => (value.trim() ? undefined : 'Please enter your email');

export function NewsletterSignUp() {
  const navigate = useNavigate();
  const { site, newsletterConsent } = usePageData();
  const words = singleRecord(site.newsletter);
  const { form, field, problem, sending } = useForm({
    checks: { email: checkFilled },
    send: ({ email }, { idempotencyKey, spamSigns }) =>
      callApi('POST /add-subscriber', { body: { email: email.trim(), ...spamSigns }, idempotencyKey }),
    onSent: () => {
      // The specification's words and path. The path shows admins the subscribers, and everyone else a thank-you.
      showToast('subscribers is Updated');
      void navigate('/all-subscriber', { state: { justSent: true } });
    },
  });
  return (
    <section className="section section--raised newsletter" aria-labelledby="newsletter-heading">
      <div className="newsletter__row wrap">
        <h2 id="newsletter-heading">{words?.newsletterHeading ?? 'Newsletter'}</h2>
        <form className="newsletter__form" method="post" action="/add-subscriber" {...form}>
          <WithoutScript>This form needs JavaScript. Please turn it on and reload the page.</WithoutScript>
          <Field
            {...field('email')}
            label="E-mail"
            type="text"
            inputMode="email"
            autoComplete="email"
            required
          />
          <Honeypot />
          <button
            className="button"
            type="submit"
            aria-disabled={sending}
            aria-describedby="newsletter-consent"
          >
            {sending ? 'Sending' : 'Subscribe'}
          </button>
          <p className="newsletter__consent" id="newsletter-consent">
            {words?.newsletterConsent ?? newsletterConsent}
          </p>
          <FormProblem problem={problem} />
        </form>
      </div>
    </section>
  );
}
