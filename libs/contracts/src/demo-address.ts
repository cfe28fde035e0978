// No schemas here, because the browser loads this file.

/**
 * The domain of the demo customers and subscribers. Nobody has an address there, because `.example` is reserved (RFC 2606), so a record with such
 * an address is a demo record, unless it is an admin's account, or an order with a payment attempt that is not simulated.
 */
export const demoDomain = 'demo.example';
export const isDemoAddress = (email: string): boolean => email.toLowerCase().endsWith(`@${demoDomain}`);

/** The subject by which the demo campaign is recognised, because a campaign has no address. */
export const demoCampaignSubject = 'Demo: five searches that bring you customers';
