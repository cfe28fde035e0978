import type { ReactNode } from 'react';
import { type SubscriptionPage, subscriptionPaths } from '#libs/contracts';
import { PageHead } from '../../components/PageHead.js';

interface Words {
  title: string;
  lead: ReactNode;
  body?: ReactNode;
}

/**
 * The page behind a link of a newsletter, or of the mail that asks to confirm it. It looks the same to programs that open every link of a mail:
 * only its button, a form of plain HTML, changes anything.
 */
export function SubscriptionScreen(page: SubscriptionPage) {
  const { title, lead, body } = wordsOf(page);
  return (
    <>
      <PageHead title={title}>{lead}</PageHead>
      {body && (
        <div className="section--ruled">
          <div className="screen wrap">{body}</div>
        </div>
      )}
    </>
  );
}

export const subscriptionTitle = (page: SubscriptionPage) => wordsOf(page).title;

function wordsOf(page: SubscriptionPage): Words {
  const { subscription, link } = page;
  if (!subscription) return dead(link);
  return link === 'confirm' ? toConfirm(page, subscription) : toUnsubscribe(page, subscription);
}

type Known = NonNullable<SubscriptionPage['subscription']>;

function dead(link: SubscriptionPage['link']): Words {
  const lead =
    link === 'confirm'
      ? 'It is not whole, or the address is no longer on our list. Sign up again to get another.'
      : 'It is not whole, or the address is no longer on our list. If newsletters still come, use the link in the newest one, or write to us.';
  return { title: 'This link does not work', lead, body: link === 'confirm' ? signUp : writeToUs };
}

function toConfirm(
  { token }: SubscriptionPage,
  { emailMasked, status, link, consent, unsubscribeToken }: Known,
): Words {
  const address = <strong>{emailMasked}</strong>;
  if (status === 'suppressed') return cameBack(address);
  switch (link) {
    case 'open':
      return {
        title: 'Do you want our newsletter?',
        lead: <>It will go to {address} once you press the button.</>,
        body: (
          <>
            <blockquote>
              <p>{consent}</p>
            </blockquote>
            <Action path={subscriptionPaths.confirm} token={token} label="Confirm the newsletter" />
            <p>If you did not sign up, close this page, and nothing happens.</p>
          </>
        ),
      };
    case 'done':
      return {
        title: 'You are subscribed',
        lead: <>Our newsletter goes to {address}. Every issue has a link to unsubscribe.</>,
        body: (
          <>
            {home}
            <p>
              Was that a slip?{' '}
              <a href={`${subscriptionPaths.unsubscribe}?token=${unsubscribeToken ?? ''}`}>Unsubscribe</a>
            </p>
          </>
        ),
      };
    case 'expired':
      return {
        title: 'This link has expired',
        lead: 'It worked for a week. Sign up again to get another.',
        body: signUp,
      };
    case 'used':
      return {
        title: 'This link was used',
        lead: 'It worked once. Sign up again to get another.',
        body: signUp,
      };
  }
}

function toUnsubscribe({ token, asked, campaign }: SubscriptionPage, { emailMasked, status }: Known): Words {
  const address = <strong>{emailMasked}</strong>;
  if (asked && status === 'suppressed') return cameBack(address);
  if (asked && status === 'pending')
    return {
      title: 'One more step',
      lead: (
        <>
          Open the mail that we sent to {address}, and confirm the newsletter there. We send one a day at
          most.
        </>
      ),
      body: home,
    };
  if (status === 'unsubscribed')
    return {
      title: 'You are unsubscribed',
      lead: <>Our newsletter no longer goes to {address}.</>,
      body: (
        <>
          <p>If that was a slip, sign up again: we send you a mail to confirm it.</p>
          <Action path="/subscribe-again" token={token} label="Subscribe again" quiet />
        </>
      ),
    };
  return {
    title: 'Unsubscribe',
    lead: <>Our newsletter will no longer go to {address} once you press the button.</>,
    body: (
      <Action path={subscriptionPaths.unsubscribe} token={token} campaign={campaign} label="Unsubscribe" />
    ),
  };
}

const cameBack = (address: ReactNode): Words => ({
  title: 'Mail to you comes back',
  lead: <>The mail server of {address} refused our mail, so we send none. If it works again, write to us.</>,
  body: writeToUs,
});

interface ActionProps {
  path: string;
  token: string;
  campaign?: string;
  label: string;
  quiet?: boolean;
}

/** `page` tells a person's click from a mail program's one-click call, which must not be led on (RFC 8058, section 3.1). */
function Action({ path, token, campaign, label, quiet = false }: ActionProps) {
  const query = new URLSearchParams({ token, ...(campaign && { campaign }) });
  return (
    <form method="post" action={`${path}?${query}`}>
      <button className={quiet ? 'button button--quiet' : 'button'} name="page" value="yes">
        {label}
      </button>
    </form>
  );
}

const LinkButton = ({ to, children }: { to: string; children: string }) => (
  <p>
    <a className="button button--quiet" href={to}>
      {children}
    </a>
  </p>
);

const signUp = <LinkButton to="/#newsletter-heading">Sign up again</LinkButton>;
const writeToUs = <LinkButton to="/contact">Write to us</LinkButton>;
const home = <LinkButton to="/">Go to the home page</LinkButton>;
