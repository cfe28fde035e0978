import { demoDomain } from '#libs/contracts';

export interface DemoPerson {
  name: string;
  email: string;
  address: string;
  country: string;
}

const person = (name: string, address: string, country: string): DemoPerson => ({
  name,
  email: `${name.toLowerCase().replace(/[^a-z]+/g, '.')}@${demoDomain}`,
  address,
  country,
});

export const demoPeople: readonly DemoPerson[] = [
  person('Amara Okafor', '14 Marina Road, Lagos', 'Nigeria'),
  person('Ben Whitfield', '27 Harbour Street, Bristol', 'United Kingdom'),
  person('Chiara Rossi', 'Via Tortona 31, Milano', 'Italy'),
  person('Daniel Novak', 'Vodickova 12, Praha', 'Czechia'),
  person('Elena Petrova', '8 Vitosha Boulevard, Sofia', 'Bulgaria'),
  person('Farid Haddad', '52 Hamra Street, Beirut', 'Lebanon'),
  person('Grace Lindqvist', 'Storgatan 9, Malmö', 'Sweden'),
  person('Hiro Tanaka', '3-7 Sakae, Nagoya', 'Japan'),
  person('Ines Carvalho', 'Rua das Flores 118, Porto', 'Portugal'),
  person('Jack Morrison', '410 Pine Street, Portland', 'United States'),
  person('Kofi Mensah', '21 Oxford Street, Accra', 'Ghana'),
  person('Lena Hoffmann', 'Lindenstraße 44, Köln', 'Germany'),
  person('Mateo Silva', 'Calle Larga 5, Cádiz', 'Spain'),
  person('Nadia Karim', '17 Lake Road, Dhaka', 'Bangladesh'),
  person('Oskar Nyberg', 'Kirkkokatu 30, Oulu', 'Finland'),
];

/**
 * After `paid`, `partlyRefunded` and `byHand`, the work is delivered and accepted, unless the order has a story (`demo-stories.ts`). `byHand`: an
 * admin sets the order to Paid, with a reason. `disputed`: the buyer disputes the payment at the provider. `echeck`: the buyer pays from a bank
 * account, and the payment is still pending.
 */
type Outcome =
  | 'paid'
  | 'unpaid'
  | 'cancelled'
  | 'refunded'
  | 'partlyRefunded'
  | 'disputed'
  | 'echeck'
  | 'echeckFailed'
  | 'byHand';

export interface DemoOrder {
  /** The index in `demoPeople`. */
  who: number;
  packageName: 'Basic' | 'Standard' | 'Premium';
  daysAgo: number;
  outcome: Outcome;
}

const ordered = (
  who: number,
  packageName: DemoOrder['packageName'],
  daysAgo: number,
  outcome: Outcome,
): DemoOrder => ({
  who,
  packageName,
  daysAgo,
  outcome,
});

export const demoOrders: readonly DemoOrder[] = [
  ordered(0, 'Basic', 171, 'paid'),
  ordered(1, 'Standard', 158, 'paid'),
  ordered(2, 'Basic', 149, 'refunded'),
  ordered(3, 'Premium', 137, 'paid'),
  ordered(0, 'Standard', 128, 'paid'),
  ordered(4, 'Basic', 119, 'cancelled'),
  ordered(5, 'Standard', 104, 'paid'),
  ordered(1, 'Premium', 97, 'paid'),
  ordered(6, 'Basic', 86, 'byHand'),
  ordered(2, 'Standard', 78, 'paid'),
  ordered(7, 'Premium', 69, 'partlyRefunded'),
  ordered(3, 'Premium', 61, 'paid'),
  ordered(8, 'Basic', 54, 'echeckFailed'),
  ordered(0, 'Premium', 47, 'paid'),
  ordered(5, 'Basic', 40, 'unpaid'),
  ordered(9, 'Standard', 33, 'disputed'),
  ordered(8, 'Standard', 27, 'paid'),
  ordered(6, 'Premium', 20, 'paid'),
  ordered(1, 'Premium', 13, 'paid'),
  ordered(7, 'Basic', 8, 'cancelled'),
  ordered(9, 'Premium', 5, 'paid'),
  ordered(4, 'Basic', 3, 'echeck'),
  ordered(3, 'Standard', 2, 'paid'),
  ordered(2, 'Basic', 1, 'unpaid'),
];

export interface DemoPlan {
  who: number;
  packageName: DemoOrder['packageName'];
  /** How long ago. */
  began: { months: number; days: number };
  /** The customer cancelled the plan, or all charges from then on are declined. */
  change?: { daysAgo: number; kind: 'declined' | 'cancelled' };
}

export const demoPlans: readonly DemoPlan[] = [
  { who: 10, packageName: 'Standard', began: { months: 5, days: 11 } },
  {
    who: 11,
    packageName: 'Premium',
    began: { months: 3, days: 16 },
    change: { daysAgo: 70, kind: 'cancelled' },
  },
  { who: 12, packageName: 'Basic', began: { months: 3, days: 4 }, change: { daysAgo: 12, kind: 'declined' } },
  {
    who: 13,
    packageName: 'Premium',
    began: { months: 1, days: 18 },
    change: { daysAgo: 7, kind: 'cancelled' },
  },
  { who: 14, packageName: 'Basic', began: { months: 0, days: 1 } },
];

interface DemoMessage {
  who: number;
  daysAgo: number;
  subject: string;
  message: string;
  reply?: string;
}

export const demoMessages: readonly DemoMessage[] = [
  {
    who: 4,
    daysAgo: 41,
    subject: 'Two shops, one plan?',
    message: 'We run two shops in Sofia with a website each. Do we need two plans?',
    reply:
      'Thanks for asking. One Standard plan covers both shops as long as they share a domain. With two domains, a plan for each works better.\n\nShall we call you this week?',
  },
  {
    who: 9,
    daysAgo: 30,
    subject: 'Last month’s report',
    message: 'I could not find last month’s report. Could you send it again?',
  },
  {
    who: 6,
    daysAgo: 6,
    subject: 'Moving to a new domain',
    message: 'We are moving to a new domain soon. What should we do so that we keep our positions?',
  },
];

/** Has no mailbox: the mail catcher refuses its mail with 550. */
export const bouncingSubscriber = `no.longer.here@${demoDomain}`;
/** They unsubscribe with the link in the `List-Unsubscribe` header of the campaign. */
export const leavingSubscribers = [`reader.3@${demoDomain}`, `reader.11@${demoDomain}`];

/** The name of the import of the subscribers; also recorded as their consent. */
export const demoImportName = 'Demo data';

export const demoSubscribers: readonly string[] = [
  ...demoPeople.slice(0, 6).map(({ email }) => email),
  ...Array.from({ length: 18 }, (_, index) => `reader.${index + 1}@${demoDomain}`),
  bouncingSubscriber,
];

export const demoCampaignBody = `# Five searches that bring you customers

People rarely search for a name. They search for what they need, near them:

1. **what + where**, like *bicycle repair porto*
2. **how much**, like *price of a roof inspection*
3. **open now**
4. **a comparison**, like *heat pump or gas*
5. **a problem**, like *boiler makes noise*

Check which of them your site answers. Our plans begin with exactly that list.`;
