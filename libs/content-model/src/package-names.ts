/** The pricing page shows the packages with exactly these names, in this order. */
export const packageNames: readonly string[] = ['Basic', 'Premium', 'Standard'];
