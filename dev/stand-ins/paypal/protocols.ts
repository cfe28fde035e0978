/** How PayPal delivers a kind of message. */
export interface Protocol {
  /** Which answers end the repetition. */
  accepts(status: number): boolean;
  /** The pause before a repetition, counted from 0; null after the last one. */
  pauseMs(repetition: number): number | null;
}

/** Doubling from ten seconds, the fifteenth repetition comes within four days, as PayPal documents. */
export const instantNotification: Protocol = {
  accepts: (status) => status === 200,
  pauseMs: (repetition) => (repetition < 15 ? 10_000 * 2 ** repetition : null),
};

/** PayPal repeats a webhook 25 times within three days. The intervals are not documented: these double, and end at four and a half hours. */
export const webhook: Protocol = {
  accepts: (status) => status >= 200 && status < 300,
  pauseMs: (repetition) => (repetition < 25 ? Math.min(10_000 * 2 ** repetition, 4.5 * 3_600_000) : null),
};
