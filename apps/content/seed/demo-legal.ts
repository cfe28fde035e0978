import type { BodyOf, sections } from '#libs/content-model';

const paragraphs = (...texts: string[]) => texts.join('\n\n');

export const demoTerms: BodyOf<typeof sections.terms> = {
  termsHeading: 'Terms of service',
  termsText: paragraphs(
    'These terms apply between Northrank, 14 Harbor Row, Portland, ME 04101, United States, and anyone who orders a package on this site. They were last changed on 1 November 2026. This is demo text: replace it with your own before you take orders.',
    '## The order',
    'An order covers one package for one month. The month begins on the first working day after we have received the payment. The order does not renew by itself, unless you choose a monthly plan when you order: then PayPal charges its price every month until you cancel it.',
    '## Price and payment',
    'The price is the one shown on the pricing page at the moment of the order, in US dollars, per month. Payment is made through PayPal, by card or from a PayPal balance. We never see and never store card numbers.',
    '## Cancelling',
    'A monthly plan can be cancelled on this site at any time. It then ends when the month that you have paid for is over. An order that has not been paid can be cancelled at any time and costs nothing. An order for a single month that has been paid can be cancelled for a full refund within 14 days of its payment, as long as the work has not begun. The work begins when your project on this site says ‘In progress’. If you cancel after the work has begun, or more than 14 days after the payment, we refund the part of the month that remains.',
    '## What we owe you',
    'We owe you the work that the package lists, done with professional care, and a report on it each month. Rankings are decided by search engines. We do not promise a position, a number of visits or a date.',
    '## What we need from you',
    'You give us the access and the answers that we need for the work. If we wait for them for more than ten working days, we may move the work to the following month.',
    '## Ownership',
    'What we write and build for you is yours as soon as it is paid for. We may name you as a client and cite figures from our work only when you have agreed to it in writing.',
    '## Confidentiality',
    'Each of us keeps the other’s business secrets. This lasts for three years after the last order.',
    '## Liability',
    'We are liable without limit for harm done on purpose or by gross negligence. In every other case our liability ends at the amount you paid us in the twelve months before the harm occurred.',
    '## Changes and law',
    'When we change these terms, the new text appears on this page with its date. Orders already placed keep the terms they were placed under. The law of the State of Maine applies.',
  ),
};

export const demoPrivacy: BodyOf<typeof sections.privacy> = {
  privacyHeading: 'Privacy policy',
  privacyText: paragraphs(
    'This page explains what data this site keeps about you, why, and for how long. It was last changed on 1 November 2026. The data controller is Northrank, 14 Harbor Row, Portland, ME 04101, United States, hello@northrank.example. This is demo text: replace it with your own.',
    '## Reading the site',
    'You can read every public page without an account. The site sets no advertising or analytics cookies, and no page loads anything from another company until you ask for it. The map on the contact page is loaded from its provider only when you click on it.',
    '## Contact form',
    'When you write to us we keep your name, your e-mail address, the subject and the message, to answer you. They stay until you ask us to delete them, or until you delete your account, if this is its confirmed e-mail address. When we delete a message, a log of our changes keeps your name, your address and the subject; deleting your account removes them there too.',
    '## Newsletter',
    'When you subscribe we keep your e-mail address. As evidence of your consent, we keep the text that you agreed to, and when and from which IP addresses you signed up and confirmed. You can unsubscribe with the link in each newsletter; we then send you no more newsletters, but keep this evidence. It stays until you ask us to delete it, or until you delete your account, if this is its confirmed e-mail address.',
    '## Account',
    'An account holds your e-mail address and your password, the latter only as a hash from which it cannot be read back. While you are signed in, your browser holds cookies that identify your session. They are necessary for signing in and serve no other purpose. Another cookie stays for up to 400 days after you sign out. It recognizes your browser, so that we e-mail you only about sign-ins from a new one.',
    '## Orders',
    'With an order we keep your name, your e-mail address, your postal address, your country, the package, its price and the state of the payment. When you delete your account, your name and addresses are removed from your orders. Amounts, dates and issued invoices, which contain your billing details, stay for as long as tax law demands.',
    '## Payment',
    'You pay on the pages of PayPal, under [PayPal’s own privacy policy](https://www.paypal.com/webapps/mpp/ua/privacy-full). We receive the amount, the time, the transaction number and whether the payment was made.',
    '## Server logs',
    'For each request, our servers note the time, the page and the IP address of the sender, to keep the site running and to stop abuse. These notes are deleted after 30 days.',
    '## Who we share data with',
    'Nobody, apart from the companies that run our servers and send our mail under contract, and authorities where the law obliges us.',
    '## Your rights',
    'You may ask what we keep about you, have it corrected, receive a copy, or have it deleted. Write to [hello@northrank.example](mailto:hello@northrank.example). You may also complain to your data protection authority.',
  ),
};
