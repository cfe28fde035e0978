/** Of a column of cents. They fit a JavaScript number: the dearest order has eleven digits. */
export const cents = { to: (value: number) => value, from: (value: string) => Number(value) };
