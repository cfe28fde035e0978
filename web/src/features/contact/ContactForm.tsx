import { useNavigate } from 'react-router-dom';
import { CheckboxField, Field, TextAreaField } from '../../components/Field.js';
import { FormProblem } from '../../components/FormProblem.js';
import { Honeypot } from '../../components/Honeypot.js';
import { WithoutScript } from '../../components/WithoutScript.js';
import { callApi } from '../../lib/api.js';
import { looksLikeEmailAddress, useForm } from '../../lib/form.js';
import { showToast } from '../../lib/toasts.js';

const required = (sentence: string) => (value: string) => (value.trim() ? undefined : sentence);

export function ContactForm() {
  const navigate = useNavigate();
  const { form, field, problem, sending } = useForm({
    checks: {
      fullName: required('Please enter your name'),
      emailAddress: (value) =>
        required('Please enter your email')(value) ??
        (looksLikeEmailAddress(value) ? undefined : 'Provide a Valid Email'),
      subject: required('Please enter a subject'),
      message: required('Please enter your message'),
      terms: required('Please accept the terms'),
    },
    send: ({ fullName, emailAddress, subject, message }, { idempotencyKey, spamSigns }) =>
      callApi('POST /add-message', {
        body: {
          fullName,
          emailAddress: emailAddress.trim(),
          subject,
          message,
          messageStatus: 'UnRead',
          ...spamSigns,
        },
        idempotencyKey,
      }),
    onSent: () => {
      // The specification's words and address. The address shows admins the messages, and everyone else a thank-you.
      showToast('Message is Updated');
      void navigate('/all-messages', { state: { justSent: true } });
    },
  });
  return (
    <form
      className="contact__form form"
      method="post"
      action="/add-message"
      aria-label="Get In Touch"
      {...form}
    >
      <WithoutScript>
        This form needs JavaScript. Please turn it on and reload the page. You can also write to the e-mail
        address on this page.
      </WithoutScript>
      <div className="form__pair">
        <Field {...field('fullName')} label="Name" autoComplete="name" required />
        <Field {...field('emailAddress')} label="E-mail" type="email" autoComplete="email" required />
      </div>
      <Field {...field('subject')} label="Subject" required />
      <TextAreaField {...field('message')} label="Message" rows={7} required />
      {/* The specification requires this field in the form. `send` sets the value itself. */}
      <input type="hidden" name="messageStatus" value="UnRead" />
      <CheckboxField
        {...field('terms')}
        label={
          <>
            I accept the <NewTabLink to="/terms" text="terms" /> and the{' '}
            <NewTabLink to="/privacy" text="privacy policy" />
          </>
        }
        value="accepted"
        required
      />
      <Honeypot />
      <FormProblem problem={problem} />
      <p className="buttons">
        <button className="button button--large" type="submit" aria-disabled={sending}>
          {sending ? 'Sending' : 'Send message'}
        </button>
      </p>
    </form>
  );
}

/** In this tab, it would take away what was typed. */
const NewTabLink = ({ to, text }: { to: string; text: string }) => (
  <a href={to} target="_blank" rel="noopener">
    {text}
    <span className="visually-hidden"> (opens in a new tab)</span>
  </a>
);
