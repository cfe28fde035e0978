import './admin-orders.css';
import { Link, useParams } from 'react-router-dom';
import type { PaypalEmail } from '#libs/contracts';
import { Field } from '../../components/Field.js';
import { FormProblem } from '../../components/FormProblem.js';
import { type Answer, callApi } from '../../lib/api.js';
import { useForm } from '../../lib/form.js';
import { notify } from '../../lib/notices.js';
import { Loaded } from '../../workspace/Loaded.js';
import { useQuery } from '../../workspace/query.js';
import { When } from '../../workspace/When.js';

/** A singleton: the form while there is none, the way to its screen once there is one. */
export function AddPaypalEmail() {
  const stored = useQuery<PaypalEmail[]>('/paypal-email');
  return (
    <Loaded query={stored}>
      {(records) => {
        const [record] = records;
        return record ? (
          <section className="panel paypal-email" aria-label="PayPal e-mail">
            <p>
              Payments go to <strong>{record.paypalEmail}</strong>.
            </p>
            <p className="buttons">
              <Link className="button" to={`/paypal-email/${record._id}`}>
                Update Paypal Email
              </Link>
            </p>
          </section>
        ) : (
          <PaypalEmailForm
            action="Add Paypal Email"
            send={async (paypalEmail, idempotencyKey) => {
              const body = { paypalEmail };
              const answer = await callApi<PaypalEmail>('/add-email', {
                method: 'POST',
                body,
                idempotencyKey,
              });
              // Another admin was quicker: theirs is shown.
              if (!answer.ok && answer.problem.code === 'SINGLETON_EXISTS') stored.retry();
              return answer;
            }}
            sent={(added) => {
              notify('Paypal Email Added');
              stored.put([added]);
            }}
          />
        );
      }}
    </Loaded>
  );
}

export function EditPaypalEmail() {
  const { id = '' } = useParams();
  const stored = useQuery<PaypalEmail>(`/paypal-email/${encodeURIComponent(id)}`);
  return (
    <Loaded query={stored}>
      {(record) => (
        <>
          <p>
            Last changed <When at={record.updatedAt} time />.
          </p>
          <PaypalEmailForm
            key={record.version}
            action="Update Paypal Email"
            value={record.paypalEmail}
            send={async (paypalEmail) => {
              const answer = await callApi<PaypalEmail>(`/paypal-email/${record._id}`, {
                method: 'PUT',
                body: { paypalEmail },
                ifVersion: record.version,
              });
              return answer.ok ? answer : { ok: false, problem: { ...answer.problem, ...changedBy(answer) } };
            }}
            sent={(saved) => {
              notify('Paypal Email Updated');
              stored.put(saved);
            }}
          />
        </>
      )}
    </Loaded>
  );
}

/** Nobody overwrites where the money goes without having seen what another admin made of it. */
function changedBy(answer: Extract<Answer<PaypalEmail>, { ok: false }>): { sentence?: string } {
  const current = answer.problem.current as PaypalEmail | undefined;
  if (answer.problem.status !== 412 || !current) return {};
  return {
    sentence: `Another admin changed it to ${current.paypalEmail} meanwhile. Nothing was saved; load the page again to change that one.`,
  };
}

interface PaypalEmailFormProps {
  action: string;
  value?: string;
  send(paypalEmail: string, idempotencyKey: string): Promise<Answer<PaypalEmail>>;
  sent(record: PaypalEmail): void;
}

function PaypalEmailForm({ action, value, send, sent }: PaypalEmailFormProps) {
  const { form, field, problem, sending } = useForm({
    checks: {
      paypalEmail: (text) => {
        if (!text.trim()) return 'Email is Required';
        return /^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(text.trim()) ? undefined : 'Provide a Valid Email';
      },
    },
    send: ({ paypalEmail }, { idempotencyKey }) => send(paypalEmail.trim(), idempotencyKey),
    sent,
  });
  return (
    <form className="form paypal-email" method="post" aria-label={action} {...form}>
      <Field
        {...field('paypalEmail')}
        label="PayPal e-mail"
        type="email"
        autoComplete="off"
        maxLength={127}
        defaultValue={value}
        required
      />
      <p className="paypal-email__hint">
        Customers’ payments go to the PayPal account with this address. A payment that is under way keeps the
        address that it was started with.
      </p>
      <FormProblem problem={problem} />
      <p className="buttons">
        <button className="button" type="submit" aria-disabled={sending}>
          {sending ? 'One moment' : action}
        </button>
      </p>
    </form>
  );
}
