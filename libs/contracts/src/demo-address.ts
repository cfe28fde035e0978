// Without schemas, because the browser loads it.

/**
 * The domain of the demo customers and subscribers. Nobody has an address of it, because `.example` is reserved (RFC 2606), so records with such
 * an address are demo records.
 */
export const demoDomain = 'demo.example';
export const isDemoAddress = (email: string): boolean => email.toLowerCase().endsWith(`@${demoDomain}`);

/** The subject of the demo campaign, which has no address. */
export const demoCampaignSubject = 'Demo: five searches that bring you customers';
