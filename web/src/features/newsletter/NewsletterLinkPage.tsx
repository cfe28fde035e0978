import type { ReactNode } from 'react';
import {
  type NewsletterSubscription,
  type NewsletterLinkPageData,
  newsletterLinkPaths,
} from '#libs/contracts';
import { PageHead } from '../../components/PageHead.js';

interface Words {
  title: string;
  lead: ReactNode;
  body?: ReactNode;
}

/**
 * For a link in a newsletter, or in the mail that asks to confirm a newsletter subscription. Opening the page changes nothing, because some mail
 * programs open every link. Its button submits a plain HTML form.
 */
export function NewsletterLinkPage(data: NewsletterLinkPageData) {
  const { title, lead, body } = wordsOf(data);
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

export const newsletterLinkPageTitleOf = (data: NewsletterLinkPageData) => wordsOf(data).title;

function wordsOf(data: NewsletterLinkPageData): Words {
  const { subscription, link } = data;
  if (!subscription) return deadLinkWords(link);
  return link === 'confirm' ? confirmWords(data, subscription) : unsubscribeWords(data, subscription);
}

function deadLinkWords(link: NewsletterLinkPageData['link']): Words {
  const lead =
    link === 'confirm'
      ? 'It’s incomplete, or the address is no longer on our list. Sign up again to get a new link.'
      : 'It’s incomplete, or the address is no longer on our list. If you still get newsletters, use the link in the latest one or contact us.';
  return { title: 'This link doesn’t work', lead, body: link === 'confirm' ? signUpLink : contactLink };
}

function confirmWords(
  { token }: NewsletterLinkPageData,
  { emailMasked, status, link: linkState, consent, unsubscribeToken }: NewsletterSubscription,
): Words {
  const address = <strong>{emailMasked}</strong>;
  if (status === 'suppressed') return suppressedWords(address);
  switch (linkState) {
    case 'open':
      return {
        title: 'Confirm your subscription',
        lead: <>Choose Confirm subscription, and we’ll send our newsletter to {address}.</>,
        body: (
          <>
            <blockquote>
              <p>{consent}</p>
            </blockquote>
            <ActionForm path={newsletterLinkPaths.confirm} token={token} label="Confirm subscription" />
            <p>If you didn’t sign up, close this page. We won’t send you anything.</p>
          </>
        ),
      };
    case 'done':
      return {
        title: 'You’re subscribed',
        lead: <>We’ll send our newsletter to {address}. You can unsubscribe with the link in every issue.</>,
        body: (
          <>
            {homeLink}
            <p>
              Subscribed by mistake?{' '}
              <a href={`${newsletterLinkPaths.unsubscribe}?token=${unsubscribeToken ?? ''}`}>Unsubscribe</a>
            </p>
          </>
        ),
      };
    case 'expired':
      return {
        title: 'This link has expired',
        lead: 'Links work for one week. Sign up again to get a new one.',
        body: signUpLink,
      };
    case 'used':
      return {
        title: 'This link was already used',
        lead: 'Links work once. Sign up again to get a new one.',
        body: signUpLink,
      };
  }
}

function unsubscribeWords(
  { token, asked, campaign }: NewsletterLinkPageData,
  { emailMasked, status, link: linkState }: NewsletterSubscription,
): Words {
  const address = <strong>{emailMasked}</strong>;
  // The person has just chosen Subscribe again on this page.
  if (asked && status === 'suppressed') return suppressedWords(address);
  if (asked && status === 'pending')
    return {
      title: 'Check your inbox',
      lead: (
        <>
          To confirm, click the link in our e-mail to {address}. We send at most one such e-mail a day, and
          three in 90 days: if you don’t get one, sign up again later.
        </>
      ),
      body: homeLink,
    };
  // An unsubscribe link is `used` if its address is both suppressed and unsubscribed.
  if (status === 'unsubscribed' || linkState === 'used')
    return {
      title: 'You’re unsubscribed',
      lead: <>We won’t send our newsletter to {address} any more.</>,
      body: (
        <>
          <p>Unsubscribed by mistake? Subscribe again and we’ll send you an e-mail to confirm.</p>
          <ActionForm path="/subscribe-again" token={token} label="Subscribe again" quiet />
        </>
      ),
    };
  return {
    title: 'Unsubscribe',
    lead: <>To stop getting our newsletter at {address}, choose Unsubscribe.</>,
    body: (
      <ActionForm
        path={newsletterLinkPaths.unsubscribe}
        token={token}
        campaign={campaign}
        label="Unsubscribe"
      />
    ),
  };
}

const suppressedWords = (address: ReactNode): Words => ({
  title: 'We’ve stopped writing to you',
  lead: (
    <>
      An e-mail to {address} couldn’t be delivered or was reported as spam, so we’ve stopped sending to this
      address. To get our newsletter again, contact us.
    </>
  ),
  body: contactLink,
});

interface ActionFormProps {
  path: string;
  token: string;
  campaign?: string;
  label: string;
  quiet?: boolean;
}

/**
 * `page=yes` distinguishes a person's click from a mail program's one-click request, which must not be redirected
 * (RFC 8058, section 3.1).
 */
function ActionForm({ path, token, campaign, label, quiet = false }: ActionFormProps) {
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

const signUpLink = <LinkButton to="/#newsletter-heading">Sign up again</LinkButton>;
const contactLink = <LinkButton to="/contact">Contact us</LinkButton>;
const homeLink = <LinkButton to="/">Go to the home page</LinkButton>;
