/** Public pages show only the packages with these names, in this order. Other packages may exist. */
export const packageNames: readonly string[] = ['Basic', 'Premium', 'Standard'];
