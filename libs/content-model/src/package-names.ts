/** The pricing page shows exactly these, in this order. */
export const packageNames: readonly string[] = ['Basic', 'Premium', 'Standard'];
