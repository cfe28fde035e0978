// No schemas here, because the browser loads this file.

/**
 * Nobody has an address in this reserved domain (RFC 2606). A record with such an address is a demo record, with two exceptions: an admin's account,
 * and an order with a payment attempt that is not simulated.
 */
export const demoDomain = 'demo.example';
export const isDemoAddress = (email: string): boolean => email.toLowerCase().endsWith(`@${demoDomain}`);

/** Identifies the demo campaign, because a campaign has no address. */
export const demoCampaignSubject = 'Demo: five searches that bring you customers';
