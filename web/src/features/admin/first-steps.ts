import type { Site } from '../../lib/site.js';

export interface FirstStep {
  text: string;
  to: string;
  done: boolean;
}

/** The pricing page shows the packages with exactly these names. */
const packageNames = ['Basic', 'Premium', 'Standard'] as const;

export const missingPackages = (site: Site): string[] =>
  packageNames.filter((name) => !site.pricingPackage?.some(({ packageName }) => packageName === name));

/** What a new site needs before it can sell. */
export function firstSteps(site: Site, hasPayPalEmail: boolean): FirstStep[] {
  const missing = missingPackages(site);
  return [
    { text: 'Show your logo', to: '/add-logo', done: Boolean(site.logo?.[0]) },
    {
      text: 'Say which PayPal e-mail receives the payments',
      to: '/add-paypal-Email',
      done: hasPayPalEmail,
    },
    {
      text:
        missing.length === 0
          ? 'Offer the packages Basic, Premium and Standard'
          : `Offer the packages named exactly ${missing.join(', ')}: the pricing page shows no others`,
      to: '/add-pricing',
      done: missing.length === 0,
    },
  ];
}
